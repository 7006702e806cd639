//! Every knob is turned with a mouse, in an interface without a window.

use std::collections::BTreeSet;

use kiss3d::egui::{Context, Event, PointerButton, Pos2, RawInput, Rect, pos2, vec2};

use super::*;
use crate::potential::forces::WindParams;
use crate::viewer::source::Command;

/// Points of the interface: wide enough for all texts, high enough for all knobs.
const SIZE: [f32; 2] = [400.0, 900.0];

/// Points between the rows that are tried: less than a slider is high.
const ROW: usize = 5;

/// A simulation with one clamp that nothing is asked of.
struct Still(Tuning, [String; 1]);

impl Live for Still {
    fn tuning(&self) -> &Tuning {
        &self.0
    }

    fn clamps(&self) -> &[String] {
        &self.1
    }

    fn send(&self, _command: Command) {}

    fn remark(&self) -> String {
        String::new()
    }
}

fn untouched() -> Tuning {
    Tuning {
        gravity: [0.0; 3],
        wind: WindParams::default(),
        stiffness: Factors::default(),
        damping: Factors::default(),
        friction: 1.0,
        released: vec![false],
    }
}

/// What a hand has made of the knobs.
#[derive(Clone, PartialEq)]
struct Turned {
    tuning: Tuning,
    strength: f64,
    again: bool,
}

/// Presses the mouse at a point, draws it to the right and lets go.
fn drag(ctx: &Context, from: Pos2, live: &Still) -> Turned {
    let mut turned = Turned { tuning: live.0.clone(), strength: 1.0, again: false };
    let button = |pos, pressed| Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Default::default(),
    };
    let to = from + vec2(3.0, 0.0);
    let inputs = [
        vec![Event::PointerMoved(from)],
        vec![button(from, true)],
        vec![Event::PointerMoved(to)],
        vec![button(to, false)],
        vec![Event::PointerGone],
    ];
    for events in inputs {
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, SIZE.into()));
        let input = RawInput { screen_rect, events, ..RawInput::default() };
        drop(ctx.run_ui(input, |ui| {
            turned.again |= knobs(ui, &mut turned.tuning, &mut turned.strength, live);
        }));
    }
    turned
}

/// The names of what differs.
fn changes(turned: &Turned, live: &Still) -> Vec<String> {
    let (new, old) = (&turned.tuning, &live.0);
    let axis = |name: &str, new: [f64; 3], old: [f64; 3]| {
        (0..3).filter(move |&k| new[k] != old[k]).map(|k| format!("{name}{k}")).collect::<Vec<_>>()
    };
    let factor = |name: &str, new: &Factors, old: &Factors| {
        let list = |f: &Factors| [f.stretch, f.bending, f.shear, f.contact];
        let [new, old] = [list(new), list(old)];
        (0..4).filter(move |&k| new[k] != old[k]).map(|k| format!("{name}{k}")).collect::<Vec<_>>()
    };
    let single = [
        ("density", new.wind.density != old.wind.density),
        ("gust", new.wind.gust != old.wind.gust),
        ("friction", new.friction != old.friction),
        ("released", new.released != old.released),
        ("strength", turned.strength != 1.0),
        ("again", turned.again),
    ];
    [
        axis("gravity", new.gravity, old.gravity),
        axis("wind", new.wind.velocity, old.wind.velocity),
        factor("stiffness", &new.stiffness, &old.stiffness),
        factor("damping", &new.damping, &old.damping),
        single.iter().filter(|(_, is)| *is).map(|(name, _)| (*name).to_owned()).collect(),
    ]
    .concat()
}

#[test]
fn each_knob_turns_one_thing() {
    let (ctx, live) = (Context::default(), Still(untouched(), ["wall".into()]));
    let rows = (0..SIZE[1] as usize).step_by(ROW);
    let mut found = BTreeSet::new();
    for y in rows {
        let changes = changes(&drag(&ctx, pos2(20.0, y as f32), &live), &live);
        assert!(changes.len() <= 1, "{changes:?} at {y}");
        found.extend(changes);
    }
    let all = ["gravity0", "gravity1", "gravity2", "wind0", "wind1", "wind2"];
    let factors = ["stiffness", "damping"].iter().flat_map(|name| (0..4).map(move |k| format!("{name}{k}")));
    let single = ["density", "gust", "friction", "released", "strength", "again"];
    let expected = all.iter().chain(&single).map(|name| (*name).to_owned()).chain(factors).collect();
    assert_eq!(found, expected);
}
