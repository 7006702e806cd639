//! The step: freeze what is lagged, minimise, accept or halve.

mod arrange;
pub mod cell;
mod checkpoint;
mod clamps;
mod contacts;
mod edges;
mod error;
mod grab;
mod joining;
mod observe;
pub mod params;
mod periods;
mod place;
mod problem;
pub mod relax;
pub mod report;
pub(crate) mod run;
mod separate;
pub mod setup;
mod slack;
mod stepper;
mod terms;
mod threads;
mod tolerance;
pub mod tuning;
mod unravel;
mod world;

use std::time::Instant;

use hebra_solver::linear::LinearMethod;
use hebra_solver::newton::{NewtonError, NewtonReport};
use hebra_solver::time::{StepControl, StepLimits};

use self::arrange::Change;
pub use self::checkpoint::Checkpoint;
use self::contacts::Contacts;
pub use self::error::SimulationError;
use self::relax::Rest;
use self::report::StepReport;
use self::setup::Setup;
use self::stepper::{Stepper, Task};
use self::world::World;
use crate::potential::assemble::{Ingredients, potentials};
use crate::potential::chain::{Chain, ChainParams};
use crate::potential::collision::Collision;
use crate::potential::normal_force::{Loaded, normal_forces, slants};
use crate::potential::sheets;
use crate::potential::term::{Potential, StepStart};
use crate::potential::terms::Terms;

/// Yarns in motion.
pub struct Simulation {
    world: World,
    contacts: Contacts,
    terms: Terms,
    stepper: Stepper,
    control: StepControl,
    /// What is different while it comes to rest without going through the motion.
    rest: Option<Rest>,
    /// Forces on unknowns that are held, N.
    reactions: Vec<f64>,
    /// By term, J.
    dissipated: Vec<f64>,
    /// Steps that failed so far.
    rejected: u64,
    seconds: Seconds,
}

/// Wall-clock time of the parts of all steps but the solver's, s.
#[derive(Debug, Clone, Copy, Default)]
struct Seconds {
    arrange: f64,
    prepare: f64,
    finish: f64,
}

impl Simulation {
    /// A simulation at its start.
    pub fn new(mut setup: Setup) -> Self {
        let world = World::new(&mut setup);
        let terms = terms(&setup, &world);
        let Setup { solver, interrupt, .. } = &setup;
        let limits = StepLimits {
            max: solver.dt,
            min: solver.dt_min.unwrap_or(solver.dt / 1024.0),
            ..Default::default()
        };
        let mut simulation = Self {
            contacts: Contacts::new(&world, setup.contacts),
            stepper: Stepper::new(&world, solver, &terms, interrupt),
            control: StepControl::new(limits),
            rest: None,
            reactions: vec![0.0; world.model.n_dofs()],
            dissipated: vec![0.0; terms.all().count()],
            rejected: 0,
            seconds: Seconds::default(),
            world,
            terms,
        };
        simulation.follow_arrangement();
        simulation.contacts.normal_forces = normal_forces(&simulation.loaded(None));
        simulation
    }

    /// The same simulation with a potential of one's own beside those of the scene, from the next step on.
    #[must_use]
    pub fn with_potential(mut self, own: impl Potential + 'static) -> Self {
        self.let_go();
        self.add_own(vec![Box::new(own)], &[0.0]);
        self
    }

    /// Adds potentials, with what each has dissipated so far, J.
    fn add_own(&mut self, own: Vec<Box<dyn Potential>>, dissipated: &[f64]) {
        self.terms.join(own, &self.world.arranged());
        self.dissipated.extend(dissipated);
        self.stepper.follow(&self.terms);
    }

    /// Advances by one accepted step; a step that fails is halved and tried again.
    ///
    /// # Errors
    /// When the shortest step fails, or when it is interrupted; the state is then that before the call.
    pub fn step(&mut self) -> Result<StepReport, SimulationError> {
        self.whole_or_nothing(Self::advance)
    }

    fn advance(&mut self) -> Result<StepReport, SimulationError> {
        let begun = Instant::now();
        let before = *self.stepper.newton.statistics();
        let mut change = Change::new(self);
        self.ground(&change);
        let mut rejected = 0;
        loop {
            let dt = self.control.step();
            match self.attempt(&mut change, dt) {
                Ok((q, newton)) => {
                    change.finish(self);
                    self.accept(q, dt);
                    self.control.succeed();
                    self.rejected += u64::from(rejected);
                    let mut report = self.report(&newton, dt, rejected);
                    (report.changes, report.jump) = (change.nodes, change.jump);
                    let now = self.stepper.newton.statistics();
                    report.linear_iterations = (now.cg_iterations - before.cg_iterations) as u32;
                    report.factorisations = (now.factorisations - before.factorisations) as u32;
                    report.seconds = begun.elapsed().as_secs_f64();
                    return Ok(report);
                }
                Err(NewtonError::Interrupted { .. }) => return Err(SimulationError::Interrupted),
                Err(cause) => {
                    rejected += 1;
                    let (step, time) = (self.world.step + 1, self.world.time);
                    self.control.fail().map_err(|_| SimulationError::StepFailed { step, time, dt, cause })?;
                }
            }
        }
    }

