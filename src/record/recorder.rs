//! Writes the record of a run: everything accepted is on disk before the next step.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::checkpoint::{self, CHECKPOINT_FILE, Lengths};
use super::chunk::FILE_HEADER;
use super::error::RecordError;
use super::frames::FrameWriter;
use super::lock::{LOCK_FILE, Lock, check_idle};
use super::params::RecordParams;
use super::probe::NamedValue;
use super::progress::Progress;
use super::reader::RecordReader;
use super::steps::STEPS_FILE;
use super::summary::{SUMMARY_FILE, SUMMARY_PART, Summary, SummaryCounts, peak_memory_bytes, replace};
use super::table::{STEP_COLUMNS, Table, probe_columns, probe_row, step_row, term_columns, term_row};
use crate::frame::Frame;
use crate::input::Input;
use crate::simulation::report::{Counts, StepReport};

/// Name of the scene's file in a record.
pub const SCENE_FILE: &str = "scene.ron";

/// Name of the file with every term's energy, step by step.
pub const TERMS_FILE: &str = "terms.csv";

/// Name of the file with the probes, step by step.
pub const PROBES_FILE: &str = "probes.csv";

const FRAMES_FILE: &str = "frames.bin";

/// Names of all files of a record.
pub const FILES: [&str; 8] =
    [SCENE_FILE, STEPS_FILE, TERMS_FILE, PROBES_FILE, FRAMES_FILE, CHECKPOINT_FILE, SUMMARY_FILE, LOCK_FILE];

/// What a record says of its run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunInfo {
    /// Name of the scene.
    pub scene: String,
    /// Text of the scene, overrides included.
    pub text: String,
    /// The files that it was built from beside its own.
    pub inputs: Vec<Input>,
    /// Threads used.
    pub threads: usize,
    /// How often to write.
    pub params: RecordParams,
}

/// What the simulation counted, at the moment of a checkpoint or at the end.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Totals {
    /// How much there is of everything.
    pub counts: Counts,
    /// Wall-clock time by phase since the process started, s.
    pub phases: Vec<(&'static str, f64)>,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// Whether it got where it was to go.
    pub finished: bool,
    /// Why it stopped.
    pub because: String,
}

/// Writes the record of a run.
#[derive(Debug)]
pub struct Recorder {
    folder: PathBuf,
    _lock: Lock,
    run: RunInfo,
    steps: Table,
    /// From the first step on.
    terms: Option<Table>,
    probes: Option<Table>,
    frames: FrameWriter,
    progress: Progress,
    probe_values: Vec<NamedValue>,
}

impl Recorder {
    /// Starts a record in a folder that [`check_folder`] lets through; the probes are those at the start.
    ///
    /// # Errors
    /// [`RecordError`] when the folder is not free or cannot be written.
    pub fn create(
        folder: &Path,
        run: RunInfo,
        probes: Vec<NamedValue>,
        force: bool,
    ) -> Result<Self, RecordError> {
        check_folder(folder, force)?;
        fs::create_dir_all(folder).map_err(RecordError::at(folder))?;
        let lock = Lock::take(folder)?;
        // Another run may have begun and ended here meanwhile.
        check_contents(folder, force)?;
        for stale in [CHECKPOINT_FILE, PROBES_FILE, TERMS_FILE] {
            let path = folder.join(stale);
            if path.exists() {
                fs::remove_file(&path).map_err(RecordError::at(&path))?;
            }
        }
        let table = |name: &str, columns: &str| Table::create(&folder.join(name), columns);
        let recorder = Self {
            folder: folder.into(),
            _lock: lock,
            steps: table(STEPS_FILE, STEP_COLUMNS)?,
            terms: None,
            probes: if probes.is_empty() { None } else { Some(table(PROBES_FILE, &probe_columns(&probes))?) },
            frames: FrameWriter::create(&folder.join(FRAMES_FILE))?,
            run,
            progress: Progress::default(),
            probe_values: probes,
        };
        recorder.write_scene()?;
        // Last: without it there is no record.
        recorder.write_summary(&Totals::default(), &running())?;
        Ok(recorder)
    }

    /// Goes on with a record at its checkpoint, whose state it returns: what was written later is cut off.
    ///
    /// # Errors
    /// [`RecordError`] when there is no checkpoint or the files do not fit to it.
    pub fn resume<S: DeserializeOwned>(folder: &Path, run: RunInfo) -> Result<(Self, S), RecordError> {
        if !folder.join(CHECKPOINT_FILE).is_file() {
            return Err(RecordError::NoCheckpoint { path: folder.into() });
        }
        let lock = Lock::take(folder)?;
        let (progress, lengths, state) = checkpoint::read(folder)?;
        let layout = RecordReader::open(folder)?.layout_before(lengths.frames)?;
        let table = |name: &str, length: Option<u64>| {
            length.map(|length| Table::resume(&folder.join(name), length)).transpose()
        };
        let recorder = Self {
            folder: folder.into(),
            _lock: lock,
            run,
            steps: Table::resume(&folder.join(STEPS_FILE), lengths.steps)?,
            terms: table(TERMS_FILE, lengths.terms)?,
            probes: table(PROBES_FILE, lengths.probes)?,
            frames: FrameWriter::resume(&folder.join(FRAMES_FILE), lengths.frames, layout)?,
            progress,
            probe_values: Vec::new(),
        };
        recorder.write_scene()?;
        Ok((recorder, state))
    }

