//! Conjugate gradients with strips on woven systems.

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

fn iterations(weave: &WovenSquare, b: &[f64], tolerance: f64) -> usize {
    let matrix = weave.matrix();
    let mut strips = Strips::new(matrix.pattern(), &weave.groups());
    strips.factor(&matrix);
    let mut cg = ConjugateGradients::new(b.len());
    cg.tolerance = tolerance;
    let mut x = vec![0.0; b.len()];
    let outcome = cg.solve(&matrix, &mut strips, b, &mut x);
    assert_eq!(outcome.ending, Ending::Converged);
    outcome.iterations
}

#[test]
fn counts_do_not_grow_with_the_size() {
    for m in [20, 40, 60] {
        let (flat, crimped) = (WovenSquare::flat(m), WovenSquare::crimped(m));
        let b = noise(5 * m * m);
        for t in [1e-2, 1e-4, 1e-8] {
            println!("{m} {t:e} flat {} crimped {}", iterations(&flat, &b, t), iterations(&crimped, &b, t));
        }
    }
}
