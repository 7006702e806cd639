//! Newton's method on a hanging net.

use std::sync::Arc;

use hebra_solver::linear::{Guides, LinearMethod};
use hebra_solver::newton::{Newton, NewtonError, NewtonOptions};
use hebra_solver::objective::Objective;
use hebra_solver::samples::HangingNet;

pub(crate) fn newton(net: &HangingNet, options: NewtonOptions) -> Newton<3> {
    let guides = Guides { coordinates: net.coordinates(), groups: net.groups() };
    Newton::new(Arc::clone(net.pattern()), guides, options)
}

pub(crate) fn tight(method: LinearMethod) -> NewtonOptions {
    let mut options =
        NewtonOptions { residual_tolerance: 1e-9, correction_tolerance: 1e-9, ..Default::default() };
    options.linear.method = method;
    options
}

/// The unknowns at the net's minimum.
pub(crate) fn minimum(net: &HangingNet) -> Vec<f64> {
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
pub(crate) fn apart(a: &[f64], b: &[f64]) -> f64 {
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
