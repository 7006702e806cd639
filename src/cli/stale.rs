//! Old records and what was made of them: they do not stay beside the new ones.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::export::FORMATS;
use crate::record::error::RecordError;
use crate::record::lock::check_idle;
use crate::record::recorder::FILES;
use crate::record::summary::SUMMARY_FILE;

/// Folder of a record's pictures.
pub(super) const PICTURES: &str = "pictures";

/// The page of a comparison.
pub(super) const PAGE: &str = "compare.html";

/// Its tables.
pub(super) const TABLES: [&str; 2] = ["curves.csv", "table.csv"];

/// Removes the pictures and exports that hebra wrote into a record's folder, and folders that are empty then.
/// Other files stay.
pub(super) fn remove_products(record: &Path) -> Result<(), RecordError> {
    for name in FORMATS.iter().map(|format| format.name).chain([PICTURES]) {
        let folder = record.join(name);
        if folder.is_dir() {
            remove_from(&folder, &is_product)?;
        }
    }
    Ok(())
}

/// Removes an old comparison's page, tables and records.
pub(super) fn remove_comparison(folder: &Path) -> Result<(), RecordError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(RecordError::at(folder))?,
    };
    for entry in entries {
        let entry = entry.map_err(RecordError::at(folder))?;
        let record = entry.path();
        if entry.file_name().to_str().is_some_and(is_compared) && record.join(SUMMARY_FILE).is_file() {
            check_idle(&record)?;
            remove_products(&record)?;
            remove_from(&record, &|name| FILES.contains(&name))?;
        }
    }
    remove_from(folder, &|name| name == PAGE || TABLES.contains(&name))
}

/// Whether a comparison names the records of its runs like this, `01_damping.kind=Rayleigh`.
fn is_compared(name: &str) -> bool {
    let number = name.split_once('_').map_or("", |(number, _)| number);
    number.len() >= 2 && number.bytes().all(|b| b.is_ascii_digit())
}

/// Removes the files of some names, and the folder if it is empty then.
fn remove_from(folder: &Path, is_old: &dyn Fn(&str) -> bool) -> Result<(), RecordError> {
    let mut is_empty = true;
    for entry in fs::read_dir(folder).map_err(RecordError::at(folder))? {
        let entry = entry.map_err(RecordError::at(folder))?;
        if entry.file_name().to_str().is_some_and(is_old) {
            fs::remove_file(entry.path()).map_err(RecordError::at(&entry.path()))?;
        } else {
            is_empty = false;
        }
    }
    if is_empty { fs::remove_dir(folder).map_err(RecordError::at(folder)) } else { Ok(()) }
}

/// Files of all frames together.
const WHOLE: [&str; 4] = ["sheet.png", "yarns.mtl", "frames.usda", "frames.pvd"];

/// Extensions of the files of single frames, `frame_00012.png` and the like.
const SINGLE: [&str; 6] = ["png", "csv", "obj", "bcc", "vtp", "glb"];

/// Whether hebra names its pictures and exports like this.
fn is_product(name: &str) -> bool {
    let numbered = |(stem, extension): (&str, &str)| {
        let (kind, number) = stem.split_once('_')?;
        let is_numbered = number.len() >= 5 && number.bytes().all(|b| b.is_ascii_digit());
        let is_known =
            ["frame", "turn", "obstacles", "sheets"].contains(&kind) && SINGLE.contains(&extension);
        Some(is_numbered && is_known)
    };
    WHOLE.contains(&name) || name.rsplit_once('.').and_then(numbered) == Some(true)
}
