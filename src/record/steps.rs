//! Reads `steps.csv`: how the steps of a run went.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::error::RecordError;
use crate::simulation::report::{Energies, StepReport};

/// Name of the file in a record.
pub const STEPS_FILE: &str = "steps.csv";

/// An accepted step, as curves show it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepRow {
    /// Its number, from one.
    pub step: u64,
    /// Simulated time at its end, s.
    pub time: f64,
    /// Its length, s.
    pub dt: f64,
    /// Newton iterations.
    pub newton_iterations: u32,
    /// Energies at its end.
    pub energies: Energies,
    /// Wall-clock seconds.
    pub seconds: f64,
}

impl From<&StepReport> for StepRow {
    fn from(report: &StepReport) -> Self {
        let StepReport { step, time, dt, newton_iterations, energies, seconds, .. } = *report;
        Self { step, time, dt, newton_iterations, energies, seconds }
    }
}

/// The steps of a record, read as they are written.
#[derive(Debug)]
pub struct StepsReader {
    path: PathBuf,
    /// Byte behind the last whole line that was read.
    at: u64,
    /// Where the columns of [`COLUMNS`] stand.
    columns: Option<[usize; COLUMNS.len()]>,
    rows: Vec<StepRow>,
}

/// The columns that are read, in the order of [`row`].
const COLUMNS: [&str; 10] = [
    "step",
    "time",
    "dt",
    "newton_iterations",
    "kinetic",
    "elastic",
    "gravitational",
    "contact",
    "dissipated",
    "seconds",
];

impl StepsReader {
    /// Of the record in a folder; nothing is read yet.
    pub fn new(folder: &Path) -> Self {
        Self { path: folder.join(STEPS_FILE), at: 0, columns: None, rows: Vec::new() }
    }

    /// The steps read so far.
    pub fn rows(&self) -> &[StepRow] {
        &self.rows
    }

    /// Reads what was written meanwhile; a file that became shorter is read anew.
    ///
    /// # Errors
    /// [`RecordError`] when the file is missing or a line is not one of a record.
    pub fn refresh(&mut self) -> Result<(), RecordError> {
        let mut file = File::open(&self.path).map_err(RecordError::at(&self.path))?;
        if file.metadata().map_err(RecordError::at(&self.path))?.len() < self.at {
            (self.at, self.columns) = (0, None);
            self.rows.clear();
        }
        let mut text = String::new();
        file.seek(SeekFrom::Start(self.at)).map_err(RecordError::at(&self.path))?;
        file.read_to_string(&mut text).map_err(RecordError::at(&self.path))?;
        for line in text.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
            self.line(line.trim_end())?;
            self.at += line.len() as u64;
        }
        Ok(())
    }

    fn line(&mut self, line: &str) -> Result<(), RecordError> {
        let cells: Vec<&str> = line.split(',').collect();
        let damaged =
            |message: String| RecordError::Damaged { path: self.path.clone(), at: self.at, message };
        let Some(columns) = self.columns else {
            let mut columns = [0; COLUMNS.len()];
            for (column, name) in columns.iter_mut().zip(COLUMNS) {
                let found = cells.iter().position(|cell| *cell == name);
                *column = found.ok_or_else(|| damaged(format!("there is no column `{name}`")))?;
            }
            self.columns = Some(columns);
            return Ok(());
        };
        let number = |k: usize| cells.get(columns[k]).and_then(|cell| cell.parse().ok());
        let row = row(&number).ok_or_else(|| damaged(format!("`{line}` is not a step")))?;
        self.rows.push(row);
        Ok(())
    }
}

fn row(number: &dyn Fn(usize) -> Option<f64>) -> Option<StepRow> {
    let energies = Energies {
        kinetic: number(4)?,
        elastic: number(5)?,
        gravitational: number(6)?,
        contact: number(7)?,
        dissipated: number(8)?,
    };
    let (step, newton_iterations) = (number(0)? as u64, number(3)? as u32);
    Some(StepRow { step, time: number(1)?, dt: number(2)?, newton_iterations, energies, seconds: number(9)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const HEAD: &str =
        "time,step,dt,newton_iterations,kinetic,elastic,gravitational,contact,dissipated,more,seconds\n";

    #[test]
    fn rows_are_read_as_they_are_written_and_half_of_one_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(STEPS_FILE);
        let mut steps = StepsReader::new(folder.path());
        assert!(matches!(steps.refresh(), Err(RecordError::Io { .. })));
        fs::write(&path, format!("{HEAD}0.5,1,0.1,3,1,2,3,4,5,x,0.25\n0.6,2,0.")).unwrap();
        steps.refresh().unwrap();
        let energies =
            Energies { kinetic: 1.0, elastic: 2.0, gravitational: 3.0, contact: 4.0, dissipated: 5.0 };
        let first = StepRow { step: 1, time: 0.5, dt: 0.1, newton_iterations: 3, energies, seconds: 0.25 };
        assert_eq!(steps.rows(), [first]);
        let rest = fs::read_to_string(&path).unwrap() + "1,4,1,2,3,4,5,x,7e-3\n";
        fs::write(&path, rest).unwrap();
        steps.refresh().unwrap();
        assert_eq!((steps.rows().len(), steps.rows()[1].seconds), (2, 7e-3));
        fs::write(&path, HEAD).unwrap();
        steps.refresh().unwrap();
        assert!(steps.rows().is_empty(), "a run that starts anew");
        fs::write(&path, format!("{HEAD}what\n")).unwrap();
        assert!(steps.refresh().unwrap_err().to_string().contains("`what` is not a step"));
    }
}
