//! Newton's method with the whole and the projected Hessian, in one or two unknowns.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hebra_solver::linear::{Guides, LinearMethod};
use hebra_solver::matrix::BlockMatrix;
use hebra_solver::newton::{Newton, NewtonError, NewtonOptions, NewtonReport};
use hebra_solver::objective::{HessianForm, Objective};
use hebra_solver::pattern::{BlockPattern, PatternBuilder};

use crate::newton::tight;

/// A double well in one unknown, beside another energy: `base + depth (x^4/4 - x^2/2)`.
struct Wells {
    pattern: Arc<BlockPattern>,
    base: f64,
    depth: f64,
    /// How often the whole Hessian was asked for where it is indefinite, between the minima.
    indefinite: AtomicUsize,
}

impl Wells {
    fn new(base: f64, depth: f64) -> Self {
        let pattern = Arc::new(PatternBuilder::new(1).build());
        Self { pattern, base, depth, indefinite: AtomicUsize::new(0) }
    }

    fn minimize(&self, q: &mut [f64], options: NewtonOptions) -> Result<NewtonReport, NewtonError> {
        let guides = Guides { coordinates: vec![[0.0; 3]], groups: Vec::new() };
        Newton::new(Arc::clone(&self.pattern), guides, options).minimize(self, q)
    }
}

impl Objective<1> for Wells {
    fn pattern(&self) -> &Arc<BlockPattern> {
        &self.pattern
    }

    fn active(&self) -> &[bool] {
        &[true]
    }

    fn value(&self, q: &[f64]) -> f64 {
        self.base + self.depth * (0.25 * q[0].powi(4) - 0.5 * q[0].powi(2))
    }

    fn gradient(&self, q: &[f64], out: &mut [f64]) {
        out[0] = self.depth * (q[0].powi(3) - q[0]);
    }

    fn hessian(&self, q: &[f64], form: HessianForm, out: &mut BlockMatrix<1>) {
        let whole = 3.0 * q[0] * q[0] - 1.0;
        let is_whole = form == HessianForm::Whole;
        self.indefinite.fetch_add(usize::from(is_whole && whole < 0.0), Ordering::Relaxed);
        out.values_mut()[0] = [[self.depth * if is_whole { whole } else { whole.max(0.5) }]];
    }
}

#[test]
fn a_residual_may_grow_on_the_way_down_though_the_value_drowns_in_round_off() {
    let options = NewtonOptions { residual_tolerance: 1e-22, ..tight(LinearMethod::Direct) };
    let mut q = [0.01];
    let report = Wells::new(1.0, 1e-13).minimize(&mut q, options).unwrap();
    assert!(report.converged && (q[0] - 1.0).abs() < 1e-8, "{q:?} {report:?}");
}

/// `x^2/2 + y^2/2` with a projected Hessian that is too stiff by a factor for either unknown.
struct StiffBowl {
    pattern: Arc<BlockPattern>,
    factors: [f64; 2],
    has_whole: bool,
}

impl StiffBowl {
    /// From `(1, -2)`.
    fn minimize(factors: [f64; 2], has_whole: bool) -> Result<NewtonReport, NewtonError> {
        let bowl = Self { pattern: Arc::new(PatternBuilder::new(2).build()), factors, has_whole };
        let guides = Guides { coordinates: vec![[0.0; 3]; 2], groups: Vec::new() };
        let mut newton = Newton::new(Arc::clone(&bowl.pattern), guides, tight(LinearMethod::Direct));
        newton.minimize(&bowl, &mut [1.0, -2.0])
    }
}

impl Objective<1> for StiffBowl {
    fn pattern(&self) -> &Arc<BlockPattern> {
        &self.pattern
    }

    fn active(&self) -> &[bool] {
        &[true; 2]
    }

    fn value(&self, q: &[f64]) -> f64 {
        0.5 * (q[0] * q[0] + q[1] * q[1])
    }

    fn gradient(&self, q: &[f64], out: &mut [f64]) {
        out.copy_from_slice(q);
    }

    fn hessian(&self, _q: &[f64], form: HessianForm, out: &mut BlockMatrix<1>) {
        let is_whole = self.has_whole && form == HessianForm::Whole;
        for (value, factor) in out.values_mut().iter_mut().zip(self.factors) {
            *value = [[if is_whole { 1.0 } else { factor }]];
        }
    }
}

#[test]
fn a_whole_hessian_ends_what_a_projected_one_is_slow_at() {
    let iterations = |has_whole| StiffBowl::minimize([2.0, 1.2], has_whole).unwrap().iterations;
    let [projected, whole] = [false, true].map(iterations);
    assert!(projected > 20 && whole <= 4, "{projected} {whole}");
}

#[test]
fn where_the_whole_hessian_is_indefinite_the_projected_one_leads_on() {
    let wells = Wells::new(0.0, 1.0);
    let mut q = [0.01];
    let report = wells.minimize(&mut q, tight(LinearMethod::Direct)).unwrap();
    assert!(report.converged && (q[0] - 1.0).abs() < 1e-8, "{q:?} {report:?}");
    assert!(wells.indefinite.load(Ordering::Relaxed) > 0 && report.shifts == 0, "{report:?}");
}
