//! The files that a scene is read from: plain ones, of bounded size, each known by its digest.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Most bytes of a scene or of a chart: a yarn drawn through 200,000 points, a chart of 2,800 x 2,800 stitches.
pub const MOST_TEXT: u64 = 8 << 20;

/// Most bytes of a mesh: about two million triangles as OBJ.
pub const MOST_MESH: u64 = 128 << 20;

/// A file by its name and its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// Its path, from the scene's folder where it lies in it.
    pub path: PathBuf,
    /// SHA-256 of its bytes.
    pub digest: [u8; 32],
}

impl Input {
    /// A file as it is now.
    ///
    /// # Errors
    /// As of [`read`].
    pub fn of(file: &Path, folder: &Path) -> io::Result<Self> {
        let path = file.strip_prefix(folder).unwrap_or(file).into();
        Ok(Self { path, digest: Sha256::digest(read(file, MOST_MESH)?).into() })
    }
}

/// The bytes of a file, `most` at most.
///
/// # Errors
/// When the system refuses, there is no plain file, or it is larger.
pub fn read(file: &Path, most: u64) -> io::Result<Vec<u8>> {
    // Opening a pipe waits for its writer, and a device may never end.
    if !fs::metadata(file)?.is_file() {
        return Err(io::Error::other("it is a folder, a pipe or a device: give a file"));
    }
    let mut bytes = Vec::new();
    File::open(file)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other(format!("it is larger than {} MB, the most that is read", most >> 20)));
    }
    Ok(bytes)
}

/// The text of a file, `most` bytes at most.
///
/// # Errors
/// As of [`read`], and where it is not UTF-8.
pub fn read_text(file: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(read(file, most)?).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}
