//! What is conserved, and what damping takes.

use std::f64::consts::PI;

use crate::common::scenes::*;
use hebra::geometry::Vec3;
use hebra::potential::damping::DampingKind;
use hebra::simulation::Simulation;
use hebra::simulation::setup::Setup;
use hebra_solver::time::Scheme;

#[test]
fn a_free_rod_keeps_its_momentum() {
    let mut setup = rod_scene(&rod(&[[0.0; 3], [0.1, 0.0, 0.0]], 30), cotton());
    setup.solver.dt = 1e-4;
    setup.solver.residual = Some(1e-11);
    setup.solver.correction = Some(1e-10);
    let mut simulation = Simulation::new(setup);
    let mut state = simulation.state().clone();
    let mut random = Random(1);
    let free = simulation.model().free.clone();
    for (v, _) in state.v.iter_mut().zip(&free).filter(|(_, free)| **free) {
        *v = 0.1 + 0.1 * random.next();
    }
    simulation.set_state(state);
    let start = simulation.momentum();
    for _ in 0..200 {
        simulation.step().unwrap();
    }
    let drift = (simulation.momentum() - start).norm() / start.norm();
    println!("momentum of a rod: {drift:.1e}");
    assert!(drift < 1e-10, "{drift}");
}

/// Drift of the momentum of a free weave whose yarns slide, over 0.1 s.
fn weave_drift(dt: f64) -> f64 {
    let mut material = cotton();
    material.friction = 0.0;
    let mut params = weave(8, 8);
    // Tails long enough to slide in.
    (params.warp.tail, params.weft.tail) = (Some(1e-3), Some(1e-3));
    let mut setup = fabric_scene(&params, material);
    setup.solver.dt = dt;
    setup.solver.residual = Some(2e-11);
    setup.solver.correction = Some(1e-10);
    let mut simulation = Simulation::new(setup);
    slide_yarns(&mut simulation);
    let start = simulation.momentum();
    run(&mut simulation, 0.1, dt);
    (simulation.momentum() - start).norm() / start.norm()
}

/// Sets a weave in motion across its plane and each of its yarns along itself.
fn slide_yarns(simulation: &mut Simulation) {
    set_velocity(simulation, |x| Vec3::z() * (2e-2 + 2e-2 * (1e3 * x.x).sin() * (1e3 * x.y).cos()));
    let mut state = simulation.state().clone();
    let mut random = Random(2);
    let model = simulation.model();
    for rod in &model.rods {
        let speed = 4e-3 * random.next();
        let nodes: Vec<_> = rod.nodes.clone().map(hebra::model::ids::NodeId).collect();
        let (first, last) = (nodes[0], nodes[nodes.len() - 1]);
        let along = (model.position(&state.q, last) - model.position(&state.q, first)).normalize();
        for &n in &nodes[1..nodes.len() - 1] {
            state.v[model.node(n).arc_dof() as usize] = -speed;
        }
        for end in [first, last] {
            for k in 0..3 {
                state.v[model.node(end).block.dof(k) as usize] += speed * along[k];
            }
        }
    }
    simulation.set_state(state);
}

#[test]
fn a_free_weave_with_sliding_yarns_keeps_its_momentum() {
    let drifts = [1e-3, 5e-4, 2.5e-4].map(weave_drift);
    println!("momentum of a weave: {drifts:?}");
    assert!(drifts[0] < 1e-3, "{drifts:?}");
    for ratio in [drifts[0] / drifts[1], drifts[1] / drifts[2]] {
        assert!((1.8..2.2).contains(&ratio), "first order: {drifts:?}");
    }
}

/// Angular velocity of the whirling rod, rad/s, and time steps a turn.
const SPIN: f64 = 30.0;
const STEPS_A_TURN: f64 = 400.0;

/// A slack rod between two pins on the axis about which it whirls like a skipping rope: bent and under
/// tension, and turning in a way that the pins do not hinder.
fn whirling(kind: DampingKind) -> Setup {
    let points: Vec<[f64; 3]> =
        (0..=32).map(|k| f64::from(k) / 32.0).map(|s| [0.2 * s, 0.1 * (PI * s).sin(), 0.0]).collect();
    let mut setup = rod_scene(&rod(&points, 32), cotton());
    clamp(&mut setup, rod_node(0));
    clamp(&mut setup, rod_node(-1));
    setup.damping.kind = kind;
    setup.solver.scheme = Scheme::Newmark;
    setup.solver.dt = 2.0 * PI / SPIN / STEPS_A_TURN;
    setup.solver.residual = Some(1e-10);
    setup.solver.correction = Some(1e-9);
    setup
}

