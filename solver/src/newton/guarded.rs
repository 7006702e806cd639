//! Single iterations from far away, where a whole Newton step leads nowhere.

use super::{FIRST_FORCING, Newton, NewtonError, NewtonReport};
use crate::objective::Objective;

/// Growth of the guard after a step that had to be cut more than once, and after one that had to be cut once
/// or that the problem allowed a small part of only.
const RAISED_MUCH: f64 = 4.0;
const RAISED: f64 = 2.0;

/// A step of which the problem allows less than this is short.
const SHORT_STEP: f64 = 0.3;

/// What is left of the guard after a whole step.
const LOWERED: f64 = 0.15;

/// Attempts at one iteration, each with a guard that is larger by the factor.
const ATTEMPTS: usize = 8;
const RETRY_GROWTH: f64 = 16.0;

impl<const B: usize> Newton<B> {
    /// One iteration with a guard that bounds its step, and the guard for the next.
    ///
    /// ```text
    /// (H + guard I) d = -g,    q <- q + t d
    /// ```
    /// The value never grows. The guard, N/m, falls while whole steps decrease the value, so that iterations
    /// end as Newton's own, and it follows whatever an indefinite Hessian needs beyond it. Source: Nocedal and
    /// Wright, *Numerical optimization*, chapters 3.4 and 4.
    ///
    /// # Errors
    /// See [`NewtonError`]; convergence is not looked at.
    pub fn iterate_guarded(
        &mut self,
        objective: &dyn Objective<B>,
        q: &mut [f64],
        guard: &mut f64,
    ) -> Result<NewtonReport, NewtonError> {
        self.statistics.minimisations += 1;
        let first = self.start(objective, q)?;
        let mut attempt = 1;
        loop {
            let mut point = first;
            let mut report =
                NewtonReport { value: first.value, residual: first.residual, ..Default::default() };
            self.guard = *guard;
            let done = self.iterate(objective, q, &mut point, (FIRST_FORCING, false, &mut report));
            self.guard = 0.0;
            match done {
                Ok(()) => {
                    (report.value, report.residual) = (point.value, point.residual);
                    *guard = next_guard(*guard + report.largest_shift, &report);
                    return Ok(report);
                }
                Err(NewtonError::LineSearch { .. }) if attempt < ATTEMPTS => {
                    attempt += 1;
                    *guard *= RETRY_GROWTH;
                }
                Err(error) => return Err(error),
            }
        }
    }
}

fn next_guard(guard: f64, report: &NewtonReport) -> f64 {
    guard
        * match report.backtracks {
            0 if report.step >= 1.0 => LOWERED,
            0 if report.step >= SHORT_STEP => 1.0,
            0 | 1 => RAISED,
            _ => RAISED_MUCH,
        }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::NewtonOptions;
    use super::*;
    use crate::linear::Guides;
    use crate::samples::HangingNet;

    #[test]
    fn the_value_never_grows_and_the_guard_falls() {
        let net = HangingNet::new(10);
        let guides = Guides { coordinates: net.coordinates(), groups: net.groups() };
        let mut newton = Newton::new(Arc::clone(net.pattern()), guides, NewtonOptions::default());
        let mut q = net.start().to_vec();
        let (mut guard, mut last) = (1e3, f64::INFINITY);
        for _ in 0..60 {
            let report = newton.iterate_guarded(&net, &mut q, &mut guard).unwrap();
            assert!(report.value <= last, "{} after {last}", report.value);
            last = report.value;
            if report.residual < 1e-8 {
                break;
            }
        }
        let minimum = Newton::new(Arc::clone(net.pattern()), Guides::default(), NewtonOptions::default())
            .minimize(&net, &mut net.start().to_vec())
            .unwrap();
        assert!((last - minimum.value).abs() < 1e-9 * minimum.value.abs(), "{last} {}", minimum.value);
        assert!(guard < 1.0);
    }
}
