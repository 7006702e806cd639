//! Films by ffmpeg.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::error::CliError;
use crate::draw::Image;

/// A film that is being written: pictures go to ffmpeg as they are drawn.
pub(super) struct Film {
    path: PathBuf,
    process: Child,
}

/// Whether ffmpeg can be run.
pub(super) fn check() -> Result<(), CliError> {
    let tried = Command::new("ffmpeg").arg("-version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if tried.is_ok_and(|status| status.success()) {
        return Ok(());
    }
    Err(CliError::Usage(
        "--video needs ffmpeg, which is not on the PATH (`apt install ffmpeg`, `brew install ffmpeg`); nothing was \
         drawn. Without --video the frames are written as pictures"
            .into(),
    ))
}

impl Film {
    /// Starts a film of a size, pixels, with so many pictures a second.
    pub(super) fn start(path: &Path, [width, height]: [u32; 2], rate: u32) -> Result<Self, CliError> {
        let (size, rate) = (format!("{width}x{height}"), rate.to_string());
        let process = Command::new("ffmpeg")
            .args(["-y", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24"])
            .args(["-s", &size, "-r", &rate, "-i", "-"])
            // The usual players want an even number of pixels and colours at half the resolution.
            .args(["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p"])
            .arg(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| CliError::Film { path: path.into(), reason: error.to_string() })?;
        Ok(Self { path: path.into(), process })
    }

    /// Appends a picture.
    pub(super) fn add(&mut self, picture: &Image) -> Result<(), CliError> {
        let sent = self.process.stdin.as_mut().map_or(Ok(()), |pipe| pipe.write_all(&picture.rgb));
        sent.map_err(|error: io::Error| self.failure(&error.to_string()))
    }

    /// Ends the film.
    pub(super) fn finish(mut self) -> Result<(), CliError> {
        drop(self.process.stdin.take());
        match self.process.wait() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(self.failure(&status.to_string())),
            Err(error) => Err(self.failure(&error.to_string())),
        }
    }

    /// What ffmpeg says of its failure, or else what is known of it.
    fn failure(&mut self, known: &str) -> CliError {
        let mut said = String::new();
        let heard = self.process.stderr.take().map(|mut pipe| pipe.read_to_string(&mut said));
        let said = said.trim();
        let reason = if heard.is_some() && !said.is_empty() { said } else { known };
        CliError::Film { path: self.path.clone(), reason: reason.into() }
    }
}
