//! Operations on long vectors, the same on any number of threads.

use rayon::prelude::*;

/// Entries per task; fixed, so that the order of summation is.
const CHUNK: usize = 1 << 13;

/// `a . b`.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    if a.len() <= CHUNK {
        return chunk_dot(a, b);
    }
    let parts: Vec<f64> =
        a.par_chunks(CHUNK).zip(b.par_chunks(CHUNK)).map(|(a, b)| chunk_dot(a, b)).collect();
    parts.iter().sum()
}

/// `y += alpha x`.
pub(crate) fn add_scaled(y: &mut [f64], alpha: f64, x: &[f64]) {
    y.par_chunks_mut(CHUNK).zip(x.par_chunks(CHUNK)).for_each(|(y, x)| {
        y.iter_mut().zip(x).for_each(|(y, x)| *y += alpha * x);
    });
}

/// `y = x + beta y`.
pub(crate) fn scale_add(y: &mut [f64], beta: f64, x: &[f64]) {
    y.par_chunks_mut(CHUNK).zip(x.par_chunks(CHUNK)).for_each(|(y, x)| {
        y.iter_mut().zip(x).for_each(|(y, x)| *y = x + beta * *y);
    });
}

/// Largest absolute value; NaN when an entry is.
pub(crate) fn infinity_norm(a: &[f64]) -> f64 {
    a.iter().fold(0.0, |m: f64, x| if x.is_nan() || m.is_nan() { f64::NAN } else { m.max(x.abs()) })
}

/// Eight partial sums, so that the additions need not wait for one another.
fn chunk_dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (a8, b8) = (a.chunks_exact(8), b.chunks_exact(8));
    let tail: f64 = a8.remainder().iter().zip(b8.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in a8.zip(b8) {
        for k in 0..8 {
            sums[k] += x[k] * y[k];
        }
    }
    sums.iter().sum::<f64>() + tail
}
