//! Seconds a step of the published garment of triangles, by phase, and what damping costs:
//! `cargo bench --bench sheets` prints the tables of `benches/README.md`. Steps may be given: `-- 40`.

#![allow(clippy::expect_used, clippy::print_stdout, reason = "a command that prints a table")]

mod common;
#[path = "common/phases.rs"]
mod phases;

use std::path::Path;

use common::{arguments, in_a_process_of_its_own, peak_memory_gigabytes};
use hebra::model::sheets::SheetShape;
use hebra::potential::damping::DampingKind;
use hebra::scene::build::build;
use hebra::scene::parse::parse;
use hebra::scene::source::Source;
use hebra::simulation::Simulation;
use phases::{PHASES, seconds_by_phase};

/// Steps that are measured, and steps before them in which the smock comes to lie on the body.
const STEPS: &str = "50";
const BEFORE: usize = 100;

/// Squares around and up that make 10,437 vertices, and the published time step, s.
const CELLS: [usize; 2] = [147, 70];
const DT: f64 = 1.6e-3;

fn main() {
    let given = arguments();
    if let [one, steps, kind] = given.as_slice()
        && one == "one"
    {
        return run(kind, steps.parse().expect("a number of steps"));
    }
    let steps = given.first().map_or(STEPS, String::as_str);
    let phases = PHASES.map(|p| p.0).join(" | ");
    println!(
        "| damping | vertices | pairs | Newton its | factorisations | {phases} \
         | s a step | processor s a step | memory |"
    );
    println!("|{}", "---|".repeat(8 + PHASES.len()));
    for kind in ["None", "StrainRate", "Rayleigh"] {
        in_a_process_of_its_own(&["one", steps, kind]);
    }
}

fn run(kind: &str, steps: usize) {
    let mut simulation = smock(kind);
    for _ in 0..BEFORE {
        simulation.step().expect("a step");
    }
    let (before, processor) = (simulation.seconds_by_phase(), processor_seconds());
    let (mut newton, mut factors, mut time) = (0, 0, 0.0);
    for _ in 0..steps {
        let report = simulation.step().expect("a step");
        newton += report.newton_iterations;
        factors += report.factorisations;
        time += report.seconds;
    }
    let per = |x: f64| x / steps as f64;
    println!(
        "| {kind} | {} | {} | {:.2} | {:.2} | {} | {:.3} | {:.3} | {:.2} GB |",
        simulation.model().sheets.vertices.len(),
        simulation.n_collision_pairs(),
        per(f64::from(newton)),
        per(f64::from(factors)),
        seconds_by_phase(&simulation, &before, steps),
        per(time),
        per(processor_seconds() - processor),
        peak_memory_gigabytes()
    );
}

/// The smock of `scenes/garment_stvk.ron` with the published mesh and time step.
fn smock(kind: &str) -> Simulation {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/garment_stvk.ron");
    let mut scene = parse(&Source::read(&file).expect("a scene")).expect("a scene");
    if let SheetShape::Tube { cells, .. } = &mut scene.sheets[0].shape {
        *cells = CELLS;
    }
    scene.solver.dt = DT;
    scene.damping.kind = match kind {
        "None" => DampingKind::None,
        "Rayleigh" => DampingKind::Rayleigh,
        _ => DampingKind::StrainRate,
    };
    build(&scene).expect("a scene").simulation
}

/// Time of processors that this process has had, on Linux.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: f64 = fields.skip(11).take(2).filter_map(|t| t.parse::<f64>().ok()).sum();
    ticks / 100.0
}
