//! What a change of the couplings costs: `cargo bench -p hebra-solver --bench rebuild`.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use hebra_solver::cholesky::Cholesky;
use hebra_solver::coarse::Coarse;
use hebra_solver::linear::Guides;
use hebra_solver::matrix::BlockMatrix;
use hebra_solver::pattern::ChangingPattern;
use hebra_solver::samples::WovenSquare;
use hebra_solver::stencil::Stencils;
use hebra_solver::strips::Strips;

fn rebuild(c: &mut Criterion) {
    let mut group = c.benchmark_group("rebuild");
    group.sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    for side in [100, 316] {
        let weave = WovenSquare::crimped(side);
        let lasting = weave.matrix().pattern().as_ref().clone();
        let guides = Guides { coordinates: weave.coordinates(), groups: weave.groups() };
        let n = (side * side) as u32;
        // The cloth folded along its middle: every tenth block meets four beyond the fold.
        let folded = |i: u32| (0..4).map(move |k| (i, n - 2 * side as u32 - i + k));
        let couplings: Vec<(u32, u32)> =
            (0..n / 2 - 2 * side as u32).step_by(10).flat_map(folded).filter(|c| c.0 < c.1).collect();
        let mut changing = ChangingPattern::new(lasting);
        changing.want(couplings.clone());
        let pattern = Arc::clone(changing.pattern());
        let triples = (0..n - 2).map(|i| std::array::from_fn(|k| 5 * (i + k as u32 / 3) + k as u32 % 3));
        let mut stencils = Stencils::<5, 9>::new(triples.collect(), [0, 0, 0, 1, 1, 1, 2, 2, 2]);
        group.throughput(Throughput::Elements(u64::from(n)));
        let id = |name| BenchmarkId::new(name, n);
        group.bench_function(id("pattern"), |t| {
            t.iter(|| {
                changing.set(Vec::new());
                changing.want(black_box(couplings.clone()))
            })
        });
        group.bench_function(id("matrix"), |t| t.iter(|| BlockMatrix::<5>::new(Arc::clone(&pattern))));
        group.bench_function(id("bind one element a block"), |t| {
            t.iter(|| stencils.bind(black_box(&pattern)))
        });
        let mut strips = Strips::<5>::new(&pattern, &guides.groups);
        group.bench_function(id("strips"), |t| {
            t.iter(|| strips.set_pattern(black_box(&pattern), &guides.groups))
        });
        group.bench_function(id("coarse level"), |t| {
            t.iter(|| Coarse::<5>::new(black_box(&pattern), &guides.coordinates))
        });
        group.bench_function(id("analysis of the factor"), |t| {
            t.iter(|| Cholesky::<5, f32>::new(black_box(&pattern), Some(&guides.coordinates)))
        });
    }
    group.finish();
}

criterion_group!(benches, rebuild);
criterion_main!(benches);
