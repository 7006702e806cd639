//! Ordering, factorisation and substitution on woven squares, five unknowns a crossing.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use hebra_solver::cholesky::Cholesky;
use hebra_solver::samples::WovenSquare;

fn woven_square(c: &mut Criterion) {
    for m in [45, 141] {
        let weave = WovenSquare::crimped(m);
        let (a, points) = (weave.matrix(), weave.coordinates());
        let pattern = a.pattern();
        let mut group = c.benchmark_group(format!("{} crossings", m * m));
        group.sample_size(10);
        group.bench_function("order and lay out", |b| b.iter(|| Cholesky::<5>::new(pattern, Some(&points))));
        let mut cholesky = Cholesky::<5>::new(pattern, Some(&points));
        group.bench_function("factor", |b| b.iter(|| black_box(cholesky.factor(&a))));
        let (rhs, mut x) = (vec![1.0; a.n_unknowns()], vec![0.0; a.n_unknowns()]);
        group.bench_function("solve", |b| b.iter(|| cholesky.solve(black_box(&rhs), &mut x)));
    }
}

criterion_group!(benches, woven_square);
criterion_main!(benches);
