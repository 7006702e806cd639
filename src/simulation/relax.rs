//! Relaxation: to rest without going through the motion.

use std::time::Instant;

use hebra_solver::newton::{Newton, NewtonError, NewtonReport};

use super::arrange::Change;
use super::params::RelaxParams;
use super::problem::Problem;
use super::report::StepReport;
use super::tolerance::heaviest_node;
use super::{Simulation, SimulationError};
use crate::model::ids::BLOCK;
use crate::potential::term::EnergyKind;

/// A relaxation in progress.
///
/// ```text
/// q <- q + t d,   (Hess V + guard I) d = -grad V,   V(q + t d) < V(q)
/// ```
/// Each step is one iteration of Newton's method on the stored energy `V` itself, with whole Hessians: the parts
/// that steps in time leave out of them are those that loops give way by. A guard bounds the steps from a crude
/// start; inertia and damping have no part in it. The energy never grows, but where contacts turn degenerate, by what each
/// report says, and while what that left between their points closes. A fabric that lies flat, with no force out of its plane `z = const`, stays in it.
/// Clamps that move are followed: whenever it is at rest they go on by `solver.dt`.
#[derive(Debug, Clone, Copy)]
pub struct Relaxation {
    params: RelaxParams,
    /// Force at which it is at rest, N.
    tolerance: f64,
    /// Largest force left, N.
    force: f64,
    /// Interval at which moving clamps are followed, s.
    dt: f64,
    steps: u64,
}

/// What is different while a simulation comes to rest.
#[derive(Debug)]
pub(super) struct Rest {
    /// Whether contacts rub.
    pub(super) friction: bool,
    /// The moment whose clamps hold, s.
    pub(super) time: f64,
    /// Added to the Hessian's diagonal, N/m.
    pub(super) guard: f64,
    /// Whether clamps moved in the last step, and may not be where they are led yet.
    is_led: bool,
}

impl Rest {
    /// An iteration from the problem's start towards rest, with the clamps first led to where they are in `q`.
    pub(super) fn iterate(
        &mut self,
        newton: &mut Newton<BLOCK>,
        problem: &Problem<'_>,
        q: &mut [f64],
    ) -> Result<NewtonReport, NewtonError> {
        let lead: Vec<f64> = q.iter().zip(problem.start).map(|(to, from)| to - from).collect();
        self.is_led = lead.iter().any(|l| *l != 0.0);
        if !self.is_led {
            return newton.iterate_guarded(problem, q, &mut self.guard);
        }
        q.copy_from_slice(problem.start);
        newton.lead_guarded(problem, (q, &lead), self.guard)
    }
}

/// The first guard over the largest stiffness of a segment: steps start as those of steepest descent.
const FIRST_GUARD: f64 = 1e-3;

/// What is left of a gap between nodes after a step, over itself. Where steps may close nine tenths of one, as in
/// time, a square of 30 by 30 loops takes 47 steps instead of 26: the Hessian of what a large step leaves of a short
/// segment holds all others back.
pub(super) const GAP_KEPT_AT_REST: f64 = 0.7;

/// Height, m, by which a flat fabric's nodes may differ: rounding.
const FLATNESS: f64 = 1e-12;

/// Inertia counts for nothing over steps of this length, s.
pub(super) const STATIC: f64 = 1e3;

impl Relaxation {
    /// Of a simulation, from where it stands.
    pub fn new(simulation: &mut Simulation, params: RelaxParams) -> Self {
        let dt = simulation.control.step();
        let stiffest = (simulation.world.model.rods.iter().zip(&simulation.world.spacings))
            .map(|(r, s)| r.material.stretch_stiffness() / s)
            .fold(0.0, f64::max);
        let guard = FIRST_GUARD * stiffest;
        simulation.rest =
            Some(Rest { friction: params.friction, time: simulation.world.time, guard, is_led: false });
        let tolerance = params.force * heaviest_node(&simulation.world.model, &simulation.world.state.q);
        Self { params, tolerance, force: f64::INFINITY, dt, steps: 0 }
    }