    /// The folder that is written.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How far the run is.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Appends an accepted step and the probes at its end.
    ///
    /// # Errors
    /// [`RecordError::Io`].
    pub fn step(&mut self, report: &StepReport, probes: Vec<NamedValue>) -> Result<(), RecordError> {
        self.steps.row(&step_row(report))?;
        let terms = match self.terms.take() {
            Some(table) => table,
            None => Table::create(&self.folder.join(TERMS_FILE), &term_columns(report))?,
        };
        self.terms.insert(terms).row(&term_row(report))?;
        if let Some(table) = &mut self.probes {
            table.row(&probe_row(report, &probes))?;
        }
        self.progress.step(report);
        self.probe_values = probes;
        Ok(())
    }

    /// The probes' values until the next step.
    pub fn set_probes(&mut self, probes: Vec<NamedValue>) {
        self.probe_values = probes;
    }

    /// Whether a frame is due now.
    pub fn is_frame_due(&self) -> bool {
        self.progress.is_frame_due(&self.run.params)
    }

    /// Appends a frame.
    ///
    /// # Errors
    /// [`RecordError::Io`].
    pub fn frame(&mut self, frame: &Frame) -> Result<(), RecordError> {
        self.frames.write(frame)?;
        self.progress.frame_written(&self.run.params);
        Ok(())
    }

    /// Whether a checkpoint is due now.
    pub fn is_checkpoint_due(&self) -> bool {
        self.progress.is_checkpoint_due(&self.run.params)
    }

    /// Replaces the checkpoint, and the summary of the run so far.
    ///
    /// # Errors
    /// [`RecordError::Io`].
    pub fn checkpoint(&mut self, state: &impl Serialize, totals: &Totals) -> Result<(), RecordError> {
        self.progress.checkpoint_written(&self.run.params);
        let lengths = Lengths {
            steps: self.steps.length()?,
            terms: self.terms.as_mut().map(Table::length).transpose()?,
            probes: self.probes.as_mut().map(Table::length).transpose()?,
            frames: self.frames.length()?,
        };
        let mut progress = self.progress.clone();
        progress.phases = self.phases(totals);
        checkpoint::write(&self.folder, &self.run.inputs, &progress, lengths, state)?;
        self.write_summary(totals, &running())?;
        Ok(())
    }

    /// Writes the last checkpoint, the last frame and the summary. The frame comes behind the
    /// checkpoint: a resumed run takes it back, for an uninterrupted one would not have it.
    ///
    /// # Errors
    /// [`RecordError::Io`].
    pub fn finish(
        &mut self,
        state: &impl Serialize,
        frame: &Frame,
        totals: &Totals,
        ending: &Ending,
    ) -> Result<Summary, RecordError> {
        self.checkpoint(state, totals)?;
        if self.progress.last_frame != Some(self.progress.step) {
            self.frame(frame)?;
        }
        self.write_summary(totals, ending)
    }

    fn phases(&self, totals: &Totals) -> BTreeMap<String, f64> {
        let mut phases = self.progress.phases.clone();
        for &(name, seconds) in &totals.phases {
            *phases.entry(name.to_string()).or_insert(0.0) += seconds;
        }
        phases
    }

    fn write_scene(&self) -> Result<(), RecordError> {
        replace(&self.folder.join(SCENE_FILE), self.run.text.as_bytes())
    }

    fn write_summary(&self, totals: &Totals, ending: &Ending) -> Result<Summary, RecordError> {
        let summary = Summary {
            scene: self.run.scene.clone(),
            version: env!("CARGO_PKG_VERSION").into(),
            threads: self.run.threads,
            steps: self.progress.step,
            rejected_steps: self.progress.rejected,
            simulated_seconds: self.progress.time,
            seconds: self.progress.seconds,
            seconds_by_phase: self.phases(totals),
            peak_memory_bytes: peak_memory_bytes(),
            counts: SummaryCounts::new(&totals.counts, self.progress.eil_max),
            pressed_in_max: self.progress.pressed_in_max,
            finished: ending.finished,
            stopped_because: ending.because.clone(),
            probes: self.probe_values.iter().cloned().collect(),
        };
        summary.write(&self.folder)?;
        Ok(summary)
    }
}

/// Whether a run may start in a folder: it is not there, is empty, or holds what a run left that was killed at once.
///
/// # Errors
/// [`RecordError::InUse`]; without `force` also [`RecordError::Recorded`] and [`RecordError::NotARecord`].
pub fn check_folder(folder: &Path, force: bool) -> Result<(), RecordError> {
    check_idle(folder)?;
    check_contents(folder, force)
}

fn check_contents(folder: &Path, force: bool) -> Result<(), RecordError> {
    let names: Vec<OsString> = match fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(RecordError::at(folder)(error)),
        Ok(entries) => entries.flatten().map(|entry| entry.file_name()).collect(),
    };
    if names.is_empty() || force || is_unborn(folder, &names) {
        return Ok(());
    }
    let path = folder.into();
    Err(match Summary::read(folder) {
        Ok(Summary { scene, steps, stopped_because: because, .. }) => {
            RecordError::Recorded { path, scene, steps, because }
        }
        Err(_) => RecordError::NotARecord { path },
    })
}

/// Whether a folder with these files holds but what [`Recorder::create`] leaves where it is killed: no summary, no frame.
fn is_unborn(folder: &Path, names: &[OsString]) -> bool {
    let has = |file: &str| names.iter().any(|name| name == file);
    let is_own = |name: &OsString| FILES.iter().any(|file| name == file) || name == SUMMARY_PART;
    let frames = fs::metadata(folder.join(FRAMES_FILE)).map_or(0, |file| file.len());
    let is_begun = has(SUMMARY_FILE) || has(CHECKPOINT_FILE) || frames > FILE_HEADER;
    has(LOCK_FILE) && names.iter().all(is_own) && !is_begun
}

fn running() -> Ending {
    Ending { finished: false, because: "it is running, or was killed".into() }
}

#[cfg(test)]
mod tests;
