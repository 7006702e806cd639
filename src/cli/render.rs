//! `hebra render`.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::error::CliError;
use super::frames::{FrameArgs, open};
use super::look::LookArgs;
use super::terminal::say;
use crate::draw::{RenderOptions, render as draw, write_png};
use crate::record::error::RecordError;

/// What to draw.
#[derive(Debug, Args)]
pub(super) struct RenderArgs {
    /// The record's folder.
    record: PathBuf,
    /// Folder of the pictures (default: `pictures` in the record).
    #[arg(long)]
    out: Option<PathBuf>,
    #[command(flatten)]
    look: LookArgs,
    #[command(flatten)]
    frames: FrameArgs,
}

pub(super) fn render(args: &RenderArgs) -> Result<ExitCode, CliError> {
    let mut record = open(&args.record)?;
    let chosen = args.frames.indices(record.len())?;
    let folder = args.out.clone().unwrap_or_else(|| args.record.join("pictures"));
    fs::create_dir_all(&folder).map_err(RecordError::at(&folder))?;
    let [width, height] = args.look.size;
    let camera = Some(args.look.camera(&mut record)?);
    let range = args.look.range(&mut record, chosen.iter().copied())?;
    let colour = args.look.colour;
    let options = RenderOptions { width, height, camera, colour, range, ..RenderOptions::default() };
    for &index in &chosen {
        let picture = draw(&record.frame(index)?, &options);
        write_png(&folder.join(format!("frame_{index:05}.png")), &picture)?;
    }
    say(format_args!("{} pictures in {}", chosen.len(), folder.display()));
    Ok(ExitCode::SUCCESS)
}
