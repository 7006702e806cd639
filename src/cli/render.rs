//! `hebra render`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::error::CliError;
use super::look::{LookArgs, frame_index};
use super::terminal::{remark, say};
use crate::draw::{RenderOptions, render as draw, write_png};
use crate::record::error::RecordError;
use crate::record::reader::RecordReader;

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
    /// Draw every n-th frame, the first one included.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Draw one frame only, counted from 0, or from the end: -1 is the last.
    #[arg(long, value_name = "N", allow_negative_numbers = true, conflicts_with = "every")]
    frame: Option<i64>,
}

pub(super) fn render(args: &RenderArgs) -> Result<ExitCode, CliError> {
    let mut record = open(&args.record)?;
    let chosen = chosen(args, record.len())?;
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

/// Opens a record that has frames.
pub(super) fn open(folder: &Path) -> Result<RecordReader, CliError> {
    let record = RecordReader::open(folder)?;
    if record.is_empty() {
        return Err(CliError::Usage(format!("{} holds no frames yet", folder.display())));
    }
    if record.is_cut_short() {
        remark(format_args!("{} ends within a frame, which is left out", folder.display()));
    }
    Ok(record)
}

/// The indices of the frames to draw.
fn chosen(args: &RenderArgs, count: usize) -> Result<Vec<usize>, CliError> {
    match args.frame {
        Some(n) => Ok(vec![frame_index(n, count)?]),
        None => Ok((0..count).step_by(args.every as usize).collect()),
    }
}
