//! One writer to a record: a lock that the system releases when its process ends, however it ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::path::Path;

use super::error::RecordError;

/// Name of the file in a record that is locked while a run writes; it holds the id of the run's process and
/// stays there, for a file that is taken away while another run opens it would let both in.
pub(crate) const LOCK_FILE: &str = ".lock";

/// A record that nobody else writes to.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the record of a folder that is there.
    pub(super) fn take(folder: &Path) -> Result<Self, RecordError> {
        let path = folder.join(LOCK_FILE);
        let mut file = hold(folder)?;
        let id = std::process::id().to_string();
        file.set_len(0).and_then(|()| file.write_all(id.as_bytes())).map_err(RecordError::at(&path))?;
        Ok(Self { _file: file })
    }
}

/// Whether no run writes to the record of a folder now.
///
/// # Errors
/// [`RecordError::InUse`].
pub(crate) fn check_idle(folder: &Path) -> Result<(), RecordError> {
    if folder.join(LOCK_FILE).is_file() { hold(folder).map(drop) } else { Ok(()) }
}

fn hold(folder: &Path) -> Result<File, RecordError> {
    let path = folder.join(LOCK_FILE);
    let open = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
    let mut file = open.map_err(RecordError::at(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        // Some network disks have no locks: a run there is not guarded, but can be made.
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok(file),
        Err(TryLockError::Error(error)) => Err(RecordError::at(&path)(error)),
        Err(TryLockError::WouldBlock) => {
            let mut id = String::new();
            let read = file.read_to_string(&mut id);
            let process = read.ok().and_then(|_| id.parse().ok());
            Err(RecordError::InUse { path: folder.into(), process })
        }
    }
}
