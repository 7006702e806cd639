//! Newton's method on objectives that can be divided, and that are interrupted.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hebra_solver::interrupt::Interrupt;
use hebra_solver::linear::LinearMethod;
use hebra_solver::matrix::BlockMatrix;
use hebra_solver::newton::NewtonError;
use hebra_solver::objective::{HessianForm, Objective, Restricted};
use hebra_solver::pattern::BlockPattern;
use hebra_solver::samples::HangingNet;

use crate::newton::{apart, minimum, newton, tight};

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
