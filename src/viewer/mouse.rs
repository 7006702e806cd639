//! What the mouse does, in the order in which it does it: a slow picture may come after a press and a move.

use kiss3d::prelude::{Action, Modifiers, MouseButton, WindowEvent};

/// The mouse.
#[derive(Debug, Default)]
pub(super) struct Mouse {
    /// Where it is, pixels.
    pub(super) at: [f32; 2],
    held: Option<Held>,
    /// What it did since it was asked last.
    done: Done,
}

/// What a button that is down does.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Held {
    /// Turns the camera.
    Turn,
    /// Moves it.
    Move,
    /// Pulls at a yarn.
    Pull,
}

/// What the mouse did.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Done {
    /// How far the camera was turned, pixels.
    pub(super) turned: [f32; 2],
    /// How far it was moved, pixels.
    pub(super) moved: [f32; 2],
    /// Where a yarn was to be taken, pixels.
    pub(super) taken: Option<[f32; 2]>,
    /// Whether it was let go.
    pub(super) let_go: bool,
}

impl Mouse {
    /// Takes over what happened; a press means nothing where the panel has it.
    pub(super) fn hear(&mut self, event: &WindowEvent, is_free: bool) {
        match *event {
            WindowEvent::CursorPos(x, y, _) => {
                let to = [x as f32, y as f32];
                let sum = match self.held {
                    Some(Held::Turn) => Some(&mut self.done.turned),
                    Some(Held::Move) => Some(&mut self.done.moved),
                    Some(Held::Pull) | None => None,
                };
                if let Some(sum) = sum {
                    *sum = [0, 1].map(|k| sum[k] + to[k] - self.at[k]);
                }
                self.at = to;
            }
            WindowEvent::MouseButton(button, Action::Press, keys) if is_free && self.held.is_none() => {
                self.held = match (button, keys) {
                    (MouseButton::Button1, keys) if keys == Modifiers::Shift => Some(Held::Pull),
                    (MouseButton::Button1, keys) if keys.is_empty() => Some(Held::Turn),
                    (MouseButton::Button2 | MouseButton::Button3, _) => Some(Held::Move),
                    _ => None,
                };
                if self.held == Some(Held::Pull) {
                    (self.done.taken, self.done.let_go) = (Some(self.at), false);
                }
            }
            WindowEvent::MouseButton(_, Action::Release, _) => {
                self.done.let_go |= self.held.take() == Some(Held::Pull);
            }
            _ => {}
        }
    }

    /// What it did since it was asked last.
    pub(super) fn done(&mut self) -> Done {
        std::mem::take(&mut self.done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f64, y: f64) -> WindowEvent {
        WindowEvent::CursorPos(x, y, Modifiers::empty())
    }

    fn button(button: MouseButton, action: Action, keys: Modifiers) -> WindowEvent {
        WindowEvent::MouseButton(button, action, keys)
    }

    fn after(events: &[WindowEvent]) -> Done {
        let mut mouse = Mouse::default();
        events.iter().for_each(|event| mouse.hear(event, true));
        mouse.done()
    }

    #[test]
    fn only_moves_with_a_button_down_count() {
        use Action::{Press, Release};
        use MouseButton::{Button1, Button2};
        let none = Modifiers::empty();
        let turn =
            [at(50.0, 50.0), button(Button1, Press, none), at(60.0, 45.0), button(Button1, Release, none)];
        let done = after(&[turn.as_slice(), &[at(0.0, 0.0)]].concat());
        assert_eq!(done, Done { turned: [10.0, -5.0], ..Done::default() });
        let done = after(&[at(5.0, 5.0), button(Button2, Press, none), at(6.0, 8.0), at(7.0, 9.0)]);
        assert_eq!(done, Done { moved: [2.0, 4.0], ..Done::default() });
        let pull = [at(5.0, 6.0), button(Button1, Press, Modifiers::Shift), at(9.0, 9.0)];
        assert_eq!(after(&pull), Done { taken: Some([5.0, 6.0]), ..Done::default() });
        let done = after(&[pull.as_slice(), &[button(Button1, Release, none)]].concat());
        assert!(done.let_go && done.turned == [0.0; 2]);
    }

    #[test]
    fn the_panel_keeps_its_presses() {
        let mut mouse = Mouse::default();
        mouse.hear(&button(MouseButton::Button1, Action::Press, Modifiers::empty()), false);
        mouse.hear(&at(9.0, 9.0), true);
        assert_eq!(mouse.done(), Done::default());
    }
}
