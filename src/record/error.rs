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
    /// A record that is there already.
    #[error(
        "{} holds a record of the scene `{scene}` ({steps} steps; {because}): go on with it by --resume, replace it by \
         --force, or give another folder by --out",
        path.display()
    )]
    Recorded {
        /// The folder.
        path: PathBuf,
        /// Scene of the record.
        scene: String,
        /// Its accepted steps.
        steps: u64,
        /// Why it stopped.
        because: String,
    },
    /// A record that another run writes now.
    #[error(
        "{} is being written by another run{}: wait until it has ended, or give another folder by --out",
        path.display(),
        process.map_or_else(String::new, |id| format!(" (process {id})"))
    )]
    InUse {
        /// The folder.
        path: PathBuf,
        /// Id of the run's process, where the system tells.
        process: Option<u32>,
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
    /// A scene of which a file is not what it was.
    #[error(
        "{} is not the file that the record in {} was made with: put that one back, or start anew in another folder \
         by --out",
        file.display(),
        path.display()
    )]
    Changed {
        /// The record's folder.
        path: PathBuf,
        /// The file, from the scene's folder.
        file: PathBuf,
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
