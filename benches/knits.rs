//! Steps and seconds of relaxations: `cargo bench --bench knits` prints the table of `benches/README.md`.

#![allow(clippy::expect_used, clippy::print_stdout, reason = "a command that prints a table")]

use std::path::Path;
use std::time::Instant;

use hebra::model::ids::BlockId;
use hebra::scene::build::build;
use hebra::scene::cell::Specimen;
use hebra::scene::parse::parse;
use hebra::scene::source::Source;
use hebra::simulation::relax::Relaxation;

/// Scenes, and the tightness and the loops both ways where they are not the scene's.
const CASES: [(&str, f64, Option<usize>); 11] = [
    ("jersey", 0.5, Some(20)),
    ("jersey", 0.5, None),
    ("slip_stitch_1", 0.0, None),
    ("slip_stitch_1", 1.0, None),
    ("slip_stitch_2", 0.0, None),
    ("slip_stitch_2", 1.0, None),
    ("slip_stitch_3", 0.0, None),
    ("slip_stitch_3", 1.0, None),
    ("jacquard", 0.0, None),
    ("jacquard", 1.0, None),
    ("rib", 0.5, None),
];

/// Loops both ways of jerseys that start at rest, and steps of theirs in time without gravity.
const LARGE: [usize; 2] = [50, 100];
const STEPS: usize = 20;

/// Scenes whose repeats come to rest among copies of themselves.
const REPEATS: [&str; 7] =
    ["jersey", "rib", "garter", "moss", "slip_stitch_1", "slip_stitch_2", "slip_stitch_3"];

fn main() {
    println!("| knit | tightness | crossings | width mm | height mm | steps | seconds |");
    println!("|{}", "---|".repeat(7));
    CASES.into_iter().for_each(run);
    println!(
        "\n| start: Relaxed | crossings | seconds | largest speed in {STEPS} steps, mm/s | seconds a step |"
    );
    println!("|{}", "---|".repeat(5));
    LARGE.into_iter().for_each(stay);
    println!("\n| repeat | rows x wales | between wales, mm | between rows, mm | steps | seconds |");
    println!("|{}", "---|".repeat(6));
    REPEATS.into_iter().for_each(repeat);
}

fn repeat(name: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("scenes/{name}.ron"));
    let scene = parse(&Source::read(&file).expect("a scene")).expect("a scene");
    let begun = Instant::now();
    let mut specimen = Specimen::of_knit(&scene, &scene.knits[0]).expect("a repeat");
    let found = specimen.stretched([None; 2]).expect("a state of rest");
    let ([rows, wales], [wale, course]) = (specimen.repeat(), found.spacing.map(|s| 1e3 * s));
    let (steps, seconds) = (found.steps, begun.elapsed().as_secs_f64());
    println!("| {name} | {rows} x {wales} | {wale:.3} | {course:.3} | {steps} | {seconds:.2} |");
}

fn stay(loops: usize) {
    let text = format!(
        "(knits: [(name: \"jersey\", courses: {loops}, wales: {loops}, start: Relaxed)], \
         forces: (gravity: (0, 0, 0)), solver: (dt: 5e-4))"
    );
    let scene = parse(&Source::new(Path::new("jersey.ron"), text)).expect("a scene");
    let begun = Instant::now();
    let mut simulation = build(&scene).expect("a scene").simulation;
    let (at_rest, begun) = (begun.elapsed().as_secs_f64(), Instant::now());
    let mut largest = 0.0;
    for _ in 0..STEPS {
        simulation.step().expect("a step");
        let blocks = (0..simulation.model().n_blocks() as u32).map(BlockId);
        largest = blocks.map(|b| simulation.block_velocity(b).norm()).fold(largest, f64::max);
    }
    let seconds = begun.elapsed().as_secs_f64() / STEPS as f64;
    let crossings = simulation.model().contacts.len();
    println!(
        "| jersey {loops} x {loops} | {crossings} | {at_rest:.1} | {:.1e} | {seconds:.2} |",
        1e3 * largest
    );
}

fn run((name, tightness, loops): (&str, f64, Option<usize>)) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("scenes/{name}.ron"));
    let mut scene = parse(&Source::read(&file).expect("a scene")).expect("a scene").to_relax();
    let knit = &mut scene.knits[0];
    knit.tightness = tightness;
    (knit.courses, knit.wales) = loops.map_or((knit.courses, knit.wales), |n| (n, n));
    let label = format!("{name} {} x {}", knit.wales, knit.courses);
    let mut simulation = build(&scene).expect("a scene").simulation;
    let begun = Instant::now();
    let mut relaxation = Relaxation::new(&mut simulation, scene.relax);
    while !relaxation.is_at_rest() {
        relaxation.step(&mut simulation).expect("a step");
    }
    let seconds = begun.elapsed().as_secs_f64();
    let contacts = &simulation.model().contacts;
    let [width, height] = [0, 1].map(|axis: usize| {
        let along = contacts.iter().map(|c| simulation.position(c.nodes[0])[axis]);
        let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        1e3 * (high - low)
    });
    let steps = simulation.steps();
    println!(
        "| {label} | {tightness} | {} | {width:.1} | {height:.1} | {steps} | {seconds:.1} |",
        contacts.len()
    );
}