/// Energy that damping takes in a turn, over the kinetic energy.
fn loss_a_turn(simulation: &mut Simulation) -> f64 {
    let before = simulation.energies();
    for _ in 0..STEPS_A_TURN as usize {
        simulation.step().unwrap();
    }
    (simulation.energies().dissipated - before.dissipated) / before.kinetic
}

#[test]
fn strain_rate_damping_lets_a_finely_divided_rod_spin() {
    let mut simulation = Simulation::new(whirling(DampingKind::StrainRate));
    set_velocity(&mut simulation, |x| Vec3::z() * (SPIN * x.y));
    // Damping of the strain itself brings the rod to rest in the turning frame.
    (0..12).for_each(|_| {
        loss_a_turn(&mut simulation);
    });
    let strain_rate = loss_a_turn(&mut simulation);
    let mut rayleigh = Simulation::new(whirling(DampingKind::Rayleigh));
    rayleigh.set_state(simulation.state().clone());
    let rayleigh = loss_a_turn(&mut rayleigh);
    println!("loss a turn: strain rate {strain_rate:.1e}, Rayleigh {rayleigh:.1e}");
    assert!(strain_rate < 1e-4, "{strain_rate}");
    assert!(rayleigh > 100.0 * strain_rate, "{rayleigh} {strain_rate}");
}

#[test]
fn an_undamped_pendulum_keeps_its_energy() {
    let mut setup = rod_scene(&rod(&[[0.0; 3], [0.2, 0.0, 0.0]], 100), cotton());
    setup.forces.gravity = [0.0, 0.0, -G];
    clamp(&mut setup, rod_node(0));
    setup.solver.scheme = Scheme::Newmark;
    setup.solver.dt = 5e-4;
    let mut simulation = Simulation::new(setup);
    let start = simulation.energies();
    let (mut drift, mut exchanged) = (0.0f64, 0.0f64);
    for _ in 0..1000 {
        let now = simulation.step().unwrap().energies;
        drift = drift.max((now.balance() - start.balance()).abs());
        exchanged = exchanged.max((now.gravitational - start.gravitational).abs());
    }
    println!("pendulum: drift {drift:.1e} J of {exchanged:.1e} J, {} rejected", simulation.rejected_steps());
    assert!(drift < 1e-2 * exchanged, "{drift} {exchanged}");
}

/// The rate, 1/s, at which damping takes the energy of a mass that swings on a spring.
fn decay_of_a_swing(dt: f64) -> f64 {
    let (line_density, stiffness) = (1.5, 50.0);
    let slope = 60f64.to_radians();
    let mut setup = rod_scene(
        &rod(&[[0.0; 3], [slope.sin(), 0.0, -slope.cos()]], 1),
        material(line_density, stiffness, 0.0),
    );
    setup.forces.gravity = [0.0, 0.0, -G];
    clamp(&mut setup, rod_node(0));
    setup.damping.kind = DampingKind::StrainRate;
    setup.damping.stretch = Some(0.05);
    setup.solver.scheme = Scheme::Newmark;
    setup.solver.dt = dt;
    (setup.solver.residual, setup.solver.correction) = (Some(1e-9), Some(1e-10));
    let mut simulation = Simulation::new(setup);
    // Half of the rod's weight pulls its free end down: at rest V = -W - W^2/(2 k).
    let weight = 0.5 * line_density * G;
    let least = -weight - weight * weight / (2.0 * stiffness);
    let [early, late] = [1.0, 5.0].map(|until| {
        run(&mut simulation, until, dt);
        simulation.energies().stored() - least
    });
    (early / late).ln() / 4.0
}

#[test]
fn the_decay_of_a_swing_does_not_depend_on_the_time_step() {
    let rates = [1e-2, 5e-3, 2.5e-3].map(decay_of_a_swing);
    println!("decay of a swing: {rates:.5?} 1/s");
    assert!(rates[0] > 0.05, "it decays: {rates:?}");
    for pair in rates.windows(2) {
        assert!((pair[0] / pair[1] - 1.0).abs() < 0.02, "{rates:?}");
    }
}
