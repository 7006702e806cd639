//! What thickness costs: `cargo bench --bench thickness` prints the table of `benches/README.md`.

#![allow(clippy::expect_used, clippy::print_stdout, reason = "a command that prints a table")]

#[path = "common/steps.rs"]
mod steps;

use hebra::prelude::*;
use steps::Steps;

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
    let steps = Steps::of(&mut scene.build().expect("a sound scene"));
    let newton = steps.mean(|r| r.newton_iterations.into());
    let an_iteration = 1e3 / newton;
    let assembly = an_iteration * steps.seconds_in(|n| ["gradient", "hessian", "line_search"].contains(&n));
    let linear = an_iteration * steps.seconds_in(|n| n.starts_with("linear"));
    println!(
        "| {name} | {} | {newton:.1} | {assembly:.1} | {linear:.1} | {:.3} |",
        if is_thick { "yes" } else { "" },
        steps.mean(|r| r.seconds)
    );
}
