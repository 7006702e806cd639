//! Seconds a step and peak memory of plain-weave squares hanging from two corners:
//! `cargo bench --bench scaling` prints the table of `benches/README.md`.
//! Sizes (crossings a side) may be given: `cargo bench --bench scaling -- 50 100`.

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command that prints a table"
)]

mod common;

use common::{arguments, in_a_process_of_its_own, peak_memory_gigabytes};
use hebra::prelude::*;

/// Steps that are run before the measured ones, and how many are measured.
const WARM_UP: usize = 5;
const MEASURED: usize = 20;

fn main() {
    match arguments().as_slice() {
        [mode, side] if mode == "one" => one(side.parse().expect("crossings a side")),
        sizes => table(sizes),
    }
}

fn table(sizes: &[String]) {
    let defaults = ["50", "100", "200", "316"].map(String::from);
    println!(
        "| crossings | seconds a step | Newton its | CG its | factorisations | assembly | peak memory |"
    );
    println!("|---|---|---|---|---|---|---|");
    for side in if sizes.is_empty() { &defaults } else { sizes } {
        in_a_process_of_its_own(&["one", side]);
    }
}

fn one(side: usize) {
    let mut simulation = hanging(side);
    let (mut seconds, mut newton, mut cg, mut factors) = (0.0, 0, 0, 0);
    let mut before = Vec::new();
    for k in 0..WARM_UP + MEASURED {
        if k == WARM_UP {
            before = simulation.seconds_by_phase();
        }
        let report = simulation.step().expect("a step");
        if k >= WARM_UP {
            seconds += report.seconds;
            newton += report.newton_iterations;
            cg += report.linear_iterations;
            factors += report.factorisations;
        }
        if std::env::var_os("VERBOSE").is_some() {
            eprintln!("{report:?}");
        }
    }
    let spent: Vec<(&str, f64)> =
        simulation.seconds_by_phase().iter().zip(&before).map(|(a, b)| (a.0, a.1 - b.1)).collect();
    let is_assembly = |n: &str| !n.starts_with("linear") && n != "regions";
    let assembly: f64 = spent.iter().filter(|(n, _)| is_assembly(n)).map(|(_, s)| s).sum();
    if std::env::var_os("VERBOSE").is_some() {
        eprintln!("{spent:?}");
    }
    let per = |x: u32| f64::from(x) / MEASURED as f64;
    println!(
        "| {} | {:.3} | {:.1} | {:.0} | {:.1} | {:.0} % | {:.2} GB |",
        side * side,
        seconds / MEASURED as f64,
        per(newton),
        per(cg),
        per(factors),
        100.0 * assembly / seconds,
        peak_memory_gigabytes()
    );
}

fn hanging(side: usize) -> Simulation {
    let corner = |weft| Clamp::of(Selection::crossing("cloth", -1, weft));
    let scene = Scene::default()
        .with_fabric(Fabric::plain(side, side, 5e-4).named("cloth"))
        .with_clamp(corner(0))
        .with_clamp(corner(-1));
    scene.build().expect("a sound scene")
}
