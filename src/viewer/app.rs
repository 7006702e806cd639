//! The window: listens, lets time pass, shows what has changed.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use kiss3d::prelude::Window;

use super::hand::Hand;
use super::keys::{Action, Heard, listen};
use super::look::Look;
use super::mouse::Mouse;
use super::panel::{self, Controls, Facts, Marks};
use super::player::Player;
use super::rig::Rig;
use super::source::{Command, Frames};
use super::stage::Stage;
use super::times::Times;
use super::{ViewOptions, ViewerError, check, display, setup};
use crate::draw::camera::{VIEWS, View};
use crate::draw::image::Image;
use crate::draw::write_png;
use crate::frame::Frame;

/// Shortest time between pictures: more than sixty a second nobody sees.
const BETWEEN_PICTURES: Duration = Duration::from_millis(16);

/// How long the window is drawn on after something happened, for the panel to come to rest.
const RESTLESS: Duration = Duration::from_millis(400);

/// How long a remark stays.
const REMARK: Duration = Duration::from_secs(8);

/// Meshes that take longer than this wait for the camera to rest.
const QUICK: f64 = 0.03;

/// How long the camera must rest for them.
const RESTED: Duration = Duration::from_millis(200);

/// Plays frames in a window until it is closed, and those that come in meanwhile. Call it on the main thread.
///
/// # Errors
/// [`ViewerError`] without a display, a driver or frames, or if the first frame cannot be read.
pub fn view(frames: &mut dyn Frames, options: &ViewOptions) -> Result<(), ViewerError> {
    check()?;
    let display = display::ask()?;
    let count = frames.count();
    if count == 0 {
        return Err(ViewerError::NoFrames);
    }
    let first = frames.frame(0).map_err(|reason| ViewerError::Frame { index: 0, count, reason })?;
    pollster::block_on(async {
        let [width, height] = options.size;
        let mut window = Window::new_with_setup(&first.layout.scene, width, height, setup()).await;
        window.rebind_close_key(None);
        drop(display);
        let mut app = App::new(&mut window, frames, first, options);
        while app.turn(&mut window).await {}
        Ok(())
    })
}

/// A window at work.
struct App<'a> {
    frames: &'a mut dyn Frames,
    stage: Stage,
    rig: Rig,
    player: Player,
    controls: Controls,
    frame: Frame,
    mouse: Mouse,
    hand: Option<Hand>,
    /// What just happened, and when.
    notice: (String, Instant),
    pictures: PathBuf,
    times: Times,
    clock: Clock,
    /// What the meshes were made for.
    shown: Shown,
    picture_is_due: bool,
    is_closed: bool,
}

/// Moments of the window's life.
struct Clock {
    /// When time passed last.
    last: Instant,
    /// When something happened last.
    active: Instant,
    /// When the camera moved last.
    moved: Instant,
    /// Pictures a second, a sliding mean.
    rate: f64,
}

/// What the meshes were made for.
#[derive(Default)]
struct Shown {
    is_stale: bool,
    look: Option<Look>,
    view: Option<View>,
}

impl<'a> App<'a> {
    fn new(window: &mut Window, frames: &'a mut dyn Frames, first: Frame, options: &ViewOptions) -> Self {
        let now = Instant::now();
        let tuning = frames.live().map(|live| live.tuning().clone());
        let controls = Controls {
            look: Look::new(&first.layout, options),
            follow: false,
            panel: true,
            help: false,
            tuning,
            strength: 1.0,
            asked: Vec::new(),
            seek: None,
        };
        Self {
            stage: Stage::new(window),
            rig: Rig::new(&first, options),
            player: Player::new(frames.count(), options.frames_per_second, frames.live().is_some()),
            controls,
            frame: first,
            mouse: Mouse::default(),
            hand: None,
            notice: (String::new(), now),
            pictures: options.pictures.clone(),
            times: Times::default(),
            clock: Clock { last: now, active: now, moved: now, rate: 0.0 },
            shown: Shown { is_stale: true, ..Shown::default() },
            picture_is_due: false,
            is_closed: false,
            frames,
        }
    }

