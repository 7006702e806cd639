//! Results do not depend on the number of threads or on an interruption.

use std::thread;
use std::time::Duration;

use crate::common::scenes::*;
use hebra::collision::layers::stack;
use hebra::model::build::ModelBuilder;
use hebra::model::fabric::FabricParams;
use hebra::model::layers::LayersParams;
use hebra::model::obstacle::{Obstacle, ObstacleParams, Shape};
use hebra::model::select::Selection;
use hebra::simulation::setup::Setup;
use hebra::simulation::{Checkpoint, Simulation, SimulationError};
use hebra_solver::interrupt::Interrupt;
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
        stiffness: Some(1e10),
        edges: false,
    });
    setup.obstacles.push(obstacle.unwrap());
    setup
}

/// A small weave thrown over a larger one that is held: contacts slide, pass each other and go.
fn thrown() -> Setup {
    let (lower, upper) =
        (weave(8, 8), FabricParams { name: "upper".into(), at: [2e-4, 1e-4, 0.0], ..weave(5, 5) });
    let mut builder = ModelBuilder::default();
    for fabric in [&lower, &upper] {
        builder.add_fabric(fabric, &|_| cotton()).unwrap();
    }
    let names = [&lower, &upper].map(|f| f.name.clone()).to_vec();
    stack(
        &mut builder,
        &[lower, upper],
        &LayersParams { fabrics: names, friction: Some(0.3), min_angle: 15.0 },
        false,
    )
    .unwrap();
    let (model, state) = builder.finish();
    let mut setup = Setup { model, state, collision: Some(Default::default()), ..Default::default() };
    clamp(&mut setup, Selection::Fabric("cloth".into()));
    let thrown = Selection::Fabric("upper".into()).resolve(&setup.model, &setup.state.q).unwrap();
    for node in thrown.into_iter().filter(|&n| setup.model.is_own(n)) {
        let x = setup.model.node(node).block.dof(0) as usize;
        let lift = 0.1 * setup.state.q[x] / 1e-3;
        (setup.state.v[x], setup.state.v[x + 2]) = (0.15, lift);
    }
    setup
}

#[test]
fn runs_with_layers_are_reproducible() {
    let mut simulation = on_threads(1, || Simulation::new(thrown()));
    let middle = after(&mut simulation, 8);
    let counts = simulation.counts();
    assert!(counts.removed > 5 && counts.eil > 2 && counts.eol_inter > 5, "{counts:?}");
    assert!(simulation.n_collision_pairs() > 0);
    let one = after(&mut simulation, 12);
    assert!(simulation.counts().removed > counts.removed);
    let again = on_threads(2, || {
        let mut simulation = Simulation::new(thrown());
        simulation.restore(middle).unwrap();
        after(&mut simulation, 12)
    });
    assert_same_bits(&one, &again);
    assert_same_bits(&one, &on_threads(2, || after(&mut Simulation::new(thrown()), 20)));
}

#[test]
fn a_step_that_is_interrupted_leaves_nothing_behind() {
    let mut whole = Simulation::new(thrown());
    let (middle, end) = (after(&mut whole, 8), after(&mut whole, 12));
    let mut broken = 0;
    for delay in 0..30 {
        let interrupt = Interrupt::default();
        let mut simulation = Simulation::new(Setup { interrupt: interrupt.clone(), ..thrown() });
        simulation.restore(middle.clone()).unwrap();
        let raiser = thread::spawn(move || {
            thread::sleep(Duration::from_micros(400 * delay));
            interrupt.raise();
        });
        while simulation.steps() < end.step {
            let before = simulation.checkpoint();
            if let Err(error) = simulation.step() {
                assert_eq!(error, SimulationError::Interrupted);
                assert_same_bits(&before, &simulation.checkpoint());
                broken += 1;
                break;
            }
        }
        raiser.join().unwrap();
        let mut resumed = Simulation::new(thrown());
        resumed.restore(simulation.checkpoint()).unwrap();
        let left = end.step - resumed.steps();
        assert_same_bits(&end, &after(&mut resumed, left as usize));
    }
    assert!(broken > 10, "{broken}");
}

/// Everything that a run goes on from, after some steps.
fn after(simulation: &mut Simulation, steps: usize) -> Checkpoint {
    for _ in 0..steps {
        simulation.step().unwrap();
    }
    simulation.checkpoint()
}

/// Bit by bit, so that an anchor that is not a number equals itself.
#[track_caller]
fn assert_same_bits(a: &Checkpoint, b: &Checkpoint) {
    let bits = |c: &Checkpoint| postcard::to_stdvec(c).unwrap();
    assert!(a.state.q.iter().all(|q| q.is_finite()));
    assert!(a.state == b.state, "unknowns or velocities differ");
    assert!(bits(a) == bits(b), "the states agree, but not what goes with them");
}

fn assert_reproducible(linear: LinearMethod) {
    assert_reproducible_from(&|| falling(linear), 10);
}

/// Twice so many steps on one thread, on two, and on two after going back to the middle in a new simulation.
fn assert_reproducible_from(setup: &(dyn Fn() -> Setup + Sync), steps: usize) {
    let one = on_threads(1, || after(&mut Simulation::new(setup()), 2 * steps));
    let (middle, two) = on_threads(2, || {
        let mut simulation = Simulation::new(setup());
        (after(&mut simulation, steps), after(&mut simulation, steps))
    });
    assert_same_bits(&one, &two);
    let restored = on_threads(2, || {
        let mut simulation = Simulation::new(setup());
        simulation.restore(middle).unwrap();
        after(&mut simulation, steps)
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

/// Triangles that have landed on the corners of boxes, which move.
#[test]
fn runs_on_corners_are_reproducible() {
    assert_reproducible_from(&|| super::sheet_corners::carried(0.8), 30);
}
