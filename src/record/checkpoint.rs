//! `checkpoint.bin`: the state from which `--resume` continues.
//!
//! The container is that of [`chunk`](super::chunk), its magic `HEBRACKP`, with two chunks in postcard's
//! encoding: `INPT`, the names and digests of the files that the scene was built from beside its own, and
//! `STAT`, the run's progress, the lengths of its other files at that moment, and the state of the simulation.

use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::chunk::{ChunkEntry, ChunkFile, FILE_HEADER, Tag, write_chunk, write_header};
use super::error::RecordError;
use super::progress::Progress;
use super::summary::replace;
use crate::input::Input;

/// Name of the file in a record.
pub const CHECKPOINT_FILE: &str = "checkpoint.bin";

const MAGIC: [u8; 8] = *b"HEBRACKP";
const INPUTS: Tag = *b"INPT";
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
    inputs: &[Input],
    progress: &Progress,
    lengths: Lengths,
    state: &impl Serialize,
) -> Result<(), RecordError> {
    let path = folder.join(CHECKPOINT_FILE);
    let damaged =
        |e: postcard::Error| RecordError::Damaged { path: path.clone(), at: 0, message: e.to_string() };
    let inputs = postcard::to_stdvec(inputs).map_err(damaged)?;
    let state = postcard::to_stdvec(&(progress, lengths, state)).map_err(damaged)?;
    let mut bytes = Vec::with_capacity(inputs.len() + state.len() + 64);
    write_header(&mut bytes, &MAGIC)
        .and_then(|()| write_chunk(&mut bytes, INPUTS, &inputs))
        .and_then(|()| write_chunk(&mut bytes, STATE, &state))
        .map_err(RecordError::at(&path))?;
    replace(&path, &bytes)
}

/// Reads the checkpoint of a record.
pub(super) fn read<S: DeserializeOwned>(folder: &Path) -> Result<(Progress, Lengths, S), RecordError> {
    let (mut file, [_, state]) = open(folder)?;
    decode(&mut file, &state)
}

/// Whether the files that a scene is built from are those that a record's was.
///
/// # Errors
/// [`RecordError::NoCheckpoint`], and [`RecordError::Changed`] with the first file that is another.
pub fn check_inputs(folder: &Path, inputs: &[Input]) -> Result<(), RecordError> {
    let (mut file, [entry, _]) = open(folder)?;
    let recorded: Vec<Input> = decode(&mut file, &entry)?;
    match inputs.iter().find(|input| !recorded.contains(input)) {
        Some(input) => Err(RecordError::Changed { path: folder.into(), file: input.path.clone() }),
        None => Ok(()),
    }
}

/// The file and its chunks.
fn open(folder: &Path) -> Result<(ChunkFile, [ChunkEntry; 2]), RecordError> {
    let path = folder.join(CHECKPOINT_FILE);
    if !path.is_file() {
        return Err(RecordError::NoCheckpoint { path: folder.into() });
    }
    let mut file = ChunkFile::open(&path, &MAGIC)?;
    match file.entries(FILE_HEADER) {
        (entries, _) if entries.iter().map(|e| e.tag).eq([INPUTS, STATE]) => {
            Ok((file, [entries[0], entries[1]]))
        }
        (_, at) => Err(RecordError::Damaged { path, at, message: "the state is cut short".into() }),
    }
}

fn decode<T: DeserializeOwned>(file: &mut ChunkFile, entry: &ChunkEntry) -> Result<T, RecordError> {
    let payload = file.payload(entry)?;
    postcard::from_bytes(&payload).map_err(|e| file.damaged(entry, format!("state: {e}")))
}
