//! `hebra cell`.

use std::process::ExitCode;
use std::time::Instant;

use clap::Args;

use super::error::CliError;
use super::scene::SceneArgs;
use super::terminal::say;
use crate::scene::cell::{CellReport, Specimen};
use crate::scene::error::Problem;
use crate::scene::params::Scene;
use crate::scene::words::counted;

/// Arguments of `hebra cell`.
#[derive(Debug, Clone, Args)]
pub(super) struct CellArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Stretch along the courses of a knit or the warp of a weave, as a part of the size at rest (default: what nothing
    /// pulls at); with several, as in 0.02,0.04,0.06, one after another.
    #[arg(
        long,
        visible_alias = "along-warp",
        value_name = "PARTS",
        allow_hyphen_values = true,
        value_delimiter = ','
    )]
    along_courses: Vec<f64>,
    /// Stretch along the wales or the weft; as many as along the courses, or one for all.
    #[arg(
        long,
        visible_alias = "along-weft",
        value_name = "PARTS",
        allow_hyphen_values = true,
        value_delimiter = ','
    )]
    along_wales: Vec<f64>,
}

impl CellArgs {
    /// The stretches, one after another.
    fn stages(&self) -> Result<Vec<[Option<f64>; 2]>, CliError> {
        let along = [&self.along_courses, &self.along_wales];
        if let Some(part) = along.into_iter().flatten().find(|part| !(-0.9..10.0).contains(*part)) {
            return Err(CliError::Usage(format!(
                "a stretch by {part} is none between -0.9 and 10 (0.1: by a tenth)"
            )));
        }
        let n = along.map(Vec::len).into_iter().fold(1, usize::max);
        if let Some(some) = along.iter().find(|parts| parts.len() > 1 && parts.len() < n) {
            return Err(CliError::Usage(format!(
                "{} stretches one way and {n} the other: give as many, or one",
                some.len()
            )));
        }
        let part = |parts: &Vec<f64>, k: usize| parts.get(k).or(parts.first()).copied();
        Ok((0..n).map(|k| along.map(|parts| part(parts, k))).collect())
    }
}

pub(super) fn cell(args: &CellArgs) -> Result<ExitCode, CliError> {
    let opened = args.scene.open()?;
    let Scene { knits, fabrics, .. } = &opened.scene;
    if knits.is_empty() && fabrics.is_empty() {
        return Err(CliError::Usage(format!("{} has neither knit nor weave", args.scene.scene.display())));
    }
    opened.check_memory(&opened.scene, true)?;
    let stages = args.stages()?;
    for (i, fabric) in fabrics.iter().enumerate() {
        let specimen = || Specimen::of_weave(&opened.scene, fabric);
        let told = pull((&fabric.name, &WEAVE), specimen, &stages);
        opened.located(told.map_err(|why| vec![Problem::new(format!("fabrics[{i}]"), why)]))?;
    }
    for (i, knit) in knits.iter().enumerate() {
        let told = pull((&knit.name, &KNIT), || Specimen::of_knit(&opened.scene, knit), &stages);
        opened.located(told.map_err(|why| vec![Problem::new(format!("knits[{i}]"), why)]))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Pulls a specimen from stage to stage; says all of a single one, a line of each of several.
fn pull(
    (name, words): (&str, &Words),
    specimen: impl FnOnce() -> Result<Specimen, String>,
    stages: &[[Option<f64>; 2]],
) -> Result<(), String> {
    let begun = Instant::now();
    let mut specimen = specimen()?;
    let [of_y, of_x] = specimen.repeat();
    say(format_args!("{name}: a repeat of {of_y} x {of_x} {}", words.counted));
    let is_curve = stages.len() > 1;
    if is_curve {
        say_header(words);
    }
    let mut steps = 0;
    for &stage in stages {
        let found = specimen.stretched(stage)?;
        if is_curve {
            say_line(&found);
        } else {
            say_all(words, &found);
        }
        steps = found.steps;
    }
    say(format_args!("  {} in {:.2} s", counted(steps, "step"), begun.elapsed().as_secs_f64()));
    Ok(())
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

fn say_all(words: &Words, found: &CellReport) {
    let Words { between, along, .. } = words;
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
}

fn say_header(words: &Words) {
    let Words { between: [a, b], along: [x, y], .. } = words;
    say(format_args!(
        "  {:>9} {:>9} {:>10} {:>10} {:>9} {:>9}",
        "stretch", "stretch", "N/m", "N/m", "mm", "mm"
    ));
    say(format_args!("  {x:>9} {y:>9} {x:>10} {y:>10} {a:>9} {b:>9}"));
}

fn say_line(found: &CellReport) {
    let ([x, y], [tx, ty]) = (found.stretch, found.tension);
    let [a, b] = found.spacing.map(|s| 1e3 * s);
    say(format_args!("  {x:>9.4} {y:>9.4} {tx:>10.3} {ty:>10.3} {a:>9.4} {b:>9.4}"));
}
