//! Steps along a Newton direction, cut back until they descend.

use crate::objective::Objective;
use crate::stats::{SolveStatistics, timed};
use crate::vector::{add_scaled, dot};

/// Decrease asked for, over that of the tangent (Armijo).
const ARMIJO: f64 = 1e-4;

/// Expected decrease over the value below which differences of values are round-off: energies are sums
/// of 1e5 to 1e7 large terms, each good to 1e-16.
const ROUND_OFF: f64 = 1e-12;

/// Halvings before giving up: to a millionth of the step.
const MAX_CUTS: usize = 20;

/// How far a search went.
#[derive(Debug, Clone, Copy)]
pub(super) struct Descent {
    /// Over the direction's length.
    pub(super) step: f64,
    /// How often the step was halved.
    pub(super) cuts: usize,
    /// The slope where the step ends, over that at its start.
    pub(super) slope_left: f64,
}

/// Value and residual where the minimiser stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point {
    pub(super) value: f64,
    pub(super) residual: f64,
}

/// A search from one point along one direction.
///
/// A step is taken when the function falls by `1e-4` of what the tangent promises. Where that drowns in round-off, it
/// is taken when the residual does not grow or when the slope at its end says as much: round-off spares slopes, and
/// where the function is concave it falls while the residual grows.
///
/// Sources: Nocedal and Wright, *Numerical optimization*, chapter 3; Hager and Zhang, SIAM J. Optim. 16, 2005 (the
/// approximate Wolfe conditions).
pub(super) struct LineSearch<'a, const B: usize> {
    pub(super) objective: &'a dyn Objective<B>,
    /// `g . d`, J.
    pub(super) slope: f64,
    /// Residual below which a step is good whatever it was before, N.
    pub(super) tolerance: f64,
}

impl<const B: usize> LineSearch<'_, B> {
    /// Moves `q` by an acceptable step, with its gradient, value and residual; none when there is none.
    pub(super) fn run(
        &self,
        q: &mut [f64],
        direction: &[f64],
        (trial, gradient): (&mut [f64], &mut [f64]),
        (point, statistics): (&mut Point, &mut SolveStatistics),
    ) -> Option<Descent> {
        // A direction that does not descend, or is not a number.
        if self.slope.is_nan() || self.slope > 0.0 {
            return None;
        }
        let SolveStatistics { gradient_seconds, line_search_seconds, .. } = statistics;
        let mut step = timed(line_search_seconds, || self.objective.longest_step(q, direction));
        for cuts in 0..=MAX_CUTS {
            trial.copy_from_slice(q);
            add_scaled(trial, step, direction);
            let value = timed(line_search_seconds, || self.objective.value(trial));
            let falls = value <= point.value + ARMIJO * step * self.slope;
            let drowns = self.drowns(step, [point.value, value]);
            if falls || drowns {
                timed(gradient_seconds, || self.objective.gradient(trial, gradient));
                let residual = self.objective.residual(gradient);
                let slope_left = dot(gradient, direction) / self.slope;
                let is_smaller = residual <= point.residual.max(self.tolerance);
                let descends = slope_left >= 2.0 * ARMIJO - 1.0;
                if residual.is_finite() && (!drowns || is_smaller || descends) {
                    *point = Point { value, residual };
                    q.copy_from_slice(trial);
                    return Some(Descent { step, cuts, slope_left });
                }
            }
            step *= 0.5;
        }
        None
    }

    /// Whether neither the expected nor the actual change of the value can be told from round-off.
    fn drowns(&self, step: f64, [old, new]: [f64; 2]) -> bool {
        let noise = ROUND_OFF * old.abs().max(new.abs());
        // A Newton step is expected to change the value by t g.d / 2.
        -0.5 * step * self.slope <= noise && (new - old).abs() <= noise
    }
}
