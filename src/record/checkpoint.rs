//! `checkpoint.bin`: the state from which `--resume` goes on.
//!
//! The container is that of [`chunk`](super::chunk), its magic `HEBRACKP`, with one chunk `STAT`: in
//! postcard's encoding the run's progress, the lengths of its other files at that moment, and the
//! state of the simulation.

use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::chunk::{ChunkFile, FILE_HEADER, Tag, write_chunk, write_header};
use super::error::RecordError;
use super::progress::Progress;
use super::summary::replace;

/// Name of the file in a record.
pub const CHECKPOINT_FILE: &str = "checkpoint.bin";

const MAGIC: [u8; 8] = *b"HEBRACKP";
const STATE: Tag = *b"STAT";

/// Lengths of a record's files, bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Lengths {
    pub(super) steps: u64,
    pub(super) terms: Option<u64>,
    pub(super) probes: Option<u64>,
    pub(super) frames: u64,
}

/// Replaces the checkpoint of a record, in one piece or not at all.
pub(super) fn write(
    folder: &Path,
    progress: &Progress,
    lengths: Lengths,
    state: &impl Serialize,
) -> Result<(), RecordError> {
    let path = folder.join(CHECKPOINT_FILE);
    let damaged =
        |e: postcard::Error| RecordError::Damaged { path: path.clone(), at: 0, message: e.to_string() };
    let payload = postcard::to_stdvec(&(progress, lengths, state)).map_err(damaged)?;
    let mut bytes = Vec::with_capacity(payload.len() + 32);
    write_header(&mut bytes, &MAGIC)
        .and_then(|()| write_chunk(&mut bytes, STATE, &payload))
        .map_err(RecordError::at(&path))?;
    replace(&path, &bytes)
}

/// Reads the checkpoint of a record.
pub(super) fn read<S: DeserializeOwned>(folder: &Path) -> Result<(Progress, Lengths, S), RecordError> {
    let path = folder.join(CHECKPOINT_FILE);
    let mut file = ChunkFile::open(&path, &MAGIC)?;
    let entry = file.entry(FILE_HEADER).ok_or_else(|| RecordError::Damaged {
        path: path.clone(),
        at: FILE_HEADER,
        message: "the state is cut short".into(),
    })?;
    let payload = file.payload(&entry)?;
    postcard::from_bytes(&payload).map_err(|e| file.damaged(&entry, format!("state: {e}")))
}
