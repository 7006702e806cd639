//! What may be changed while a scene is simulated: by a hand, and by turning its knobs.

use crate::common::scenes::{G, cotton, fabric_scene, material, rod, rod_scene, weave};
use hebra::geometry::Vec3;
use hebra::model::clamp::ClampParams;
use hebra::model::ids::{NodeId, RodId};
use hebra::potential::damping::DampingKind;
use hebra::potential::family::{Family, Stencils};
use hebra::potential::push::Push;
use hebra::potential::term::EnergyKind;
use hebra::simulation::Simulation;
use hebra::simulation::setup::Setup;
use hebra::simulation::tuning::Tuning;

/// A rod that stands still and is stretched by a hand at its end.
fn pulled() -> (Setup, NodeId) {
    let mut setup = rod_scene(&rod(&[[0.0; 3], [0.1, 0.0, 0.0]], 10), material(1e-3, 10.0, 1e-6));
    let first = NodeId(0);
    setup.clamps = vec![(clamp(), vec![setup.model.node(first).block])];
    setup.damping.kind = DampingKind::Rayleigh;
    setup.damping.mass = 200.0;
    setup.solver.dt = 5e-3;
    (setup, NodeId(10))
}

fn clamp() -> ClampParams {
    use hebra::model::select::Selection;
    ClampParams {
        name: String::new(),
        select: Selection::All,
        motion: Default::default(),
        pivot: None,
        axes: [true; 3],
        slide: false,
        release: None,
    }
}

fn run(simulation: &mut Simulation, steps: usize) {
    for _ in 0..steps {
        simulation.step().unwrap();
    }
}

#[test]
fn a_hand_stretches_a_rod_until_the_springs_balance() {
    let (setup, end) = pulled();
    let mut simulation = Simulation::new(setup);
    simulation.grab(RodId(0), 0.1, Vec3::new(0.2, 0.0, 0.0), 50.0);
    run(&mut simulation, 200);
    // EA (l/L - 1) = k (p - l): 10 (l/0.1 - 1) = 50 (0.2 - l).
    let exact = 20.0 / 150.0;
    let found = simulation.position(end).x;
    assert!((found - exact).abs() < 1e-4 * exact, "{found} {exact}");
    simulation.let_go();
    run(&mut simulation, 200);
    assert!((simulation.position(end).x - 0.1).abs() < 1e-5, "{}", simulation.position(end).x);
}

#[test]
fn a_clamped_node_stays_in_the_hand_of_its_clamp() {
    let (setup, _) = pulled();
    let mut simulation = Simulation::new(setup);
    simulation.grab(RodId(0), 0.0, Vec3::new(0.2, 0.3, 0.0), 50.0);
    run(&mut simulation, 3);
    assert!(simulation.position(NodeId(0)).norm() < 1e-12);
}

#[test]
fn an_untouched_tuning_changes_nothing() {
    let mut setup = fabric_scene(&weave(6, 5), cotton());
    setup.forces.gravity = [0.0, 0.0, -G];
    let held = [0, 1].map(|n| setup.model.node(NodeId(n)).block);
    setup.clamps = vec![(clamp(), held.to_vec())];
    let tuning = Tuning::of(&setup);
    let (mut plain, mut tuned) = (Simulation::new(setup.clone()), Simulation::new(tuning.apply(&setup)));
    run(&mut plain, 3);
    run(&mut tuned, 3);
    tuned.tune(&setup, &tuning).unwrap();
    run(&mut plain, 3);
    run(&mut tuned, 3);
    let difference = plain.state().q.iter().zip(&tuned.state().q).map(|(a, b)| (a - b).abs());
    assert!(difference.fold(0.0, f64::max) < 1e-12);
    assert_eq!((plain.steps(), plain.time()), (tuned.steps(), tuned.time()));
}

#[test]
fn knobs_turn_what_they_say() {
    let (setup, end) = pulled();
    let mut tuning = Tuning::of(&setup);
    let mut simulation = Simulation::new(tuning.apply(&setup));
    let mut settle = |tuning: &Tuning| {
        simulation.tune(&setup, tuning).unwrap();
        run(&mut simulation, 300);
        [NodeId(0), end].map(|n| simulation.position(n))
    };
    tuning.gravity = [G, 0.0, 0.0];
    // rho g L^2 / (2 EA), and a tenth of it for a rod ten times as stiff.
    let exact = 1e-3 * G * 0.01 / 20.0;
    let sag = settle(&tuning)[1].x - 0.1;
    assert!((sag / exact - 1.0).abs() < 0.01, "{sag} {exact}");
    tuning.stiffness.stretch = 10.0;
    let stiff = settle(&tuning)[1].x - 0.1;
    assert!((stiff / exact - 0.1).abs() < 2e-3, "{stiff} {exact}");
    tuning.gravity = [0.0; 3];
    (tuning.wind.density, tuning.wind.velocity) = (1.2, [0.0, 8.0, 0.0]);
    let [held, free] = settle(&tuning);
    assert!(held.norm() < 1e-12 && free.y > 0.01, "the wind carries the end away: {held} {free}");
    tuning.released = vec![true];
    let [held, _] = settle(&tuning);
    assert!(held.y > 1e-3, "what nothing holds is blown away: {held}");
}

#[test]
fn potentials_of_ones_own_outlast_a_tuning_even_of_a_wrong_scene() {
    let (setup, end) = pulled();
    let [x, y, z, _] = setup.model.node(end).dofs();
    let push = Push::new(Vec3::new(0.1, 0.0, 0.0), 0.0, f64::INFINITY);
    let own = Family::new("own", EnergyKind::External, Stencils::new(vec![[x, y, z]], [0; 3]), push);
    let mut tuning = Tuning::of(&setup);
    let mut simulation = Simulation::new(tuning.apply(&setup)).with_potential(own);
    let other = fabric_scene(&weave(6, 5), cotton());
    assert!(simulation.tune(&other, &Tuning::of(&other)).is_err());
    // EA (l/L - 1) = F: 1 % of 0.1 m, and half of it for a rod twice as stiff.
    for (stiffness, exact) in [(1.0, 1e-3), (2.0, 5e-4)] {
        tuning.stiffness.stretch = stiffness;
        simulation.tune(&setup, &tuning).unwrap();
        run(&mut simulation, 200);
        let stretch = simulation.position(end).x - 0.1;
        assert!((stretch / exact - 1.0).abs() < 1e-3, "{stretch} {exact}");
    }
    assert_eq!(simulation.terms().iter().filter(|t| t.name == "own").count(), 1);
}
