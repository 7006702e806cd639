//! `hebra check`.

use std::process::ExitCode;

use super::error::CliError;
use super::scene::SceneArgs;
use super::terminal::say;
use crate::scene::build::build;

pub(super) fn check(args: &SceneArgs) -> Result<ExitCode, CliError> {
    let opened = args.open()?;
    let built = opened.located(build(&opened.scene))?;
    let counts = built.simulation.counts();
    say(format_args!(
        "{}: the scene `{}` can be run: {} rods, {} contacts, {} unknowns",
        args.scene.display(),
        opened.scene.name,
        counts.rods,
        counts.contacts,
        counts.unknowns
    ));
    Ok(ExitCode::SUCCESS)
}
