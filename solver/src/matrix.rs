//! A symmetric matrix of `B` x `B` blocks over a fixed [`BlockPattern`].

use std::sync::Arc;

use rayon::prelude::*;

use crate::pattern::BlockPattern;

/// A symmetric block matrix: the upper triangle in row-major blocks, one per slot of the pattern.
/// Diagonal blocks are stored whole. An inactive unknown has an identity row and column.
#[derive(Debug, Clone)]
pub struct BlockMatrix<const B: usize> {
    pattern: Arc<BlockPattern>,
    values: Vec<[[f64; B]; B]>,
}

impl<const B: usize> BlockMatrix<B> {
    /// A zero matrix.
    pub fn new(pattern: Arc<BlockPattern>) -> Self {
        let values = vec![[[0.0; B]; B]; pattern.n_slots()];
        Self { pattern, values }
    }

    /// The pattern.
    pub fn pattern(&self) -> &Arc<BlockPattern> {
        &self.pattern
    }

    /// Blocks by slot; block `(i, j)` has rows of `i` and columns of `j`, `values[slot][row][column]`.
    pub fn values(&self) -> &[[[f64; B]; B]] {
        &self.values
    }

    /// Blocks by slot.
    pub fn values_mut(&mut self) -> &mut [[[f64; B]; B]] {
        &mut self.values
    }

    /// Number of scalar unknowns.
    pub fn n_unknowns(&self) -> usize {
        B * self.pattern.n_blocks()
    }

    /// Sets every value to zero.
    pub fn set_zero(&mut self) {
        self.values.par_chunks_mut(4096).for_each(|c| c.fill([[0.0; B]; B]));
    }

    /// The values cut along the pattern's chunks of rows, for parallel writing.
    pub fn chunks_mut(&mut self) -> Vec<&mut [[[f64; B]; B]]> {
        let Self { pattern, values } = self;
        let mut rest = values.as_mut_slice();
        let mut chunks = Vec::with_capacity(pattern.chunks().len());
        for rows in pattern.chunks() {
            let n: usize = rows.clone().map(|i| pattern.row(i).len()).sum();
            let (head, tail) = rest.split_at_mut(n);
            chunks.push(head);
            rest = tail;
        }
        chunks
    }

    /// The diagonal of the matrix, unknown by unknown.
    pub fn diagonal(&self) -> Vec<f64> {
        let mut out = Vec::with_capacity(self.n_unknowns());
        for i in 0..self.pattern.n_blocks() {
            let block = &self.values[self.pattern.row(i).start];
            out.extend((0..B).map(|k| block[k][k]));
        }
        out
    }

    /// Mean absolute value of the diagonal over the active unknowns.
    pub fn mean_diagonal(&self, active: &[bool]) -> f64 {
        let diagonal = self.diagonal();
        let on = diagonal.iter().zip(active).filter(|(_, a)| **a);
        let (sum, n) = on.fold((0.0, 0usize), |(s, n), (d, _)| (s + d.abs(), n + 1));
        if n == 0 { 0.0 } else { sum / n as f64 }
    }

    /// Adds `shift` to the diagonal of every active unknown.
    pub fn add_to_diagonal(&mut self, active: &[bool], shift: f64) {
        for i in 0..self.pattern.n_blocks() {
            let block = &mut self.values[self.pattern.row(i).start];
            for k in 0..B {
                if active[B * i + k] {
                    block[k][k] += shift;
                }
            }
        }
    }

    /// Replaces the rows and columns of inactive unknowns by those of the identity.
    pub fn set_identity_rows(&mut self, active: &[bool]) {
        let pattern = Arc::clone(&self.pattern);
        let chunks = self.chunks_mut();
        pattern.chunks().par_iter().zip(chunks).for_each(|(rows, values)| {
            let first = pattern.row(rows.start).start;
            for i in rows.clone() {
                let on = &active[B * i..B * i + B];
                let row_on = on.iter().all(|&a| a);
                for slot in pattern.row(i) {
                    let j = pattern.all_columns()[slot] as usize;
                    let on_column = &active[B * j..B * j + B];
                    if row_on && on_column.iter().all(|&a| a) {
                        continue;
                    }
                    let block = &mut values[slot - first];
                    for a in 0..B {
                        for b in 0..B {
                            if !(on[a] && on_column[b]) {
                                block[a][b] = if i == j && a == b { 1.0 } else { 0.0 };
                            }
                        }
                    }
                }
            }
        });
    }

