//! Results do not depend on the number of threads or on an interruption.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::scenes::*;
use hebra::model::obstacle::{Obstacle, ObstacleParams, Shape};
use hebra::simulation::setup::Setup;
use hebra::simulation::{Checkpoint, Simulation};
use hebra_solver::linear::LinearMethod;

/// A weave that falls on a ball off its centre.
fn falling(linear: LinearMethod) -> Setup {
    let mut params = weave(40, 40);
    params.at = [1e-3, 5e-4, 0.0];
    let mut setup = fabric_scene(&params, cotton());
    setup.damping = Default::default();
    setup.forces.gravity = [0.0, 0.0, -G];
    setup.solver.linear = linear;
    let obstacle = Obstacle::read(ObstacleParams {
        name: "ball".into(),
        shape: Shape::Sphere { radius: 5e-3 },
        at: [0.0, 0.0, -5.4e-3],
        rotation: [0.0; 3],
        motion: Default::default(),
        friction: None,
        thickness: 0.0,
        stiffness: 1e10,
    });
    setup.obstacles.push(obstacle.unwrap());
    setup
}

/// Everything that a run goes on from, after some steps.
fn after(simulation: &mut Simulation, steps: usize) -> Checkpoint {
    for _ in 0..steps {
        simulation.step().unwrap();
    }
    simulation.checkpoint()
}

fn on_threads<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run)
}

/// Bit by bit, so that an anchor that is not a number equals itself.
fn assert_same_bits(a: &Checkpoint, b: &Checkpoint) {
    let bits = |c: &Checkpoint| postcard::to_stdvec(c).unwrap();
    assert!(a.state.q.iter().all(|q| q.is_finite()));
    assert!(a.state == b.state, "unknowns or velocities differ");
    assert!(bits(a) == bits(b), "the states agree, but not what goes with them");
}

/// Twenty steps on one thread, on two, and on two after going back to the middle in a new simulation.
fn assert_reproducible(linear: LinearMethod) {
    let one = on_threads(1, || after(&mut Simulation::new(falling(linear)), 20));
    let (middle, two) = on_threads(2, || {
        let mut simulation = Simulation::new(falling(linear));
        (after(&mut simulation, 10), after(&mut simulation, 10))
    });
    assert_same_bits(&one, &two);
    let restored = on_threads(2, || {
        let mut simulation = Simulation::new(falling(linear));
        simulation.restore(middle).unwrap();
        after(&mut simulation, 10)
    });
    assert_same_bits(&two, &restored);
}

#[test]
fn directly_solved_runs_are_reproducible() {
    assert_reproducible(LinearMethod::Direct);
}

#[test]
fn iteratively_solved_runs_are_reproducible() {
    assert_reproducible(LinearMethod::Iterative);
}

#[test]
fn runs_that_choose_their_solver_are_reproducible() {
    assert_reproducible(LinearMethod::Auto);
}
