//! The cost of solves.

use std::time::Instant;

/// Counts and seconds by phase of one or many minimisations.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SolveStatistics {
    /// Conjugate gradient iterations.
    pub cg_iterations: usize,
    /// Direct factorisations.
    pub factorisations: usize,
    /// Computing gradients, s.
    pub gradient_seconds: f64,
    /// Computing Hessians, s.
    pub hessian_seconds: f64,
    /// Factoring and preparing preconditioners, s.
    pub setup_seconds: f64,
    /// Conjugate gradients, s.
    pub solve_seconds: f64,
    /// The line search, values included, s.
    pub line_search_seconds: f64,
    /// Nonlinear elimination of local regions, s.
    pub region_seconds: f64,
}

impl SolveStatistics {
    /// All seconds.
    pub fn seconds(&self) -> f64 {
        self.gradient_seconds
            + self.hessian_seconds
            + self.setup_seconds
            + self.solve_seconds
            + self.line_search_seconds
            + self.region_seconds
    }
}

/// Runs `work` and adds its duration to `seconds`.
pub(crate) fn timed<R>(seconds: &mut f64, work: impl FnOnce() -> R) -> R {
    let start = Instant::now();
    let result = work();
    *seconds += start.elapsed().as_secs_f64();
    result
}
