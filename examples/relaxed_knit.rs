//! cargo run --release --example relaxed_knit
//!
//! Jersey comes off the machine, and its loops slide until nothing pulls. Prints its size before and after.

#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use std::error::Error;

use hebra::prelude::*;

/// Lengths along the courses and the wales, m.
fn size(simulation: &Simulation) -> [f64; 2] {
    let places = simulation.positions();
    [0, 1].map(|axis| {
        let along = || places.iter().map(|x| x[axis]);
        along().fold(f64::NEG_INFINITY, f64::max) - along().fold(f64::INFINITY, f64::min)
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let forces = Forces { gravity: [0.0; 3], ..Forces::default() };
    let scene = Scene { forces, ..Scene::default() }.with_knit(Knit::jersey(12, 12).of("wool"));
    let mut simulation = scene.to_relax().build()?;
    let before = size(&simulation);
    simulation.relax(Relax { friction: false, ..Relax::default() }, |_, report| {
        println!("step {:3}: elastic {:.3e} J", report.step, report.energies.elastic);
        ControlFlow::Continue(())
    })?;
    for (what, before, after) in [0, 1].map(|k| (["width", "height"][k], before[k], size(&simulation)[k])) {
        println!("{what}: {:.1} mm, {:.1} mm at rest", 1e3 * before, 1e3 * after);
    }
    Ok(())
}
