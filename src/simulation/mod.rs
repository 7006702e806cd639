//! The step: freeze what is lagged, minimise, accept or halve.

mod clamps;
pub mod params;
mod problem;
pub mod report;
pub mod setup;

use std::sync::Arc;
use std::time::Instant;

use hebra_solver::linear::{Choice, Guides, LinearMethod, LinearOptions};
use hebra_solver::newton::{Newton, NewtonError, NewtonOptions, NewtonReport};
use hebra_solver::objective::Objective;
use hebra_solver::pattern::{BlockPattern, PatternBuilder};
use hebra_solver::time::{Scheme, StepControl, StepLimits};
use serde::{Deserialize, Serialize};

use self::clamps::Clamps;
use self::problem::{Problem, explicit_gradient, longest_step};
use self::report::{Counts, Energies, StepReport};
use self::setup::Setup;
use crate::frame::{Frame, Layout};
use crate::geometry::Vec3;
use crate::model::ids::{BLOCK, NodeId};
use crate::model::obstacle::ObstacleParams;
use crate::model::yarns::{Model, NodeKind, State, block_position};
use crate::potential::assemble::{Ingredients, inertia, potentials};
use crate::potential::family::{EnergyKind, Family, Potential, StepStart, Weights};
use crate::potential::inertia::Inertia;
use crate::potential::normal_force::normal_forces;

/// Why a simulation cannot go on. The state is that after the last accepted step.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SimulationError {
    /// A step failed down to the shortest that is allowed.
    #[error(
        "step {step} at {time:.6} s failed down to {dt:.1e} s: {cause}. Try a smaller solver.dt, a softer contact or \
         obstacle, a slower motion, or a looser solver.residual"
    )]
    StepFailed {
        /// Number of the step.
        step: u64,
        /// When it started, s.
        time: f64,
        /// The last length that was tried, s.
        dt: f64,
        /// What the solver said.
        cause: NewtonError,
    },
    /// A checkpoint of another scene.
    #[error("the checkpoint holds {found} unknowns, the scene has {expected}: they do not belong together")]
    WrongCheckpoint {
        /// Unknowns of the checkpoint.
        found: usize,
        /// Unknowns of the scene.
        expected: usize,
    },
}

/// Everything that a run needs to go on as if it had not been interrupted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Accepted steps.
    pub step: u64,
    /// s.
    pub time: f64,
    /// Unknowns and velocities.
    pub state: State,
    /// Velocities one step earlier, m/s, and the length of that step, s.
    last_velocity: Vec<f64>,
    last_dt: f64,
    /// Length of the next step.
    control: StepControl,
    /// What the linear solver chooses by.
    choice: Choice,
    /// Dissipated so far, J.
    dissipated: f64,
    /// Steps refused so far.
    rejected: u64,
    /// Anchors and the like, by potential.
    potentials: Vec<Vec<f64>>,
    /// Normal forces as last recorded, N.
    normal_forces: Vec<f64>,
}

/// Yarns in motion.
pub struct Simulation {
    model: Model,
    state: State,
    start_q: Vec<f64>,
    obstacles: Vec<ObstacleParams>,
    clamps: Clamps,
    inertia: Family<Inertia, 8>,
    potentials: Vec<Box<dyn Potential>>,
    pattern: Arc<BlockPattern>,
    newton: Newton<BLOCK>,
    scheme: Scheme,
    control: StepControl,
    layout: Arc<Layout>,
    step: u64,
    time: f64,
    dissipated: f64,
    rejected: u64,
    normal_forces: Vec<f64>,
    reactions: Vec<f64>,
    last_velocity: Vec<f64>,
    last_dt: f64,
    prepare_seconds: f64,
    finish_seconds: f64,
}

