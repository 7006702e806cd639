//! The window that plays frames.

use std::time::{Duration, Instant};

use kiss3d::prelude::{Action, Key, Window, WindowEvent};

use super::stage::Stage;
use super::{Frames, ViewOptions, ViewerError, check, setup};
use crate::frame::Frame;

/// Plays frames in a window until it is closed, and those that come in meanwhile.
///
/// Space plays and pauses; the arrows go a frame back and forth; Home and End go to the first and the last.
/// The left button turns, the right one moves, the wheel zooms. Call it on the main thread.
///
/// # Errors
/// [`ViewerError`] without a display, a driver or frames, or if a frame cannot be read.
pub fn view(frames: &mut dyn Frames, options: &ViewOptions) -> Result<(), ViewerError> {
    check()?;
    if frames.count() == 0 {
        return Err(ViewerError::NoFrames);
    }
    pollster::block_on(play(frames, options))
}

async fn play(frames: &mut dyn Frames, options: &ViewOptions) -> Result<(), ViewerError> {
    let first = read(frames, 0)?;
    let title = first.layout.scene.clone();
    let [width, height] = options.size;
    let mut window = Window::new_with_setup(&title, width, height, setup()).await;
    let mut stage = Stage::new(&mut window, &first, options);
    stage.show(&first);
    let mut player = Player { index: 0, count: frames.count(), playing: true, last: Instant::now() };
    let period = Duration::from_secs_f64(1.0 / options.frames_per_second.max(1e-3));
    while stage.render(&mut window).await {
        let before = player.index;
        player.count = frames.count();
        player.listen(&window);
        player.advance(period);
        if player.index != before {
            let frame = read(frames, player.index)?;
            window.set_title(&format!("{title}: step {}, {:.4} s", frame.step, frame.time));
            stage.show(&frame);
        }
    }
    Ok(())
}

fn read(frames: &mut dyn Frames, index: usize) -> Result<Frame, ViewerError> {
    let count = frames.count();
    frames.frame(index).map_err(|reason| ViewerError::Frame { index, count, reason })
}

/// Which frame is shown.
struct Player {
    index: usize,
    count: usize,
    playing: bool,
    /// When the frame was changed last.
    last: Instant,
}

impl Player {
    fn listen(&mut self, window: &Window) {
        for event in window.events().iter() {
            let WindowEvent::Key(key, Action::Press, _) = event.value else { continue };
            match key {
                Key::Space => self.toggle(),
                Key::Right => self.pause_at(self.index + 1),
                Key::Left => self.pause_at(self.index.saturating_sub(1)),
                Key::Home => self.pause_at(0),
                Key::End => self.pause_at(self.count),
                _ => {}
            }
        }
    }

    /// Plays from the start if the end is reached, and pauses or plays on elsewhere.
    fn toggle(&mut self) {
        let ended = self.index + 1 == self.count;
        self.playing = ended || !self.playing;
        if ended {
            self.index = 0;
        }
    }

    fn pause_at(&mut self, index: usize) {
        self.index = index.min(self.count - 1);
        self.playing = false;
    }

    /// Goes to the next frame if it is time, and waits a little if nothing moves.
    fn advance(&mut self, period: Duration) {
        if self.playing && self.index + 1 < self.count && self.last.elapsed() >= period {
            self.last = Instant::now();
            self.index += 1;
        } else {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
