//! Buffers that are handed back and used again.

use std::sync::{Mutex, PoisonError};

/// Free buffers. Their contents are whatever their last user left.
#[derive(Debug, Default)]
pub(super) struct Pool<T> {
    free: Mutex<Vec<Vec<T>>>,
}

impl<T: Copy + Default> Pool<T> {
    /// A buffer of `len` values, to be overwritten: the smallest free one that holds them, else the
    /// largest.
    pub(super) fn take(&self, len: usize) -> Vec<T> {
        let mut buffer = self.pick(len).unwrap_or_default();
        buffer.resize(len, T::default());
        buffer
    }

    /// Takes a buffer back.
    pub(super) fn give(&self, buffer: Vec<T>) {
        if buffer.capacity() > 0 {
            self.free.lock().unwrap_or_else(PoisonError::into_inner).push(buffer);
        }
    }

    fn pick(&self, len: usize) -> Option<Vec<T>> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = free.iter().enumerate().filter(|(_, b)| b.capacity() >= len);
        let best = fits.min_by_key(|(_, b)| b.capacity()).map(|(k, _)| k);
        let best = best.or_else(|| (0..free.len()).max_by_key(|&k| free[k].capacity()));
        best.map(|k| free.swap_remove(k))
    }
}
