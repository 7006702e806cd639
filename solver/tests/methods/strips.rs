//! Conjugate gradients with strips on woven systems.

use hebra_solver::matrix::{BlockMatrix, ProductScratch};
use hebra_solver::pcg::{ConjugateGradients, Ending};
use hebra_solver::samples::WovenSquare;
use hebra_solver::strips::Strips;

/// Reproducible noise in (-1, 1).
fn noise(n: usize) -> Vec<f64> {
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    (0..n).map(|_| next()).collect()
}

fn iterations(weave: &WovenSquare, tolerance: f64) -> usize {
    let matrix = weave.matrix();
    let mut strips = Strips::new(matrix.pattern(), &weave.groups());
    strips.factor(&matrix);
    assert_eq!(strips.n_shifted(), 0);
    let b = noise(matrix.n_unknowns());
    let mut cg = ConjugateGradients::new(b.len());
    cg.tolerance = tolerance;
    let mut x = vec![0.0; b.len()];
    let outcome = cg.solve(&matrix, &mut strips, &b, &mut x);
    assert_eq!(outcome.ending, Ending::Converged);
    assert!(true_residual(&matrix, &x, &b) <= 2.0 * tolerance);
    outcome.iterations
}

fn true_residual(matrix: &BlockMatrix<5>, x: &[f64], b: &[f64]) -> f64 {
    let mut ax = vec![0.0; b.len()];
    matrix.multiply(x, &mut ax, &mut ProductScratch::default());
    let squares = |v: &mut dyn Iterator<Item = f64>| v.map(|x| x * x).sum::<f64>().sqrt();
    squares(&mut ax.iter().zip(b).map(|(a, b)| a - b)) / squares(&mut b.iter().copied())
}

#[test]
fn counts_do_not_grow_with_the_size() {
    for (tolerance, bound) in [(1e-2, 60), (1e-4, 90), (1e-8, 160)] {
        for side in [24, 48, 72] {
            let count = iterations(&WovenSquare::crimped(side), tolerance);
            println!("{side} to {tolerance:e}: {count}");
            assert!(count <= bound, "{side} crossings to {tolerance:e}: {count} iterations");
        }
    }
}

#[test]
fn one_strip_of_everything_is_the_inverse() {
    // Yarns numbered one after the other: the band of four yarns holds the whole matrix.
    let weave = WovenSquare::crimped(4);
    let matrix = weave.matrix();
    let mut strips = Strips::new(matrix.pattern(), &[(0..16).collect()]);
    strips.factor(&matrix);
    let b = noise(80);
    let (mut x, mut cg) = (vec![0.0; 80], ConjugateGradients::new(80));
    let outcome = cg.solve(&matrix, &mut strips, &b, &mut x);
    assert!(outcome.iterations <= 4, "{} iterations", outcome.iterations);
}

#[test]
fn blocks_in_no_group_count_as_groups_of_one() {
    let matrix = WovenSquare::flat(10).matrix();
    let b = noise(500);
    let apply = |groups: &[Vec<u32>]| {
        let mut strips = Strips::new(matrix.pattern(), groups);
        strips.factor(&matrix);
        let mut z = vec![0.0; 500];
        strips.apply(&b, &mut z);
        z
    };
    let single: Vec<Vec<u32>> = (0..100).map(|i| vec![i]).collect();
    assert_eq!(apply(&[]), apply(&single));
    // Repeated and unknown blocks do no harm.
    assert_eq!(apply(&[]), apply(&[vec![3, 3, 1000], vec![]]));
}

#[test]
fn an_indefinite_strip_is_raised() {
    let weave = WovenSquare::flat(10);
    let mut matrix = weave.matrix();
    let slot = matrix.pattern().row(37).start;
    matrix.values_mut()[slot][2][2] = -1.0;
    let mut strips = Strips::new(matrix.pattern(), &weave.groups());
    strips.factor(&matrix);
    assert_eq!(strips.n_shifted(), 2);
    let (r, mut z) = (noise(500), vec![0.0; 500]);
    strips.apply(&r, &mut z);
    assert!(z.iter().zip(&r).map(|(z, r)| z * r).sum::<f64>() > 0.0);
}

#[test]
fn threads_change_no_bit() {
    let weave = WovenSquare::crimped(40);
    let solve = |threads| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| {
            let matrix = weave.matrix();
            let mut strips = Strips::new(matrix.pattern(), &weave.groups());
            strips.factor(&matrix);
            let b = noise(matrix.n_unknowns());
            let mut x = vec![0.0; b.len()];
            ConjugateGradients::new(b.len()).solve(&matrix, &mut strips, &b, &mut x);
            x
        })
    };
    assert_eq!(solve(1), solve(2));
    assert_eq!(solve(1), solve(3));
}
