//! Layers that slide over one another against Coulomb's law.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::Path;

use hebra::model::select::Selection;
use hebra::scene::build::build;
use hebra::scene::parse::parse;
use hebra::scene::source::Source;
use hebra::simulation::Simulation;

/// The shipped scene of a patch on a slope, degrees, smaller, its yarns turned by some degrees against it.
fn incline(slope: f64, turn: f64) -> Simulation {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/incline.ron");
    let mut source = Source::read(&file).unwrap();
    for set in [
        format!("forces.slope={slope}"),
        "fabrics[0].warp.count=12".into(),
        "fabrics[0].weft.count=12".into(),
        "fabrics[0].at=(0,0,0)".into(),
        "fabrics[1].warp.count=5".into(),
        "fabrics[1].weft.count=5".into(),
        "fabrics[1].at=(-0.95e-3,3e-4,0)".into(),
        format!("fabrics[0].rotation=(0,0,{turn})"),
        format!("fabrics[1].rotation=(0,0,{turn})"),
    ] {
        source.set(&set).unwrap();
    }
    build(&parse(&source).unwrap()).unwrap_or_else(|e| panic!("{e:?}")).simulation
}

/// Mean velocity of the patch down the slope, m/s.
fn speed(simulation: &Simulation) -> f64 {
    let (model, state) = (simulation.model(), simulation.state());
    let nodes = Selection::Fabric("patch".into()).resolve(model, &state.q).unwrap();
    let sum: f64 = nodes.iter().map(|&n| state.v[model.node(n).block.dof(0) as usize]).sum();
    sum / nodes.len() as f64
}

fn advance(simulation: &mut Simulation, until: f64) {
    while simulation.time() < until - 1e-9 {
        simulation.step().unwrap();
    }
}

#[test]
fn a_patch_stays_below_the_angle_of_friction() {
    for turn in [0.0, 45.0] {
        for slope in [30.0, 44.0] {
            let mut simulation = incline(slope, turn);
            advance(&mut simulation, 0.05);
            let speed = speed(&simulation);
            assert!(speed.abs() < 2e-4, "{slope} degrees, turned by {turn}: {speed} m/s");
        }
    }
}

/// `a = g (sin a - mu cos a)` with `mu = 1`, while all contacts become degenerate and active again several times
/// and rows of them leave the patch's yarns.
#[test]
fn a_patch_slides_above_the_angle_of_friction() {
    for turn in [0.0, 45.0] {
        for (slope, until) in [(46.0f64, 0.1), (50.0, 0.05), (60.0, 0.035)] {
            let mut simulation = incline(slope, turn);
            advance(&mut simulation, 0.005);
            let before = speed(&simulation);
            advance(&mut simulation, until);
            assert!(simulation.counts().removed >= 5, "{:?}", simulation.counts());
            let found = (speed(&simulation) - before) / (until - 0.005);
            let expected = 9.81 * (slope.to_radians().sin() - slope.to_radians().cos());
            assert!((found / expected - 1.0).abs() < 0.03, "{slope}, {turn}: {found} for {expected} m/s2");
        }
    }
}
