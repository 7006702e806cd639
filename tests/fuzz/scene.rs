//! Whatever a text says, it is a scene that can be simulated, or it is refused with a message.
#![no_main]

use std::path::Path;

use hebra::model::sheets::SheetShape;
use hebra::scene::build::build;
use hebra::scene::params::Scene;
use hebra::scene::parse::parse;
use hebra::scene::source::Source;
use hebra::scene::validate::validate;
use libfuzzer_sys::fuzz_target;

/// Steps of what is small enough, and how many crossings, loops, segments and squares that is.
const STEPS: usize = 2;
const SMALL: f64 = 200.0;

fuzz_target!(|text: &str| {
    let source = Source::new(Path::new("fuzz.ron"), text.into());
    let _ = simulate(&source).map_err(|error| error.to_string());
});

fn simulate(source: &Source) -> Result<(), Box<dyn std::error::Error>> {
    let scene = parse(source)?;
    let located = |problems: Vec<_>| source.locate(&problems);
    let problems = validate(&scene);
    if !problems.is_empty() {
        return Err(located(problems).into());
    }
    if size(&scene) < SMALL {
        let mut simulation = build(&scene).map_err(located)?.simulation;
        for _ in 0..STEPS {
            simulation.step()?;
        }
    }
    Ok(())
}

/// About how much there is of everything.
fn size(scene: &Scene) -> f64 {
    let woven = scene.fabrics.iter().map(|f| f.warp.count as f64 * f.weft.count as f64);
    let knitted = scene.knits.iter().map(|k| k.courses as f64 * k.wales as f64);
    let rods = scene.rods.iter().map(|r| r.segments as f64);
    let sheets = scene.sheets.iter().map(|s| match &s.shape {
        SheetShape::Rectangle { cells, .. } | SheetShape::Tube { cells, .. } => {
            cells[0] as f64 * cells[1] as f64
        }
        // Of what a file holds nothing is known.
        SheetShape::File { .. } => f64::INFINITY,
    });
    woven.chain(knitted).chain(rods).chain(sheets).sum()
}
