//! `hebra view`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::error::CliError;
use super::look::LookArgs;
use super::window;

/// What to look at.
#[derive(Debug, Args)]
pub(super) struct ViewArgs {
    /// A record's folder, or a scene's file, which is simulated while you look and not recorded.
    what: PathBuf,
    #[command(flatten)]
    look: LookArgs,
    /// Write one frame of a record as a PNG picture by the graphics driver instead; needs no screen.
    #[arg(long, value_name = "FILE")]
    snapshot: Option<PathBuf>,
    /// The frame of the snapshot, counted from 0, or from the end: -1 is the last.
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = -1, requires = "snapshot")]
    frame: i64,
}

pub(super) fn view(args: &ViewArgs) -> Result<ExitCode, CliError> {
    match &args.snapshot {
        Some(file) => window::snapshot(&args.what, args.frame, file, &args.look)?,
        None if args.what.is_file() => window::simulate(&args.what, &args.look)?,
        None => window::play(&args.what, &args.look)?,
    }
    Ok(ExitCode::SUCCESS)
}
