//! What thickness costs: `cargo bench --bench thickness` prints the table of `benches/README.md`.

#![allow(clippy::expect_used, clippy::print_stdout, reason = "a command that prints a table")]

use hebra::prelude::*;

/// Steps that are run before the measured ones, and how many are measured.
const WARM_UP: usize = 5;
const MEASURED: usize = 20;

fn main() {
    println!(
        "| cloth | thickness | Newton its a step | assembly, ms an iteration | linear, ms an iteration | s a step |"
    );
    println!("|{}", "---|".repeat(6));
    for (name, scene) in [
        ("plain weave, 50 x 50", hanging as fn(bool) -> Scene),
        ("jersey, 20 x 20", jersey),
        ("rib, 20 x 20", rib),
    ] {
        for is_thick in [false, true] {
            run(name, is_thick, &scene(is_thick));
        }
    }
}

/// Hung from two corners.
fn hanging(has_crimp: bool) -> Scene {
    let corner = |weft| Clamp::of(Selection::crossing("cloth", -1, weft));
    let cloth = Fabric::plain(50, 50, 5e-4).named("cloth");
    let cloth = if has_crimp { cloth.crimped(Crimp::default()) } else { cloth };
    Scene::default().with_fabric(cloth).with_clamp(corner(0)).with_clamp(corner(-1))
}

/// On the machine, about to come to rest.
fn jersey(thickness: bool) -> Scene {
    Scene::default().with_knit(Knit { thickness, set: 0.8, ..Knit::jersey(20, 20) })
}

fn rib(thickness: bool) -> Scene {
    let rib = KnitPattern::Rib { knit: 2, purl: 2 };
    Scene::default().with_knit(Knit { thickness, set: 0.8, ..Knit::jersey(20, 20).knitted(rib) })
}

fn run(name: &str, is_thick: bool, scene: &Scene) {
    let mut simulation = scene.build().expect("a sound scene");
    let mut before = Vec::new();
    let (mut seconds, mut newton) = (0.0, 0);
    for k in 0..WARM_UP + MEASURED {
        if k == WARM_UP {
            before = simulation.seconds_by_phase();
        }
        let report = simulation.step().expect("a step");
        if k >= WARM_UP {
            seconds += report.seconds;
            newton += report.newton_iterations;
        }
    }
    let spent = |belongs: &dyn Fn(&str) -> bool| -> f64 {
        let phases = simulation.seconds_by_phase();
        phases.iter().zip(&before).filter(|(a, _)| belongs(a.0)).map(|(a, b)| a.1 - b.1).sum()
    };
    let an_iteration = 1e3 / f64::from(newton);
    let assembly = spent(&|n| ["gradient", "hessian", "line_search"].contains(&n)) * an_iteration;
    let linear = spent(&|n| n.starts_with("linear")) * an_iteration;
    let of = |total: f64| total / MEASURED as f64;
    println!(
        "| {name} | {} | {:.1} | {assembly:.1} | {linear:.1} | {:.3} |",
        if is_thick { "yes" } else { "" },
        of(f64::from(newton)),
        of(seconds)
    );
}
