//! Films by ffmpeg.

use std::io::{self, Read, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::error::CliError;
use crate::draw::Image;

/// Pictures a second that a film may have.
pub(super) const RATES: RangeInclusive<i64> = 1..=240;

/// A film that is being written: pictures go to ffmpeg as they are drawn.
pub(super) struct Film {
    path: PathBuf,
    process: Child,
}

/// Whether ffmpeg can be run.
pub(super) fn check() -> Result<(), CliError> {
    let why = match Command::new("ffmpeg").arg("-version").stdin(Stdio::null()).output() {
        Ok(tried) if tried.status.success() => return Ok(()),
        Ok(tried) => {
            let said = String::from_utf8_lossy(&tried.stderr).trim().to_owned();
            format!("which is there but fails: `ffmpeg -version` ended with {}. {said}", tried.status)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            "which is not on the PATH (`apt install ffmpeg`, `brew install ffmpeg`)".into()
        }
        Err(error) => format!("which cannot be started: {error}"),
    };
    Err(CliError::Usage(format!(
        "--video needs ffmpeg, {}; nothing was drawn. Without --video the frames are written as pictures",
        why.trim_end_matches(['.', ' '])
    )))
}

/// Real and simulated time differ by less than this part of either: the film is in real time.
const REAL_TIME: f64 = 0.01;

/// How fast a film is whose pictures are so many simulated seconds apart; none where no time passes.
pub(super) fn pace(between: f64, rate: u32) -> Option<String> {
    let factor = between * f64::from(rate);
    if factor.is_nan() || factor <= 0.0 {
        return None;
    }
    let (times, how) = if factor < 1.0 { (1.0 / factor, "slower") } else { (factor, "faster") };
    if times < 1.0 + REAL_TIME {
        return Some("in real time".into());
    }
    let real = (1.0 / between).round();
    let hint =
        if RATES.contains(&(real as i64)) { format!(" (--fps {real} is real time)") } else { String::new() };
    Some(format!("{times:.1} times {how} than real time{hint}"))
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

#[cfg(test)]
mod tests {
    use super::pace;

    #[test]
    fn films_say_how_fast_they_are() {
        let found = |between, rate| pace(between, rate).unwrap();
        assert_eq!(found(0.04, 25), "in real time");
        assert_eq!(found(0.005, 25), "8.0 times slower than real time (--fps 200 is real time)");
        assert_eq!(found(0.1, 25), "2.5 times faster than real time (--fps 10 is real time)");
        assert_eq!(found(1e-5, 25), "4000.0 times slower than real time");
        assert_eq!(pace(0.0, 25), None);
    }
}
