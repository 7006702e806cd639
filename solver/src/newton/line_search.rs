//! Steps along a Newton direction, cut back or lengthened.

use crate::objective::Objective;
use crate::stats::{SolveStatistics, timed};
use crate::vector::{add_scaled, dot};

/// Decrease asked for, over that of the tangent (Armijo).
const ARMIJO: f64 = 1e-4;

/// Expected decrease over the value below which differences of values are round-off: energies are sums
/// of 1e5 to 1e7 large terms, each good to 1e-16.
const ROUND_OFF: f64 = 1e-12;

/// Rise of the value, over itself, that is taken for round-off when the residual halves: the value of a
/// step is small beside the energies that it is made from.
const FLAT: f64 = 1e-9;

/// Halvings before giving up: to a millionth of the step.
const MAX_CUTS: usize = 20;

/// Part of the slope left at the end of a whole step, above which a longer one is tried, and the longest.
const STEEP: f64 = 0.3;
const LONGEST: f64 = 8.0;

/// How far a search went.
#[derive(Debug, Clone, Copy)]
pub(super) struct Descent {
    /// Over the direction's length.
    pub(super) step: f64,
    /// How often the step was halved.
    pub(super) cuts: usize,
    /// The slope where the first step that was taken ends, over that at the start.
    pub(super) slope_left: f64,
}

/// Value and residual where the minimiser stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point {
    pub(super) value: f64,
    pub(super) residual: f64,
}

/// A search from one point along one direction.
pub(super) struct LineSearch<'a, const B: usize> {
    pub(super) objective: &'a dyn Objective<B>,
    /// `g . d`, J.
    pub(super) slope: f64,
    /// Residual below which a step is good whatever it was before, N.
    pub(super) tolerance: f64,
    /// Whether a direction that turns out to be too short may be followed beyond its end.
    pub(super) may_lengthen: bool,
}

impl<const B: usize> LineSearch<'_, B> {
    /// Moves `q` by an acceptable step, with its gradient, value and residual; none when there is none.
    ///
    /// A whole step is cut back until the function falls, or lengthened to where its slope would vanish.
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
        let SolveStatistics { values, gradient_seconds, line_search_seconds, backtracks, .. } = statistics;
        let mut step = timed(line_search_seconds, || self.objective.longest_step(q, direction));
        for cuts in 0..=MAX_CUTS {
            trial.copy_from_slice(q);
            add_scaled(trial, step, direction);
            *values += 1;
            let value = timed(line_search_seconds, || self.objective.value(trial));
            let armijo = value <= point.value + ARMIJO * step * self.slope;
            let drowned = self.drowns(step, point.value, value);
            let flat = value - point.value <= FLAT * point.value.abs();
            if armijo || drowned || flat {
                timed(gradient_seconds, || self.objective.gradient(trial, gradient));
                let residual = self.objective.residual(gradient);
                let small = residual <= point.residual.max(self.tolerance);
                let falls = if drowned { small || self.descends(direction, gradient) } else { armijo };
                let halved = flat && residual <= 0.5 * point.residual;
                if residual.is_finite() && (falls || halved) {
                    *backtracks += cuts;
                    let slope_left = dot(gradient, direction) / self.slope;
                    let mut descent = Descent { step, cuts, slope_left };
                    *point = Point { value, residual };
                    if self.may_lengthen && step == 1.0 && slope_left > STEEP && !drowned {
                        *values += 1;
                        let longer = self.longer(q, direction, (trial, slope_left));
                        let value = timed(line_search_seconds, || self.objective.value(trial));
                        if value < point.value {
                            timed(gradient_seconds, || self.objective.gradient(trial, gradient));
                            *point = Point { value, residual: self.objective.residual(gradient) };
                            descent.step = longer;
                        }
                    }
                    add_scaled(q, descent.step, direction);
                    return Some(descent);
                }
            }
            step *= 0.5;
        }
        None
    }

    /// Fills `trial` with the end of the step at which a slope that falls in proportion vanishes, as far as the
    /// problem allows; returns the step.
    fn longer(&self, q: &[f64], direction: &[f64], (trial, slope_left): (&mut [f64], f64)) -> f64 {
        let step = 1.0 / (1.0 - slope_left).max(1.0 / LONGEST);
        trial.iter_mut().zip(direction).for_each(|(t, d)| *t = step * d);
        let step = step * self.objective.longest_step(q, trial);
        trial.copy_from_slice(q);
        add_scaled(trial, step, direction);
        step
    }

    /// Whether the slope at a trial says that the value fell by what Armijo asks for, as it does where the value has
    /// a parabola's shape along the direction: round-off spares slopes. Where the value is concave it falls while the
    /// residual grows.
    ///
    /// Source: Hager and Zhang, SIAM J. Optim. 16, 2005, the approximate Wolfe conditions.
    fn descends(&self, direction: &[f64], gradient: &[f64]) -> bool {
        dot(gradient, direction) <= (2.0 * ARMIJO - 1.0) * self.slope
    }

    /// Whether neither the expected nor the actual change of the value can be told from round-off.
    fn drowns(&self, step: f64, old: f64, new: f64) -> bool {
        let noise = ROUND_OFF * old.abs().max(new.abs());
        // A Newton step is expected to change the value by t g.d / 2.
        -0.5 * step * self.slope <= noise && (new - old).abs() <= noise
    }
}
