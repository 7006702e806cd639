//! How conjugate gradients end.

use std::sync::Arc;

use hebra_solver::interrupt::Interrupt;
use hebra_solver::matrix::BlockMatrix;
use hebra_solver::pattern::PatternBuilder;
use hebra_solver::pcg::{ConjugateGradients, Ending, Outcome, Preconditioner};

/// No preconditioner at all.
struct Identity;

impl Preconditioner for Identity {
    fn apply(&mut self, r: &[f64], z: &mut [f64]) {
        z.copy_from_slice(r);
    }
}

/// Throws away half of what it is given, so that the residual cannot fall.
struct Half;

impl Preconditioner for Half {
    fn apply(&mut self, r: &[f64], z: &mut [f64]) {
        z.copy_from_slice(r);
        let half = z.len() / 2;
        z[half..].fill(0.0);
    }
}

/// Wants it to stop when it is asked for the third time.
struct Interrupting(Interrupt, usize);

impl Preconditioner for Interrupting {
    fn apply(&mut self, r: &[f64], z: &mut [f64]) {
        self.1 += 1;
        if self.1 == 3 {
            self.0.raise();
        }
        z.copy_from_slice(r);
    }
}

/// `-x'' + shift x` on `n` points.
fn chain(n: usize, shift: f64) -> BlockMatrix<1> {
    let mut pattern = PatternBuilder::new(n);
    (1..n as u32).for_each(|i| pattern.couple(&[i - 1, i]));
    let mut matrix = BlockMatrix::new(Arc::new(pattern.build()));
    for i in 0..n {
        let row = matrix.pattern().row(i);
        matrix.values_mut()[row.start][0][0] = 2.0 + shift;
        if row.len() > 1 {
            matrix.values_mut()[row.start + 1][0][0] = -1.0;
        }
    }
    matrix
}

fn run(matrix: &BlockMatrix<1>, m: &mut dyn Preconditioner, b: &[f64]) -> (Outcome, Vec<f64>) {
    let mut x = vec![f64::NAN; b.len()];
    let outcome = ConjugateGradients::new(b.len()).solve(matrix, m, b, &mut x);
    (outcome, x)
}

#[test]
fn as_many_iterations_as_unknowns_suffice() {
    let (outcome, x) = run(&chain(30, 0.0), &mut Identity, &[1.0; 30]);
    assert!(outcome.ending == Ending::Converged && outcome.iterations <= 30);
    // x(i) = (i + 1) (n - i) / 2
    assert!(x.iter().enumerate().all(|(i, x)| (x - (i + 1) as f64 * (30 - i) as f64 / 2.0).abs() < 1e-6));
}

#[test]
fn negative_curvature_is_reported_with_a_usable_iterate() {
    let b: Vec<f64> = (0..30).map(|i| 1.0 + (i as f64).sin()).collect();
    let (outcome, x) = run(&chain(30, -0.5), &mut Identity, &b);
    assert_eq!(outcome.ending, Ending::NegativeCurvature);
    assert!(x.iter().all(|x| x.is_finite()));
}

#[test]
fn a_residual_that_does_not_fall_ends_it() {
    let (outcome, _) = run(&chain(2000, 0.0), &mut Half, &[1.0; 2000]);
    assert!(matches!(outcome.ending, Ending::Stagnation), "{outcome:?}");
}

#[test]
fn odd_right_hand_sides_are_handled() {
    let (outcome, x) = run(&chain(5, 0.0), &mut Identity, &[0.0; 5]);
    assert_eq!((outcome.ending, outcome.iterations, x), (Ending::Converged, 0, vec![0.0; 5]));
    let (outcome, _) = run(&chain(5, 0.0), &mut Identity, &[1.0, f64::NAN, 0.0, 0.0, 0.0]);
    assert_eq!(outcome.ending, Ending::NotFinite);
}

#[test]
fn the_cap_holds() {
    let mut cg = ConjugateGradients::new(100);
    cg.max_iterations = 7;
    let outcome = cg.solve(&chain(100, 0.0), &mut Identity, &[1.0; 100], &mut [0.0; 100]);
    assert_eq!((outcome.ending, outcome.iterations), (Ending::IterationCap, 7));
}

#[test]
fn it_stops_when_it_is_asked_to() {
    let mut cg = ConjugateGradients::new(100);
    let mut m = Interrupting(cg.interrupt.clone(), 0);
    let outcome = cg.solve(&chain(100, 0.0), &mut m, &[1.0; 100], &mut [0.0; 100]);
    assert_eq!((outcome.ending, outcome.iterations), (Ending::Interrupted, 3));
}
