//! The binary container of frames and checkpoints.
//!
//! ```text
//! file    = magic [8 bytes]  version [u32]  chunk*
//! chunk   = tag [4 bytes]  length [u64]  crc32 [u32]  payload [length bytes]
//! ```
//!
//! Numbers are little-endian; the checksum is the CRC-32 of the payload (ISO 3309, as in PNG and zip).
//! Chunks are appended whole, so that of a file cut short all but the last chunk can be read.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::error::RecordError;

/// The version of the container and of the payloads; frames hold triangles since the third, their speeds and how
/// they are at rest since the fourth; checkpoints hold digests of the scene's files since the fifth.
pub(crate) const VERSION: u32 = 9;

/// Bytes of a file before its first chunk.
pub(crate) const FILE_HEADER: u64 = 12;

/// Bytes of a chunk before its payload.
pub(crate) const CHUNK_HEADER: u64 = 16;

/// What a chunk holds.
pub(crate) type Tag = [u8; 4];

/// A chunk's place in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChunkEntry {
    /// What it holds.
    pub(crate) tag: Tag,
    /// Byte of its header.
    pub(crate) at: u64,
    /// Bytes of its payload.
    pub(crate) length: u64,
    checksum: u32,
}

/// Writes a file's first bytes.
pub(crate) fn write_header(out: &mut impl Write, magic: &[u8; 8]) -> io::Result<()> {
    out.write_all(magic)?;
    out.write_all(&VERSION.to_le_bytes())
}

/// Appends a chunk.
pub(crate) fn write_chunk(out: &mut impl Write, tag: Tag, payload: &[u8]) -> io::Result<()> {
    out.write_all(&tag)?;
    out.write_all(&(payload.len() as u64).to_le_bytes())?;
    out.write_all(&crc32fast::hash(payload).to_le_bytes())?;
    out.write_all(payload)
}

/// A file of chunks, open for reading.
#[derive(Debug)]
pub(crate) struct ChunkFile {
    path: PathBuf,
    file: BufReader<File>,
    length: u64,
}

impl ChunkFile {
    /// Opens a file of this magic.
    ///
    /// # Errors
    /// [`RecordError`] when it cannot be read, is not hebra's, or is of another version.
    pub(crate) fn open(path: &Path, magic: &[u8; 8]) -> Result<Self, RecordError> {
        let file = File::open(path).map_err(RecordError::at(path))?;
        let length = file.metadata().map_err(RecordError::at(path))?.len();
        let mut this = Self { path: path.into(), file: BufReader::new(file), length };
        let header: [u8; FILE_HEADER as usize] =
            this.bytes(0).ok_or_else(|| RecordError::Foreign { path: path.into() })?;
        if !header.starts_with(magic) {
            return Err(RecordError::Foreign { path: path.into() });
        }
        let found = u32_at(&header, 8);
        if found != VERSION {
            return Err(RecordError::Version { path: path.into(), found, supported: VERSION });
        }
        Ok(this)
    }

    /// Looks how long the file is now.
    ///
    /// # Errors
    /// [`RecordError::Io`].
    pub(crate) fn measure(&mut self) -> Result<u64, RecordError> {
        self.length = self.file.get_ref().metadata().map_err(RecordError::at(&self.path))?.len();
        Ok(self.length)
    }

    /// The chunk that starts at a byte; `None` where the file ends or is cut short.
    pub(crate) fn entry(&mut self, at: u64) -> Option<ChunkEntry> {
        let header: [u8; CHUNK_HEADER as usize] = self.bytes(at)?;
        let entry = ChunkEntry {
            tag: [header[0], header[1], header[2], header[3]],
            at,
            length: u64_at(&header, 4),
            checksum: u32_at(&header, 12),
        };
        (entry.end()? <= self.length).then_some(entry)
    }

    /// All whole chunks from a byte on in order, and the byte behind them.
    pub(crate) fn entries(&mut self, mut at: u64) -> (Vec<ChunkEntry>, u64) {
        let mut entries = Vec::new();
        while let Some((entry, end)) = self.entry(at).and_then(|e| Some((e, e.end()?))) {
            entries.push(entry);
            at = end;
        }
        (entries, at)
    }

    /// The payload of a chunk.
    ///
    /// # Errors
    /// [`RecordError::Damaged`] when its checksum does not fit.
    pub(crate) fn payload(&mut self, entry: &ChunkEntry) -> Result<Vec<u8>, RecordError> {
        let mut payload = vec![0; entry.length as usize];
        self.file.seek(SeekFrom::Start(entry.at + CHUNK_HEADER)).map_err(RecordError::at(&self.path))?;
        self.file.read_exact(&mut payload).map_err(RecordError::at(&self.path))?;
        let found = crc32fast::hash(&payload);
        if found != entry.checksum {
            let message = format!("checksum {found:08x}, expected {:08x}", entry.checksum);
            return Err(self.damaged(entry, message));
        }
        Ok(payload)
    }

    /// The first bytes of a payload, unchecked; `None` if it is shorter.
    pub(crate) fn peek<const N: usize>(&mut self, entry: &ChunkEntry) -> Option<[u8; N]> {
        if entry.length < N as u64 { None } else { self.bytes(entry.at + CHUNK_HEADER) }
    }

    /// The error of a chunk that makes no sense.
    pub(crate) fn damaged(&self, entry: &ChunkEntry, message: String) -> RecordError {
        RecordError::Damaged { path: self.path.clone(), at: entry.at, message }
    }

    fn bytes<const N: usize>(&mut self, at: u64) -> Option<[u8; N]> {
        let mut bytes = [0; N];
        self.file.seek(SeekFrom::Start(at)).ok()?;
        self.file.read_exact(&mut bytes).ok()?;
        Some(bytes)
    }
}

impl ChunkEntry {
    /// Byte behind the payload; `None` if the length is nonsense.
    fn end(&self) -> Option<u64> {
        self.at.checked_add(CHUNK_HEADER)?.checked_add(self.length)
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    (0..4).fold(0, |n, i| n | u32::from(bytes[at + i]) << (8 * i))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}
