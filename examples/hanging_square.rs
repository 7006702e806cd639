//! cargo run --release --example hanging_square
//!
//! A woven square of 20 by 20 yarns falls, held by two corners. Prints energies and writes
//! `out/hanging_square.png`.

#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use std::error::Error;
use std::path::Path;

use hebra::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let corner = |weft| Clamp::of(Selection::crossing("cloth", -1, weft));
    let mut simulation = Scene::default()
        .with_fabric(Fabric::plain(20, 20, 0.5e-3).named("cloth").of("cotton"))
        .with_clamp(corner(0))
        .with_clamp(corner(-1))
        .build()?;
    println!("{:>7} {:>12} {:>12} {:>14}", "t, s", "kinetic, J", "elastic, J", "dissipated, J");
    simulation.run_until(0.1, |_, report| {
        if report.step % 10 == 0 {
            let e = report.energies;
            println!("{:7.3} {:12.3e} {:12.3e} {:14.3e}", report.time, e.kinetic, e.elastic, e.dissipated);
        }
        ControlFlow::Continue(())
    })?;
    let file = Path::new("out/hanging_square.png");
    std::fs::create_dir_all("out")?;
    write_png(file, &render(&simulation.frame(), &RenderOptions::default()))?;
    println!("the picture is {}", file.display());
    Ok(())
}
