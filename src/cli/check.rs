//! `hebra check`.

use std::process::ExitCode;

use clap::Args;

use super::error::CliError;
use super::prepare::prepare;
use super::scene::SceneArgs;
use super::stop::Stop;
use super::terminal::say;
use crate::measure::damping::check_damping;
use crate::scene::words::counted;
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

pub(super) fn check(args: &CheckArgs, stop: &Stop) -> Result<ExitCode, CliError> {
    let opened = args.scene.open()?;
    opened.warn();
    let mut built = opened.located(prepare(&opened.scene, stop))?;
    let counts = built.simulation.counts();
    say(format_args!(
        "{}: the scene `{}` can be run: {}, {}, {}, {}",
        args.scene.scene.display(),
        opened.scene.name,
        counted(counts.rods, "rod"),
        counted(counts.contacts, "contact"),
        counted(counts.triangles, "triangle"),
        counted(counts.unknowns, "unknown")
    ));
    for file in opened.outside() {
        say(format_args!("it reads a file outside its folder: {}", file.display()));
    }
    if args.damping {
        say_damping(&mut built.simulation);
    }
    Ok(ExitCode::SUCCESS)
}

fn say_damping(simulation: &mut Simulation) {
    let checks = check_damping(simulation);
    if checks.is_empty() {
        say(format_args!("no term of it is damped"));
        return;
    }
    say("damping            outside the strains' gradients    lost in a rigid turn");
    for check in &checks {
        say(format_args!("{:<20} {:>28} {:>23}", check.name, percent(check.outside), percent(check.rigid)));
    }
    say(DAMPING);
    if checks.iter().any(|c| c.name == "bending" && c.outside > NOTEWORTHY && c.rigid < NOTEWORTHY) {
        say(BENDING);
    }
}

/// What the numbers of the table mean.
const DAMPING: &str = "
Measured at the start, with every node moved at random by up to a twentieth of the shortest segment.
Outside: of the damping force of a random motion, the part that acts where no strain changes (0 to 100 %).
Lost: what damping takes from a turn that deforms nothing, over what it takes from a random motion of that speed.
Good damping has neither. Where the second is not 0 %, damping brakes motion without deformation, as Rayleigh's does.";

/// Why bending has a part outside.
const BENDING: &str = "
Bending: about 71 % (1/sqrt 2) outside is right for yarns that are nearly straight. They can bend in two directions, and
the strain, the angle, has no gradient there: the change of the bend as a vector is damped, half of which is across the
angle's gradient. A rigid turn loses nothing by it. Bends that stay large are damped by their angles alone.";

/// A part outside that is no rounding.
const NOTEWORTHY: f64 = 1e-6;

/// A part in percent, without rounding errors.
fn percent(part: f64) -> String {
    match part {
        p if p < 1e-9 => "0 %".into(),
        p if p < 1e-3 => format!("{:.0e} %", 100.0 * p),
        p => format!("{:.1} %", 100.0 * p),
    }
}
