//! Time to draw a picture of 1280 x 720 pixels on one thread.

#![allow(clippy::unwrap_used, reason = "a bench may panic")]

#[path = "../tests/common/woven.rs"]
#[allow(dead_code, reason = "shared with the tests")]
mod woven;

use criterion::{Criterion, criterion_group, criterion_main};
use hebra::draw::{RenderOptions, render};
use hebra::pattern::weave::Weave;
use woven::{Patch, drape};

fn draw(c: &mut Criterion) {
    let mut group = c.benchmark_group("render");
    group.sample_size(10);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for yarns in [32, 100, 316] {
        let patch = Patch::new(Weave::Plain, yarns);
        let frame = patch.frame(drape(0.42 * patch.half_width()));
        group.bench_function(format!("{} crossings", yarns * yarns), |b| {
            b.iter(|| pool.install(|| render(&frame, &RenderOptions::default())));
        });
    }
    group.finish();
}

criterion_group!(benches, draw);
criterion_main!(benches);
