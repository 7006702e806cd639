//! `cargo bench --features viewer --bench viewer`: how long the window takes for a picture, part by part.
//!
//! Without a graphics card the driver draws in software; `WGPU_ADAPTER_NAME` chooses among several.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a program that prints a table")]

#[path = "../tests/common/woven.rs"]
#[allow(dead_code, reason = "shared with the tests")]
mod woven;

use hebra::pattern::weave::Weave;
use hebra::viewer::{ViewOptions, draw_headless};
use woven::Patch;

/// Pictures that the mean is taken over.
const PICTURES: usize = 8;

fn main() {
    println!("crossings  mesh ms  upload ms  draw ms  pictures/s");
    for yarns in [32, 100, 316] {
        let patch = Patch::new(Weave::Plain, yarns);
        let half = patch.half_width();
        // A wave that runs through the cloth.
        let frame = |k: usize| {
            let phase = 0.3 * k as f64;
            patch.frame(|x, y| [x, y, 0.1 * half * (6.0 * x / half + phase).sin() * (1.0 + y / half)])
        };
        let frames: Vec<_> = (0..=PICTURES).map(frame).collect();
        let (_, times) = draw_headless(&frames, &ViewOptions::default()).unwrap();
        let all = times.mesh + times.upload + times.draw;
        println!(
            "{:9}  {:7.1}  {:9.1}  {:7.1}  {:10.1}",
            yarns * yarns,
            1e3 * times.mesh,
            1e3 * times.upload,
            1e3 * times.draw,
            1.0 / all
        );
    }
}
