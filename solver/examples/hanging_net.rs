//! cargo run --release -p hebra-solver --example hanging_net
//!
//! A net of strings falls for a tenth of a second by implicit steps, then finds how it hangs at rest.
#![allow(clippy::print_stdout, reason = "an example talks")]

use std::sync::Arc;

use hebra_solver::linear::Guides;
use hebra_solver::newton::{Newton, NewtonError, NewtonOptions};
use hebra_solver::objective::Objective;
use hebra_solver::samples::HangingNet;
use hebra_solver::time::Scheme;

/// Mass of a knot, kg.
const MASS: f64 = 0.01;
/// Time step, s.
const STEP: f64 = 0.01;

fn main() -> Result<(), NewtonError> {
    let mut net = HangingNet::new(40);
    let guides = Guides { coordinates: net.coordinates(), groups: net.groups() };
    let mut newton = Newton::new(Arc::clone(net.pattern()), guides, NewtonOptions::default());
    let scheme = Scheme::BackwardEuler;

    let mut q = net.start().to_vec();
    let mut v = vec![0.0; q.len()];
    // The next position minimises a m |q - q*|^2 / 2 + E(q), where inertia alone would lead to q*.
    net.proximal_stiffness = scheme.inertia(STEP) * MASS;
    for step in 1..=10 {
        let q_n = q.clone();
        scheme.predict(&q_n, &v, STEP, net.start_mut());
        let report = newton.minimize(&net, &mut q)?;
        scheme.velocity(&q, &q_n, &mut v, STEP);
        println!(
            "{:.2} s: {} iterations, lowest knot {:.4} m",
            step as f64 * STEP,
            report.iterations,
            lowest(&q)
        );
    }

    net.proximal_stiffness = 0.0;
    let report = newton.minimize(&net, &mut q)?;
    println!(
        "at rest: {} iterations, {} of conjugate gradients by {:?}, lowest knot {:.4} m",
        report.iterations,
        report.cg_iterations,
        report.method,
        lowest(&q)
    );
    println!("{:.3} s in all", newton.statistics().seconds());
    Ok(())
}

fn lowest(q: &[f64]) -> f64 {
    q.chunks_exact(3).map(|x| x[2]).fold(f64::INFINITY, f64::min)
}
