//! `hebra render`.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::error::CliError;
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
    /// Pixels across and down.
    #[arg(long, default_value = "1280x720", value_parser = size)]
    size: [u32; 2],
    /// Draw every n-th frame, the first one included.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
}

pub(super) fn render(args: &RenderArgs) -> Result<ExitCode, CliError> {
    let mut record = open(&args.record)?;
    let folder = args.out.clone().unwrap_or_else(|| args.record.join("pictures"));
    fs::create_dir_all(&folder).map_err(RecordError::at(&folder))?;
    let [width, height] = args.size;
    let options = RenderOptions { width, height, ..RenderOptions::default() };
    let chosen = (0..record.len()).step_by(args.every as usize);
    let count = chosen.len();
    for index in chosen {
        let picture = draw(&record.frame(index)?, &options);
        write_png(&folder.join(format!("frame_{index:05}.png")), &picture)?;
    }
    say(format_args!("{count} pictures in {}", folder.display()));
    Ok(ExitCode::SUCCESS)
}

/// Opens a record that has frames.
pub(super) fn open(folder: &std::path::Path) -> Result<RecordReader, CliError> {
    let record = RecordReader::open(folder)?;
    if record.is_empty() {
        return Err(CliError::Usage(format!("{} holds no frames yet", folder.display())));
    }
    if record.is_cut_short() {
        remark(format_args!("{} ends within a frame, which is left out", folder.display()));
    }
    Ok(record)
}

/// `WxH`, from 16 to 16384 pixels each.
fn size(text: &str) -> Result<[u32; 2], String> {
    let parts = text.split_once('x').and_then(|(w, h)| Some([w.parse().ok()?, h.parse().ok()?]));
    let is_drawable = |s: &[u32; 2]| s.iter().all(|n| (16..=16384).contains(n));
    parts
        .filter(is_drawable)
        .ok_or_else(|| "expected WxH, as in 1280x720, from 16 to 16384 pixels each".into())
}
