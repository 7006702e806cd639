//! The cost of solves.

use std::ops::AddAssign;
use std::time::Instant;

use serde::{Deserialize, Serialize};

/// Counts and seconds by phase of one or many minimisations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct SolveStatistics {
    /// Minimisations.
    pub minimisations: usize,
    /// Newton iterations.
    pub newton_iterations: usize,
    /// Values computed.
    pub values: usize,
    /// Conjugate gradient iterations.
    pub cg_iterations: usize,
    /// Systems solved by strips.
    pub iterative_solves: usize,
    /// Systems solved by a factor.
    pub direct_solves: usize,
    /// Direct factorisations.
    pub factorisations: usize,
    /// Systems whose diagonal had to be raised.
    pub shifted_solves: usize,
    /// Systems whose first method failed.
    pub fallbacks: usize,
    /// Steps of the line search that were cut.
    pub backtracks: usize,
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
    /// Settling regions by themselves, s.
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

impl AddAssign for SolveStatistics {
    fn add_assign(&mut self, other: Self) {
        self.minimisations += other.minimisations;
        self.newton_iterations += other.newton_iterations;
        self.values += other.values;
        self.cg_iterations += other.cg_iterations;
        self.iterative_solves += other.iterative_solves;
        self.direct_solves += other.direct_solves;
        self.factorisations += other.factorisations;
        self.shifted_solves += other.shifted_solves;
        self.fallbacks += other.fallbacks;
        self.backtracks += other.backtracks;
        self.gradient_seconds += other.gradient_seconds;
        self.hessian_seconds += other.hessian_seconds;
        self.setup_seconds += other.setup_seconds;
        self.solve_seconds += other.solve_seconds;
        self.line_search_seconds += other.line_search_seconds;
        self.region_seconds += other.region_seconds;
    }
}

/// Runs `work` and adds its duration to `seconds`.
pub(crate) fn timed<R>(seconds: &mut f64, work: impl FnOnce() -> R) -> R {
    let start = Instant::now();
    let result = work();
    *seconds += start.elapsed().as_secs_f64();
    result
}