impl Simulation {
    /// A simulation at its start.
    pub fn new(setup: Setup) -> Self {
        let Setup { model, state, obstacles, clamps, pushed, forces, damping, solver, .. } = &setup;
        let from = Ingredients { q: &state.q, damping, forces, pushed, obstacles };
        let mut inertia = inertia(model, damping, solver.convective);
        let mut potentials = potentials(model, &from);
        let mut builder = PatternBuilder::new(model.n_blocks());
        inertia.couple(&mut builder);
        potentials.iter().for_each(|p| p.couple(&mut builder));
        let pattern = Arc::new(builder.build());
        inertia.bind(&pattern);
        potentials.iter_mut().for_each(|p| p.bind(&pattern));
        let guides = Guides { coordinates: model.coordinates.clone(), groups: model.strips.clone() };
        let newton = Newton::new(Arc::clone(&pattern), guides, newton_options(&setup));
        let limits = StepLimits {
            max: solver.dt,
            min: solver.dt_min.unwrap_or(solver.dt / 1024.0),
            ..Default::default()
        };
        Self {
            clamps: Clamps::new(clamps.clone(), model, &state.q),
            layout: Arc::new(setup.layout()),
            inertia,
            potentials,
            pattern,
            newton,
            scheme: solver.scheme,
            control: StepControl::new(limits),
            step: 0,
            time: 0.0,
            dissipated: 0.0,
            rejected: 0,
            normal_forces: normal_forces(model, &state.q),
            reactions: vec![0.0; model.n_dofs()],
            last_velocity: state.v.clone(),
            last_dt: solver.dt,
            prepare_seconds: 0.0,
            finish_seconds: 0.0,
            start_q: setup.state.q.clone(),
            obstacles: setup.obstacles,
            model: setup.model,
            state: setup.state,
        }
    }

    /// Advances by one accepted step; a step that fails is halved and tried again.
    ///
    /// # Errors
    /// When the shortest step fails; the state is then that before the call.
    pub fn step(&mut self) -> Result<StepReport, SimulationError> {
        let begun = Instant::now();
        let cg_before = *self.newton.statistics();
        let mut rejected = 0;
        loop {
            let dt = self.control.step();
            let mut q = self.begin(dt);
            match self.minimize(&mut q, dt) {
                Ok(report) => {
                    self.accept(q, dt);
                    self.control.succeed();
                    self.rejected += u64::from(rejected);
                    let mut out = self.report(&report, dt, rejected);
                    let now = self.newton.statistics();
                    out.linear_iterations = (now.cg_iterations - cg_before.cg_iterations) as u32;
                    out.factorisations = (now.factorisations - cg_before.factorisations) as u32;
                    out.seconds = begun.elapsed().as_secs_f64();
                    return Ok(out);
                }
                Err(cause) => {
                    rejected += 1;
                    let (step, time) = (self.step + 1, self.time);
                    self.control.fail().map_err(|_| SimulationError::StepFailed { step, time, dt, cause })?;
                }
            }
        }
    }

    /// Freezes what is lagged and predicts the unknowns.
    fn begin(&mut self, dt: f64) -> Vec<f64> {
        let begun = Instant::now();
        self.normal_forces = normal_forces(&self.model, &self.state.q);
        self.clamps.activate(self.time, &self.model);
        let start = StepStart {
            q: &self.state.q,
            v: &self.state.v,
            time: self.time,
            dt,
            weights: Weights { inertia: self.scheme.inertia(dt), whole_step: whole_step(self.scheme) },
            normal_forces: &self.normal_forces,
        };
        self.inertia.begin_step(&start);
        self.potentials.iter_mut().for_each(|p| p.begin_step(&start));
        let mut q = self.predict(dt, dt / self.last_dt);
        self.clamps.place(self.time + dt, &mut q);
        self.prepare_seconds += begun.elapsed().as_secs_f64();
        q
    }

    /// Where the unknowns go if velocities change by `growth` times what they changed in the last step:
    /// `q + dt (v + growth (v - v_last))`, cut short where nodes of a rod would pass each other.
    fn predict(&self, dt: f64, growth: f64) -> Vec<f64> {
        let velocities = self.state.v.iter().zip(&self.last_velocity).zip(self.clamps.active());
        let change: Vec<f64> = velocities
            .map(|((v, last), on)| if *on { dt * (v + growth * (v - last)) } else { 0.0 })
            .collect();
        let t = longest_step(&self.model, &self.state.q, &change);
        self.state.q.iter().zip(&change).map(|(q, d)| q + t * d).collect()
    }

    fn minimize(&mut self, q: &mut [f64], dt: f64) -> Result<NewtonReport, NewtonError> {
        let mut steady = self.predict(dt, 0.0);
        self.clamps.place(self.time + dt, &mut steady);
        let Self { inertia, potentials, pattern, state, model, clamps, newton, .. } = self;
        let explicit = explicit_gradient(self.scheme, (inertia, potentials), pattern, (state, dt));
        let implicit = if self.scheme.implicit() > 0.0 { potentials.as_slice() } else { &[] };
        let problem =
            Problem { model, pattern, active: clamps.active(), inertia, implicit, explicit, start: &state.q };
        if problem.value(&steady) < problem.value(q) {
            q.copy_from_slice(&steady);
        }
        let report = newton.minimize(&problem, q)?;
        if !clamps.is_empty() {
            problem.reactions(q, whole_step(self.scheme), &mut self.reactions);
        }
        Ok(report)
    }

