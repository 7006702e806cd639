//! Whatever a text says, it is a scene that can be simulated, or it is refused with a message.
#![no_main]

use std::path::Path;

use hebra::scene::build::build;
use hebra::scene::parse::parse;
use hebra::scene::size::Size;
use hebra::scene::source::Source;
use hebra::scene::validate::validate;
use libfuzzer_sys::fuzz_target;

/// Steps of what has no more than so many unknowns; of what files hold nothing is known.
const STEPS: usize = 2;
const SMALL: f64 = 1000.0;

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
    if Size::of(&scene).unknowns <= SMALL {
        let mut simulation = build(&scene).map_err(located)?.simulation;
        for _ in 0..STEPS {
            simulation.step()?;
        }
    }
    Ok(())
}
