//! Single iterations with a Levenberg-Marquardt shift, from far away, where a whole Newton step leads nowhere.

use super::{Descent, Newton, NewtonError, NewtonReport, Point};
use crate::cholesky::{Cholesky, Workspace};
use crate::linear::{LinearError, LinearMethod};
use crate::objective::{HessianForm, Objective};
use crate::stats::timed;
use crate::vector::{add_scaled, infinity_norm};

/// Growth of the shift after a step that had to be cut more than once, and after one that had to be cut once
/// or that the problem allowed a small part of only.
const RAISED_MUCH: f64 = 4.0;
const RAISED: f64 = 2.0;

/// A step of which the problem allows less than this is short.
const SHORT_STEP: f64 = 0.3;

/// What is left of the shift after a whole step.
const LOWERED: f64 = 0.15;

/// Attempts at one iteration, each with a shift that is larger by the factor.
const ATTEMPTS: usize = 8;
const RETRY_GROWTH: f64 = 16.0;

/// Growth of the shift where the Hessian is indefinite, its least value there over the mean of the diagonal, and
/// where it ends.
const INDEFINITE_GROWTH: f64 = 4.0;
const LEAST_SHIFT: f64 = 1e-8;
const LARGEST_SHIFT: f64 = 1e4;

impl<const B: usize> Newton<B> {
    /// One iteration with a shift (guard) of the diagonal that bounds its step, and the shift for the next.
    ///
    /// ```text
    /// (H + guard I) d = -g,    q <- q + t d
    /// ```
    /// The value never grows. The shift, N/m, falls while whole steps decrease the value, so that iterations
    /// end as Newton's own, and grows to whatever an indefinite Hessian needs. The systems are factored in double
    /// precision: a factor in `f32` cannot tell the softest modes of a slack fabric, 1e-10 of its stiffest, from
    /// indefinite ones. Source: Nocedal and Wright, *Numerical optimization*, chapters 3.4 and 4.
    ///
    /// # Errors
    /// See [`NewtonError`]; convergence is not looked at.
    pub fn iterate_guarded(
        &mut self,
        objective: &dyn Objective<B>,
        q: &mut [f64],
        guard: &mut f64,
    ) -> Result<NewtonReport, NewtonError> {
        let (mut point, mut report) = self.start_shifted(objective, q)?;
        self.assemble(objective, q, (HessianForm::Whole, None));
        let mut added = 0.0;
        let mut attempt = 0;
        loop {
            attempt += 1;
            self.raise(objective.active(), (*guard - added, &mut added));
            self.factor_shifted(objective.active(), (&mut added, &mut report))
                .map_err(|e| NewtonError::linear(e, &report, &point))?;
            match self.descend(objective, q, (&mut point, &mut report)) {
                Ok(descent) => {
                    (report.value, report.residual) = (point.value, point.residual);
                    *guard = next_shift(added, &descent);
                    return Ok(report);
                }
                // Where nothing is left but round-off no step has anything to gain.
                Err(NewtonError::LineSearch { .. })
                    if self.convergence(objective).is_round_off(q, &self.negative_gradient) =>
                {
                    report.value = point.value;
                    return Ok(report);
                }
                Err(error) if attempt == ATTEMPTS => return Err(error),
                Err(_) => *guard = added * RETRY_GROWTH,
            }
        }
    }

    /// One shifted iteration in which the unknowns that are not active go where they are led, and the others with
    /// them, as far as the problem allows: none is left behind for the next iteration to tear at.
    ///
    /// ```text
    /// (H_aa + guard I) d_a = -g_a - H_ah l,    d_h = l,    q <- q + t d
    /// ```
    /// `h` are the unknowns held, `l` is zero for all others. The value may grow by the work that leads them.
    ///
    /// # Errors
    /// See [`NewtonError`].
    pub fn lead_guarded(
        &mut self,
        objective: &dyn Objective<B>,
        (q, lead): (&mut [f64], &[f64]),
        guard: f64,
    ) -> Result<NewtonReport, NewtonError> {
        let (point, mut report) = self.start_shifted(objective, q)?;
        self.assemble(objective, q, (HessianForm::Whole, Some(lead)));
        let mut added = 0.0;
        self.raise(objective.active(), (guard, &mut added));
        self.factor_shifted(objective.active(), (&mut added, &mut report))
            .map_err(|e| NewtonError::linear(e, &report, &point))?;
        self.direction.iter_mut().zip(lead).for_each(|(d, l)| *d += l);
        report.step = objective.longest_step(q, &self.direction);
        report.correction = report.step * infinity_norm(&self.direction);
        add_scaled(q, report.step, &self.direction);
        let point = self.start(objective, q)?;
        (report.value, report.residual) = (point.value, point.residual);
        Ok(report)
    }

