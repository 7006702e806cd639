//! Appends to a file that was written before.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom};
use std::path::Path;

use super::error::RecordError;

/// Opens a file behind its first `length` bytes and cuts off the rest.
pub(super) fn open_behind(path: &Path, length: u64) -> Result<File, RecordError> {
    let mut file = OpenOptions::new().write(true).open(path).map_err(RecordError::at(path))?;
    let found = file.metadata().map_err(RecordError::at(path))?.len();
    if found < length {
        let message = format!("it ends there, the checkpoint was taken at {length} bytes");
        return Err(RecordError::Damaged { path: path.into(), at: found, message });
    }
    file.set_len(length).and_then(|()| file.seek(SeekFrom::Start(length))).map_err(RecordError::at(path))?;
    Ok(file)
}
