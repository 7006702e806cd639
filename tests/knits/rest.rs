//! Knits at rest: relaxed from a chart, and as knitters know them.

use std::path::Path;

use hebra::geometry::Vec3;
use hebra::model::ids::NodeId;
use hebra::record::probe::ProbeValue;
use hebra::scene::build::{Built, Probes, build};
use hebra::scene::params::Scene;
use hebra::scene::parse::parse;
use hebra::scene::source::Source;
use hebra::simulation::Simulation;
use hebra::simulation::relax::Relaxation;

/// A knit described by the inside of its braces, relaxed without friction; the energy never grows on the way.
fn relaxed(knit: &str) -> Simulation {
    let text = format!(
        "(knits: [(name: \"knit\", {knit})], forces: (gravity: (0, 0, 0)), relax: (friction: false))"
    );
    at_rest(&parse(&Source::new(Path::new("knit.ron"), text)).unwrap()).0
}

/// A scene of the gallery.
fn gallery(name: &str) -> Scene {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("scenes/{name}.ron"));
    parse(&Source::read(&file).unwrap()).unwrap()
}

/// A scene brought to rest, with its probes. While nothing is led the energy never grows on the way.
fn at_rest(scene: &Scene) -> (Simulation, Probes) {
    let Built { mut simulation, probes, .. } = build(&scene.clone().to_relax()).unwrap();
    let mut relaxation = Relaxation::new(&mut simulation, scene.relax);
    let mut last = simulation.energies().stored();
    while !relaxation.is_at_rest() {
        let report = relaxation.step(&mut simulation).unwrap();
        let now = simulation.energies().stored();
        // Where contacts turn degenerate the energy jumps; the report says by how much.
        let may = last + report.jump + 1e-9 * last;
        assert!(now <= may || !scene.clamps.is_empty(), "{}: {last} to {now}", scene.knits[0].name);
        last = now;
    }
    (simulation, probes)
}

/// Mean position of a stitch, m.
fn stitch(simulation: &Simulation, course: u32, wale: u32) -> Vec3 {
    let model = simulation.model();
    let all = (0..model.nodes.len() as u32).map(NodeId);
    let own: Vec<Vec3> = all
        .filter(|&n| model.node(n).stitch == Some([course, wale]))
        .map(|n| simulation.position(n))
        .collect();
    own.iter().sum::<Vec3>() / own.len() as f64
}

/// Distances between wales and between courses in the middle of a knit of 12 by 12, m.
fn spacings(simulation: &Simulation) -> [f64; 2] {
    let across = stitch(simulation, 6, 8) - stitch(simulation, 6, 4);
    let along = stitch(simulation, 8, 6) - stitch(simulation, 4, 6);
    [across.norm() / 4.0, along.norm() / 4.0]
}

/// The shortest piece of yarn between two stitches' crossings, m, knots aside: no loop has closed if it is longer than the
/// yarn's radius.
fn shortest_segment(simulation: &Simulation) -> f64 {
    let (model, q) = (simulation.model(), &simulation.state().q);
    let slides = |n: &NodeId| model.free[model.node(*n).arc_dof() as usize];
    let segments = model.segments().filter(|ends| ends.iter().any(slides));
    segments.map(|[a, b]| model.arc(q, b) - model.arc(q, a)).fold(f64::INFINITY, f64::min)
}

/// The largest strain of a yarn: at rest nothing pulls at it.
fn largest_strain(simulation: &Simulation) -> f64 {
    let (model, q) = (simulation.model(), &simulation.state().q);
    let strain = |[a, b]: [NodeId; 2]| {
        (simulation.position(b) - simulation.position(a)).norm() / (model.arc(q, b) - model.arc(q, a)) - 1.0
    };
    simulation.arrangement().segments().map(|ends| strain(ends).abs()).fold(0.0, f64::max)
}

