//! Newton's method on a hanging net.

use std::sync::Arc;

use hebra_solver::linear::{Guides, LinearMethod};
use hebra_solver::newton::{Newton, NewtonError, NewtonOptions};
use hebra_solver::objective::Objective;
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
        let apart = q.iter().zip(&minima[0]).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        assert!(apart < 1e-7, "{apart:e}");
    }
}

#[test]
fn an_indefinite_start_is_survived() {
    let mut net = HangingNet::new(8);
    net.exact_hessian = true;
    let mut q = net.sheet(0.6);
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
