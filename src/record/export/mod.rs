//! Frames in formats of other programs. A further format is one file and a row of [`FORMATS`].

mod csv;
mod obj;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::frame::Frame;

/// A format that frames can be written in, one file a frame.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Its name, which is the files' extension too.
    pub name: &'static str,
    /// What a file holds.
    pub about: &'static str,
    /// Writes a frame.
    pub write: fn(&Frame, &mut dyn Write) -> io::Result<()>,
}

/// All formats.
pub const FORMATS: &[Format] = &[csv::FORMAT, obj::FORMAT];

/// A frame that cannot be exported.
#[derive(Debug, Error)]
pub enum ExportError {
    /// A format that is not in the table.
    #[error("there is no format `{name}`; choose one of: {known}")]
    UnknownFormat {
        /// What was asked for.
        name: String,
        /// Names of all formats.
        known: String,
    },
    /// The file cannot be written.
    #[error("cannot write step {step} to {path}: {source}")]
    Io {
        /// The frame's step.
        step: u64,
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// The format of a name.
///
/// # Errors
/// [`ExportError::UnknownFormat`] with the names of all formats.
pub fn find(name: &str) -> Result<&'static Format, ExportError> {
    FORMATS.iter().find(|format| format.name == name).ok_or_else(|| ExportError::UnknownFormat {
        name: name.to_owned(),
        known: FORMATS.iter().map(|format| format.name).collect::<Vec<_>>().join(", "),
    })
}

/// Writes a frame into a folder that exists, as `frame_STEP.NAME`, and says where.
///
/// # Errors
/// [`ExportError::Io`] if the file cannot be made or the disk is full.
pub fn export(frame: &Frame, format: &Format, folder: &Path) -> Result<PathBuf, ExportError> {
    let path = folder.join(format!("frame_{:08}.{}", frame.step, format.name));
    let write = || {
        let mut file = BufWriter::new(File::create(&path)?);
        (format.write)(frame, &mut file)?;
        file.flush()
    };
    match write() {
        Ok(()) => Ok(path),
        Err(source) => Err(ExportError::Io { step: frame.step, path, source }),
    }
}
