//! Newton's method on a hanging net.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hebra_solver::interrupt::Interrupt;
use hebra_solver::linear::{Guides, LinearMethod};
use hebra_solver::matrix::BlockMatrix;
use hebra_solver::newton::{Newton, NewtonError, NewtonOptions, NewtonReport};
use hebra_solver::objective::{HessianForm, Objective, Restricted};
use hebra_solver::pattern::{BlockPattern, PatternBuilder};
use hebra_solver::samples::HangingNet;

fn newton(net: &HangingNet, options: NewtonOptions) -> Newton<3> {
    let guides = Guides { coordinates: net.coordinates(), groups: net.groups() };
    Newton::new(Arc::clone(net.pattern()), guides, options)
}

fn tight(method: LinearMethod) -> NewtonOptions {
    let mut options =
        NewtonOptions { residual_tolerance: 1e-9, correction_tolerance: 1e-9, ..Default::default() };
    options.linear.method = method;
    options
}

/// The unknowns at the net's minimum.
fn minimum(net: &HangingNet) -> Vec<f64> {
    let mut q = net.start().to_vec();
    newton(net, tight(LinearMethod::Direct)).minimize(net, &mut q).unwrap();
    q
}

/// A little off some unknowns, below the upper edge.
fn shaken(q: &[f64]) -> Vec<f64> {
    let off = |k: usize| if k < 24 { 0.0 } else { 2e-4 * (1.7 * (k - 24) as f64).sin() };
    q.iter().enumerate().map(|(k, x)| x + off(k)).collect()
}

/// The largest difference of an unknown.
fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |m, (a, b)| m.max((a - b).abs()))
}

#[test]
fn every_method_finds_the_same_minimum() {
    let net = HangingNet::new(12);
    let mut minima = Vec::new();
    for method in [LinearMethod::Auto, LinearMethod::Direct, LinearMethod::Iterative] {
        let mut q = net.start().to_vec();
        let report = newton(&net, tight(method)).minimize(&net, &mut q).unwrap();
        println!("{report:?}");
        assert!(report.converged && report.residual <= 1e-9);
        minima.push(q);
    }
    for q in &minima[1..] {
        let apart = apart(q, &minima[0]);
        assert!(apart < 1e-7, "{apart:e}");
    }
}

#[test]
fn an_indefinite_start_is_survived() {
    let net = HangingNet::new(8);
    let mut q = net.sheet(0.9);
    let report = newton(&net, tight(LinearMethod::Direct)).minimize(&net, &mut q).unwrap();
    println!("{report:?}");
    assert!(report.shifts > 0 && report.largest_shift > 0.0);
}

#[test]
fn numbers_that_are_not_finite_are_reported() {
    let net = HangingNet::new(4);
    let mut q = net.start().to_vec();
    q[20] = f64::NAN;
    let result = newton(&net, NewtonOptions::default()).minimize(&net, &mut q);
    assert!(matches!(result, Err(NewtonError::NotFinite { iterations: 0, .. })));
}

#[test]
fn convergence_is_quadratic_near_the_minimum() {
    let net = HangingNet::new(8);
    // From a little off, one exact Newton step after the other.
    let mut q = shaken(&minimum(&net));
    let mut one = tight(LinearMethod::Direct);
    one.single_iteration = true;
    one.single_forcing = 1e-13;
    let mut newton = newton(&net, one);
    let residuals: Vec<f64> = (0..4).map(|_| newton.minimize(&net, &mut q).unwrap().residual).collect();
    // log r_(k+1) / log r_k tends to 2; round-off ends it.
    let slope = |k: usize| (residuals[k + 1] / residuals[k]).ln();
    let order = slope(1) / slope(0);
    assert!(order > 1.7, "order {order}, residuals {residuals:?}");
}

