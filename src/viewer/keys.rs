//! Actions of keys and buttons: one table for the window and for the help in it.

use kiss3d::prelude::{Action as Press, Key, Window, WindowEvent};

use super::mouse::Mouse;
use crate::draw::Overlay;
use crate::draw::camera::VIEWS;

/// Something that a key does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Action {
    /// Plays or pauses.
    Play,
    /// A frame or a step on.
    Forward,
    /// A frame back.
    Back,
    /// To the first frame.
    First,
    /// To the last frame.
    Last,
    /// Multiplies the speed.
    Speed(f64),
    /// Moves the camera so that all yarns are seen.
    Fit,
    /// Looks as at the start.
    Start,
    /// Looks from one of [`VIEWS`].
    Look(usize),
    /// Follows the yarns, or stays.
    Follow,
    /// The next or the previous meaning of the colours.
    Colour(i32),
    /// Shows or hides the obstacles.
    Obstacles,
    /// Shows or hides something beside the yarns.
    Overlay(Overlay),
    /// Shows or hides the panel.
    Panel,
    /// Shows or hides the list of keys.
    Help,
    /// Writes a picture.
    Picture,
    /// Writes the camera into the scene.
    Camera,
    /// Starts the simulation again.
    Restart,
    /// Closes the window.
    Quit,
}

/// How a key is named by the keyboard.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Stroke {
    /// By what it writes, wherever it is.
    Writes(char),
    /// By its place.
    Is(Key),
}

/// Keys, their names, what they do and how that is called.
const KEYS: [(Stroke, &str, Action, &str); 31] = [
    (Stroke::Is(Key::Space), "space", Action::Play, "play, pause"),
    (Stroke::Is(Key::Right), "right", Action::Forward, "a frame, or a step of the simulation, on"),
    (Stroke::Is(Key::Left), "left", Action::Back, "a frame back"),
    (Stroke::Is(Key::Home), "home", Action::First, "the first frame"),
    (Stroke::Is(Key::End), "end", Action::Last, "the last frame; follows a simulation"),
    (Stroke::Writes('+'), "+", Action::Speed(2.0), "twice as fast"),
    (Stroke::Writes('-'), "-", Action::Speed(0.5), "half as fast"),
    (Stroke::Writes('f'), "f", Action::Fit, "fit all yarns into the window"),
    (Stroke::Writes('0'), "0", Action::Start, "the camera at the start"),
    (Stroke::Writes('1'), "1", Action::Look(0), "from the front"),
    (Stroke::Writes('2'), "2", Action::Look(1), "from behind"),
    (Stroke::Writes('3'), "3", Action::Look(2), "from the left"),
    (Stroke::Writes('4'), "4", Action::Look(3), "from the right"),
    (Stroke::Writes('5'), "5", Action::Look(4), "from above"),
    (Stroke::Writes('6'), "6", Action::Look(5), "from below"),
    (Stroke::Writes('7'), "7", Action::Look(6), "three quarters from above"),
    (Stroke::Writes('c'), "c", Action::Follow, "follow the yarns with the camera"),
    (Stroke::Writes('m'), "m", Action::Colour(1), "the next meaning of the colours (M: the last)"),
    (Stroke::Writes('o'), "o", Action::Obstacles, "obstacles on and off"),
    (Stroke::Writes('n'), "n", Action::Overlay(Overlay::Nodes), "nodes on and off"),
    (Stroke::Writes('x'), "x", Action::Overlay(Overlay::Contacts), "contacts on and off"),
    (Stroke::Writes('k'), "k", Action::Overlay(Overlay::Clamps), "clamped nodes on and off"),
    (Stroke::Writes('e'), "e", Action::Overlay(Overlay::Seams), "seams on and off"),
    (Stroke::Writes('a'), "a", Action::Overlay(Overlay::Forces), "forces as arrows on and off"),
    (Stroke::Writes('l'), "l", Action::Overlay(Overlay::Normals), "normals on and off"),
    (Stroke::Writes('h'), "h", Action::Panel, "panel on and off"),
    (Stroke::Writes('p'), "p", Action::Picture, "save a picture"),
    (Stroke::Writes('s'), "s", Action::Camera, "save the camera to the scene"),
    (Stroke::Writes('r'), "r", Action::Restart, "start the simulation again"),
    (Stroke::Writes('?'), "?", Action::Help, "these keys"),
    (Stroke::Is(Key::Escape), "esc", Action::Quit, "close the window"),
];

/// What the mouse does.
const MOUSE: [(&str, &str); 4] = [
    ("left button", "turn"),
    ("right button", "move"),
    ("wheel", "zoom"),
    ("shift + left button", "pull at a yarn, while it is simulated"),
];

/// Keys that do what others do.
const MORE: [(Stroke, Action); 4] = [
    (Stroke::Writes('M'), Action::Colour(-1)),
    (Stroke::Writes('='), Action::Speed(2.0)),
    (Stroke::Writes('q'), Action::Quit),
    (Stroke::Is(Key::F1), Action::Help),
];

/// Names of keys and buttons, and what they do.
pub fn help() -> impl Iterator<Item = (&'static str, &'static str)> {
    KEYS.into_iter().map(|(_, name, _, text)| (name, text)).chain(MOUSE)
}

/// Names of where to look from, for buttons.
pub(super) fn views() -> impl Iterator<Item = (&'static str, Action)> {
    let sides = VIEWS.iter().enumerate().map(|(k, (name, _))| (*name, Action::Look(k)));
    [("fit", Action::Fit), ("start", Action::Start)].into_iter().chain(sides)
}

/// What happened to a window since it was asked last.
#[derive(Debug, Default)]
pub(super) struct Heard {
    /// What keys ask for.
    pub(super) actions: Vec<Action>,
    /// Whether anything happened at all.
    pub(super) anything: bool,
}

/// Listens to the keys and to the mouse, unless the panel does.
pub(super) fn listen(window: &Window, mouse: &mut Mouse) -> Heard {
    let mut heard = Heard::default();
    let (is_taken, is_free) = (window.is_egui_capturing_keyboard(), !window.is_egui_capturing_mouse());
    for event in window.events().iter() {
        heard.anything = true;
        mouse.hear(&event.value, is_free);
        let stroke = match event.value {
            WindowEvent::Char(c) => Stroke::Writes(c),
            WindowEvent::Key(key, Press::Press, _) => Stroke::Is(key),
            _ => continue,
        };
        heard.actions.extend(action(stroke).filter(|_| !is_taken));
    }
    heard
}

fn action(stroke: Stroke) -> Option<Action> {
    let all = KEYS.iter().map(|(stroke, _, action, _)| (stroke, action));
    let found = all.chain(MORE.iter().map(|(stroke, action)| (stroke, action))).find(|(s, _)| **s == stroke);
    found.map(|(_, action)| *action)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_means_two_things() {
        let strokes: Vec<Stroke> = KEYS.iter().map(|k| k.0).chain(MORE.iter().map(|k| k.0)).collect();
        for (i, stroke) in strokes.iter().enumerate() {
            assert!(!strokes[..i].contains(stroke), "{stroke:?}");
        }
    }
}
