//! Ordering, factorisation and substitution on woven squares, five unknowns a crossing, beside faer's own sparse Cholesky
//! on the same matrix in the same precision: `cargo bench -p hebra-solver --bench cholesky`.
#![allow(clippy::expect_used, reason = "a benchmark")]

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main};
use faer::linalg::solvers::Solve;
use faer::sparse::linalg::solvers::{Llt, SymbolicLlt};
use faer::sparse::{SparseColMat, Triplet};
use faer::{Col, Side};
use hebra_solver::cholesky::Cholesky;
use hebra_solver::matrix::BlockMatrix;
use hebra_solver::samples::WovenSquare;

fn woven_square(c: &mut Criterion) {
    for m in [45, 141] {
        let weave = WovenSquare::crimped(m);
        let (a, points) = (weave.matrix(), weave.coordinates());
        let mut group = c.benchmark_group(format!("{} crossings", m * m));
        group.sample_size(10);
        ours(&mut group, &a, &points);
        of_faer(&mut group, &a);
    }
}

fn ours(group: &mut BenchmarkGroup<'_, WallTime>, a: &BlockMatrix<5>, points: &[[f64; 3]]) {
    let pattern = a.pattern();
    group.bench_function("order and lay out", |b| b.iter(|| Cholesky::<5>::new(pattern, Some(points))));
    let mut cholesky = Cholesky::<5>::new(pattern, Some(points));
    group.bench_function("factor", |b| b.iter(|| black_box(cholesky.factor(a))));
    let (rhs, mut x) = (vec![1.0; a.n_unknowns()], vec![0.0; a.n_unknowns()]);
    group.bench_function("solve", |b| b.iter(|| cholesky.solve(black_box(&rhs), &mut x)));
}

fn of_faer(group: &mut BenchmarkGroup<'_, WallTime>, a: &BlockMatrix<5>) {
    let lower = lower_triangle(a);
    let order = || SymbolicLlt::try_new(lower.symbolic(), Side::Lower).expect("memory");
    group.bench_function("faer: order and lay out", |b| b.iter(order));
    let symbolic = order();
    let factor =
        || Llt::try_new_with_symbolic(symbolic.clone(), lower.as_ref(), Side::Lower).expect("a factor");
    group.bench_function("faer: factor", |b| b.iter(factor));
    let (factor, rhs) = (factor(), Col::from_fn(a.n_unknowns(), |_| 1.0f32));
    group.bench_function("faer: solve", |b| b.iter(|| factor.solve(black_box(&rhs))));
}

/// Scaled to a unit diagonal, in `f32` as ours is, and raised by what rounding takes from pivots.
fn lower_triangle(a: &BlockMatrix<5>) -> SparseColMat<usize, f32> {
    let (pattern, scale) = (a.pattern(), a.diagonal().iter().map(|d| 1.0 / d.sqrt()).collect::<Vec<f64>>());
    let mut entries = Vec::new();
    for i in 0..pattern.n_blocks() {
        for slot in pattern.row(i) {
            let j = pattern.all_columns()[slot] as usize;
            for (row, values) in a.values()[slot].iter().enumerate() {
                for (column, value) in values.iter().enumerate() {
                    let (row, column) = (5 * i + row, 5 * j + column);
                    let value = value * scale[row] * scale[column];
                    let raised = if row == column { value * (1.0 + RAISED) } else { value };
                    if i != j || row <= column {
                        entries.push(Triplet::new(column, row, raised as f32));
                    }
                }
            }
        }
    }
    SparseColMat::try_new_from_triplets(a.n_unknowns(), a.n_unknowns(), &entries).expect("entries")
}

/// Over the diagonal.
const RAISED: f64 = 1e-4;

criterion_group!(benches, woven_square);
criterion_main!(benches);