#[test]
fn threads_change_no_bit() {
    for method in [LinearMethod::Direct, LinearMethod::Iterative] {
        let solve = |threads| {
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| {
                let net = HangingNet::new(30);
                let mut q = net.start().to_vec();
                newton(&net, tight(method)).minimize(&net, &mut q).unwrap();
                q
            })
        };
        assert_eq!(solve(1), solve(2), "{method:?}");
    }
}

#[test]
fn a_minimum_needs_no_iteration_and_a_slight_offset_one() {
    let net = HangingNet::new(6);
    let mut q = net.start().to_vec();
    let mut newton = newton(&net, tight(LinearMethod::Direct));
    newton.minimize(&net, &mut q).unwrap();
    assert_eq!(newton.minimize(&net, &mut q).unwrap().iterations, 0);
    q[60] += 1e-11;
    let report = newton.minimize(&net, &mut q).unwrap();
    assert_eq!((report.iterations, report.converged), (1, true));
}

#[test]
fn where_little_is_left_to_go_any_residual_will_do() {
    let net = HangingNet::new(8);
    let minimum = minimum(&net);
    let iterations = [1e-6, 1e-12].map(|error| {
        let mut options = tight(LinearMethod::Direct);
        (options.residual_tolerance, options.error_tolerance) = (1e-30, error);
        let mut q = shaken(&minimum);
        let report = newton(&net, options).minimize(&net, &mut q).unwrap();
        let off = apart(&q, &minimum);
        assert!(report.converged && report.residual > 1e-30, "{report:?}");
        assert!(off <= error, "{off:e} m off");
        report.iterations
    });
    assert!(iterations[0] < iterations[1], "{iterations:?}");
}

/// Forces far smaller than the net's stiffness makes of the last digit of its unknowns.
#[test]
fn a_residual_of_round_off_is_as_good_as_none() {
    let net = HangingNet::new(8);
    for residual_tolerance in [1e-14, 1e-18, 0.0] {
        let options = NewtonOptions { residual_tolerance, correction_tolerance: 1e-9, ..Default::default() };
        let mut q = shaken(&minimum(&net));
        for _ in 0..3 {
            let report = newton(&net, options).minimize(&net, &mut q).unwrap();
            println!("{residual_tolerance:e}: {report:?}");
            assert!(report.converged && report.iterations < 10 && report.residual < 1e-10);
        }
    }
}

#[test]
fn a_cap_on_iterations_is_an_error_with_numbers() {
    let net = HangingNet::new(6);
    let mut q = net.start().to_vec();
    let options = NewtonOptions { max_iterations: 2, ..tight(LinearMethod::Auto) };
    match newton(&net, options).minimize(&net, &mut q) {
        Err(NewtonError::TooManyIterations { iterations: 2, residual, .. }) => assert!(residual > 1e-9),
        other => panic!("{other:?}"),
    }
}

#[test]
fn inactive_unknowns_stay() {
    let net = HangingNet::new(6);
    let mut q = net.start().to_vec();
    newton(&net, tight(LinearMethod::Iterative)).minimize(&net, &mut q).unwrap();
    assert_eq!(q[..18], net.start()[..18]);
}

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

/// A net that some blocks of can be settled by themselves, and how often they were.
struct Divisible<'a> {
    net: &'a HangingNet,
    active: Vec<bool>,
    divisions: &'a AtomicUsize,
}

impl Objective<3> for Divisible<'_> {
    fn pattern(&self) -> &Arc<BlockPattern> {
        self.net.pattern()
    }

    fn active(&self) -> &[bool] {
        &self.active
    }

    fn value(&self, q: &[f64]) -> f64 {
        self.net.value(q)
    }

    fn gradient(&self, q: &[f64], out: &mut [f64]) {
        self.net.gradient(q, out);
    }

    fn hessian(&self, q: &[f64], form: HessianForm, out: &mut BlockMatrix<3>) {
        self.net.hessian(q, form, out);
    }

    fn restricted<'a>(&'a self, q: &[f64], free: &'a [bool]) -> Option<Restricted<'a, 3>> {
        self.divisions.fetch_add(1, Ordering::Relaxed);
        let active = self.active.iter().enumerate().map(|(dof, on)| *on && free[dof / 3]).collect();
        let objective = Box::new(Divisible { active, ..*self });
        Some(Restricted { objective, blocks: (0..q.len() as u32 / 3).collect() })
    }
}

