//! The step: freeze what is lagged, minimise, accept or halve.

mod arrange;
pub mod cell;
mod checkpoint;
mod clamps;
pub mod curvature;
pub mod damping_check;
mod edges;
mod error;
pub mod folds;
mod grab;
mod joining;
mod observe;
pub mod params;
mod periods;
mod place;
mod problem;
pub mod relax;
pub mod report;
mod separate;
pub mod setup;
mod slack;
mod terms;
mod tolerance;
pub mod tuning;
mod unravel;

use std::sync::Arc;
use std::time::Instant;

use hebra_solver::linear::{Guides, LinearMethod};
use hebra_solver::newton::{Newton, NewtonError, NewtonReport};
use hebra_solver::objective::Objective;
use hebra_solver::pattern::{ChangingPattern, PatternBuilder};
use hebra_solver::time::{Scheme, StepControl, StepLimits};

use self::arrange::Change;
pub use self::checkpoint::Checkpoint;
use self::clamps::Clamps;
use self::edges::Edges;
pub use self::error::SimulationError;
use self::joining::Joining;
use self::params::ContactsParams;
use self::problem::{GAP_KEPT, Problem, explicit_gradient, longest_step};
use self::relax::{GAP_KEPT_AT_REST, Rest};
use self::report::StepReport;
use self::separate::Parting;
use self::setup::Setup;
use self::slack::Slack;
use self::tolerance::{error_tolerance, loose_residual, newton_options};
use crate::frame::Layout;
use crate::model::arrangement::{Arrangement, Moment, SAFETY_DISTANCE, spacings};
use crate::model::ids::{BLOCK, BlockId};
use crate::model::obstacle::Obstacle;
use crate::model::yarns::{Model, State};
use crate::potential::assemble::{Ingredients, potentials};
use crate::potential::chain::{Chain, ChainParams};
use crate::potential::collision::Collision;
use crate::potential::family::{Family, Potential, StepStart, Term, Weights};
use crate::potential::forces::PointForceParams;
use crate::potential::normal_force::{Loaded, normal_forces, slants};
use crate::potential::point::PointInertia;
use crate::potential::sheets;
use crate::potential::spread::pressures;

/// Yarns in motion.
pub struct Simulation {
    model: Model,
    state: State,
    start_q: Vec<f64>,
    obstacles: Vec<Obstacle>,
    pushes: Vec<(PointForceParams, Vec<BlockId>)>,
    clamps: Clamps,
    /// The rods' rest segments, m.
    spacings: Vec<f64>,
    arrangement: Arc<Arrangement>,
    contacts: ContactsParams,
    /// Whether there are contacts between fabrics.
    has_layers: bool,
    chain_params: ChainParams,
    chain: Chain,
    points: Family<PointInertia, 3>,
    potentials: Vec<Box<dyn Potential>>,
    collision: Option<Collision>,
    edges: Option<Edges>,
    pattern: ChangingPattern,
    active: Vec<bool>,
    newton: Newton<BLOCK>,
    /// Error at which a step has converged where it does not follow from the step's length, m.
    error: Option<f64>,
    scheme: Scheme,
    control: StepControl,
    layout: Arc<Layout>,
    step: u64,
    time: f64,
    /// By potential, J.
    dissipated: Vec<f64>,
    rejected: u64,
    normal_forces: Vec<f64>,
    /// What is different while it comes to rest without going through the motion.
    rest: Option<Rest>,
    parting: Parting,
    joining: Joining,
    slack: Slack,
    reactions: Vec<f64>,
    last_velocity: Vec<f64>,
    last_dt: f64,
    arrange_seconds: f64,
    prepare_seconds: f64,
    finish_seconds: f64,
}

impl Simulation {
    /// A simulation at its start.
    pub fn new(setup: Setup) -> Self {
        Self::with_potentials(setup, Vec::new())
    }

