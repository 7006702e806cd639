//! `hebra export`.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::error::CliError;
use super::render::open;
use super::terminal::say;
use crate::record::error::RecordError;
use crate::record::export as formats;

/// What to export.
#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    /// The record's folder.
    record: PathBuf,
    /// The format.
    #[arg(long, value_name = "FORMAT")]
    to: String,
    /// Folder of the files (default: named after the format, in the record).
    #[arg(long)]
    out: Option<PathBuf>,
}

pub(super) fn export(args: &ExportArgs) -> Result<ExitCode, CliError> {
    let format = formats::find(&args.to)?;
    let mut record = open(&args.record)?;
    let folder = args.out.clone().unwrap_or_else(|| args.record.join(format.name));
    fs::create_dir_all(&folder).map_err(RecordError::at(&folder))?;
    let count = record.len();
    for frame in record.all() {
        formats::export(&frame?, format, &folder)?;
    }
    say(format_args!("{count} files in {}", folder.display()));
    Ok(ExitCode::SUCCESS)
}
