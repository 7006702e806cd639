//! How exactly linear systems are solved.

use super::NewtonOptions;

/// What part of what counts as converged a linear solve may leave.
const SAFETY: f64 = 0.3;

/// The forcing term of an inexact Newton method: the relative residual asked of the next linear solve.
///
/// ```text
/// |H d + g| <= eta |g|        eta = 0.3 * (what part of the residual or of the error may be left to have converged)
/// ```
/// A fixed lower bound does as well as terms that follow the residual (Eisenstat and Walker, SIAM J. Sci. Comput. 17,
/// 1996).
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Forcing {
    /// What part may be left.
    enough: f64,
}

impl Forcing {
    /// The next iteration may leave this part to be the last.
    pub(super) fn set_enough(&mut self, enough: f64) {
        self.enough = enough;
    }

    /// `eta`.
    pub(super) fn term(&self, options: &NewtonOptions) -> f64 {
        if options.single_iteration {
            options.single_forcing
        } else {
            (SAFETY * self.enough).clamp(options.min_forcing, options.max_forcing)
        }
    }
}
