//! Overlays, colours of kinds, sheets of pictures.

use crate::common::scenes::{G, clamp, cotton, fabric_scene, weave, yarn_end};
use crate::common::woven::Patch;
use crate::stack::{Layer, Stack};
use hebra::draw::curve::curves;
use hebra::draw::overlay::{Mark, marks};
use hebra::draw::sheet::{grid, sheet};
use hebra::draw::{ColourMode, Image, Overlay, RenderOptions, V3, camera, render};
use hebra::frame::{ForceArrow, ForceKind, Frame};
use hebra::geometry::Vec3;
use hebra::model::select::{End, Selection, ThreadSet};
use hebra::model::yarns::NodeKind;
use hebra::pattern::weave::Weave;
use hebra::potential::damping::DampingParams;
use hebra::simulation::Simulation;

fn patch() -> Frame {
    let mut frame = Patch::new(Weave::Plain, 6).frame(|x, y| [x, y, 0.0]);
    frame.held[3] = true;
    let sewn = [4, frame.layout.partner[4] as usize];
    sewn.into_iter().for_each(|node| frame.sewn[node] = true);
    let push = |kind, force| ForceArrow { kind, at: [0.0; 3], force };
    frame.forces = vec![push(ForceKind::Clamp, [0.0, 0.0, 2.0]), push(ForceKind::Push, [1.0, 0.0, 0.0])];
    frame
}

fn shown(frame: &Frame, overlay: Overlay) -> Vec<Mark> {
    marks(frame, &curves(frame), &[overlay])
}

#[test]
fn overlays_show_each_thing_once() {
    let frame = patch();
    // Six by six crossings and the ends of twelve yarns.
    assert_eq!(shown(&frame, Overlay::Nodes).len(), 2 * 36 + 24);
    assert_eq!(shown(&frame, Overlay::Contacts).len(), 2 * 36);
    assert_eq!(shown(&frame, Overlay::Clamps).len(), 1);
    assert_eq!(shown(&frame, Overlay::Seams).len(), 2);
    assert_eq!(shown(&frame, Overlay::Normals).len(), 2 * 36);
    let lengths: Vec<f32> = shown(&frame, Overlay::Forces)
        .iter()
        .map(|mark| match mark {
            Mark::Arrow { from, to, .. } => (to - from).norm(),
            Mark::Ball { .. } => 0.0,
        })
        .collect();
    assert!((lengths[0] / lengths[1] - 2.0).abs() < 1e-4, "{lengths:?}");
}

#[test]
fn every_overlay_draws_something_else() {
    let frame = patch();
    let draw = |overlays: &[Overlay]| {
        let overlays = overlays.to_vec();
        render(&frame, &RenderOptions { width: 160, height: 90, overlays, ..RenderOptions::default() })
    };
    let mut pictures = vec![draw(&[])];
    for (name, overlay) in Overlay::ALL {
        let picture = draw(&[overlay]);
        assert!(pictures.iter().all(|p| *p != picture), "{name}");
        pictures.push(picture);
    }
}

#[test]
fn contacts_of_degenerate_nodes_are_pink_and_red() {
    let layer = |turn: f64| Layer { shift: [0.0; 2], turn, reversed: false };
    let stack = Stack { layers: vec![layer(0.0), layer(0.05)], yarns: 10, pitch: 5e-4, radius: 1.25e-4 };
    let frame = stack.frame(|x, y| [x, y, 0.0]);
    let names = ColourMode::Kind.names(&frame);
    let balls: Vec<[f32; 3]> = shown(&frame, Overlay::Nodes)
        .iter()
        .map(|mark| match mark {
            Mark::Ball { colour, .. } | Mark::Arrow { colour, .. } => *colour,
        })
        .collect();
    let is_degenerate = |i: usize| frame.kind.get(i) == Some(&NodeKind::Eil);
    for (i, colour) in balls.iter().enumerate() {
        let both = [i, frame.layout.partner[i] as usize].into_iter().filter(|&i| is_degenerate(i)).count();
        let of = (0..names.len()).find(|&k| ColourMode::Kind.name_colour(k) == *colour).unwrap();
        assert_eq!(of.saturating_sub(2), both, "{}", names[of]);
    }
}

#[test]
fn seams_have_a_colour_of_their_own() {
    let frame = patch();
    let green = ColourMode::Kind.name_colour(5);
    assert_eq!(ColourMode::Kind.names(&frame)[5], "sewn");
    let unsewn = Patch::new(Weave::Plain, 6).frame(|x, y| [x, y, 0.0]);
    assert!(ColourMode::Kind.names(&unsewn).iter().all(|name| name != "sewn"));
    assert!((0..5).all(|k| ColourMode::Kind.name_colour(k) != green));
    let of = |overlay| {
        let marks = shown(&frame, overlay);
        let balls = marks.iter().filter(|m| matches!(m, Mark::Ball { colour, .. } if *colour == green));
        balls.count()
    };
    assert_eq!([Overlay::Nodes, Overlay::Contacts, Overlay::Seams].map(of), [2, 1, 2]);
}

#[test]
fn the_force_of_a_clamp_at_rest_is_the_weight() {
    let mut setup = fabric_scene(&weave(6, 6), cotton());
    setup.forces.gravity = [0.0, 0.0, -G];
    setup.damping = DampingParams::default();
    setup.solver.dt = 5e-3;
    let edge = (0..6).map(|k| yarn_end(ThreadSet::Warp, k, End::Start)).collect();
    let held = setup.model.rods.iter().map(|r| r.length * r.material.line_density()).sum::<f64>();
    clamp(&mut setup, Selection::Any(edge));
    let mut simulation = Simulation::new(setup);
    for _ in 0..400 {
        simulation.step().unwrap();
    }
    let frame = simulation.frame();
    assert_eq!(frame.held.iter().filter(|h| **h).count(), 6);
    let force = V3::from(frame.forces[0].force);
    assert_eq!((frame.forces.len(), frame.forces[0].kind), (1, ForceKind::Clamp));
    assert!((f64::from(force.z) / (held * G) - 1.0).abs() < 0.01, "{force:?} N, {} N", held * G);
}

#[test]
fn sides_look_along_the_axes() {
    let frame = patch();
    for (name, direction) in camera::VIEWS {
        let camera = camera::fit_direction(&[&frame], 1.5, direction);
        let back = (Vec3::from(camera.eye) - Vec3::from(camera.target)).normalize();
        assert!((back - Vec3::from(direction).normalize()).norm() < 1e-9, "{name}");
        let view = camera::View::new(&camera, [150, 100]);
        assert!(frame.position.iter().all(|&p| view.sees(p.into(), 0.0)), "{name}");
    }
}

#[test]
fn a_sheet_holds_its_pictures_row_by_row() {
    assert_eq!([1, 2, 3, 4, 5, 9, 12].map(grid), [[1, 1], [2, 1], [2, 2], [2, 2], [3, 2], [3, 3], [4, 3]]);
    let grey = |level: u8| (String::new(), Image { width: 8, height: 4, rgb: vec![level; 3 * 8 * 4] });
    let whole = sheet(&[grey(10), grey(20), grey(30)]);
    assert_eq!([whole.width, whole.height], [16, 8]);
    let at = |x: usize, y: usize| whole.rgb[3 * (16 * y + x)];
    assert_eq!([at(0, 0), at(9, 0), at(2, 5), at(9, 5)], [10, 20, 30, 255]);
}