#[test]
fn what_is_far_off_in_a_few_places_is_settled_there() {
    let net = HangingNet::new(30);
    let rest = minimum(&net);
    let mut pulled = rest.clone();
    for knot in [400, 431] {
        pulled[3 * knot + 2] += 0.3;
    }
    let divisions = AtomicUsize::new(0);
    let divisible = Divisible { net: &net, active: net.active().to_vec(), divisions: &divisions };
    let run = |objective: &dyn Objective<3>| {
        let mut q = pulled.clone();
        let report = newton(&net, tight(LinearMethod::Direct)).minimize(objective, &mut q).unwrap();
        let off = apart(&q, &rest);
        assert!(report.converged && off < 1e-7, "{off:e} {report:?}");
        report.iterations
    };
    let (by_regions, at_once) = (run(&divisible), run(&net));
    println!("{by_regions} iterations on all of it, {at_once} without regions");
    assert!(divisions.into_inner() > 0 && by_regions < at_once);
}

/// An objective that raises a flag when it is asked for something for the n-th time.
struct Impatient<'a> {
    objective: &'a dyn Objective<3>,
    interrupt: Interrupt,
    questions_left: AtomicUsize,
}

impl Impatient<'_> {
    fn count(&self) {
        if self.questions_left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.interrupt.raise();
        }
    }
}

impl Objective<3> for Impatient<'_> {
    fn pattern(&self) -> &Arc<BlockPattern> {
        self.objective.pattern()
    }

    fn active(&self) -> &[bool] {
        self.objective.active()
    }

    fn value(&self, q: &[f64]) -> f64 {
        self.count();
        self.objective.value(q)
    }

    fn gradient(&self, q: &[f64], out: &mut [f64]) {
        self.count();
        self.objective.gradient(q, out);
    }

    fn hessian(&self, q: &[f64], form: HessianForm, out: &mut BlockMatrix<3>) {
        self.count();
        self.objective.hessian(q, form, out);
    }

    fn restricted<'a>(&'a self, q: &[f64], free: &'a [bool]) -> Option<Restricted<'a, 3>> {
        self.count();
        self.objective.restricted(q, free)
    }
}

#[test]
fn whenever_it_is_interrupted_it_says_so_or_has_the_whole_minimum() {
    let net = HangingNet::new(20);
    let (hangs, divisions) = (minimum(&net), AtomicUsize::new(0));
    let divisible = Divisible { net: &net, active: net.active().to_vec(), divisions: &divisions };
    for method in [LinearMethod::Direct, LinearMethod::Iterative] {
        let minimize = |questions: usize| {
            let interrupt = Interrupt::default();
            let questions_left = AtomicUsize::new(questions);
            let objective = Impatient { objective: &divisible, interrupt, questions_left };
            let mut q = hangs.clone();
            q[3 * 190 + 2] += 0.3;
            let mut newton = newton(&net, tight(method)).with_interrupt(&objective.interrupt);
            let result = newton.minimize(&objective, &mut q);
            (result, q, objective.interrupt.is_raised())
        };
        let (whole, minimum, _) = minimize(usize::MAX);
        assert!(whole.unwrap().iterations > 2);
        let mut broken = 0;
        loop {
            let (result, q, is_raised) = minimize(1 + broken);
            match result {
                Err(NewtonError::Interrupted { .. }) => broken += 1,
                other => {
                    assert_eq!((&other, &q), (&whole, &minimum));
                    // Only what comes last, after which nothing was left to do, may be in time.
                    assert!(!is_raised, "question {}", 1 + broken);
                    break;
                }
            }
        }
        assert!(broken > 10, "{broken}");
    }
    assert!(divisions.load(Ordering::Relaxed) > 0);
}
