//! Stand-in for the direct factor: an envelope Cholesky in f32, in the natural order.

use std::marker::PhantomData;
use std::sync::Arc;

use crate::matrix::BlockMatrix;
use crate::pattern::BlockPattern;

/// A pivot was not positive.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("the matrix is not positive definite")]
pub struct NotPositiveDefinite;

/// Envelope Cholesky.
#[derive(Debug, Clone)]
pub struct Cholesky<const B: usize, T> {
    first: Vec<usize>,
    rows: Vec<Vec<f32>>,
    x: Vec<f64>,
    marker: PhantomData<T>,
}

impl<const B: usize, T> Cholesky<B, T> {
    /// Analyses the pattern.
    pub fn new(pattern: &Arc<BlockPattern>, _coordinates: Option<&[[f64; 3]]>) -> Self {
        let mut first: Vec<usize> = (0..pattern.n_blocks()).collect();
        for i in 0..pattern.n_blocks() {
            for &j in pattern.columns(i) {
                first[j as usize] = first[j as usize].min(i);
            }
        }
        let first: Vec<usize> = (0..B * first.len()).map(|r| B * first[r / B]).collect();
        let rows = first.iter().enumerate().map(|(r, &f)| vec![0.0; r + 1 - f]).collect();
        Self { x: vec![0.0; first.len()], first, rows, marker: PhantomData }
    }

    /// Factors.
    pub fn factor(&mut self, matrix: &BlockMatrix<B>) -> Result<(), NotPositiveDefinite> {
        self.rows.iter_mut().for_each(|r| r.fill(0.0));
        let pattern = matrix.pattern();
        for i in 0..pattern.n_blocks() {
            for slot in pattern.row(i) {
                let j = pattern.all_columns()[slot] as usize;
                for a in 0..B {
                    for b in 0..B {
                        let (r, c) = (B * j + b, B * i + a);
                        if r >= c {
                            self.rows[r][c - self.first[r]] = matrix.values()[slot][a][b] as f32;
                        }
                    }
                }
            }
        }
        for r in 0..self.rows.len() {
            let (done, rest) = self.rows.split_at_mut(r);
            let (row, fr) = (&mut rest[0], self.first[r]);
            for c in fr..r {
                let (fc, from) = (self.first[c], self.first[c].max(fr));
                let s: f32 =
                    row[from - fr..c - fr].iter().zip(&done[c][from - fc..c - fc]).map(|(a, b)| a * b).sum();
                row[c - fr] = (row[c - fr] - s) / done[c][c - fc];
            }
            let s: f32 = row[..r - fr].iter().map(|a| a * a).sum();
            let pivot = row[r - fr] - s;
            if pivot.is_nan() || pivot <= 0.0 {
                return Err(NotPositiveDefinite);
            }
            row[r - fr] = pivot.sqrt();
        }
        Ok(())
    }

    /// Solves.
    pub fn solve(&mut self, b: &[f64], x: &mut [f64]) {
        for (r, row) in self.rows.iter().enumerate() {
            let f = self.first[r];
            let s: f64 = row[..r - f].iter().zip(&self.x[f..r]).map(|(a, b)| f64::from(*a) * b).sum();
            self.x[r] = (b[r] - s) / f64::from(row[r - f]);
        }
        for (r, row) in self.rows.iter().enumerate().rev() {
            let f = self.first[r];
            self.x[r] /= f64::from(row[r - f]);
            for (k, a) in row[..r - f].iter().enumerate() {
                self.x[f + k] -= f64::from(*a) * self.x[r];
            }
        }
        x.copy_from_slice(&self.x);
    }

    /// Operations of a factorisation.
    pub fn flops(&self) -> f64 {
        self.rows.iter().map(|r| (r.len() * r.len()) as f64).sum()
    }

    /// Values held.
    pub fn n_values(&self) -> usize {
        self.rows.iter().map(Vec::len).sum()
    }

    /// Shift of the last factorisation.
    pub fn shift(&self) -> f64 {
        0.0
    }
}