    /// A simulation at its start with potentials of one's own beside those of the scene.
    pub fn with_potentials(setup: Setup, own: Vec<Box<dyn Potential>>) -> Self {
        let Setup { model, state, obstacles, clamps, pushed, forces, damping, solver, .. } = &setup;
        let from = Ingredients { q: &state.q, damping, forces, pushed, obstacles };
        let spacings = spacings(model, &model.drawn);
        let safety = setup.contacts.degenerate.then_some(SAFETY_DISTANCE);
        let start = Moment { q: &state.q, v: &state.v, dt: solver.dt, safety, kept_out: &[], removed: &[] };
        let arrangement = Arrangement::new(model, &spacings, &start);
        let chain_params =
            ChainParams { damping: *damping, gravity: forces.gravity.into(), convective: solver.convective };
        let chain = Chain::new(model, &arrangement, &spacings, &chain_params);
        let mut potentials = potentials(model, &from);
        potentials.extend(own);
        let mut points = sheets::inertia(model, damping);
        let mut builder = PatternBuilder::new(model.n_blocks());
        points.couple(&mut builder);
        potentials.iter().for_each(|p| p.couple(&mut builder));
        let mut edges = edges::edges(model, &spacings, obstacles);
        edges.iter().for_each(|e| e.couple(&mut builder));
        let pattern = ChangingPattern::new(builder.build());
        points.bind(pattern.pattern());
        potentials.iter_mut().for_each(|p| p.bind(pattern.pattern()));
        edges.iter_mut().for_each(|e| e.bind(pattern.pattern()));
        let collision = setup.collision.map(|c| Collision::new(model, &arrangement, &state.q, c));
        let guides = Guides { coordinates: model.coordinates.clone(), groups: model.strips.clone() };
        let newton = Newton::new(Arc::clone(pattern.pattern()), guides, newton_options(&setup))
            .with_interrupt(&setup.interrupt);
        let limits = StepLimits {
            max: solver.dt,
            min: solver.dt_min.unwrap_or(solver.dt / 1024.0),
            ..Default::default()
        };
        let mut simulation = Self {
            clamps: Clamps::new(clamps.clone(), model, &state.q),
            parting: Parting::new(model, &spacings),
            joining: Joining::new(setup.contacts.join_after, model.contacts.len()),
            slack: Slack::new(model),
            layout: Arc::new(setup.layout()),
            spacings,
            arrangement: Arc::new(arrangement),
            contacts: setup.contacts,
            has_layers: model.contacts.iter().any(|c| c.kind.is_between_fabrics()),
            chain_params,
            chain,
            points,
            potentials,
            collision,
            edges,
            pattern,
            active: Vec::new(),
            newton,
            error: solver.error.or(solver.residual.map(|_| 0.0)),
            scheme: solver.scheme,
            control: StepControl::new(limits),
            step: 0,
            time: 0.0,
            dissipated: Vec::new(),
            rejected: 0,
            normal_forces: Vec::new(),
            rest: None,
            reactions: vec![0.0; model.n_dofs()],
            last_velocity: state.v.clone(),
            last_dt: solver.dt,
            arrange_seconds: 0.0,
            prepare_seconds: 0.0,
            finish_seconds: 0.0,
            start_q: setup.state.q.clone(),
            pushes: setup.forces.points.into_iter().zip(setup.pushed).collect(),
            obstacles: setup.obstacles,
            model: setup.model,
            state: setup.state,
        };
        simulation.follow_arrangement();
        simulation.dissipated = vec![0.0; simulation.everything().count()];
        simulation.normal_forces = normal_forces(&simulation.loaded(None));
        simulation
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
        let before = *self.newton.statistics();
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
                    let now = self.newton.statistics();
                    report.linear_iterations = (now.cg_iterations - before.cg_iterations) as u32;
                    report.factorisations = (now.factorisations - before.factorisations) as u32;
                    report.seconds = begun.elapsed().as_secs_f64();
                    return Ok(report);
                }
                Err(NewtonError::Interrupted { .. }) => return Err(SimulationError::Interrupted),
                Err(cause) => {
                    rejected += 1;
                    let (step, time) = (self.step + 1, self.time);
                    self.control.fail().map_err(|_| SimulationError::StepFailed { step, time, dt, cause })?;
                }
            }
        }
    }

    /// Freezes what is lagged; returns guesses of where the unknowns go: with velocities that change as
    /// they did in the last step, and with constant ones.
    fn begin(&mut self, dt: f64) -> Vec<Vec<f64>> {
        let begun = Instant::now();
        if self.clamps.activate(self.time, &self.model) {
            self.mask();
        }
        self.clamps.lead(self.time, &mut self.state.v);
        if self.has_layers || self.edges.is_some() {
            self.rearrange();
        }
        let is_free = self.rest.as_ref().is_some_and(|r| !r.friction);
        let (slants, pressures) = (slants(&self.loaded(None)), self.pressures());
        let error = self.error.unwrap_or_else(|| error_tolerance(dt));
        self.newton.set_error_tolerance(error, loose_residual(&self.model, &pressures));
        let pressures = if is_free { vec![0.0; pressures.len()] } else { pressures };
        let start = StepStart {
            q: &self.state.q,
            v: &self.state.v,
            time: self.time,
            dt,
            weights: Weights { inertia: self.scheme.inertia(dt), whole_step: whole_step(self.scheme) },
            normal_forces: &pressures,
            slants: &slants,
        };
        self.chain.all_mut().into_iter().for_each(|p| p.begin_step(&start));
        self.points.begin_step(&start);
        self.potentials.iter_mut().for_each(|p| p.begin_step(&start));
        self.edges.iter_mut().for_each(|e| e.begin_step(&start));
        if let Some(collision) = &mut self.collision {
            collision.begin_step(&start);
            if collision.is_changed() {
                self.follow_couplings();
            }
        }
        let guess = |growth: f64| {
            let mut q = self.predict(dt, growth);
            self.clamps.place(self.rest.as_ref().map_or(self.time + dt, |r| r.time), &mut q);
            q
        };
        let guesses = [dt / self.last_dt, 0.0].into_iter().map(guess).collect();
        self.prepare_seconds += begun.elapsed().as_secs_f64();
        guesses
    }

    /// Where the unknowns go if velocities change by `growth` times what they changed in the last step:
    /// `q + dt (v + growth (v - v_last))`, cut short where nodes of a rod would pass each other or rods.
    fn predict(&self, dt: f64, growth: f64) -> Vec<f64> {
        let velocities = self.state.v.iter().zip(&self.last_velocity).zip(&self.active);
        let change: Vec<f64> = velocities
            .map(|((v, last), on)| if *on { dt * (v + growth * (v - last)) } else { 0.0 })
            .collect();
        let apart =
            self.collision.as_ref().map_or(1.0, |c| c.longest_step(&self.state.q, &change, &|_| true));
        let t = apart.min(longest_step(
            (&self.model, &self.arrangement),
            [&self.state.q, &self.state.q, &change],
            GAP_KEPT,
            |_| true,
        ));
        self.state.q.iter().zip(&change).map(|(q, d)| q + t * d).collect()
    }

    /// Minimises the step's potential from the best of some guesses; returns the unknowns that it came to.
    fn minimize(&mut self, guesses: Vec<Vec<f64>>, dt: f64) -> (Vec<f64>, Result<NewtonReport, NewtonError>) {
        let Self { chain, points, potentials, collision, edges, pattern, state, .. } = self;
        let Self { model, arrangement, active, .. } = self;
        let all = || every(chain, potentials, (collision.as_ref(), edges.as_ref()));
        let pattern = pattern.pattern();
        let explicit = explicit_gradient(self.scheme, &chain.inertia, all, (pattern, state, dt));
        let implicit = if self.scheme.implicit() > 0.0 { all().collect() } else { Vec::new() };
        let (inertia, start): ([&dyn Potential; 2], _) = ([&chain.inertia, points], &state.q);
        let collision = collision.as_ref();
        let gap_kept = if self.rest.is_some() { GAP_KEPT_AT_REST } else { GAP_KEPT };
        let problem = Problem {
            model,
            arrangement,
            pattern,
            active,
            inertia,
            implicit,
            collision,
            explicit,
            start,
            gap_kept,
        };
        let best = guesses.into_iter().map(|q| (problem.value(&q), q)).min_by(|a, b| a.0.total_cmp(&b.0));
        let mut q = best.map_or_else(|| state.q.clone(), |(_, q)| q);
        let report = match &mut self.rest {
            Some(rest) => rest.iterate(&mut self.newton, &problem, (&mut q, start)),
            None => self.newton.minimize(&problem, &mut q),
        };
        if report.is_ok() && !self.clamps.is_empty() {
            problem.reactions(&q, whole_step(self.scheme), &mut self.reactions);
        }
        (q, report)
    }

    fn accept(&mut self, q: Vec<f64>, dt: f64) {
        let begun = Instant::now();
        self.dissipate(&q);
        self.last_velocity.copy_from_slice(&self.state.v);
        self.last_dt = dt;
        self.scheme.velocity(&q, &self.state.q, &mut self.state.v, dt);
        self.clamps.lead(self.time + dt, &mut self.state.v);
        self.take_over(q, Some(whole_step(self.scheme)));
        self.parting.advance(&self.pressures(), dt);
        self.watch_pressings(dt);
        self.time += dt;
        self.finish_seconds += begun.elapsed().as_secs_f64();
    }

    /// Takes over where a step came to; `whole_step` as in [`Loaded`].
    fn take_over(&mut self, q: Vec<f64>, whole_step: Option<f64>) {
        self.state.q = q;
        self.carry();
        self.normal_forces = normal_forces(&self.loaded(whole_step));
        self.potentials.iter_mut().for_each(|p| p.end_step(&self.state.q));
        self.collision.iter_mut().for_each(|c| c.end_step(&self.state.q));
        self.edges.iter_mut().for_each(|e| e.end_step(&self.state.q));
        self.step += 1;
    }

    /// What the contacts press with at the start of a step, N.
    fn pressures(&self) -> Vec<f64> {
        if !self.has_layers {
            return self.normal_forces.clone();
        }
        pressures(&self.model, &self.arrangement, &self.state.q, &self.normal_forces)
    }

    fn loaded(&self, whole_step: Option<f64>) -> Loaded<'_> {
        let Self { model, arrangement, chain, state, .. } = self;
        Loaded { model, arrangement, chain, q: &state.q, whole_step }
    }

    fn report(&mut self, newton: &NewtonReport, dt: f64, rejected: u32) -> StepReport {
        let begun = Instant::now();
        let (counts, terms) = (self.counts(), self.terms());
        let report = StepReport {
            step: self.step,
            time: self.time,
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
        self.finish_seconds += begun.elapsed().as_secs_f64();
        report
    }
}

/// Every potential but inertia.
fn every<'a>(
    chain: &'a Chain,
    potentials: &'a [Box<dyn Potential>],
    (collision, edges): (Option<&'a Collision>, Option<&'a Edges>),
) -> impl Iterator<Item = &'a dyn Potential> {
    let met = collision.map(|c| c as &dyn Potential).into_iter().chain(edges.map(|e| e as &dyn Potential));
    chain.potentials().into_iter().chain(potentials.iter().map(|p| &**p)).chain(met)
}

/// Weight of forces that act over the whole step: the trapezoidal rule counts the forces of both ends.
fn whole_step(scheme: Scheme) -> f64 {
    match scheme {
        Scheme::Newmark => 2.0,
        Scheme::BackwardEuler | Scheme::SymplecticEuler => 1.0,
    }
}
