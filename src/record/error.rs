//! What can go wrong between a run and the disk.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// A record that cannot be written or read.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A folder with something else in it.
    #[error("{} is not empty and not a record of hebra: give another folder by --out, or write into it by --force", path.display())]
    NotARecord {
        /// The folder.
        path: PathBuf,
    },
    /// A record of another scene.
    #[error("{} is a record of the scene `{found}`, not of `{scene}`: give another folder by --out, or overwrite it by --force", path.display())]
    OtherScene {
        /// The folder.
        path: PathBuf,
        /// Scene of the record.
        found: String,
        /// Scene to be run.
        scene: String,
    },
    /// A folder without the files of a record.
    #[error("{} holds no record: `hebra run SCENE.ron --out {}` makes one", path.display(), path.display())]
    Missing {
        /// The folder.
        path: PathBuf,
    },
    /// A record that no run can go on with.
    #[error("{} has no checkpoint to resume from: leave out --resume to start anew", path.display())]
    NoCheckpoint {
        /// The folder.
        path: PathBuf,
    },
    /// Not one of hebra's binary files.
    #[error("{} does not start as a file of hebra does", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// A file of another version.
    #[error("{} has format {found}, this version of hebra reads format {supported}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The version that is read.
        supported: u32,
    },
    /// Bytes that do not fit together.
    #[error("{} is damaged at byte {at}: {message}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Byte of the file.
        at: u64,
        /// What does not fit.
        message: String,
    },
    /// A frame that the record does not have.
    #[error("there is no frame {index} in a record of {count}")]
    NoFrame {
        /// The index asked for, from zero.
        index: usize,
        /// Frames of the record.
        count: usize,
    },
}

impl RecordError {
    /// Adds the path to an error of the system: `.map_err(RecordError::at(path))`.
    pub fn at(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |source| Self::Io { path: path.into(), source }
    }
}
