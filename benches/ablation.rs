//! What each accelerator of Newton's method and each linear solver saves, left out alone:
//! `cargo bench --bench ablation` prints the table of `benches/README.md`.
//! Scenes may be given: `cargo bench --bench ablation -- drape flag`.

#![allow(clippy::expect_used, clippy::print_stdout, reason = "a command that prints a table")]

#[path = "common/mod.rs"]
#[allow(dead_code, reason = "shared by all benchmarks")]
mod common;

use std::path::Path;
use std::process::Command;

use common::arguments;
use hebra::scene::build::build;
use hebra::scene::params::Scene;
use hebra::scene::parse::parse;
use hebra::scene::source::Source;
use hebra::simulation::params::SolverParams;
use hebra::simulation::relax::Relaxation;
use hebra_solver::linear::LinearMethod;

/// A scene, what is set in it, and how many steps are made; none where it is relaxed.
struct Case {
    scene: &'static str,
    set: &'static [&'static str],
    steps: Option<usize>,
}

const CASES: [Case; 11] = [
    case("drape", &["fabrics[0].warp.count=40", "fabrics[0].weft.count=40"], 50),
    case("flag", &["fabrics[0].warp.count=24", "fabrics[0].weft.count=36"], 80),
    case("tablecloths", &[], 40),
    case("tag_pulled", &[], 30),
    case("tag_buckled", &[], 90),
    case("knit_on_sphere_2", &["knits[0].courses=18", "knits[0].wales=18"], 60),
    case("garment_yarn", &[], 20),
    case("garment_stvk", &[], 40),
    case("fold", &[], 120),
    case("hanging", &[], 60),
    Case { scene: "jersey", set: &["knits[0].courses=20", "knits[0].wales=20"], steps: None },
];

const fn case(scene: &'static str, set: &'static [&'static str], steps: usize) -> Case {
    Case { scene, set, steps: Some(steps) }
}

/// A part and how it is left out.
type Part = (&'static str, fn(&mut SolverParams));

const PARTS: [Part; 7] = [
    ("nothing", |_| {}),
    ("full Hessian", |s| s.accelerators.full_hessian = false),
    ("elimination of regions", |s| s.accelerators.elimination = false),
    ("error test", |s| s.error = Some(0.0)),
    ("loose forcing", |s| s.accelerators.loose_forcing = false),
    ("conjugate gradients", |s| s.linear = LinearMethod::Direct),
    ("factors", |s| s.linear = LinearMethod::Iterative),
];

/// What a run has cost.
#[derive(Debug, Clone, Copy, Default)]
struct Cost {
    /// User time, s.
    seconds: f64,
    newton: u32,
    linear: u32,
    rejected: u32,
    steps: usize,
}

fn main() {
    match arguments().as_slice() {
        [one, scene, part] if one == "one" => run(scene, part),
        scenes => table(scenes),
    }
}

fn table(scenes: &[String]) {
    let is_asked = |case: &&Case| scenes.is_empty() || scenes.iter().any(|s| s == case.scene);
    let cases: Vec<&Case> = CASES.iter().filter(is_asked).collect();
    let names: Vec<&str> = cases.iter().map(|case| case.scene).collect();
    println!("| without | {} |\n|{}", names.join(" | "), "---|".repeat(1 + cases.len()));
    let all: Vec<Cost> = cases.iter().map(|case| measured(case, PARTS[0].0)).collect();
    let absolute = |c: &Cost| format!("{:.1} s, {}, {}", c.seconds, c.newton, c.linear);
    println!("| nothing | {} |", all.iter().map(absolute).collect::<Vec<_>>().join(" | "));
    for (part, _) in &PARTS[1..] {
        let cell = |(case, all): (&&Case, &Cost)| relative(&measured(case, part), all);
        let cells: Vec<String> = cases.iter().zip(&all).map(cell).collect();
        println!("| {part} | {} |", cells.join(" | "));
    }
}

/// User time, Newton and linear iterations over those with all parts, rejected steps, and where it failed.
fn relative(cost: &Cost, all: &Cost) -> String {
    let ratio = |a: u32, b: u32| f64::from(a) / f64::from(b.max(1));
    let (newton, linear) = (ratio(cost.newton, all.newton), ratio(cost.linear, all.linear));
    let mut cell = format!("{:.2}, {newton:.2}, {linear:.1}", cost.seconds / all.seconds);
    if cost.rejected != all.rejected {
        cell += &format!(", {} rejected", cost.rejected);
    }
    if cost.steps < all.steps {
        cell += &format!(", failed after {}", cost.steps);
    }
    cell
}

/// A run in a process of its own, on one thread.
fn measured(case: &Case, part: &str) -> Cost {
    let mut command = Command::new(std::env::current_exe().expect("own path"));
    let output = command.args(["one", case.scene, part]).env("RAYON_NUM_THREADS", "1").output();
    let text = String::from_utf8(output.expect("a process").stdout).expect("text");
    let numbers: Vec<f64> = text.split_whitespace().map(|n| n.parse().expect("a number")).collect();
    let [seconds, newton, linear, rejected, steps] = numbers.try_into().expect("five numbers");
    let (newton, linear, rejected) = (newton as u32, linear as u32, rejected as u32);
    Cost { seconds, newton, linear, rejected, steps: steps as usize }
}

fn run(scene: &str, part: &str) {
    let case = CASES.iter().find(|c| c.scene == scene).expect("a case");
    let scene = scene_of(case, part);
    let mut simulation = build(&scene).expect("a scene").simulation;
    let mut relaxation = case.steps.is_none().then(|| Relaxation::new(&mut simulation, scene.relax));
    let (begun, mut cost) = (user_seconds(), Cost::default());
    for _ in 0..case.steps.unwrap_or(usize::MAX) {
        let report = match &mut relaxation {
            Some(r) if r.is_at_rest() => break,
            Some(r) => r.step(&mut simulation),
            None => simulation.step(),
        };
        // The steps that were made tell where it failed.
        let Ok(report) = report else { break };
        cost.steps += 1;
        cost.newton += report.newton_iterations;
        cost.linear += report.linear_iterations;
        cost.rejected += report.rejected;
    }
    let seconds = user_seconds() - begun;
    println!("{seconds} {} {} {} {}", cost.newton, cost.linear, cost.rejected, cost.steps);
}

fn scene_of(case: &Case, part: &str) -> Scene {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("scenes/{}.ron", case.scene));
    let mut source = Source::read(&file).expect("a scene");
    case.set.iter().for_each(|s| source.set(s).expect("an override"));
    let mut scene = parse(&source).expect("a scene");
    let (_, leave_out) = PARTS.iter().find(|(name, _)| *name == part).expect("a part");
    leave_out(&mut scene.solver);
    if case.steps.is_none() { scene.to_relax() } else { scene }
}

/// User time of this process, s.
fn user_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = text.rsplit(") ").next().unwrap_or_default();
    let ticks = after_name.split_whitespace().nth(11).and_then(|t| t.parse::<f64>().ok());
    ticks.map_or(f64::NAN, |t| t / TICKS_PER_SECOND)
}

/// As Linux has it.
const TICKS_PER_SECOND: f64 = 100.0;