/// Munden's `k`, courses times wales times the square of the loop length, of relaxed plain knits: 19 for those that
/// were only dried, up to 23 for those that were washed (Munden 1959).
#[test]
fn jersey_comes_to_rest_as_knitted_fabrics_do() {
    let simulation = relaxed("courses: 12, wales: 12, loop_length: 3.6e-3");
    assert!(simulation.steps() <= 30, "{} steps", simulation.steps());
    assert!(shortest_segment(&simulation) > 1e-4, "{}", shortest_segment(&simulation));
    assert!(largest_strain(&simulation) < 3e-3, "{}", largest_strain(&simulation));
    let [wale, course] = spacings(&simulation);
    let k = 3.6e-3 * 3.6e-3 / (wale * course);
    println!("wale {wale:.3e} m, course {course:.3e} m, k = {k:.2}");
    assert!((19.0..22.0).contains(&k), "{k}");
    assert!((1.1..1.4).contains(&(wale / course)), "courses lie closer than wales: {}", wale / course);
}

/// Loops of 14 yarn diameters are jammed: no wale is narrower than the four yarns that lie in it side by side, but for
/// what those give way (Peirce 1947).
#[test]
fn a_tighter_knit_is_smaller_until_its_yarns_touch() {
    let size =
        |tightness: f64| spacings(&relaxed(&format!("courses: 12, wales: 12, tightness: {tightness}")));
    let (loose, tight) = (size(0.0), size(1.0));
    assert!(tight[0] < 0.76 * loose[0] && tight[1] < 0.7 * loose[1], "{loose:?} {tight:?}");
    let diameters = tight[0] / 2e-4;
    assert!((3.8..4.1).contains(&diameters), "{diameters}");
}

#[test]
fn every_stitch_comes_to_rest() {
    for pattern in ["Rib(knit: 2, purl: 1)", "Garter", "Moss", "Chart([\"kkkk\", \"kskp\"])"] {
        let simulation = relaxed(&format!("pattern: {pattern}, courses: 6, wales: 8"));
        assert!(shortest_segment(&simulation) > 1e-4, "{pattern}: {}", shortest_segment(&simulation));
    }
}

/// A yarn without a set springs open: loops grow wider and shorter.
#[test]
fn yarn_that_is_not_set_widens_the_loops() {
    let shape = |set: f64| {
        let [wale, course] = spacings(&relaxed(&format!("courses: 12, wales: 12, set: {set}")));
        wale / course
    };
    let (finished, half) = (shape(1.0), shape(0.75));
    assert!(half > 1.1 * finished, "{finished} {half}");
}

/// Width and height of a knit, m.
fn size(simulation: &Simulation) -> [f64; 2] {
    let extent = |axis: usize| {
        let hooks = simulation.model().contacts.iter().map(|c| simulation.position(c.nodes[0])[axis]);
        let (low, high) = hooks.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        high - low
    };
    [0, 1].map(extent)
}

/// The charts of the gallery, loose and tighter: they come to rest, open, and smaller where they are tight.
#[test]
fn slipped_knits_come_to_rest() {
    let case = |name: &str, tightness: f64| {
        let mut scene = gallery(name);
        (scene.knits[0].courses, scene.knits[0].wales, scene.knits[0].tightness) = (9, 10, tightness);
        let (simulation, _) = at_rest(&scene);
        assert!(shortest_segment(&simulation) > 1e-4, "{name}: {}", shortest_segment(&simulation));
        assert!(largest_strain(&simulation) < 0.01, "{name}: {}", largest_strain(&simulation));
        size(&simulation)
    };
    for name in ["slip_stitch_1", "slip_stitch_2", "slip_stitch_3", "jacquard"] {
        let [loose, tight] = [0.0, 1.0].map(|tightness| case(name, tightness));
        println!("{name}: {loose:.4?} m loose, {tight:.4?} m tight");
        assert!(tight[0] < loose[0] && tight[1] < loose[1], "{name}: {loose:?} {tight:?}");
    }
}

