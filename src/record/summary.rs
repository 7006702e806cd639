//! `summary.json`: a run in numbers.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::error::RecordError;
use super::probe::ProbeValue;
use crate::simulation::report::Counts;

/// Name of the file in a record.
pub const SUMMARY_FILE: &str = "summary.json";

/// Its name until it is whole, see [`replace`].
pub(super) const SUMMARY_PART: &str = "summary.part";

/// A run in numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Name of the scene.
    pub scene: String,
    /// Version of hebra.
    pub version: String,
    /// Threads used.
    pub threads: usize,
    /// Accepted steps.
    pub steps: u64,
    /// Attempts at steps that were rejected.
    pub rejected_steps: u64,
    /// Simulated time, s.
    pub simulated_seconds: f64,
    /// Wall-clock time of all steps, s.
    pub seconds: f64,
    /// Where it went, s.
    pub seconds_by_phase: BTreeMap<String, f64>,
    /// Largest resident memory, bytes (0 where the system does not tell).
    pub peak_memory_bytes: u64,
    /// How much there is of everything.
    pub counts: SummaryCounts,
    /// How far cloth was pressed into obstacles at most, over half its thickness.
    #[serde(default)]
    pub pressed_in_max: f64,
    /// Whether the run reached its end.
    pub finished: bool,
    /// Why it stopped.
    pub stopped_because: String,
    /// Last values of the probes.
    pub probes: BTreeMap<String, ProbeValue>,
}

/// The counts of a summary: those at the end, but the most EIL nodes of any step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SummaryCounts {
    /// Rods.
    pub rods: u64,
    /// Lagrangian nodes.
    pub lagrangian: u64,
    /// Sliding nodes inside fabrics.
    pub eol_intra: u64,
    /// Sliding nodes between fabrics.
    pub eol_inter: u64,
    /// Most degenerate sliding nodes of any step.
    pub eil_max: u64,
    /// Contacts.
    pub contacts: u64,
    /// Triangles of cloth.
    pub triangles: u64,
    /// Unknowns of the system of equations.
    pub unknowns: u64,
}

impl SummaryCounts {
    /// From the counts at the end and the most EIL nodes of any step.
    pub fn new(counts: &Counts, eil_max: u64) -> Self {
        let &Counts { rods, lagrangian, eol_intra, eol_inter, contacts, triangles, unknowns, .. } = counts;
        Self { rods, lagrangian, eol_intra, eol_inter, eil_max, contacts, triangles, unknowns }
    }
}

impl Summary {
    /// Reads a record's summary.
    ///
    /// # Errors
    /// [`RecordError::Missing`] without one, [`RecordError::Io`] if it is not hebra's.
    pub fn read(folder: &Path) -> Result<Self, RecordError> {
        let path = folder.join(SUMMARY_FILE);
        if !path.is_file() {
            return Err(RecordError::Missing { path: folder.into() });
        }
        let text = fs::read_to_string(&path).map_err(RecordError::at(&path))?;
        serde_json::from_str(&text).map_err(|e| RecordError::at(&path)(io::Error::other(e)))
    }

    /// Writes it, in one piece or not at all.
    ///
    /// # Errors
    /// [`RecordError::Io`].
    pub fn write(&self, folder: &Path) -> Result<(), RecordError> {
        let path = folder.join(SUMMARY_FILE);
        let text =
            serde_json::to_string_pretty(self).map_err(|e| RecordError::at(&path)(io::Error::other(e)))?;
        replace(&path, format!("{text}\n").as_bytes())
    }
}

/// Writes a file beside the old one, then puts it in its place; where that fails, the old one is as it was.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<(), RecordError> {
    let beside = path.with_extension("part");
    let write = || {
        fs::write(&beside, bytes)?;
        fs::File::open(&beside)?.sync_data()?;
        fs::rename(&beside, path)
    };
    write().map_err(|error| {
        // It would keep room that whoever goes on may need; that it cannot be removed is no worse than this error.
        let _ = fs::remove_file(&beside);
        RecordError::at(path)(error)
    })
}

/// Largest resident memory of this process so far, bytes; 0 where the system does not tell.
pub fn peak_memory_bytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|l| l.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
