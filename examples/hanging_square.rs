//! cargo run --release --example hanging_square
//!
//! A woven square of 20 by 20 yarns falls, held by two corners. Prints energies and writes
//! `out/hanging_square.png`.

#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use std::error::Error;
use std::path::Path;

use hebra::draw::{RenderOptions, render, write_png};
use hebra::scene::build::build;
use hebra::scene::parse::parse;
use hebra::scene::source::Source;

const SCENE: &str = r#"(
    fabrics: [(
        name: "cloth",
        warp: (count: 20, spacing: 0.5e-3),
        weft: (count: 20, spacing: 0.5e-3),
    )],
    clamps: [
        (select: Crossing(fabric: "cloth", warp: -1, weft: 0)),
        (select: Crossing(fabric: "cloth", warp: -1, weft: -1)),
    ],
    until: 0.1,
)"#;

fn main() -> Result<(), Box<dyn Error>> {
    let source = Source::new(Path::new("hanging_square.ron"), SCENE.into());
    let scene = parse(&source)?;
    let mut simulation = build(&scene).map_err(|problems| source.locate(&problems))?.simulation;
    println!("{:>7} {:>12} {:>12} {:>14}", "t, s", "kinetic, J", "elastic, J", "dissipated, J");
    while simulation.time() < scene.until {
        let report = simulation.step()?;
        if report.step % 10 == 0 {
            let e = report.energies;
            println!("{:7.3} {:12.3e} {:12.3e} {:14.3e}", report.time, e.kinetic, e.elastic, e.dissipated);
        }
    }
    let file = Path::new("out/hanging_square.png");
    std::fs::create_dir_all("out")?;
    write_png(file, &render(&simulation.frame(), &RenderOptions::default()))?;
    println!("the picture is {}", file.display());
    Ok(())
}
