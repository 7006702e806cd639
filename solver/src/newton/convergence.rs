//! When a minimisation has converged.

use super::{NewtonOptions, NewtonReport};
use crate::matrix::BlockMatrix;
use crate::objective::Objective;
use crate::vector::infinity_norm;

/// By how much the largest residual may be above the root of the mean square that counts as converged.
const SPIKES: f64 = 10.0;

/// Corrections and residuals that leave no more than this from one iteration to the next go on shrinking like this.
const FAST_RATIO: f64 = 0.3;

/// Judges an iterate by its gradient and by the iterations that led there.
///
/// ```text
/// residual     |g| <= residual_tolerance,   |t d| <= correction_tolerance
/// round-off    |g_i| <= eps sum_j |H_ij| |q|_j in place of the former
/// error        r / (1 - r) |t d| <= error_tolerance,   |g|_rms <= loose_residual
/// ```
/// `r` is what the last of two whole steps has left of the correction or of the residual, whichever is more.
///
/// Source of the last: Hairer and Wanner, *Solving ordinary differential equations II*, IV.8.
pub(super) struct Convergence<'a, const B: usize> {
    pub(super) options: &'a NewtonOptions,
    pub(super) objective: &'a dyn Objective<B>,
    pub(super) hessian: &'a BlockMatrix<B>,
    pub(super) gradient: &'a [f64],
}

impl<const B: usize> Convergence<'_, B> {
    /// Whether an iteration has come to the minimum at `q`, where the largest residual is this; the reports are of the
    /// iteration before and of its own, whose residual is that at its start.
    pub(super) fn is_reached(
        &self,
        q: &[f64],
        (before, report): (&NewtonReport, &NewtonReport),
        residual: f64,
    ) -> bool {
        let NewtonOptions { residual_tolerance, correction_tolerance, .. } = *self.options;
        let is_at_rest = report.correction <= correction_tolerance
            && (residual <= residual_tolerance || self.is_round_off(q, self.gradient));
        is_at_rest || self.is_near((before, report), residual)
    }

    /// Whether little is left to go and forces are loosely balanced.
    fn is_near(&self, (before, report): (&NewtonReport, &NewtonReport), residual: f64) -> bool {
        let NewtonOptions { error_tolerance, loose_residual, .. } = *self.options;
        let shrinks = (residual / report.residual).max(report.correction / before.correction);
        let is_known = before.step == 1.0 && report.step == 1.0 && shrinks <= FAST_RATIO;
        is_known
            && shrinks / (1.0 - shrinks) * report.correction <= error_tolerance
            && residual <= SPIKES * loose_residual
            && self.mean_residual() <= loose_residual
    }

    /// Whether every active unknown's residual is below its tolerance or below what rounding the unknowns changes it by;
    /// `|q|_j` is the largest unknown of the block of `j`, so that it does not matter how axes lie.
    pub(super) fn is_round_off(&self, q: &[f64], residual: &[f64]) -> bool {
        let largest = |block: &[f64]| [infinity_norm(block); B];
        let sizes: Vec<f64> = q.chunks_exact(B).flat_map(largest).collect();
        let changes = self.hessian.multiply_absolute(&sizes);
        let is_small =
            |(r, c): (&f64, &f64)| r.abs() <= self.options.residual_tolerance.max(f64::EPSILON * c);
        let mut all = residual.iter().zip(&changes).zip(self.objective.active());
        all.all(|(pair, on)| !on || is_small(pair))
    }

    /// What part of the residual, and of the distance to the minimum, the next iteration may leave to be the last.
    pub(super) fn enough(&self, distance: f64, residual: f64) -> f64 {
        let NewtonOptions { residual_tolerance, error_tolerance, loose_residual, .. } = *self.options;
        let loose = (loose_residual / self.mean_residual()).min(error_tolerance / distance);
        (residual_tolerance / residual).max(loose)
    }

    /// Root of the mean square of the gradient over the active unknowns.
    fn mean_residual(&self) -> f64 {
        let on = self.gradient.iter().zip(self.objective.active()).filter(|(_, on)| **on);
        let (n, sum) = on.fold((0_usize, 0.0), |(n, sum), (g, _)| (n + 1, sum + g * g));
        (sum / n.max(1) as f64).sqrt()
    }
}
