//! Where files go.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use super::sheet::sheets;
use super::solid::Solids;
use super::{ExportError, Exporter, Options, Shot};
use crate::frame::Frame;

/// Where frames are written to and how.
#[derive(Debug, Clone)]
pub struct Target {
    /// A folder that exists.
    pub folder: PathBuf,
    /// Times of all frames to come, s.
    pub times: Vec<f64>,
    /// How they are written.
    pub options: Options,
}

/// A file that is being written, with its path for the sake of errors.
#[derive(Debug)]
pub(super) struct Output {
    path: PathBuf,
    file: BufWriter<File>,
}

/// A file for each frame.
pub(super) struct Each {
    target: Target,
    extension: &'static str,
    write: WriteShot,
    solids: Solids,
}

/// Writes one frame.
pub(super) type WriteShot = fn(&Shot<'_>, &mut dyn Write) -> io::Result<()>;

impl Target {
    /// Makes a file of the folder.
    pub(super) fn create(&self, name: &str) -> Result<Output, ExportError> {
        let path = self.folder.join(name);
        match File::create(&path) {
            Ok(file) => Ok(Output { path, file: BufWriter::new(file) }),
            Err(source) => Err(ExportError::Io { path, source }),
        }
    }

    /// Makes, writes and closes a file of the folder.
    pub(super) fn write(
        &self,
        name: &str,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), ExportError> {
        let mut output = self.create(name)?;
        output.write(content)?;
        output.write(|file| file.flush())
    }

    /// An exporter of a file `frame_NNNNN.EXTENSION` for each frame.
    pub(super) fn each(self, extension: &'static str, write: WriteShot) -> Each {
        Each { solids: Solids::new(self.options.obstacles), target: self, extension, write }
    }
}

impl Output {
    /// Goes on writing.
    pub(super) fn write(
        &mut self,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), ExportError> {
        content(&mut self.file).map_err(|source| ExportError::Io { path: self.path.clone(), source })
    }
}

impl Exporter for Each {
    fn frame(&mut self, index: usize, frame: &Frame) -> Result<(), ExportError> {
        let (solids, sheets) = (self.solids.at(frame), sheets(frame));
        let shot = Shot { frame, options: &self.target.options, solids, sheets };
        let name = format!("frame_{index:05}.{}", self.extension);
        self.target.write(&name, |out| (self.write)(&shot, out))
    }
}
