//! `hebra view`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::error::CliError;
use super::look::LookArgs;
use super::scene::SceneArgs;
use super::window;

/// What to look at.
#[derive(Debug, Args)]
pub(super) struct ViewArgs {
    /// A record's folder, or a scene's file, which is simulated while you look and not recorded.
    what: PathBuf,
    #[command(flatten)]
    look: LookArgs,
    /// Override a value of a scene, as of `hebra run`.
    #[arg(long = "set", value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// The scene's file that cameras are saved in while a record is played.
    #[arg(long, value_name = "FILE", conflicts_with = "snapshot")]
    scene: Option<PathBuf>,
    /// Write one frame of a record as a PNG picture by the graphics driver instead; needs no screen.
    #[arg(long, value_name = "FILE")]
    snapshot: Option<PathBuf>,
    /// The frame of the snapshot, counted from 0, or from the end: -1 is the last.
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = -1, requires = "snapshot")]
    frame: i64,
}

pub(super) fn view(args: &ViewArgs) -> Result<ExitCode, CliError> {
    window::settle();
    match &args.snapshot {
        Some(file) => window::snapshot(&args.what, args.frame, file, &args.look)?,
        None if args.what.is_file() => {
            let scene = SceneArgs { scene: args.what.clone(), set: args.set.clone() };
            window::simulate(&scene, &args.look)?;
        }
        None => window::play(&args.what, &args.look, args.scene.as_deref())?,
    }
    Ok(ExitCode::SUCCESS)
}
