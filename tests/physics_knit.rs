//! Knits at rest: relaxed from a chart, and as knitters know them.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::Path;

use hebra::geometry::Vec3;
use hebra::model::ids::NodeId;
use hebra::scene::build::build;
use hebra::scene::parse::parse;
use hebra::scene::source::Source;
use hebra::simulation::Simulation;
use hebra::simulation::relax::Relaxation;

/// A knit described by the inside of its braces, relaxed without friction; the energy never grows on the way.
fn relaxed(knit: &str) -> Simulation {
    let text = format!(
        "(knits: [(name: \"knit\", {knit})], forces: (gravity: (0, 0, 0)), relax: (friction: false))"
    );
    let scene = parse(&Source::new(Path::new("knit.ron"), text)).unwrap().to_relax();
    let mut simulation = build(&scene).map_err(|e| format!("{e:?}")).unwrap().simulation;
    let mut relaxation = Relaxation::new(&mut simulation, scene.relax);
    let mut last = simulation.energies().stored();
    while !relaxation.is_at_rest() {
        let report = relaxation.step(&mut simulation).unwrap();
        let now = simulation.energies().stored();
        // Where contacts turn degenerate the energy jumps; the report says by how much.
        assert!(now <= last + report.jump + 1e-9 * last, "{knit}: {last} to {now}");
        last = now;
    }
    simulation
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

/// The shortest piece of yarn between two stitches' crossings, m: no loop has closed if it is as long as the yarn
/// is thick.
fn shortest_segment(simulation: &Simulation) -> f64 {
    let (model, q) = (simulation.model(), &simulation.state().q);
    model.segments().map(|[a, b]| model.arc(q, b) - model.arc(q, a)).fold(f64::INFINITY, f64::min)
}

/// Munden's `k`, courses times wales times the square of the loop length, of relaxed plain knits: 19 for those that
/// were only dried, up to 23 for those that were washed (Munden 1959).
#[test]
fn jersey_comes_to_rest_as_knitted_fabrics_do() {
    let simulation = relaxed("courses: 12, wales: 12, loop_length: 3.6e-3");
    assert!(simulation.steps() <= 40, "{} steps", simulation.steps());
    assert!(shortest_segment(&simulation) > 1e-4, "{}", shortest_segment(&simulation));
    let [wale, course] = spacings(&simulation);
    let k = 3.6e-3 * 3.6e-3 / (wale * course);
    println!("wale {wale:.3e} m, course {course:.3e} m, k = {k:.2}");
    assert!((18.0..22.0).contains(&k), "{k}");
    assert!((1.1..1.4).contains(&(wale / course)), "courses lie closer than wales: {}", wale / course);
}

#[test]
fn a_tighter_knit_is_smaller() {
    let size =
        |tightness: f64| spacings(&relaxed(&format!("courses: 12, wales: 12, tightness: {tightness}")));
    let (loose, tight) = (size(0.0), size(1.0));
    assert!(tight[0] < 0.7 * loose[0] && tight[1] < 0.75 * loose[1], "{loose:?} {tight:?}");
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
