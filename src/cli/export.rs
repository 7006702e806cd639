//! `hebra export`.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::error::CliError;
use super::frames::{FrameArgs, open};
use super::terminal::say;
use crate::export::{DEFAULT_PIECES, FORMATS, Format, Options, Target, find};
use crate::record::error::RecordError;

/// What to export.
#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    /// The record's folder.
    record: PathBuf,
    /// The format.
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    to: &'static Format,
    /// Folder of the files (default: named after the format, in the record).
    #[arg(long)]
    out: Option<PathBuf>,
    #[command(flatten)]
    frames: FrameArgs,
    #[arg(long, value_name = "N", help = smooth_help(), value_parser = clap::value_parser!(u16).range(1..=100))]
    smooth: Option<u16>,
    /// Write closed tubes in place of lines.
    #[arg(long)]
    tubes: bool,
    /// Sides of a tube.
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u16).range(3..=100))]
    sides: u16,
    /// Write the obstacles too.
    #[arg(long)]
    obstacles: bool,
}

pub(super) fn export(args: &ExportArgs) -> Result<ExitCode, CliError> {
    let (format, options) = (args.to, args.options());
    format.check(&options)?;
    let mut record = open(&args.record)?;
    let chosen = args.frames.indices(record.len())?;
    let folder = args.out.clone().unwrap_or_else(|| args.record.join(format.name));
    fs::create_dir_all(&folder).map_err(RecordError::at(&folder))?;
    let times: Vec<f64> = record.frames().map(|f| f.time).collect();
    let times = chosen.iter().map(|&i| times[i]).collect();
    let mut exporter = format.open(Target { folder: folder.clone(), times, options })?;
    for &index in &chosen {
        exporter.frame(index, &record.frame(index)?)?;
    }
    exporter.finish()?;
    let frames = if chosen.len() == 1 { "frame" } else { "frames" };
    say(format_args!("{} {frames} as {} in {}", chosen.len(), format.name, folder.display()));
    Ok(ExitCode::SUCCESS)
}

impl ExportArgs {
    fn options(&self) -> Options {
        let smooth = self.smooth.map(usize::from);
        Options { smooth, tubes: self.tubes, sides: self.sides.into(), obstacles: self.obstacles }
    }
}

fn smooth_help() -> String {
    format!(
        "Straight pieces of a yarn between two nodes (default: {DEFAULT_PIECES}; in usda the exact curve)"
    )
}

fn formats() -> impl TypedValueParser<Value = &'static Format> {
    let values = FORMATS.iter().map(|format| PossibleValue::new(format.name).help(format.about));
    PossibleValuesParser::new(values).try_map(|name| find(&name).ok_or("no such format"))
}
