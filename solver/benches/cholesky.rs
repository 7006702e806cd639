//! Ordering, factorisation and substitution on woven squares, five unknowns a crossing.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use hebra_solver::cholesky::Cholesky;
use hebra_solver::matrix::BlockMatrix;
use hebra_solver::pattern::{BlockPattern, PatternBuilder};

fn square(m: i32) -> (Arc<BlockPattern>, Vec<[f64; 3]>) {
    let mut builder = PatternBuilder::new((m * m) as usize);
    for i in 0..m {
        for j in 0..m {
            for (di, dj) in [(1, 0), (2, 0), (0, 1), (0, 2), (1, 1), (1, -1)] {
                if i + di < m && (0..m).contains(&(j + dj)) {
                    builder.couple(&[(i * m + j) as u32, ((i + di) * m + j + dj) as u32]);
                }
            }
        }
    }
    let points = (0..m * m).map(|k| [f64::from(k / m) * 5e-4, f64::from(k % m) * 5e-4, 0.0]).collect();
    (Arc::new(builder.build()), points)
}

fn laplacian(pattern: &Arc<BlockPattern>) -> BlockMatrix<5> {
    let mut a = BlockMatrix::new(Arc::clone(pattern));
    for i in 0..pattern.n_blocks() {
        for slot in pattern.row(i) {
            let diagonal = pattern.all_columns()[slot] as usize == i;
            for (y, row) in a.values_mut()[slot].iter_mut().enumerate() {
                for (x, value) in row.iter_mut().enumerate() {
                    *value = if diagonal && x == y { 13.0 } else { -0.2 };
                }
            }
        }
    }
    a
}

fn woven_square(c: &mut Criterion) {
    for m in [45, 141] {
        let (pattern, points) = square(m);
        let a = laplacian(&pattern);
        let mut group = c.benchmark_group(format!("{} crossings", m * m));
        group.sample_size(10);
        group.bench_function("order and lay out", |b| b.iter(|| Cholesky::<5>::new(&pattern, Some(&points))));
        let mut cholesky = Cholesky::<5>::new(&pattern, Some(&points));
        group.bench_function("factor", |b| b.iter(|| black_box(cholesky.factor(&a))));
        let (rhs, mut x) = (vec![1.0; a.n_unknowns()], vec![0.0; a.n_unknowns()]);
        group.bench_function("solve", |b| b.iter(|| cholesky.solve(black_box(&rhs), &mut x)));
    }
}

criterion_group!(benches, woven_square);
criterion_main!(benches);
