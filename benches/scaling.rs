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
#[path = "common/steps.rs"]
mod steps;

use common::{arguments, in_a_process_of_its_own, peak_memory_gigabytes};
use hebra::prelude::*;
use steps::Steps;

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
    let steps = Steps::of(&mut hanging(side));
    if std::env::var_os("VERBOSE").is_some() {
        eprintln!("{:#?}\n{:?}", steps.reports, steps.phases);
    }
    let seconds = steps.mean(|r| r.seconds);
    let assembly = steps.seconds_in(|n| !n.starts_with("linear") && n != "regions");
    println!(
        "| {} | {seconds:.3} | {:.1} | {:.0} | {:.1} | {:.0} % | {:.2} GB |",
        side * side,
        steps.mean(|r| r.newton_iterations.into()),
        steps.mean(|r| r.linear_iterations.into()),
        steps.mean(|r| r.factorisations.into()),
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