    fn accept(&mut self, q: Vec<f64>, dt: f64) {
        let begun = Instant::now();
        self.dissipated +=
            self.inertia.dissipated(&q) + self.potentials.iter().map(|p| p.dissipated(&q)).sum::<f64>();
        self.last_velocity.copy_from_slice(&self.state.v);
        self.last_dt = dt;
        self.scheme.velocity(&q, &self.state.q, &mut self.state.v, dt);
        self.state.q = q;
        self.potentials.iter_mut().for_each(|p| p.end_step(&self.state.q));
        self.step += 1;
        self.time += dt;
        self.finish_seconds += begun.elapsed().as_secs_f64();
    }

    fn report(&mut self, newton: &NewtonReport, dt: f64, rejected: u32) -> StepReport {
        let begun = Instant::now();
        let counts = self.counts();
        let report = StepReport {
            step: self.step,
            time: self.time,
            dt,
            newton_iterations: newton.iterations as u32,
            residual: newton.residual,
            correction: newton.correction,
            energies: self.energies(),
            eol: counts.eol_intra + counts.eol_inter,
            eil: counts.eil,
            removed: counts.removed,
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

    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Accepted steps.
    pub fn steps(&self) -> u64 {
        self.step
    }

    /// Steps that failed and were halved.
    pub fn rejected_steps(&self) -> u64 {
        self.rejected
    }

    /// The yarns.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Unknowns and velocities.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Replaces unknowns and velocities, for a start that no scene describes.
    pub fn set_state(&mut self, state: State) {
        self.last_velocity.copy_from_slice(&state.v);
        self.state = state;
    }

    /// Energies of the present state, J.
    pub fn energies(&self) -> Energies {
        let q = &self.state.q;
        let stored = |kind: EnergyKind| -> f64 {
            self.potentials.iter().filter(|p| p.kind() == kind).map(|p| p.energy(q)).sum()
        };
        Energies {
            kinetic: self.inertia.element.kinetic_energy(&self.inertia.stencils, q, &self.state.v),
            elastic: stored(EnergyKind::Elastic),
            gravitational: stored(EnergyKind::Gravitational),
            contact: stored(EnergyKind::Contact),
            dissipated: self.dissipated,
        }
    }

    /// Linear momentum, kg m/s.
    pub fn momentum(&self) -> Vec3 {
        self.inertia.element.momentum(&self.inertia.stencils, &self.state.q, &self.state.v)
    }

    /// Counts of everything.
    pub fn counts(&self) -> Counts {
        Counts::of(&self.model)
    }

    /// A node's position, m.
    pub fn position(&self, node: NodeId) -> Vec3 {
        self.model.position(&self.state.q, node)
    }

    /// A node's velocity, m/s.
    pub fn velocity(&self, node: NodeId) -> Vec3 {
        block_position(&self.state.v, self.model.node(node).block)
    }

    /// The length of yarn that has passed a node since the start, m.
    pub fn slide(&self, node: NodeId) -> f64 {
        self.model.arc(&self.start_q, node) - self.model.arc(&self.state.q, node)
    }

    /// Normal force of a node's contact at the start of the last step, N.
    pub fn normal_force(&self, node: NodeId) -> f64 {
        self.model.node(node).contact.map_or(0.0, |c| self.normal_forces[c.index()])
    }

    /// The force that a clamp exerts, N.
    pub fn clamp_force(&self, clamp: usize) -> Vec3 {
        self.clamps.force(clamp, &self.reactions)
    }

    /// Seconds spent so far, by phase.
    pub fn seconds_by_phase(&self) -> Vec<(&'static str, f64)> {
        let s = self.newton.statistics();
        vec![
            ("prepare", self.prepare_seconds),
            ("gradient", s.gradient_seconds),
            ("hessian", s.hessian_seconds),
            ("linear_setup", s.setup_seconds),
            ("linear_solve", s.solve_seconds),
            ("line_search", s.line_search_seconds),
            ("finish", self.finish_seconds),
        ]
    }

    /// What can be drawn now.
    pub fn frame(&self) -> Frame {
        let nodes = || (0..self.model.nodes.len() as u32).map(NodeId);
        Frame {
            layout: Arc::clone(&self.layout),
            step: self.step,
            time: self.time,
            position: nodes().map(|n| self.position(n).map(|c| c as f32).into()).collect(),
            arc: nodes().map(|n| self.model.arc(&self.state.q, n) as f32).collect(),
            kind: self.model.nodes.iter().map(|n| n.kind).collect::<Vec<NodeKind>>(),
            speed: nodes().map(|n| self.velocity(n).norm() as f32).collect(),
            normal_force: nodes().map(|n| self.normal_force(n) as f32).collect(),
            slide: nodes().map(|n| self.slide(n) as f32).collect(),
            poses: self.obstacles.iter().map(|o| o.pose_at(self.time)).collect(),
        }
    }

    /// What is needed to go on later.
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            step: self.step,
            time: self.time,
            state: self.state.clone(),
            last_velocity: self.last_velocity.clone(),
            last_dt: self.last_dt,
            control: self.control,
            choice: self.newton.choice(),
            dissipated: self.dissipated,
            rejected: self.rejected,
            potentials: self.potentials.iter().map(|p| p.save()).collect(),
            normal_forces: self.normal_forces.clone(),
        }
    }

