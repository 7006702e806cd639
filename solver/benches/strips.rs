//! The parts of an iterative solve: `cargo bench -p hebra-solver --bench strips`.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use hebra_solver::matrix::ProductScratch;
use hebra_solver::pcg::ConjugateGradients;
use hebra_solver::samples::woven_square;
use hebra_solver::strips::Strips;

fn strips(c: &mut Criterion) {
    let mut group = c.benchmark_group("strips");
    group.sample_size(10).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    for side in [60, 141, 316] {
        let (matrix, _, groups) = woven_square(side);
        let mut strips = Strips::new(matrix.pattern(), &groups);
        let b: Vec<f64> = (0..matrix.n_unknowns()).map(|i| (i as f64).sin()).collect();
        let mut x = vec![0.0; b.len()];
        let mut scratch = ProductScratch::default();
        let mut cg = ConjugateGradients::new(b.len());
        cg.tolerance = 1e-2;
        let crossings = side * side;
        group.throughput(Throughput::Elements(crossings as u64));
        let id = |name| BenchmarkId::new(name, crossings);
        group.bench_function(id("factor"), |t| t.iter(|| strips.factor(black_box(&matrix))));
        group.bench_function(id("apply"), |t| t.iter(|| strips.apply(black_box(&b), &mut x)));
        group.bench_function(id("product"), |t| {
            t.iter(|| matrix.multiply(black_box(&b), &mut x, &mut scratch))
        });
        group.bench_function(id("solve to 1e-2"), |t| {
            t.iter(|| cg.solve(black_box(&matrix), &mut strips, &b, &mut x));
        });
    }
    group.finish();
}

criterion_group!(benches, strips);
criterion_main!(benches);