    /// One turn of the window's loop; false once it is closed.
    async fn turn(&mut self, window: &mut Window) -> bool {
        let heard = listen(window, &mut self.mouse);
        let begun = Instant::now();
        let before = (self.player.index(), self.player.is_playing());
        let news = self.refresh();
        self.listen(&heard, window);
        self.player.set_count(self.frames.count());
        self.player.advance(begun - self.clock.last);
        self.clock.last = begun;
        self.tell_simulation(before.1);
        if self.player.index() != before.0 || (news && self.player.is_at_end()) {
            self.load(window);
        }
        self.pull(window);
        self.renew(window);
        let is_restless = heard.anything || self.shown.is_stale || self.picture_is_due;
        if is_restless {
            self.clock.active = begun;
        }
        if self.clock.active.elapsed() > RESTLESS {
            window.canvas_mut().poll_events();
            std::thread::sleep(BETWEEN_PICTURES / 2);
            return !self.is_closed;
        }
        self.shown.is_stale = false;
        self.draw(window, begun).await && !self.is_closed
    }

    fn refresh(&mut self) -> bool {
        self.frames.refresh().unwrap_or_else(|reason| {
            self.say(reason);
            false
        })
    }

    /// Draws the window once; false once it is closed.
    async fn draw(&mut self, window: &mut Window, begun: Instant) -> bool {
        let is_picture = std::mem::take(&mut self.picture_is_due);
        if !is_picture {
            self.panel(window);
        }
        let drawing = Instant::now();
        let is_open = window.render_3d(&mut self.stage.scene, &mut self.rig.orbit).await;
        self.times.mix(&Times { draw: drawing.elapsed().as_secs_f64(), ..Times::default() });
        if is_picture {
            self.write_picture(window);
        }
        std::thread::sleep(BETWEEN_PICTURES.saturating_sub(begun.elapsed()));
        let rate = 1.0 / begun.elapsed().as_secs_f64();
        self.clock.rate += 0.1 * (rate - self.clock.rate);
        is_open
    }

    fn listen(&mut self, heard: &Heard, window: &Window) {
        let asked = std::mem::take(&mut self.controls.asked);
        for action in heard.actions.iter().copied().chain(asked) {
            self.act(action, window);
        }
        if let Some(index) = self.controls.seek.take() {
            self.player.pause_at(index);
        }
        let done = self.mouse.done();
        self.rig.turn(done.turned);
        self.rig.shift(done.moved, size(window));
        if let Some(at) = done.taken.filter(|_| self.controls.tuning.is_some()) {
            let view = self.rig.view(size(window));
            self.hand = Hand::take(&self.frame, &self.controls.look, &view, at);
        }
        if done.let_go && self.hand.take().is_some() {
            self.send(Command::Grab(None));
        }
    }

    fn act(&mut self, action: Action, window: &Window) {
        match action {
            Action::Play => self.player.toggle(),
            Action::Forward if self.player.is_at_end() && self.controls.tuning.is_some() => {
                self.player.pause_at(self.player.last());
                self.send(Command::Step);
            }
            Action::Forward => self.player.pause_at(self.player.index() + 1),
            Action::Back => self.player.back(),
            Action::First => self.player.pause_at(0),
            Action::Last => self.player.end(),
            Action::Speed(factor) => self.player.scale_speed(factor),
            Action::Fit => self.rig.fit(&self.frame, size(window)),
            Action::Start => self.rig.look_as_at_start(),
            Action::Look(side) => self.rig.look_from(VIEWS[side].1, &self.frame, size(window)),
            Action::Follow => {
                self.controls.follow = !self.controls.follow;
                self.rig.set_follow(self.controls.follow, &self.frame);
            }
            Action::Colour(by) => self.controls.look.turn_colour(by),
            Action::Obstacles => self.controls.look.obstacles = !self.controls.look.obstacles,
            Action::Overlay(overlay) => self.controls.look.toggle(overlay),
            Action::Panel => self.controls.panel = !self.controls.panel,
            Action::Help => self.controls.help = !self.controls.help,
            Action::Picture => self.picture_is_due = true,
            Action::Camera => {
                let saved = self.frames.save_camera(&self.rig.camera());
                self.say(saved.unwrap_or_else(|reason| reason));
            }
            Action::Restart => self.restart(),
            Action::Quit => self.is_closed = true,
        }
    }

    /// Starts the simulation again as it is tuned, with its clamps closed.
    fn restart(&mut self) {
        let Some(tuning) = &mut self.controls.tuning else { return };
        tuning.released.fill(false);
        let again = Command::Restart(tuning.clone());
        self.send(again);
        self.player.end();
    }

    fn say(&mut self, text: String) {
        self.clock.active = Instant::now();
        self.notice = (text, Instant::now());
    }

    fn send(&self, command: Command) {
        if let Some(live) = self.frames.live() {
            live.send(command);
        }
    }