    /// `y = A x`, the same on any number of threads.
    pub fn multiply(&self, x: &[f64], y: &mut [f64], scratch: &mut ProductScratch) {
        let chunks = self.pattern.chunks();
        scratch.resize(&self.pattern, B);
        let mut parts = Vec::with_capacity(chunks.len());
        let mut rest = &mut *y;
        for rows in chunks {
            let (head, tail) = rest.split_at_mut(B * rows.len());
            parts.push(head);
            rest = tail;
        }
        chunks.par_iter().zip(parts.par_iter_mut()).zip(&mut scratch.spill).for_each(
            |((rows, own), spill)| {
                own.fill(0.0);
                spill.fill(0.0);
                self.multiply_rows(rows.clone(), x, own, spill);
            },
        );
        // What a chunk owes to later rows is added in the order of the chunks.
        for (rows, spill) in chunks.iter().zip(&scratch.spill) {
            for (to, from) in y[B * rows.end..].iter_mut().zip(spill) {
                *to += from;
            }
        }
    }

    /// `|A| x` with the absolute value of every entry: what a relative error of `x` may change `A x` by.
    pub fn multiply_absolute(&self, x: &[f64]) -> Vec<f64> {
        let mut y = vec![0.0; x.len()];
        for i in 0..self.pattern.n_blocks() {
            for slot in self.pattern.row(i) {
                let j = self.pattern.all_columns()[slot] as usize;
                for (a, row) in self.values[slot].iter().enumerate() {
                    for (b, value) in row.iter().enumerate() {
                        y[B * i + a] += value.abs() * x[B * j + b];
                        if i != j {
                            y[B * j + b] += value.abs() * x[B * i + a];
                        }
                    }
                }
            }
        }
        y
    }

    fn multiply_rows(&self, rows: std::ops::Range<usize>, x: &[f64], own: &mut [f64], spill: &mut [f64]) {
        let pattern = &*self.pattern;
        let (begin, end) = (rows.start, rows.end);
        for i in rows {
            let xi: [f64; B] = std::array::from_fn(|k| x[B * i + k]);
            let mut sum = [0.0; B];
            for slot in pattern.row(i) {
                let j = pattern.all_columns()[slot] as usize;
                let block = &self.values[slot];
                let xj = &x[B * j..B * j + B];
                for a in 0..B {
                    for b in 0..B {
                        sum[a] += block[a][b] * xj[b];
                    }
                }
                if j == i {
                    continue;
                }
                let yj = if j < end {
                    &mut own[B * (j - begin)..B * (j - begin) + B]
                } else {
                    &mut spill[B * (j - end)..B * (j - end) + B]
                };
                for a in 0..B {
                    for b in 0..B {
                        yj[b] += block[a][b] * xi[a];
                    }
                }
            }
            for (y, s) in own[B * (i - begin)..B * (i - begin) + B].iter_mut().zip(sum) {
                *y += s;
            }
        }
    }
}

/// Working memory of [`BlockMatrix::multiply`]; keep one between products.
#[derive(Debug, Clone, Default)]
pub struct ProductScratch {
    spill: Vec<Vec<f64>>,
    pattern: Option<Arc<BlockPattern>>,
}

impl ProductScratch {
    fn resize(&mut self, pattern: &Arc<BlockPattern>, block: usize) {
        if self.pattern.as_ref().is_some_and(|known| Arc::ptr_eq(known, pattern)) {
            return;
        }
        self.pattern = Some(Arc::clone(pattern));
        self.spill = pattern
            .chunks()
            .iter()
            .map(|rows| {
                let last = rows.clone().filter_map(|i| pattern.columns(i).last()).max();
                let reach = last.map_or(0, |&j| (j as usize + 1).saturating_sub(rows.end));
                vec![0.0; block * reach]
            })
            .collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::PatternBuilder;

    /// Rows of the one pattern reach further than those of the other, which has as many blocks.
    #[test]
    fn products_follow_the_pattern() {
        let mut scratch = ProductScratch::default();
        for pair in [[0, 1], [0, 3], [1, 2]] {
            let mut builder = PatternBuilder::new(4);
            builder.couple(&pair);
            let mut matrix = BlockMatrix::<1>::new(Arc::new(builder.build()));
            matrix.values_mut().fill([[2.0]]);
            let (mut y, mut expected) = ([0.0; 4], [2.0, 4.0, 6.0, 8.0]);
            let [i, j] = pair.map(|b| b as usize);
            expected[i] += 2.0 * (j as f64 + 1.0);
            expected[j] += 2.0 * (i as f64 + 1.0);
            matrix.multiply(&[1.0, 2.0, 3.0, 4.0], &mut y, &mut scratch);
            assert_eq!(y, expected);
            matrix.values_mut().fill([[-2.0]]);
            assert_eq!(matrix.multiply_absolute(&[1.0, 2.0, 3.0, 4.0]), expected);
        }
    }
}
