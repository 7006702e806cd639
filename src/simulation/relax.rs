//! Relaxation: to rest without going through the motion.

use hebra_solver::time::{StepControl, StepLimits};

use super::params::RelaxParams;
use super::report::StepReport;
use super::tolerance::heaviest_node;
use super::{Simulation, SimulationError};

/// A relaxation in progress.
///
/// ```text
/// q <- argmin  |q - q_n|^2_M/(2 h^2) + V(q)
/// ```
/// Each step is one of backward Euler that starts from rest. So the energy never grows, whatever `h`; mass
/// only bounds how far a step goes, and `h` grows as long as steps are easy, until they are those of Newton's
/// method on `V` itself. A step is solved to a fraction of the force that it starts from, and once few
/// iterations suffice with whole Hessians: the parts that are left out of them otherwise are those that loops
/// give way by. Clamps that move are followed in steps no longer than `solver.dt`.
#[derive(Debug, Clone, Copy)]
pub struct Relaxation {
    params: RelaxParams,
    /// Force at which it is at rest, N.
    tolerance: f64,
    /// Largest force left, N.
    force: f64,
    dt: f64,
    first_dt: f64,
    /// Residual, N, and correction, m, at which a step of a run has converged.
    tolerances: [f64; 2],
    is_exact: bool,
    steps: u64,
}

/// Newton iterations of a step that is easy, so that the next is longer, and of one that is hard.
const EASY: u32 = 8;
const HARD: u32 = 20;
/// The first step, over that of a run in time: a crude start has forces that no loop at rest has.
const CAREFUL: f64 = 1.0 / 64.0;
/// Growth and shrinkage of the step.
const GROWTH: f64 = 2.0;
/// Part of the force at its start that a step may leave.
const SOLVED: f64 = 0.05;
/// By how much a step's corrections may exceed those of a step in time.
const COARSE: f64 = 100.0;

impl Relaxation {
    /// Of a simulation, from where it stands.
    pub fn new(simulation: &mut Simulation, params: RelaxParams) -> Self {
        simulation.is_frictionless = !params.friction;
        let tolerance = params.force * heaviest_node(&simulation.model, &simulation.state.q);
        let first_dt = simulation.control.step();
        let options = simulation.newton.options();
        Self {
            params,
            tolerance,
            force: f64::INFINITY,
            dt: CAREFUL * first_dt,
            first_dt,
            tolerances: [options.residual_tolerance.min(tolerance), options.correction_tolerance],
            is_exact: false,
            steps: 0,
        }
    }

    /// Whether every force is small enough.
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
    /// When the shortest step fails, or when rest was not reached in as many steps as are allowed.
    pub fn step(&mut self, simulation: &mut Simulation) -> Result<StepReport, SimulationError> {
        if self.steps >= self.params.max_steps {
            let Self { steps, force, tolerance, .. } = *self;
            return Err(SimulationError::NotAtRest { steps, force, tolerance });
        }
        let is_led = simulation.time < simulation.clamps.end_of_motion();
        let dt = if is_led { self.first_dt } else { self.dt };
        let limits = StepLimits { max: dt, min: dt / 1024.0, ..StepLimits::default() };
        simulation.control = StepControl::new(limits);
        self.prepare(simulation);
        let report = simulation.step()?;
        simulation.halt();
        self.steps += 1;
        self.force = if is_led { f64::INFINITY } else { simulation.largest_force() };
        let is_easy = report.rejected == 0 && report.newton_iterations <= EASY;
        let is_hard = report.rejected > 0 || report.newton_iterations >= HARD;
        self.is_exact = is_easy || self.is_exact && !is_hard;
        self.dt = match (is_easy, is_hard) {
            (true, _) => GROWTH * dt,
            (_, true) => report.dt / GROWTH,
            _ => dt,
        };
        Ok(report)
    }

    fn prepare(&self, simulation: &mut Simulation) {
        simulation.halt();
        simulation.chain.all_mut().into_iter().for_each(|p| p.set_exact(self.is_exact));
        simulation.potentials.iter_mut().for_each(|p| p.set_exact(self.is_exact));
        let [residual, correction] = self.tolerances;
        let left = SOLVED * simulation.largest_force();
        let coarse = (left / residual).clamp(1.0, COARSE);
        simulation.newton.set_tolerances(residual.max(left), coarse * correction);
    }
}

impl Simulation {
    fn halt(&mut self) {
        self.state.v.fill(0.0);
        self.last_velocity.fill(0.0);
    }

    /// The largest force on an unknown that may move, inertia left out, N.
    fn largest_force(&self) -> f64 {
        let mut force = vec![0.0; self.state.q.len()];
        self.all().for_each(|p| p.add_gradient(self.pattern.pattern(), &self.state.q, &mut force));
        let free = force.iter().zip(&self.active).filter(|(_, active)| **active);
        free.fold(0.0, |largest, (f, _)| f64::max(largest, f.abs()))
    }
}
