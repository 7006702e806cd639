//! `hebra cell`.

use std::process::ExitCode;
use std::time::Instant;

use clap::Args;

use super::error::CliError;
use super::scene::SceneArgs;
use super::terminal::say;
use crate::scene::cell::cell as find;
use crate::scene::error::Problem;
use crate::scene::words::counted;

/// Arguments of `hebra cell`.
#[derive(Debug, Clone, Args)]
pub(super) struct CellArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Stretch along the courses, as a part of the size at rest (default: what nothing pulls at).
    #[arg(long, value_name = "PART", allow_hyphen_values = true)]
    along_courses: Option<f64>,
    /// Stretch along the wales.
    #[arg(long, value_name = "PART", allow_hyphen_values = true)]
    along_wales: Option<f64>,
}

pub(super) fn cell(args: &CellArgs) -> Result<ExitCode, CliError> {
    let opened = args.scene.open()?;
    if opened.scene.knits.is_empty() {
        return Err(CliError::Usage(format!("{} has no knit", args.scene.scene.display())));
    }
    opened.check_memory(&opened.scene, true)?;
    let stretch = [args.along_courses, args.along_wales];
    if let Some(part) = stretch.iter().flatten().find(|part| !(-0.9..10.0).contains(*part)) {
        return Err(CliError::Usage(format!(
            "a stretch by {part} is none between -0.9 and 10 (0.1: by a tenth)"
        )));
    }
    for (i, knit) in opened.scene.knits.iter().enumerate() {
        let begun = Instant::now();
        let found = find(&opened.scene, knit, stretch);
        let found = opened.located(found.map_err(|why| vec![Problem::new(format!("knits[{i}]"), why)]))?;
        let ([rows, wales], [wale, course]) = (found.repeat, found.spacing);
        say(format_args!("{}: a repeat of {rows} x {wales} stitches (rows x wales)", knit.name));
        say(format_args!("  between wales     {:.4} mm", 1e3 * wale));
        say(format_args!("  between rows      {:.4} mm", 1e3 * course));
        say(format_args!("  along courses     {:.3} N/m", found.tension[0]));
        say(format_args!("  along wales       {:.3} N/m", found.tension[1]));
        let [courses, wales] = found.moment.map(|m| 1e6 * m);
        say(format_args!(
            "  moment            {courses:.3} uN along courses, {wales:.3} uN along wales (above 0: rolls to the back)"
        ));
        say(format_args!("  {} in {:.2} s", counted(found.steps, "step"), begun.elapsed().as_secs_f64()));
    }
    Ok(ExitCode::SUCCESS)
}
