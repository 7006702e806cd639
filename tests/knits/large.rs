//! Large knits that are laid out as small ones lie at rest.

use std::path::Path;

use hebra::geometry::Vec3;
use hebra::model::ids::{BlockId, NodeId};
use hebra::scene::build::build;
use hebra::scene::cell::Specimen;
use hebra::scene::params::Scene;
use hebra::scene::parse::parse;
use hebra::scene::source::Source;
use hebra::simulation::Simulation;

/// A knit described by the inside of its braces, as it starts at rest, without gravity.
fn at_rest(knit: &str) -> Simulation {
    simulation(&format!("start: Relaxed, {knit}"), "forces: (gravity: (0, 0, 0))")
}

fn simulation(knit: &str, forces: &str) -> Simulation {
    build(&scene(knit, forces)).unwrap().simulation
}

fn scene(knit: &str, forces: &str) -> Scene {
    let text = format!("(knits: [(name: \"knit\", {knit})], {forces}, solver: (dt: 5e-4))");
    parse(&Source::new(Path::new("knit.ron"), text)).unwrap()
}

/// The largest speed of a crossing, m/s.
fn largest_speed(simulation: &Simulation) -> f64 {
    let blocks = 0..simulation.model().n_blocks() as u32;
    blocks.map(|b| simulation.block_velocity(BlockId(b)).norm()).fold(0.0, f64::max)
}

/// From a stitch to another, m.
fn between(simulation: &Simulation, from: [u32; 2], to: [u32; 2]) -> Vec3 {
    let model = simulation.model();
    let middle = |stitch: [u32; 2]| {
        let all = (0..model.nodes.len() as u32).map(NodeId);
        let own: Vec<Vec3> =
            all.filter(|&n| model.node(n).stitch == Some(stitch)).map(|n| simulation.position(n)).collect();
        own.iter().sum::<Vec3>() / own.len() as f64
    };
    middle(to) - middle(from)
}

/// With friction as cloth has it: nothing moves, loops are alike on both sides of the middle and lie as those of a repeat
/// without borders, and its centre is where it should be.
#[test]
fn a_large_knit_starts_at_rest() {
    for knit in [
        "courses: 24, wales: 26, at: (0.1, 0, 0)",
        "pattern: Chart([\"kkkk\", \"ksks\", \"kkkk\", \"sksk\"]), courses: 28, wales: 29, at: (0.1, 0, 0)",
    ] {
        let mut simulation = at_rest(knit);
        let (one, other) = ([[12, 8], [12, 12]], [[12, 13], [12, 17]]);
        let wales = [one, other].map(|[a, b]| between(&simulation, a, b).norm());
        assert!((wales[0] / wales[1] - 1.0).abs() < 0.01, "{knit}: {wales:?}");
        let scene = scene(knit, "forces: ()");
        let repeat = Specimen::of_knit(&scene, &scene.knits[0]).unwrap().stretched([None; 2]).unwrap();
        let spacing = [[8, 16], [16, 8]].map(|to| between(&simulation, [8, 8], to).norm() / 8.0);
        for axis in 0..2 {
            assert!(
                (spacing[axis] / repeat.spacing[axis] - 1.0).abs() < 0.03,
                "{knit}: {spacing:?} {repeat:?}"
            );
        }
        let contacts = simulation.model().contacts.iter().map(|c| simulation.position(c.nodes[0]).x);
        let (low, high) = contacts.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        assert!((0.5 * (low + high) - 0.1).abs() < 1e-9, "{knit}: from {low} to {high}");
        for step in 1..=20 {
            simulation.step().unwrap();
            let speed = largest_speed(&simulation);
            assert!(speed < 1e-4, "{knit}: {speed} m/s after {step} steps");
        }
    }
}

/// Out of its plane a knit falls as a whole, by whole steps of few iterations; flat it would buckle first, by steps of
/// microseconds.
#[test]
fn a_knit_out_of_its_plane_falls() {
    for pattern in ["Jersey", "Chart([\"kkkk\", \"ksks\", \"kkkk\", \"sksk\"])"] {
        let knit = format!("pattern: {pattern}, courses: 12, wales: 12, start: Free");
        let mut simulation = simulation(&knit, "forces: (gravity: (0, 0, -9.81))");
        let model = simulation.model();
        let heights = model.contacts.iter().map(|c| simulation.position(c.nodes[0]).z);
        let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), z| (l.min(z), h.max(z)));
        assert!(high - low > 2.0 * model.rods[0].material.radius, "{pattern}: {} m", high - low);
        let mass: f64 = model.rods.iter().map(|r| r.length * r.material.line_density()).sum();
        let (before, mut iterations) = (simulation.energies(), 0);
        for _ in 0..20 {
            let report = simulation.step().unwrap();
            assert_eq!(report.rejected, 0, "{pattern}: step {}", report.step);
            iterations += report.newton_iterations;
        }
        assert!(iterations <= 120, "{pattern}: {iterations}");
        let fallen = simulation.momentum() / (mass * 9.81 * simulation.time());
        assert!((fallen + Vec3::z()).norm() < 1e-5, "{pattern}: {fallen}");
        let after = simulation.energies();
        let stored = [before, after].map(|e| e.elastic + e.contact);
        assert!(stored[1] < 1.001 * stored[0], "{pattern}: {stored:?}");
    }
}
