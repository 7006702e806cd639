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

/// A knit described by the inside of its braces, relaxed without friction.
fn relaxed(knit: &str) -> Simulation {
    let text = format!(
        "(knits: [(name: \"knit\", {knit})], forces: (gravity: (0, 0, 0)), relax: (friction: false))"
    );
    let scene = parse(&Source::new(Path::new("knit.ron"), text)).unwrap();
    let mut simulation = build(&scene).map_err(|e| format!("{e:?}")).unwrap().simulation;
    let mut relaxation = Relaxation::new(&mut simulation, scene.relax);
    let stored = |s: &Simulation| s.energies().elastic + s.energies().contact;
    let mut last = stored(&simulation);
    while !relaxation.is_at_rest() {
        let report = relaxation.step(&mut simulation).unwrap();
        let now = stored(&simulation);
        // Where contacts turn degenerate the energy jumps; the report says by how much.
        assert!(now <= last * (1.0 + 1e-9) + report.jump.abs(), "{knit}: {last} to {now}");
        last = now;
    }
    println!("{knit}: at rest after {} steps", simulation.steps());
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

/// Every segment of yarn is longer than the yarn is thin: no loop has closed.
fn assert_open(simulation: &Simulation, radius: f64) {
    let model = simulation.model();
    for [a, b] in model.segments() {
        let length = model.arc(&simulation.state().q, b) - model.arc(&simulation.state().q, a);
        assert!(length > radius, "{length}");
    }
}

#[test]
fn jersey_comes_to_rest_with_open_loops() {
    let simulation = relaxed("courses: 12, wales: 12, loop_length: 3.6e-3");
    assert_open(&simulation, 1e-4);
    let [wale, course] = spacings(&simulation);
    let k = 3.6e-3 * 3.6e-3 / (wale * course);
    println!("wale {wale:.3e} m, course {course:.3e} m, k = {k:.2}");
    assert!((10.0..22.0).contains(&k), "{k}");
    assert!(course < wale, "courses lie closer than wales");
}

#[test]
fn a_tighter_knit_is_smaller() {
    let size =
        |tightness: f64| spacings(&relaxed(&format!("courses: 12, wales: 12, tightness: {tightness}")));
    let (loose, tight) = (size(0.0), size(1.0));
    assert!(tight[0] < 0.8 * loose[0] && tight[1] < 0.8 * loose[1], "{loose:?} {tight:?}");
}

#[test]
fn every_stitch_comes_to_rest() {
    for pattern in ["Garter", "Chart([\"kkkk\", \"kskp\", \"kftk\"])", "Jacquard([\"0011\", \"0110\"])"] {
        let yarns = "yarns: [(), ()]";
        assert_open(&relaxed(&format!("pattern: {pattern}, courses: 6, wales: 8, {yarns}")), 0.0);
    }
}
