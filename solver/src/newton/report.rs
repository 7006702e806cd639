//! How a minimisation went.

use super::line_search::{Descent, Point};
use crate::linear::{LinearError, LinearMethod, LinearReport};
use crate::stats::SolveStatistics;

/// How a minimisation went.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct NewtonReport {
    /// Newton iterations.
    pub iterations: usize,
    /// Infinity norm of the gradient over the active unknowns, N.
    pub residual: f64,
    /// Infinity norm of the last correction, m; 0 when none was needed.
    pub correction: f64,
    /// Part of the last direction that was gone.
    pub step: f64,
    /// The function's value, J.
    pub value: f64,
    /// Whether both tolerances are met; false is possible with a single iteration only.
    pub converged: bool,
    /// What solved the last linear system; `None` when there was none.
    pub method: Option<LinearMethod>,
    /// Conjugate gradient iterations.
    pub cg_iterations: usize,
    /// Direct factorisations.
    pub factorisations: usize,
    /// Systems whose diagonal had to be raised.
    pub shifts: usize,
    /// The largest of those shifts, N/m.
    pub largest_shift: f64,
    /// Steps of the line search that were cut.
    pub backtracks: usize,
    /// The last iterations in a row that the problem allowed a small part of only.
    pub blocked: usize,
}

/// Why a minimisation failed.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum NewtonError {
    /// The cap on iterations was reached.
    #[error(
        "no convergence in {iterations} Newton iterations: residual {residual:e} N, last correction \
         {correction:e} m; try a shorter time step"
    )]
    TooManyIterations {
        /// Iterations made.
        iterations: usize,
        /// Infinity norm of the gradient, N.
        residual: f64,
        /// Infinity norm of the last correction, m.
        correction: f64,
    },
    /// No step along the direction decreases the function.
    #[error(
        "no step decreases the energy in Newton iteration {iterations}: residual {residual:e} N, slope \
         {slope:e} J; do value and gradient agree?"
    )]
    LineSearch {
        /// Iterations made.
        iterations: usize,
        /// Infinity norm of the gradient, N.
        residual: f64,
        /// Derivative of the function along the direction, J.
        slope: f64,
    },
    /// Whoever stated the problem does not take the minimum that was found.
    #[error(
        "the minimum found in {iterations} Newton iterations is on the wrong side of an obstacle; try a shorter time step"
    )]
    Refused {
        /// Iterations made.
        iterations: usize,
    },
    /// The problem lets no iteration go far along its direction.
    #[error(
        "Newton iteration {iterations} may go {step:e} of its way only, like those before it; try a shorter time step"
    )]
    Blocked {
        /// Iterations made.
        iterations: usize,
        /// The longest step that is allowed, of the whole.
        step: f64,
    },
    /// The Hessian is indefinite beyond repair.
    #[error(
        "the Hessian of Newton iteration {iterations} is indefinite even with {shift:e} N/m on its \
         diagonal (mean {mean_diagonal:e} N/m)"
    )]
    Indefinite {
        /// Iterations made.
        iterations: usize,
        /// The last shift, N/m.
        shift: f64,
        /// Mean of the diagonal, N/m.
        mean_diagonal: f64,
    },
    /// A value, a gradient or a Hessian is not finite.
    #[error(
        "Newton iteration {iterations} met numbers that are not finite: energy {value:e} J, residual {residual:e} N"
    )]
    NotFinite {
        /// Iterations made.
        iterations: usize,
        /// The function's value, J.
        value: f64,
        /// Infinity norm of the gradient, N.
        residual: f64,
    },
    /// It was asked to stop.
    #[error("interrupted in Newton iteration {iterations}")]
    Interrupted {
        /// Iterations begun.
        iterations: usize,
    },
}

/// A step that the problem allows less of than this is short, and so many short ones in a row are not
/// going to get there.
const SHORT_STEP: f64 = 0.25;
const BLOCKED_ITERATIONS: usize = 4;

/// One of less than this is none at all.
const NO_STEP: f64 = 1e-6;

impl NewtonReport {
    /// Counts short steps.
    ///
    /// # Errors
    /// Where the problem lets iterations go nowhere.
    pub(super) fn check_blocked(&mut self, descent: &Descent) -> Result<(), NewtonError> {
        let step = self.step * 2f64.powi(descent.cuts as i32);
        self.blocked = if step < SHORT_STEP { self.blocked + 1 } else { 0 };
        if self.blocked >= BLOCKED_ITERATIONS || step < NO_STEP {
            return Err(NewtonError::Blocked { iterations: self.iterations, step });
        }
        Ok(())
    }

    pub(super) fn add_linear(&mut self, linear: &LinearReport) {
        self.method = Some(linear.method);
        self.cg_iterations += linear.iterations;
        self.factorisations += linear.factorisations;
        self.shifts += usize::from(linear.shift > 0.0);
        self.largest_shift = self.largest_shift.max(linear.shift);
    }
}

impl NewtonError {
    pub(super) fn too_many(report: &NewtonReport) -> Self {
        let NewtonReport { iterations, residual, correction, .. } = *report;
        Self::TooManyIterations { iterations, residual, correction }
    }

    pub(super) fn linear(error: LinearError, report: &NewtonReport, point: &Point) -> Self {
        let iterations = report.iterations;
        match error {
            LinearError::Indefinite { shift, mean_diagonal } => {
                Self::Indefinite { iterations, shift, mean_diagonal }
            }
            LinearError::NotFinite => {
                Self::NotFinite { iterations, value: point.value, residual: point.residual }
            }
            LinearError::Interrupted => Self::Interrupted { iterations },
        }
    }
}

impl SolveStatistics {
    pub(super) fn add_linear(&mut self, linear: &LinearReport) {
        self.cg_iterations += linear.iterations;
        self.factorisations += linear.factorisations;
        self.setup_seconds += linear.setup_seconds;
        self.solve_seconds += linear.solve_seconds;
    }
}
