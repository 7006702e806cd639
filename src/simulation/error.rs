//! Why a simulation stops.

use hebra_solver::newton::NewtonError;

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
    /// It was asked to stop. The step that it was at is undone.
    #[error("interrupted")]
    Interrupted,
    /// A relaxation took too many steps.
    #[error(
        "not at rest after step {steps}: the largest force is {force:.2e} N, {tolerance:.2e} N count as rest. Try a \
         larger relax.max_steps or relax.force; relax.friction: false; or, where nothing holds it up, \
         forces.gravity: (0, 0, 0)"
    )]
    NotAtRest {
        /// Steps made.
        steps: u64,
        /// Largest force left, N.
        force: f64,
        /// Force that counts as rest, N.
        tolerance: f64,
    },
    /// A repeat that cannot be told from what is around it.
    #[error("a loop of the repeat touches one near the edge that is no copy of it")]
    NoCopy,
    /// Periods of a repeat that are not found.
    #[error("no periods are found at which nothing pulls, in {rounds} changes")]
    NoPeriods {
        /// Changes made.
        rounds: usize,
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

impl SimulationError {
    /// Why a step towards rest, which has no length, came to nothing.
    pub(super) fn at_rest(step: u64, time: f64, cause: NewtonError) -> Self {
        match cause {
            NewtonError::Interrupted { .. } => Self::Interrupted,
            cause => Self::StepFailed { step, time, dt: 0.0, cause },
        }
    }
}
