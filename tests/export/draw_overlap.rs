//! Drawn yarns do not reach into one another: at crossings, between them, in stacks.

use crate::common::scenes::{clamp, cotton, fabric_scene, weave, yarn_end};
use crate::common::woven::Patch;
use crate::depth::deepest_overlap;
use crate::stack::{Layer, Stack};
use hebra::draw::curve::curves;
use hebra::frame::Frame;
use hebra::model::motion::{Keyframe, Motion};
use hebra::model::obstacle::{Obstacle, ObstacleParams, Shape};
use hebra::model::select::{End, Selection, ThreadSet};
use hebra::pattern::weave::Weave;
use hebra::potential::damping::DampingParams;
use hebra::simulation::Simulation;
use hebra::simulation::setup::Setup;

/// The largest overlap that is allowed, radii.
const LIMIT: f32 = 0.1;

/// Yarns a side of the simulated cloths.
const YARNS: usize = 16;

fn weaves() -> [Weave; 5] {
    let satin = Weave::Satin { ends: 5, step: 2 };
    let twill = |over, under| Weave::Twill { over, under };
    [Weave::Plain, twill(2, 2), twill(3, 1), satin, Weave::Basket { size: 2 }]
}

fn check(frame: &Frame, what: &str) {
    let overlap = deepest_overlap(frame);
    assert!(overlap < LIMIT, "{what}: {overlap:.3} radii");
}

/// A cloth at rest, its yarns four radii apart.
fn cloth(of: Weave) -> Setup {
    let params = hebra::model::fabric::FabricParams { weave: of, ..weave(YARNS, YARNS) };
    let mut setup = fabric_scene(&params, cotton());
    setup.damping = DampingParams::default();
    setup.solver.dt = 2e-3;
    setup
}

fn after(setup: Setup, steps: usize) -> Frame {
    let mut simulation = Simulation::new(setup);
    for _ in 0..steps {
        simulation.step().unwrap();
    }
    simulation.frame()
}

#[test]
fn yarns_of_flat_weaves_hardly_overlap_up_to_twenty_degrees_of_shear() {
    for (weave, degrees) in weaves().into_iter().flat_map(|w| [(w.clone(), 0.0_f64), (w, 20.0)]) {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        let frame = Patch::new(weave.clone(), 12).frame(|x, y| [x + sine * y, cosine * y, 0.0]);
        check(&frame, &format!("{weave:?} sheared by {degrees} degrees"));
    }
}

#[test]
fn yarns_of_draped_cloths_hardly_overlap() {
    for weave in weaves() {
        let mut setup = cloth(weave.clone());
        setup.forces.gravity = [0.0, 0.0, -300.0];
        let radius = 2.5e-3;
        let ball = ObstacleParams::of(Shape::Sphere { radius });
        let ball = Obstacle::read(ObstacleParams { at: [0.0, 0.0, -radius - 2e-4], ..ball });
        setup.obstacles.push(ball.unwrap());
        let frame = after(setup, 60);
        let lowest = frame.position.iter().map(|p| p[2]).fold(0.0, f32::min);
        assert!(lowest < -6e-4, "{weave:?} hangs down to {lowest} only");
        check(&frame, &format!("{weave:?} on a ball"));
    }
}

#[test]
fn yarns_of_sheared_cloths_hardly_overlap() {
    for weave in weaves() {
        let mut setup = cloth(weave.clone());
        let edge =
            |end| Selection::Any((0..YARNS as i64).map(|k| yarn_end(ThreadSet::Warp, k, end)).collect());
        clamp(&mut setup, edge(End::Start));
        let way = 0.2 * YARNS as f64 * 5e-4;
        let keys = [(0.0, 0.0), (0.1, way)];
        let key = |(time, y)| Keyframe { time, translation: [0.0, y, 0.0], rotation: [0.0; 3] };
        clamp(&mut setup, edge(End::End)).motion = Motion(keys.map(key).to_vec());
        check(&after(setup, 60), &format!("{weave:?} pulled askew"));
    }
}

fn stack(turn_degrees: f64, shift: f64) -> Stack {
    let (pitch, radius) = (5e-4, 1.25e-4);
    let layer = |k: usize| {
        let k = k as f64;
        let turn = k * turn_degrees.to_radians();
        Layer { shift: [k * shift * pitch, 0.7 * k * shift * pitch], turn, reversed: k == 1.0 }
    };
    Stack { layers: (0..3).map(layer).collect(), yarns: 14, pitch, radius }
}

#[test]
fn three_cloths_on_one_another_hardly_overlap() {
    let bend = 8e-3;
    for (turn, shift) in [(0.0, 0.0), (0.0, 0.5), (0.0, 0.3), (45.0, 0.0), (17.0, 0.2), (3.0, 0.1)] {
        let stack = stack(turn, shift);
        let what = format!("layers turned by {turn} degrees and moved by {shift}");
        check(&stack.frame(|x, y| [x, y, 0.0]), &what);
        check(&stack.frame(|x, y| [x, bend * (y / bend).sin(), bend * (y / bend).cos()]), &what);
    }
}

#[test]
fn cloths_are_drawn_in_the_order_of_their_stack() {
    let frame = stack(17.0, 0.2).frame(|x, y| [x, y, 0.0]);
    let mean = |fabric: u32| {
        let drawn = curves(&frame);
        let rods = (0..drawn.len()).filter(|&r| frame.layout.rods[r].fabric == fabric);
        let heights: Vec<f32> = rods.flat_map(|r| drawn[r].points.iter().map(|p| p.z)).collect();
        heights.iter().sum::<f32>() / heights.len() as f32
    };
    // A layer is four radii thick; the lowest stays where it is.
    for fabric in 0..3 {
        let expected = 4.0 * 1.25e-4 * fabric as f32;
        assert!((mean(fabric) - expected).abs() < 2e-6, "{fabric}: {} m, {expected} m", mean(fabric));
    }
}

#[test]
fn degenerate_nodes_lie_on_the_curve_between_their_neighbours() {
    let frame = stack(3.0, 0.1).frame(|x, y| [x, y, 0.0]);
    let eil = hebra::model::yarns::NodeKind::Eil;
    assert!(frame.kind.iter().filter(|k| **k == eil).count() > 100);
    let drawn = curves(&frame);
    for (rod, curve) in drawn.iter().enumerate() {
        let nodes = hebra::draw::nodes::rod_nodes(&frame.layout, rod);
        assert_eq!(curve.points.len(), nodes.len());
        let arcs = &frame.arc[nodes];
        for (k, pair) in curve.points.windows(2).enumerate() {
            let way = (pair[1] - pair[0]).norm();
            let most = 1.8 * (arcs[k + 1] - arcs[k]) + 1e-7;
            assert!(way <= most, "rod {rod}, node {k}: {way} m along {} m of yarn", arcs[k + 1] - arcs[k]);
        }
    }
}

#[test]
fn curves_have_no_kinks() {
    let frame = stack(17.0, 0.2).frame(|x, y| [x, y, 0.2 * x * y / 4e-3]);
    for curve in curves(&frame) {
        for k in 1..curve.n_segments() {
            let (before, after) = (curve.at(k - 1, 1.0).1, curve.at(k, 0.0).1);
            assert!(before.dot(&after) > 0.999, "{before:?} {after:?}");
        }
    }
}