    /// Goes back to a checkpoint of the same scene, keeping the limits of the time step that are set now.
    ///
    /// # Errors
    /// When the checkpoint is of another scene.
    pub fn restore(&mut self, from: Checkpoint) -> Result<(), SimulationError> {
        let (found, expected) = (from.state.q.len(), self.state.q.len());
        let alike = from.potentials.len() == self.potentials.len()
            && self.potentials.iter().zip(&from.potentials).all(|(p, s)| p.save().len() == s.len());
        if found != expected
            || from.state.v.len() != expected
            || from.last_velocity.len() != expected
            || !alike
        {
            return Err(SimulationError::WrongCheckpoint { found, expected });
        }
        for (p, saved) in self.potentials.iter_mut().zip(&from.potentials) {
            p.load(saved);
        }
        self.newton.set_choice(from.choice);
        (self.step, self.time, self.state) = (from.step, from.time, from.state);
        (self.last_velocity, self.last_dt) = (from.last_velocity, from.last_dt);
        (self.control, self.dissipated, self.rejected) =
            (from.control.limited_by(&self.control), from.dissipated, from.rejected);
        self.normal_forces = from.normal_forces;
        Ok(())
    }
}

/// Weight of forces that act over the whole step: the trapezoidal rule counts the forces of both ends.
fn whole_step(scheme: Scheme) -> f64 {
    match scheme {
        Scheme::Newmark => 2.0,
        Scheme::BackwardEuler | Scheme::SymplecticEuler => 1.0,
    }
}

/// A step has converged when the largest force left is this part of the heaviest node's weight.
const RESIDUAL_OF_WEIGHT: f64 = 1e-2;

/// And the last correction this part of the shortest segment.
const CORRECTION_OF_SEGMENT: f64 = 1e-3;

/// m/s2; scales forces in scenes without gravity too.
const STANDARD_GRAVITY: f64 = 9.81;

fn newton_options(setup: &Setup) -> NewtonOptions {
    let (model, q, solver) = (&setup.model, &setup.state.q, &setup.solver);
    let lengths = model.dual_lengths(q);
    let mass = |nodes: &[Option<NodeId>; 2]| -> f64 {
        nodes.iter().flatten().map(|&n| lengths[n.index()] * model.rod_of(n).material.line_density()).sum()
    };
    let heaviest = model.block_nodes.iter().map(mass).fold(0.0, f64::max);
    let shortest =
        model.segments().map(|[a, b]| model.arc(q, b) - model.arc(q, a)).fold(f64::INFINITY, f64::min);
    NewtonOptions {
        residual_tolerance: solver.residual.unwrap_or(RESIDUAL_OF_WEIGHT * heaviest * STANDARD_GRAVITY),
        correction_tolerance: solver.correction.unwrap_or(CORRECTION_OF_SEGMENT * shortest),
        max_iterations: solver.max_iterations,
        single_iteration: solver.single_iteration,
        linear: LinearOptions { method: solver.linear, ..Default::default() },
        ..Default::default()
    }
}
