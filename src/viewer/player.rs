//! Which frame is shown, and when the next one is due.

use std::time::Duration;

/// Steps of the speed: doubled or halved.
const SPEEDS: [f64; 2] = [1.0 / 32.0, 32.0];

/// Which frame is shown.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Player {
    index: usize,
    count: usize,
    playing: bool,
    speed: f64,
    frames_per_second: f64,
    /// Frames that are due but not shown, less than one.
    due: f64,
    /// Whether the last frame is waited at for others to come.
    waits: bool,
}

impl Player {
    /// At the first of some frames, playing; or at the last, which `waits` for more to come.
    pub(super) fn new(count: usize, frames_per_second: f64, waits: bool) -> Self {
        let index = if waits { count.saturating_sub(1) } else { 0 };
        Self { index, count, playing: true, speed: 1.0, frames_per_second, due: 0.0, waits }
    }

    /// The frame shown, from zero.
    pub(super) fn index(&self) -> usize {
        self.index
    }

    /// The last frame there is.
    pub(super) fn last(&self) -> usize {
        self.count - 1
    }

    /// Whether the last frame is shown.
    pub(super) fn is_at_end(&self) -> bool {
        self.index + 1 >= self.count
    }

    /// Whether time goes on.
    pub(super) fn is_playing(&self) -> bool {
        self.playing
    }

    /// Factor on the frames in a second.
    pub(super) fn speed(&self) -> f64 {
        self.speed
    }

    /// Frames in a second.
    pub(super) fn rate(&self) -> f64 {
        self.speed * self.frames_per_second
    }

    /// Takes over how many frames there are; at the end of a simulation it stays there, for a single step too.
    pub(super) fn set_count(&mut self, count: usize) {
        let follows = self.waits && self.is_at_end();
        self.count = count.max(1);
        self.index = if follows { self.count - 1 } else { self.index.min(self.count - 1) };
    }

    /// Plays or pauses; plays from the start if the end is reached and nothing more will come.
    pub(super) fn toggle(&mut self) {
        let ended = self.is_at_end() && !self.waits;
        self.playing = ended || !self.playing;
        if ended {
            self.index = 0;
        }
        self.due = 0.0;
    }

    /// Goes to a frame, or the nearest there is, and pauses.
    pub(super) fn pause_at(&mut self, index: usize) {
        self.index = index.min(self.count - 1);
        self.playing = false;
    }

    /// Goes back a frame and pauses.
    pub(super) fn back(&mut self) {
        self.pause_at(self.index.saturating_sub(1));
    }

    /// Goes to the end: of a record it is shown, at a simulation it is followed.
    pub(super) fn end(&mut self) {
        self.pause_at(self.count - 1);
        self.playing = self.waits;
    }

    /// Multiplies the speed.
    pub(super) fn scale_speed(&mut self, factor: f64) {
        self.speed = (self.speed * factor).clamp(SPEEDS[0], SPEEDS[1]);
    }

    /// Lets time pass; frames that come too fast to be drawn are left out.
    pub(super) fn advance(&mut self, elapsed: Duration) {
        if !self.playing || self.is_at_end() {
            self.due = 0.0;
            return;
        }
        self.due += elapsed.as_secs_f64() * self.rate();
        let whole = self.due.floor();
        self.due -= whole;
        self.index = self.index.saturating_add(whole as usize).min(self.count - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_plays_in_time_pauses_and_starts_again() {
        let mut player = Player::new(10, 30.0, false);
        player.advance(Duration::from_millis(50));
        assert_eq!(player.index(), 1);
        player.advance(Duration::from_millis(50));
        assert_eq!(player.index(), 3, "a frame that was due half is not lost");
        player.scale_speed(0.5);
        player.advance(Duration::from_millis(200));
        assert_eq!((player.index(), player.rate()), (6, 15.0));
        player.back();
        player.advance(Duration::from_secs(1));
        assert_eq!((player.index(), player.is_playing()), (5, false));
        player.toggle();
        player.advance(Duration::from_secs(9));
        assert!(player.is_at_end() && player.is_playing());
        player.toggle();
        assert_eq!((player.index(), player.is_playing()), (0, true));
    }

    #[test]
    fn a_simulation_is_followed_until_one_looks_back() {
        let mut player = Player::new(3, 30.0, true);
        assert_eq!(player.index(), 2);
        player.set_count(5);
        assert_eq!(player.index(), 4);
        player.back();
        player.set_count(9);
        assert_eq!(player.index(), 3);
        player.pause_at(8);
        player.set_count(10);
        assert_eq!((player.index(), player.is_playing()), (9, false), "a single step");
        player.end();
        player.set_count(12);
        assert_eq!((player.index(), player.is_playing()), (11, true));
        player.set_count(2);
        assert_eq!(player.index(), 1, "started again");
    }
}
