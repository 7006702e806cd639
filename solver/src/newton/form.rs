//! When to try the full Hessian.

use super::line_search::Descent;

/// Part of a direction's slope that is left at its end, above which what the projection has left out matters.
const SLOPE_LEFT: f64 = 0.03;

/// What the residual must fall to, over that of an indefinite Hessian, before the full one is tried again.
const CLOSER: f64 = 0.1;

/// Decides between the forms of the Hessian from one iteration to the next.
///
/// A projected Hessian is too stiff where it leaves out what the function gives way by: directions are too short,
/// and iterations converge linearly. The full one is tried as soon as that shows and kept while it is positive
/// definite; where it is not, raising its diagonal would shorten the steps of every soft mode, and the projected one
/// leads on.
#[derive(Debug)]
pub(super) struct Form {
    is_full_wanted: bool,
    below: f64,
}

impl Default for Form {
    fn default() -> Self {
        Self { is_full_wanted: false, below: f64::INFINITY }
    }
}

impl Form {
    /// Whether to try the full Hessian where the residual is this large.
    pub(super) fn is_full_wanted(&self, residual: f64) -> bool {
        self.is_full_wanted && residual < self.below
    }

    /// Takes in an iteration that began at this residual.
    pub(super) fn learn(&mut self, was_full: bool, residual: f64, descent: &Descent) {
        if self.is_full_wanted(residual) && !was_full {
            self.below = CLOSER * residual;
        }
        let is_whole_step = descent.cuts == 0 && descent.step >= 1.0;
        self.is_full_wanted = is_whole_step && (was_full || descent.slope_left > SLOPE_LEFT);
    }
}