    /// A simulation rests and goes on with its pictures.
    fn tell_simulation(&self, was_playing: bool) {
        let is_playing = self.player.is_playing();
        if is_playing != was_playing {
            self.send(Command::Run(is_playing));
        }
    }

    fn load(&mut self, window: &mut Window) {
        let begun = Instant::now();
        match self.frames.frame(self.player.index()) {
            Ok(frame) => {
                self.times.mix(&Times { read: begun.elapsed().as_secs_f64(), ..Times::default() });
                let title = format!("{}: step {}, {:.4} s", frame.layout.scene, frame.step, frame.time);
                window.set_title(&title);
                self.rig.follow(&frame);
                (self.frame, self.shown.is_stale) = (frame, true);
            }
            Err(reason) => {
                self.player.pause_at(self.player.index());
                self.say(format!("frame {} cannot be read: {reason}", self.player.index()));
            }
        }
    }

    fn pull(&mut self, window: &Window) {
        let Some(hand) = self.hand else { return };
        let pull = hand.pull(&self.rig.view(size(window)), self.mouse.at, self.controls.strength);
        self.clock.active = Instant::now();
        self.send(Command::Grab(Some(pull)));
    }

    /// Makes the meshes again if something is another now.
    fn renew(&mut self, window: &Window) {
        let view = self.rig.view(size(window));
        let moved = self.shown.view.is_none_or(|shown| !is_same(&shown, &view));
        if moved {
            self.clock.moved = Instant::now();
        }
        let is_late = self.times.mesh < QUICK || self.clock.moved.elapsed() > RESTED;
        let is_other = self.shown.look.as_ref() != Some(&self.controls.look);
        if !(self.shown.is_stale || is_other || (moved && is_late)) {
            return;
        }
        if self.shown.look.as_ref().is_some_and(|shown| shown.colour != self.controls.look.colour) {
            self.controls.look.range = None;
            self.stage.forget_range();
        }
        self.times.mix(&self.stage.show(&self.frame, &self.controls.look, &view));
        self.shown = Shown { is_stale: true, look: Some(self.controls.look.clone()), view: Some(view) };
    }

    fn panel(&mut self, window: &mut Window) {
        if self.notice.1.elapsed() > REMARK {
            self.notice.0.clear();
        }
        let scale = window.scale_factor() as f32;
        let view = self.rig.view(size(window));
        let pull = self.hand.and_then(|hand| hand.node(&self.frame)).map(|node| {
            let [x, y, _] = view.project(self.frame.position[node].into());
            [[x, y], self.mouse.at].map(|p| p.map(|c| c / scale))
        });
        let facts = Facts {
            frame: &self.frame,
            player: &self.player,
            steps: self.frames.steps(),
            times: self.times,
            rate: self.clock.rate,
            live: self.frames.live(),
            range: self.stage.range(&self.controls.look),
            notice: &self.notice.0,
        };
        let before = (self.controls.tuning.clone(), self.controls.follow);
        window.draw_ui(|ctx| panel::show(ctx, &mut self.controls, &facts, &Marks { pull }));
        if self.controls.follow != before.1 {
            self.rig.set_follow(self.controls.follow, &self.frame);
        }
        if let Some(tuning) = self.controls.tuning.clone().filter(|_| self.controls.tuning != before.0) {
            self.send(Command::Tune(tuning));
        }
    }

    fn write_picture(&mut self, window: &Window) {
        let seen = window.snap_image();
        let picture = Image { width: seen.width(), height: seen.height(), rgb: seen.into_raw() };
        let name = format!("{}_{:06}", self.frame.layout.scene, self.frame.step);
        let path = free_name(&self.pictures, &name);
        let written = write_png(&path, &picture);
        self.say(
            written.map_or_else(|e| e.to_string(), |()| format!("the picture is in {}", path.display())),
        );
    }
}

/// A file that is not there yet.
fn free_name(folder: &Path, name: &str) -> PathBuf {
    let plain = folder.join(format!("{name}.png"));
    let numbered = (2..).map(|n| folder.join(format!("{name}_{n}.png")));
    std::iter::once(plain.clone()).chain(numbered).find(|path| !path.exists()).unwrap_or(plain)
}

/// Pixels of a window.
fn size(window: &Window) -> [u32; 2] {
    window.size().to_array()
}

fn is_same(a: &View, b: &View) -> bool {
    a.eye == b.eye && a.axes == b.axes && a.size == b.size
}
