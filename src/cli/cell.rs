//! `hebra cell`.

use std::process::ExitCode;
use std::time::Instant;

use clap::Args;

use super::error::CliError;
use super::scene::SceneArgs;
use super::terminal::say;
use crate::scene::cell::{CellReport, knit_cell, weave_cell};
use crate::scene::error::Problem;
use crate::scene::params::Scene;
use crate::scene::words::counted;

/// Arguments of `hebra cell`.
#[derive(Debug, Clone, Args)]
pub(super) struct CellArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Stretch along the courses of a knit or the warp of a weave, as a part of the size at rest (default: what nothing
    /// pulls at).
    #[arg(long, visible_alias = "along-warp", value_name = "PART", allow_hyphen_values = true)]
    along_courses: Option<f64>,
    /// Stretch along the wales or the weft.
    #[arg(long, visible_alias = "along-weft", value_name = "PART", allow_hyphen_values = true)]
    along_wales: Option<f64>,
}

pub(super) fn cell(args: &CellArgs) -> Result<ExitCode, CliError> {
    let opened = args.scene.open()?;
    let Scene { knits, fabrics, .. } = &opened.scene;
    if knits.is_empty() && fabrics.is_empty() {
        return Err(CliError::Usage(format!("{} has neither knit nor weave", args.scene.scene.display())));
    }
    opened.check_memory(&opened.scene, true)?;
    let stretch = [args.along_courses, args.along_wales];
    if let Some(part) = stretch.iter().flatten().find(|part| !(-0.9..10.0).contains(*part)) {
        return Err(CliError::Usage(format!(
            "a stretch by {part} is none between -0.9 and 10 (0.1: by a tenth)"
        )));
    }
    let located = |path: String, found: Result<CellReport, String>| {
        opened.located(found.map_err(|why| vec![Problem::new(path, why)]))
    };
    for (i, fabric) in fabrics.iter().enumerate() {
        let begun = Instant::now();
        let found = located(format!("fabrics[{i}]"), weave_cell(&opened.scene, fabric, stretch))?;
        tell((&fabric.name, &WEAVE), &found, begun);
    }
    for (i, knit) in knits.iter().enumerate() {
        let begun = Instant::now();
        let found = located(format!("knits[{i}]"), knit_cell(&opened.scene, knit, stretch))?;
        tell((&knit.name, &KNIT), &found, begun);
    }
    Ok(ExitCode::SUCCESS)
}

/// What a repeat is counted in, its spacings along `x` and `y`, and what runs along them.
struct Words {
    counted: &'static str,
    between: [&'static str; 2],
    along: [&'static str; 2],
}

const KNIT: Words =
    Words { counted: "stitches (rows x wales)", between: ["wales", "rows"], along: ["courses", "wales"] };

const WEAVE: Words =
    Words { counted: "crossings (warps x wefts)", between: ["wefts", "warps"], along: ["warp", "weft"] };

fn tell((name, words): (&str, &Words), found: &CellReport, begun: Instant) {
    let Words { counted: unit, between, along } = words;
    say(format_args!("{name}: a repeat of {} x {} {unit}", found.repeat[0], found.repeat[1]));
    for (what, spacing) in between.iter().zip(found.spacing) {
        say(format_args!("  between {what:<9} {:.4} mm", 1e3 * spacing));
    }
    say(format_args!("  thickness         {:.4} mm", 1e3 * found.thickness));
    for (what, crimp) in along.iter().zip(found.crimp.into_iter().flatten()) {
        say(format_args!("  crimp of {what:<8} {:.2} %", 1e2 * crimp));
    }
    for (what, tension) in along.iter().zip(found.tension) {
        say(format_args!("  along {what:<11} {tension:.3} N/m"));
    }
    let [x, y] = found.moment.map(|m| 1e6 * m);
    say(format_args!(
        "  moment            {x:.3} uN along {}, {y:.3} uN along {} (above 0: rolls to the back)",
        along[0], along[1]
    ));
    say(format_args!("  {} in {:.2} s", counted(found.steps, "step"), begun.elapsed().as_secs_f64()));
}
