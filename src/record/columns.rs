//! Reads a record's tables of numbers, all columns at once.

use std::fs;
use std::path::Path;

use super::error::RecordError;

/// A CSV file of a record; cells that are no numbers are NaN.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Columns {
    /// The names.
    pub names: Vec<String>,
    /// The values, column by column.
    pub values: Vec<Vec<f64>>,
}

impl Columns {
    /// Reads a file.
    ///
    /// # Errors
    /// [`RecordError::Io`], or [`RecordError::Damaged`] when a row has more or fewer cells than the first.
    pub fn read(path: &Path) -> Result<Self, RecordError> {
        let text = fs::read_to_string(path).map_err(RecordError::at(path))?;
        let mut lines = text.lines();
        let names: Vec<String> = lines.next().unwrap_or_default().split(',').map(str::to_owned).collect();
        let mut values = vec![Vec::new(); names.len()];
        let mut at = 0;
        for line in lines {
            at += 1;
            let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap_or(f64::NAN)).collect();
            if cells.len() != names.len() {
                let message = format!(
                    "row {at} has not as many cells as the head: {} instead of {}",
                    cells.len(),
                    names.len()
                );
                return Err(RecordError::Damaged { path: path.into(), at, message });
            }
            values.iter_mut().zip(cells).for_each(|(column, cell)| column.push(cell));
        }
        Ok(Self { names, values })
    }

    /// A column by its name.
    pub fn get(&self, name: &str) -> Option<&[f64]> {
        self.names.iter().position(|n| n == name).map(|k| self.values[k].as_slice())
    }

    /// The columns with their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[f64])> {
        self.names.iter().map(String::as_str).zip(self.values.iter().map(Vec::as_slice))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_name_and_ragged_rows_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        fs::write(&path, "time,linear,kinetic\n0.5,direct,1\n1.0,none,2\n").unwrap();
        let columns = Columns::read(&path).unwrap();
        assert_eq!(columns.get("kinetic"), Some([1.0, 2.0].as_slice()));
        assert!(columns.get("linear").unwrap()[0].is_nan() && columns.get("more").is_none());
        fs::write(&path, "a,b\n1\n").unwrap();
        assert!(
            Columns::read(&path)
                .unwrap_err()
                .to_string()
                .contains("row 1 has not as many cells as the head: 1 instead of 2")
        );
    }
}
