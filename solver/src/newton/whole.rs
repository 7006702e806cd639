//! When to try the whole Hessian.

use super::line_search::Descent;

/// Part of a direction's slope that is left at its end, above which what the projection has left out matters.
const SLOPE_LEFT: f64 = 0.03;

/// What the residual must fall to, over that of an indefinite Hessian, before the whole one is tried again.
const CLOSER: f64 = 0.1;

/// Decides between the forms of the Hessian from one iteration to the next.
///
/// A projected Hessian is too stiff where it leaves out what the function gives way by: directions are too short,
/// and iterations converge linearly. The whole one is tried as soon as that shows and kept while it is positive
/// definite; where it is not, raising its diagonal would shorten the steps of every soft mode, and the projected one
/// leads on.
#[derive(Debug)]
pub(super) struct Whole {
    is_wanted: bool,
    below: f64,
}

impl Default for Whole {
    fn default() -> Self {
        Self { is_wanted: false, below: f64::INFINITY }
    }
}

impl Whole {
    /// Whether to try the whole Hessian where the residual is this large.
    pub(super) fn is_wanted(&self, residual: f64) -> bool {
        self.is_wanted && residual < self.below
    }

    /// Takes in an iteration that began at this residual.
    pub(super) fn learn(&mut self, was_whole: bool, residual: f64, descent: &Descent) {
        if self.is_wanted(residual) && !was_whole {
            self.below = CLOSER * residual;
        }
        let is_full = descent.cuts == 0 && descent.step >= 1.0;
        self.is_wanted = is_full && (was_whole || descent.slope_left > SLOPE_LEFT);
    }
}
