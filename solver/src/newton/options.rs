//! What may be set.

use serde::{Deserialize, Serialize};

use crate::linear::LinearOptions;

/// Options of [`Newton`](super::Newton); units for unknowns in metres and energies in joules.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NewtonOptions {
    /// Infinity norm of the gradient at which it counts as zero, N.
    pub residual_tolerance: f64,
    /// Infinity norm of the last correction at which it counts as zero, m.
    pub correction_tolerance: f64,
    /// Estimated distance to the minimum, infinity norm, at which it counts as reached with a larger residual, m; 0: at
    /// none.
    pub error_tolerance: f64,
    /// That larger residual, root of the mean square, N.
    pub loose_residual: f64,
    /// Cap on iterations.
    pub max_iterations: usize,
    /// One whole iteration and no test of convergence, a linearly implicit step. An iteration that may go a part of
    /// its way only is followed by others until at most a tenth of the way is left.
    pub single_iteration: bool,
    /// Smallest relative residual asked of a linear solve. Stiff unknowns make up the residual, soft ones the error: at
    /// 1e-2 a hanging cloth keeps an error in its soft unknowns that costs a further iteration.
    pub min_forcing: f64,
    /// Largest relative residual asked of a linear solve.
    pub max_forcing: f64,
    /// Relative residual of the linear solve of a single iteration.
    pub single_forcing: f64,
    /// What saves iterations.
    pub accelerators: Accelerators,
    /// Linear solver.
    pub linear: LinearOptions,
}

/// Parts of the method that it would also work without; `benches/README.md` has what each of them saves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Accelerators {
    /// Full Hessians where projected ones are slow.
    pub full_hessian: bool,
    /// Nonlinear elimination of local regions.
    pub elimination: bool,
    /// Linear solves that leave as much as may be left of the last iteration.
    pub loose_forcing: bool,
}

impl Default for NewtonOptions {
    fn default() -> Self {
        Self {
            residual_tolerance: 1e-6,
            correction_tolerance: 1e-7,
            error_tolerance: 0.0,
            loose_residual: f64::INFINITY,
            max_iterations: 50,
            single_iteration: false,
            min_forcing: 1e-3,
            max_forcing: 0.1,
            single_forcing: 1e-4,
            accelerators: Accelerators::default(),
            linear: LinearOptions::default(),
        }
    }
}

impl Default for Accelerators {
    /// All of them.
    fn default() -> Self {
        Self { full_hessian: true, elimination: true, loose_forcing: true }
    }
}
