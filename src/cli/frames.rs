//! Which frames of a record: options that several commands share.

use std::path::Path;

use clap::Args;

use super::error::CliError;
use super::look::frame_index;
use super::terminal::remark;
use crate::record::reader::RecordReader;

/// Which frames of a record.
#[derive(Debug, Clone, Args)]
pub(super) struct FrameArgs {
    /// Take every n-th frame, the first one included.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Take one frame only, counted from 0, or from the end: -1 is the last.
    #[arg(long, value_name = "N", allow_negative_numbers = true, conflicts_with = "every")]
    frame: Option<i64>,
}

impl FrameArgs {
    /// Their indices in a record of `count` frames.
    pub(super) fn indices(&self, count: usize) -> Result<Vec<usize>, CliError> {
        match self.frame {
            Some(n) => Ok(vec![frame_index(n, count)?]),
            None => Ok((0..count).step_by(self.every as usize).collect()),
        }
    }
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