    /// Freezes what is lagged; returns guesses of where the unknowns go.
    fn begin(&mut self, dt: f64) -> [Vec<f64>; 2] {
        let begun = Instant::now();
        let Self { world, contacts, terms, stepper, rest, .. } = self;
        if world.clamps.activate(world.time, &world.model) {
            world.mask();
        }
        world.clamps.lead(world.time, &mut world.state.v);
        if contacts.has_layers || terms.edges.is_some() {
            terms.rearrange(&world.arranged());
        }
        let mut pressures = contacts.pressures(world);
        stepper.set_tolerance(world, &pressures, dt);
        if rest.as_ref().is_some_and(|r| !r.friction) {
            pressures.fill(0.0);
        }
        let slants = slants(&world.loaded(&terms.chain, None));
        let start = StepStart {
            q: &world.state.q,
            v: &world.state.v,
            time: world.time,
            dt,
            weights: stepper.weights(dt),
            normal_forces: &pressures,
            slants: &slants,
        };
        if terms.begin_step(&start) {
            stepper.follow(terms);
        }
        let end = rest.as_ref().map_or(world.time + dt, |r| r.time);
        let mut guesses = stepper.guesses(world, terms, dt);
        guesses.iter_mut().for_each(|q| world.clamps.place(end, q));
        self.seconds.prepare += begun.elapsed().as_secs_f64();
        guesses
    }

    /// Minimises the step's potential from the best of some guesses; returns the unknowns that it came to.
    fn minimize(&mut self, guesses: [Vec<f64>; 2], dt: f64) -> (Vec<f64>, Result<NewtonReport, NewtonError>) {
        let Self { world, terms, stepper, rest, reactions, .. } = self;
        stepper.minimize(Task { world, terms, guesses, dt }, rest.as_mut(), reactions)
    }

    fn accept(&mut self, q: Vec<f64>, dt: f64) {
        let begun = Instant::now();
        self.dissipate(&q);
        self.stepper.accept(&mut self.world, &q, dt);
        self.take_over(q, Some(self.stepper.whole_step()));
        let pressures = self.contacts.pressures(&self.world);
        self.contacts.parting.advance(&pressures, dt);
        self.watch_pressings(dt);
        self.world.time += dt;
        self.seconds.finish += begun.elapsed().as_secs_f64();
    }

    /// Takes over where a step came to; `whole_step` as in [`Loaded`].
    fn take_over(&mut self, q: Vec<f64>, whole_step: Option<f64>) {
        self.world.state.q = q;
        self.carry();
        self.contacts.normal_forces = normal_forces(&self.loaded(whole_step));
        self.terms.end_step(&self.world.state.q);
        self.world.step += 1;
    }

    fn loaded(&self, whole_step: Option<f64>) -> Loaded<'_> {
        self.world.loaded(&self.terms.chain, whole_step)
    }

    fn report(&mut self, newton: &NewtonReport, dt: f64, rejected: u32) -> StepReport {
        let begun = Instant::now();
        let (counts, terms) = (self.counts(), self.terms());
        let report = StepReport {
            step: self.world.step,
            time: self.world.time,
            dt,
            newton_iterations: newton.iterations as u32,
            residual: newton.residual,
            correction: newton.correction,
            energies: self.summed(&terms),
            terms,
            momentum: self.momentum().into(),
            eol: counts.eol_intra + counts.eol_inter,
            eil: counts.eil,
            removed: counts.removed,
            changes: 0,
            jump: 0.0,
            pressed_in: self.deepest_in_obstacles(),
            rejected,
            linear: match newton.method {
                Some(LinearMethod::Direct) => "direct",
                Some(LinearMethod::Iterative) => "iterative",
                _ => "none",
            },
            linear_iterations: 0,
            factorisations: 0,
            seconds: 0.0,
        };
        self.seconds.finish += begun.elapsed().as_secs_f64();
        report
    }
}

/// All terms of a scene.
fn terms(setup: &Setup, world: &World) -> Terms {
    let Setup { damping, forces, pushed, solver, .. } = setup;
    let World { model, state, arrangement, spacings, obstacles, .. } = world;
    let from = Ingredients { q: &state.q, damping, forces, pushed, obstacles };
    let params =
        ChainParams { damping: *damping, gravity: forces.gravity.into(), convective: solver.convective };
    let chain = Chain::new(model, arrangement, spacings, &params);
    let mut terms = Terms::new(model, params, chain, sheets::inertia(model, damping));
    terms.collision = setup.collision.map(|c| Collision::new(model, arrangement, &state.q, c));
    terms.edges = edges::edges(model, spacings, obstacles);
    terms.extend(potentials(model, &from));
    terms
}
