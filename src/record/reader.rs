//! Reads the frames of a record.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::chunk::{ChunkEntry, ChunkFile, FILE_HEADER};
use super::error::RecordError;
use super::frames::{FRAME, LAYOUT, MAGIC, decode};
use super::summary::Summary;
use crate::frame::{Frame, Layout};

/// A record of a run, open for reading; frames are read when asked for.
#[derive(Debug)]
pub struct RecordReader {
    folder: PathBuf,
    file: ChunkFile,
    frames: Vec<Located>,
    /// The last layout of the file.
    last_layout: Option<ChunkEntry>,
    /// Byte behind the last whole chunk, and length of the file when it was found.
    end: u64,
    length: u64,
    /// The layout read last, and the byte where it stands.
    layout: Option<(u64, Arc<Layout>)>,
}

/// When a frame was taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrameEntry {
    /// Accepted steps until then.
    pub step: u64,
    /// Simulated time, s.
    pub time: f64,
}

#[derive(Debug, Clone, Copy)]
struct Located {
    when: FrameEntry,
    chunk: ChunkEntry,
    layout: ChunkEntry,
}

impl RecordReader {
    /// Opens a record's folder and lists its frames.
    ///
    /// # Errors
    /// [`RecordError`] when the folder holds no frames of this version.
    pub fn open(folder: &Path) -> Result<Self, RecordError> {
        let path = folder.join("frames.bin");
        if !path.is_file() {
            return Err(RecordError::Missing { path: folder.into() });
        }
        let file = ChunkFile::open(&path, &MAGIC)?;
        let mut this = Self {
            folder: folder.into(),
            file,
            frames: Vec::new(),
            last_layout: None,
            end: FILE_HEADER,
            length: 0,
            layout: None,
        };
        this.refresh()?;
        Ok(this)
    }

    /// Lists the frames that were written meanwhile, as by a run in progress; whether there are any.
    ///
    /// A record that became shorter was started anew and is read from its beginning.
    ///
    /// # Errors
    /// As of [`Self::open`].
    pub fn refresh(&mut self) -> Result<bool, RecordError> {
        let length = self.file.measure()?;
        if length == self.length {
            return Ok(false);
        }
        if length < self.end {
            *self = Self::open(&self.folder.clone())?;
            return Ok(true);
        }
        let known = self.frames.len();
        let (chunks, end) = self.file.entries(self.end);
        for chunk in chunks {
            match (chunk.tag, self.last_layout) {
                (LAYOUT, _) => self.last_layout = Some(chunk),
                (FRAME, Some(layout)) => {
                    self.frames.push(Located { when: when(&mut self.file, &chunk)?, chunk, layout })
                }
                _ => {
                    let message = "a frame without a layout, or an unknown chunk".into();
                    return Err(self.file.damaged(&chunk, message));
                }
            }
        }
        (self.end, self.length) = (end, length);
        Ok(self.frames.len() > known)
    }

    /// Step and time of every frame.
    pub fn frames(&self) -> impl ExactSizeIterator<Item = FrameEntry> + '_ {
        self.frames.iter().map(|f| f.when)
    }

    /// Number of frames.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether the record has no frame.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Whether the file ends within a chunk, as after a crash or while it is written.
    pub fn is_cut_short(&self) -> bool {
        self.end < self.length
    }

    /// Reads one frame, counted from zero.
    ///
    /// # Errors
    /// [`RecordError::NoFrame`], or [`RecordError::Damaged`] when its bytes do not fit together.
    pub fn frame(&mut self, index: usize) -> Result<Frame, RecordError> {
        let located =
            *self.frames.get(index).ok_or(RecordError::NoFrame { index, count: self.frames.len() })?;
        let layout = self.layout(&located.layout)?;
        let payload = self.file.payload(&located.chunk)?;
        decode(layout, &payload).ok_or_else(|| self.file.damaged(&located.chunk, "not a frame".into()))
    }

    /// The frames nearest to `n` equally spaced times from the first to the last; none of an empty record.
    pub fn equal_times(&self, n: usize) -> Vec<usize> {
        let times: Vec<f64> = self.frames().map(|entry| entry.time).collect();
        let (Some(first), Some(last)) = (times.first(), times.last()) else { return Vec::new() };
        let nearest = |k: usize| {
            let time = first + (last - first) * k as f64 / (n - 1).max(1) as f64;
            let distance = |i: &usize| (times[*i] - time).abs();
            (0..times.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0)
        };
        (0..n).map(nearest).collect()
    }

    /// Reads the frames one after the other.
    pub fn all(&mut self) -> impl Iterator<Item = Result<Frame, RecordError>> + '_ {
        (0..self.frames.len()).map(|i| self.frame(i))
    }

    /// The last layout that stands before a byte of the file.
    ///
    /// # Errors
    /// [`RecordError::Damaged`].
    pub fn layout_before(&mut self, at: u64) -> Result<Option<Arc<Layout>>, RecordError> {
        let last = self.frames.iter().rev().find(|f| f.chunk.at < at).map(|f| f.layout);
        last.map(|entry| self.layout(&entry)).transpose()
    }

    /// The summary of the run.
    ///
    /// # Errors
    /// [`RecordError`] when it is missing or not readable.
    pub fn summary(&self) -> Result<Summary, RecordError> {
        Summary::read(&self.folder)
    }

    fn layout(&mut self, entry: &ChunkEntry) -> Result<Arc<Layout>, RecordError> {
        if let Some((_, layout)) = self.layout.as_ref().filter(|(at, _)| *at == entry.at) {
            return Ok(Arc::clone(layout));
        }
        let payload = self.file.payload(entry)?;
        let layout: Layout =
            postcard::from_bytes(&payload).map_err(|e| self.file.damaged(entry, format!("layout: {e}")))?;
        let layout = Arc::new(layout);
        self.layout = Some((entry.at, Arc::clone(&layout)));
        Ok(layout)
    }
}

fn when(file: &mut ChunkFile, chunk: &ChunkEntry) -> Result<FrameEntry, RecordError> {
    let [a, b, c, d, e, f, g, h, time @ ..] =
        file.peek::<16>(chunk).ok_or_else(|| file.damaged(chunk, "a frame without a time".into()))?;
    Ok(FrameEntry { step: u64::from_le_bytes([a, b, c, d, e, f, g, h]), time: f64::from_le_bytes(time) })
}
