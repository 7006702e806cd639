//! Errors of commands and the exit status of each.

use std::path::PathBuf;
use std::process::ExitCode;

use thiserror::Error;

use crate::draw::ImageError;
use crate::export::ExportError;
use crate::record::error::RecordError;
use crate::scene::error::SceneError;
use crate::simulation::SimulationError;
#[cfg(feature = "viewer")]
use crate::viewer::ViewerError;

/// A command that did not do what it was to do.
#[derive(Debug, Error)]
pub(super) enum CliError {
    /// A scene that cannot be run.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A record that cannot be written or read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A simulation that cannot start or go on.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// A picture that cannot be written.
    #[error(transparent)]
    Image(#[from] ImageError),
    /// Frames that cannot be exported.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// A window that cannot be opened.
    #[cfg(feature = "viewer")]
    #[error(transparent)]
    Viewer(#[from] ViewerError),
    /// A film that ffmpeg did not write.
    #[error("ffmpeg could not write {}: {reason}. The frames are there as pictures", path.display())]
    Film {
        /// The film.
        path: PathBuf,
        /// What ffmpeg or the system says.
        reason: String,
    },
    /// A record that could not be written on.
    #[error(
        "{error}\nThe run ends after step {step}: free some room, and --resume goes on from the last checkpoint in {}",
        folder.display()
    )]
    Unwritten {
        /// Its folder.
        folder: PathBuf,
        /// The last step that was accepted.
        step: u64,
        /// What the system says.
        error: RecordError,
    },
    /// Arguments that do not fit together.
    #[error("{0}")]
    Usage(String),
}

impl CliError {
    /// 1 when something could not go on, 2 when something should not have been asked for.
    pub(super) fn status(&self) -> ExitCode {
        let is_misuse = match self {
            Self::Scene(_) | Self::Usage(_) | Self::Export(ExportError::Unsupported { .. }) => true,
            Self::Record(error) => !matches!(error, RecordError::Io { .. } | RecordError::Damaged { .. }),
            Self::Simulation(_)
            | Self::Image(_)
            | Self::Export(_)
            | Self::Film { .. }
            | Self::Unwritten { .. } => false,
            #[cfg(feature = "viewer")]
            Self::Viewer(_) => false,
        };
        ExitCode::from(if is_misuse { 2 } else { 1 })
    }
}
