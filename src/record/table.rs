//! A CSV file that grows row by row.

use std::fs::File;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};

use super::append::open_behind;
use super::error::RecordError;
use super::probe::NamedValue;
use crate::simulation::report::{StepReport, Term};

/// Columns of `steps.csv`.
pub const STEP_COLUMNS: &str = "step,time,dt,newton_iterations,residual,kinetic,elastic,gravitational,contact,\
                                dissipated,eol,eil,removed,seconds,linear_iterations,factorisations,rejected,linear,\
                                changes,jump,pressed_in";

/// A CSV file open for appending.
#[derive(Debug)]
pub(super) struct Table {
    path: PathBuf,
    file: File,
}

impl Table {
    /// Starts a file, over an old one.
    pub(super) fn create(path: &Path, columns: &str) -> Result<Self, RecordError> {
        let file = File::create(path).map_err(RecordError::at(path))?;
        let mut table = Self { path: path.into(), file };
        table.row(columns)?;
        Ok(table)
    }

    /// Goes on behind the first `length` bytes of a file.
    pub(super) fn resume(path: &Path, length: u64) -> Result<Self, RecordError> {
        Ok(Self { path: path.into(), file: open_behind(path, length)? })
    }

    /// Appends a row in one write, so that a reader never sees half of it.
    pub(super) fn row(&mut self, cells: &str) -> Result<(), RecordError> {
        self.file.write_all(format!("{cells}\n").as_bytes()).map_err(RecordError::at(&self.path))
    }

    /// Bytes written so far.
    pub(super) fn length(&mut self) -> Result<u64, RecordError> {
        self.file.stream_position().map_err(RecordError::at(&self.path))
    }
}

/// A row of `steps.csv`; numbers are written so that they read back to the same bits.
pub(super) fn step_row(report: &StepReport) -> String {
    let r = report;
    let e = &r.energies;
    format!(
        "{},{:?},{:?},{},{:?},{:?},{:?},{:?},{:?},{:?},{},{},{},{:?},{},{},{},{},{},{:?},{:?}",
        r.step,
        r.time,
        r.dt,
        r.newton_iterations,
        r.residual,
        e.kinetic,
        e.elastic,
        e.gravitational,
        e.contact,
        e.dissipated,
        r.eol,
        r.eil,
        r.removed,
        r.seconds,
        r.linear_iterations,
        r.factorisations,
        r.rejected,
        r.linear,
        r.changes,
        r.jump,
        r.pressed_in
    )
}

/// Columns of `terms.csv`.
pub(super) fn term_columns(report: &StepReport) -> String {
    let of = |term: &Term| format!("stored.{0},dissipated.{0}", term.name);
    let terms: Vec<String> = report.terms.iter().map(of).collect();
    format!("step,time,momentum.x,momentum.y,momentum.z,{}", terms.join(","))
}

/// A row of `terms.csv`.
pub(super) fn term_row(report: &StepReport) -> String {
    let terms = report.terms.iter().flat_map(|t| [t.stored, t.dissipated]);
    let numbers = std::iter::once(report.time).chain(report.momentum).chain(terms);
    let cells: Vec<String> = numbers.map(|x| format!("{x:?}")).collect();
    format!("{},{}", report.step, cells.join(","))
}

/// Columns of `probes.csv`.
pub(super) fn probe_columns(probes: &[NamedValue]) -> String {
    let names = probes.iter().flat_map(|(name, value)| value.columns(name));
    ["step".into(), "time".into()].into_iter().chain(names).collect::<Vec<_>>().join(",")
}

/// A row of `probes.csv`.
pub(super) fn probe_row(report: &StepReport, probes: &[NamedValue]) -> String {
    let numbers = probes.iter().flat_map(|(_, value)| value.numbers());
    let cells: Vec<String> = std::iter::once(&report.time).chain(numbers).map(|x| format!("{x:?}")).collect();
    format!("{},{}", report.step, cells.join(","))
}
