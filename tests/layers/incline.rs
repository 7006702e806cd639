//! Layers that slide over one another against Coulomb's law.

use std::path::Path;

use hebra::model::select::Selection;
use hebra::model::yarns::ContactKind;
use hebra::scene::build::set_up;
use hebra::scene::parse::parse;
use hebra::scene::source::Source;
use hebra::simulation::Simulation;
use hebra::simulation::setup::Setup;
use hebra::simulation::tuning::Tuning;

/// The shipped scene of a patch on a slope, degrees, smaller, its yarns turned by some degrees against it.
fn incline(slope: f64, turn: f64) -> Simulation {
    Simulation::new(changed(slope, turn, &[]))
}

fn changed(slope: f64, turn: f64, changes: &[&str]) -> Setup {
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
    changes.iter().for_each(|set| source.set(set).unwrap());
    set_up(&parse(&source).unwrap()).unwrap_or_else(|e| panic!("{e:?}")).0
}

/// Mean over the patch's own nodes of a component of what is stored in their blocks.
fn mean(simulation: &Simulation, of: &[f64], component: usize) -> f64 {
    let model = simulation.model();
    let nodes = Selection::Fabric("patch".into()).resolve(model, &simulation.state().q).unwrap();
    let own = nodes.into_iter().filter(|&n| model.is_own(n));
    let values: Vec<f64> = own.map(|n| of[model.node(n).block.dof(component) as usize]).collect();
    values.iter().sum::<f64>() / values.len() as f64
}

/// Mean velocity of the patch down the slope, m/s.
fn speed(simulation: &Simulation) -> f64 {
    mean(simulation, &simulation.state().v, 0)
}

fn advance(simulation: &mut Simulation, until: f64) {
    while simulation.time() < until - 1e-9 {
        simulation.step().unwrap();
    }
}

#[test]
fn a_patch_stays_below_the_angle_of_friction() {
    for turn in [0.0, 45.0] {
        for slope in [30.0, 40.0, 44.0] {
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

/// Gravity lifts a patch off its board, whose contacts let go, then lets it fall: yarns that collide come to rest
/// on those that they were on before, others fall through.
#[test]
fn a_patch_that_was_lifted_falls_on_its_board_again() {
    let height = |collides: &str| {
        let up = "forces.gravity=(0,0,9.81)";
        let setup = changed(0.0, 20.0, &[up, collides, "fabrics[1].at=(0,3e-4,0)"]);
        let n = setup.model.contacts.iter().filter(|c| c.kind == ContactKind::Inter).count() as u64;
        let mut simulation = Simulation::new(Tuning::of(&setup).apply(&setup));
        advance(&mut simulation, 0.02);
        assert_eq!(simulation.counts().removed, n, "all contacts let go");
        let free = 0.5 * 9.81 * 0.02f64.powi(2);
        let lifted = mean(&simulation, &simulation.state().q, 2);
        assert!(lifted > 0.2 * free && lifted < free, "{lifted}");
        let down = Tuning { gravity: [0.0, 0.0, -9.81], ..Tuning::of(&setup) };
        simulation.tune(&setup, &down).unwrap();
        advance(&mut simulation, 0.09);
        mean(&simulation, &simulation.state().q, 2)
    };
    let (held, through) = (height("collision=()"), height("collision=None"));
    assert!(held.abs() < 1e-4, "{held} m");
    assert!(through < -1e-3, "{through} m");
    // However far one sinks in: it is thrown up again.
    let thrown = height("collision=(stiffness:6)");
    assert!(thrown > 0.0, "{thrown} m");
}