    /// Whether every force is small enough and clamps have come to their end.
    pub fn is_at_rest(&self) -> bool {
        self.force <= self.tolerance
    }

    /// Largest force left, N.
    pub fn force(&self) -> f64 {
        self.force
    }

    /// Largest force that counts as rest, N.
    pub fn tolerance(&self) -> f64 {
        self.tolerance
    }

    /// One step towards rest.
    ///
    /// # Errors
    /// When no step decreases the energy, when rest was not reached in as many steps as are allowed, or when it is
    /// interrupted; the state is then that before the call.
    pub fn step(&mut self, simulation: &mut Simulation) -> Result<StepReport, SimulationError> {
        if self.steps >= self.params.max_steps {
            let Self { steps, force, tolerance, .. } = *self;
            return Err(SimulationError::NotAtRest { steps, force, tolerance });
        }
        self.steps += 1;
        let report = simulation.whole_or_nothing(Simulation::approach_rest)?;
        let is_led = simulation.rest.as_ref().is_some_and(|r| r.is_led);
        self.force = if is_led { f64::INFINITY } else { simulation.largest_force() };
        if self.is_at_rest() && simulation.world.time < simulation.world.clamps.end_of_motion() {
            simulation.lead(self.dt);
            self.force = f64::INFINITY;
        }
        Ok(report)
    }
}

impl Simulation {
    /// One guarded iteration on the stored energy.
    fn approach_rest(&mut self) -> Result<StepReport, SimulationError> {
        let begun = Instant::now();
        self.world.state.v.fill(0.0);
        self.stepper.last_velocity.fill(0.0);
        let mut change = Change::new(self);
        self.arrange_at_rest(&mut change, STATIC);
        let guesses = self.begin(STATIC);
        self.lay_flat();
        let (q, result) = self.minimize(guesses, STATIC);
        self.world.mask();
        let newton =
            result.map_err(|cause| SimulationError::at_rest(self.world.step + 1, self.world.time, cause))?;
        change.finish(self);
        self.take_over(q, None);
        let mut report = self.report(&newton, 0.0, 0);
        (report.changes, report.jump) = (change.nodes, change.jump);
        report.seconds = begun.elapsed().as_secs_f64();
        Ok(report)
    }

    /// Goes on to the clamps of a later moment.
    fn lead(&mut self, dt: f64) {
        self.world.time += dt;
        let time = self.world.time;
        self.rest.iter_mut().for_each(|r| r.time = time);
    }

    /// Holds heights while the fabric is flat and nothing leads out of its plane.
    fn lay_flat(&mut self) {
        let heights = || self.world.state.q.iter().skip(2).step_by(BLOCK);
        let (low, high) =
            heights().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), z| (a.min(*z), b.max(*z)));
        let force = self.gradient();
        let up = force.iter().zip(&self.world.active).skip(2).step_by(BLOCK).filter(|(_, active)| **active);
        if high - low <= FLATNESS && up.fold(0.0, |m, (f, _)| f64::max(m, f.abs())) == 0.0 {
            self.world.active.iter_mut().skip(2).step_by(BLOCK).for_each(|a| *a = false);
        }
    }

    /// The gradient of everything but inertia, N, in the order of the unknowns.
    pub fn gradient(&self) -> Vec<f64> {
        let mut force = vec![0.0; self.world.state.q.len()];
        let terms = self.terms.all().filter(|t| t.kind() != EnergyKind::Inertial);
        terms.for_each(|t| t.add_gradient(self.terms.pattern(), &self.world.state.q, &mut force));
        force
    }

    /// The largest force on an unknown that may move, N.
    fn largest_force(&self) -> f64 {
        let force = self.gradient();
        let free = force.iter().zip(&self.world.active).filter(|(_, active)| **active);
        free.fold(0.0, |largest, (f, _)| f64::max(largest, f.abs()))
    }
}