/// A stitch that is slipped in the next row reaches into the row after it, those beside it do not.
#[test]
fn slipped_stitches_are_taller_than_those_beside_them() {
    let mut scene = gallery("slip_stitch_1");
    (scene.knits[0].courses, scene.knits[0].wales) = (9, 12);
    let (simulation, _) = at_rest(&scene);
    let height = |wale: u32| {
        let nodes = (0..simulation.model().nodes.len() as u32).map(NodeId);
        let own = nodes.filter(|&n| simulation.model().node(n).stitch == Some([5, wale]));
        let heights: Vec<f64> = own.map(|n| simulation.position(n).y).collect();
        heights.iter().fold(f64::NEG_INFINITY, |m, y| m.max(*y))
            - heights.iter().fold(f64::INFINITY, |m, y| m.min(*y))
    };
    for wale in [3, 5, 7] {
        let beside = [height(wale - 1), height(wale + 1)];
        assert!(beside.iter().all(|other| height(wale) > 1.4 * other), "{wale}: {} {beside:?}", height(wale));
    }
}

/// Jersey stretches more along courses than along wales under the same load, once its yarns touch: loops that are pulled
/// along wales have their legs side by side by then, those pulled along courses still turn.
#[test]
fn jersey_stretches_more_along_courses() {
    let (simulation, probes) = at_rest(&gallery("knit_stretch"));
    let pull = |name: &str, axis: usize| {
        let (_, probe) = probes.iter().find(|p| p.0 == name).unwrap();
        let ProbeValue::Vector(force) = probe.value(&simulation) else { unreachable!() };
        force[axis]
    };
    // By about a fifth both ways.
    let (courses, wales) = (pull("along courses", 0), pull("along wales", 1));
    assert!(courses > 0.02 && wales > 1.5 * courses, "{courses} N, {wales} N");
}

/// By how much the inner wales of a free square of 10 by 10 loops turn about the courses, from their lowest two courses to
/// their highest two, rad: positive to the face.
fn turns(pattern: &str) -> Vec<f64> {
    let simulation =
        relaxed(&format!("pattern: {pattern}, courses: 10, wales: 10, thickness: true, set: 0.8"));
    let at = |course, wale| stitch(&simulation, course, wale);
    // From the chord between two courses to that between two others, which every repeat of these knits holds once.
    let turn = |wale: u32| {
        let [before, after] = [1, 9].map(|c| at(c + 1, wale) - at(c - 1, wale));
        let about = (at(5, wale + 1) - at(5, wale - 1)).normalize();
        before.cross(&after).dot(&about).atan2(before.dot(&after))
    };
    (2..9).map(turn).collect()
}

/// All wales of a free square of jersey roll to its face, by more than a radian in the mean; turned over, to its back.
#[test]
fn thick_jersey_rolls_to_its_face() {
    for (pattern, face) in [("Chart([\"k\"])", 1.0), ("Chart([\"p\"])", -1.0)] {
        let turns: Vec<f64> = turns(pattern).iter().map(|t| face * t).collect();
        let mean = turns.iter().sum::<f64>() / turns.len() as f64;
        assert!(turns.iter().all(|t| *t > 0.5) && mean > 1.0, "{pattern}: {turns:?} rad");
    }
}

/// Squares with as many knit as purl stitches lie nearly flat: their borders turn them, by less than half of what jersey rolls.
#[test]
fn thick_garter_and_moss_lie_nearly_flat() {
    for pattern in ["Garter", "Moss"] {
        let turns = turns(pattern);
        assert!(turns.iter().all(|t| t.abs() < 0.6), "{pattern}: {turns:?} rad");
    }
}

/// A thick knit that springs out of its plane without damping and friction neither gains nor loses energy: centre lines
/// beside the contacts are one potential.
#[test]
fn thick_jersey_keeps_its_energy() {
    let text = "(knits: [(courses: 4, wales: 4, thickness: true, set: 0.8, start: Relaxed, \
                yarns: [(material: \"slick\")])], materials: {\"slick\": (base: \"cotton\", friction: 0)}, \
                forces: (gravity: (0, 0, 0)), damping: (kind: None), solver: (dt: 1e-6, scheme: Newmark))";
    let scene = parse(&Source::new(Path::new("knit.ron"), text.into())).unwrap();
    let mut simulation = build(&scene).unwrap().simulation;
    let start = simulation.energies().stored();
    for _ in 0..1000 {
        simulation.step().unwrap();
    }
    let change = simulation.energies().stored() / start - 1.0;
    let moving = simulation.energies().kinetic / start;
    assert!(change.abs() < 0.01 && moving > 0.05, "{change}, {moving} in motion");
}
