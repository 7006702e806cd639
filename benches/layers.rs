//! Seconds a step, by phase, and peak memory of stacked fabrics in their published sizes:
//! `cargo bench --bench layers` prints the table of `benches/README.md`.
//! Steps and scenes may be given: `cargo bench --bench layers -- 100 tablecloths tag_pulled`.

#![allow(clippy::expect_used, clippy::print_stdout, reason = "a command that prints a table")]

mod common;
#[path = "common/phases.rs"]
mod phases;

use std::path::Path;

use common::{arguments, in_a_process_of_its_own, peak_memory_gigabytes};
use hebra::scene::build::build;
use hebra::scene::parse::parse;
use hebra::scene::source::Source;
use phases::{PHASES, seconds_by_phase};

/// Steps that are measured; the first, which sets everything up, is not among them.
const STEPS: &str = "3";
const SCENES: [&str; 3] = ["tablecloths", "tag_pulled", "pocket"];

fn main() {
    let given = arguments();
    if let [one, steps, scene] = given.as_slice()
        && one == "one"
    {
        return run(scene, steps.parse().expect("a number of steps"));
    }
    let steps = given.first().map_or(STEPS, String::as_str);
    let scenes: Vec<&str> = given.iter().skip(1).map(String::as_str).collect();
    let phases = PHASES.map(|p| p.0).join(" | ");
    println!(
        "| scene | EoL | EIL | unknowns | Newton its | CG its | factorisations | {phases} | s a step | longest step \
         | memory |"
    );
    println!("|{}", "---|".repeat(10 + PHASES.len()));
    for scene in if scenes.is_empty() { &SCENES[..] } else { &scenes } {
        in_a_process_of_its_own(&["one", steps, scene]);
    }
}

fn run(scene: &str, steps: usize) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("scenes/full/{scene}.ron"));
    let source = Source::read(&file).expect("a scene");
    let mut simulation = build(&parse(&source).expect("a scene")).expect("a scene").simulation;
    simulation.step().expect("a step");
    let before = simulation.seconds_by_phase();
    let (mut newton, mut cg, mut factors, mut seconds, mut longest) = (0, 0, 0, 0.0, 0.0f64);
    for _ in 0..steps {
        let report = simulation.step().expect("a step");
        newton += report.newton_iterations;
        cg += report.linear_iterations;
        factors += report.factorisations;
        seconds += report.seconds;
        longest = longest.max(report.seconds);
    }
    let per = |x: f64| x / steps as f64;
    let phases = seconds_by_phase(&simulation, &before, steps);
    let counts = simulation.counts();
    println!(
        "| {scene} | {} | {} | {} | {:.1} | {:.0} | {:.1} | {phases} | {:.2} | {longest:.1} | {:.1} GB |",
        counts.eol_intra + counts.eol_inter,
        counts.eil,
        simulation.model().n_dofs(),
        per(f64::from(newton)),
        per(f64::from(cg)),
        per(f64::from(factors)),
        per(seconds),
        peak_memory_gigabytes()
    );
}
