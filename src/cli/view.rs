//! `hebra view`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::error::CliError;

/// What to look at.
#[derive(Debug, Args)]
pub(super) struct ViewArgs {
    /// A record's folder or a scene's file.
    pub(super) what: PathBuf,
}

pub(super) fn view(args: &ViewArgs) -> Result<ExitCode, CliError> {
    Err(no_window(&format!("hebra render {} draws pictures without one", args.what.display())))
}

/// The error of a program that was built without windows.
pub(super) fn no_window(instead: &str) -> CliError {
    CliError::Usage(format!(
        "this hebra was built without windows: build it by `cargo build --release --features viewer`; {instead}"
    ))
}
