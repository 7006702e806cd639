//! `hebra check`.

use std::process::ExitCode;

use clap::Args;

use super::error::CliError;
use super::scene::SceneArgs;
use super::terminal::say;
use crate::scene::build::build;
use crate::simulation::Simulation;

/// Arguments of `hebra check`.
#[derive(Debug, Clone, Args)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Measure how much of the damping acts on motions that change no strain.
    #[arg(long)]
    damping: bool,
}

pub(super) fn check(args: &CheckArgs) -> Result<ExitCode, CliError> {
    let opened = args.scene.open()?;
    let mut built = opened.located(build(&opened.scene))?;
    let counts = built.simulation.counts();
    say(format_args!(
        "{}: the scene `{}` can be run: {} rods, {} contacts, {} triangles, {} unknowns",
        args.scene.scene.display(),
        opened.scene.name,
        counts.rods,
        counts.contacts,
        counts.triangles,
        counts.unknowns
    ));
    if args.damping {
        say_damping(&mut built.simulation);
    }
    Ok(ExitCode::SUCCESS)
}

fn say_damping(simulation: &mut Simulation) {
    let checks = simulation.check_damping();
    if checks.is_empty() {
        say(format_args!("no term of it is damped"));
        return;
    }
    say(format_args!("damping            outside the strains' gradients    lost in a rigid turn"));
    for check in checks {
        say(format_args!("{:<20} {:>28.1e} {:>23.1e}", check.name, check.outside, check.rigid));
    }
    say(format_args!("good damping has neither; both are parts of the whole, on a state deformed at random"));
}