    fn start_shifted(
        &mut self,
        objective: &dyn Objective<B>,
        q: &[f64],
    ) -> Result<(Point, NewtonReport), NewtonError> {
        let point = self.start(objective, q)?;
        let (residual, method) = (point.residual, Some(LinearMethod::Direct));
        Ok((point, NewtonReport { iterations: 1, residual, method, ..Default::default() }))
    }

    /// Adds to the diagonal, and to what was added so far.
    fn raise(&mut self, active: &[bool], (by, added): (f64, &mut f64)) {
        self.hessian.add_to_diagonal(active, by);
        *added += by;
    }

    /// The direction from a factor, with as much on the diagonal as it takes to have one.
    fn factor_shifted(
        &mut self,
        active: &[bool],
        (added, report): (&mut f64, &mut NewtonReport),
    ) -> Result<(), LinearError> {
        loop {
            report.factorisations += 1;
            let Self { shifted, hessian, linear, interrupt, statistics, .. } = self;
            statistics.factorisations += 1;
            let is_definite = timed(&mut statistics.setup_seconds, || {
                let (pattern, points) = (hessian.pattern(), linear.guides().points());
                let workspace = Workspace::new(interrupt.clone());
                let new = || Cholesky::new(pattern, points).with_workspace(&workspace);
                let factor = shifted.get_or_insert_with(new);
                factor.factor(hessian).is_ok()
            });
            if interrupt.is_raised() {
                return Err(LinearError::Interrupted);
            }
            if is_definite {
                break;
            }
            let mean_diagonal = self.hessian.mean_diagonal(active);
            if !mean_diagonal.is_finite() {
                return Err(LinearError::NotFinite);
            }
            if *added >= LARGEST_SHIFT * mean_diagonal {
                return Err(LinearError::Indefinite { shift: *added, mean_diagonal });
            }
            let next = INDEFINITE_GROWTH * added.max(LEAST_SHIFT * mean_diagonal);
            self.raise(active, (next - *added, added));
        }
        let Self { shifted, negative_gradient, direction, statistics, .. } = self;
        timed(&mut statistics.solve_seconds, || {
            shifted.iter_mut().for_each(|factor| factor.solve(negative_gradient, direction));
        });
        Ok(())
    }
}

fn next_shift(guard: f64, descent: &Descent) -> f64 {
    guard
        * match descent.cuts {
            0 if descent.step >= 1.0 => LOWERED,
            0 if descent.step >= SHORT_STEP => 1.0,
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
    fn the_value_never_grows_and_the_shift_falls() {
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

    #[test]
    fn what_is_held_is_led_and_the_rest_follows() {
        let net = HangingNet::new(10);
        let mut newton = Newton::new(Arc::clone(net.pattern()), Guides::default(), NewtonOptions::default());
        let mut q = net.start().to_vec();
        newton.minimize(&net, &mut q).unwrap();
        let lead: Vec<f64> = net.active().iter().map(|free| if *free { 0.0 } else { 1e-2 }).collect();
        let mut torn = q.clone();
        add_scaled(&mut torn, 1.0, &lead);
        let torn = newton.start(&net, &torn).unwrap();
        // All that is held moves alike, and so does what hangs from it.
        let before = q.clone();
        let report = newton.lead_guarded(&net, (&mut q, &lead), 0.0).unwrap();
        assert_eq!(report.step, 1.0);
        assert!(report.residual < 1e-6 * torn.residual, "{} {}", report.residual, torn.residual);
        let moved = q.iter().zip(&before).map(|(new, old)| new - old);
        assert!(moved.into_iter().all(|d| (d - 1e-2).abs() < 1e-9));
    }
}
