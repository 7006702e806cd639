//! Sums of many small functions: gathering, the parallel loop and the scatter, written once.
//!
//! A family of *elements* has the energy `E(q) = sum_e f_e(q[dofs_e])`, where each `f_e` depends on `N`
//! scalar unknowns. [`Stencils`] knows which unknowns those are; the caller gives a closure for one
//! element. Work is shared out by the pattern's chunks of rows: each chunk evaluates every element that
//! touches it and writes its own rows only, so there are no locks, no large buffers, and the result is
//! the same on any number of threads.

use std::ops::Range;

use rayon::prelude::*;

use crate::matrix::BlockMatrix;
use crate::pattern::{BlockPattern, PatternBuilder};

/// The unknowns of a family of elements of `N` unknowns each, and where their derivatives go.
///
/// An unknown is numbered `B * block + component`. All elements of a family group their unknowns the
/// same way: `group[k]` is the local block of unknown `k`, counted from zero in ascending order.
#[derive(Debug, Clone)]
pub struct Stencils<const B: usize, const N: usize> {
    dofs: Vec<[u32; N]>,
    members: Vec<Range<usize>>,
    n_groups: usize,
    slots: Vec<u32>,
    /// The elements that touch each chunk of rows, and the rows of each chunk.
    chunks: Vec<Vec<u32>>,
    rows: Vec<Range<usize>>,
}

/// Elements per task in sums of values; fixed, so that the order of summation is.
const VALUE_TASK: usize = 1024;

impl<const B: usize, const N: usize> Stencils<B, N> {
    /// Elements by their unknowns, with the common grouping into blocks.
    pub fn new(dofs: Vec<[u32; N]>, group: [u8; N]) -> Self {
        Self::of_members(dofs, members(&group))
    }

    /// Other elements, whose unknowns are grouped into blocks alike.
    pub fn alike(&self, dofs: Vec<[u32; N]>) -> Self {
        Self::of_members(dofs, self.members.clone())
    }

    fn of_members(dofs: Vec<[u32; N]>, members: Vec<Range<usize>>) -> Self {
        let n_groups = members.len();
        Self { dofs, n_groups, members, slots: Vec::new(), chunks: Vec::new(), rows: Vec::new() }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.dofs.len()
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.dofs.is_empty()
    }

    /// The unknowns of an element.
    pub fn dofs(&self, element: usize) -> &[u32; N] {
        &self.dofs[element]
    }

    /// The blocks of an element.
    pub fn blocks(&self, element: usize) -> impl Iterator<Item = u32> + '_ {
        self.members.iter().map(move |m| self.dofs[element][m.start] / B as u32)
    }

    /// Declares the couplings of all elements.
    pub fn couple(&self, pattern: &mut PatternBuilder) {
        let mut blocks = Vec::with_capacity(self.n_groups);
        for e in 0..self.len() {
            blocks.clear();
            blocks.extend(self.blocks(e));
            pattern.couple(&blocks);
        }
    }

    /// Looks up where the derivatives go. The pattern must hold the couplings of all elements.
    pub fn bind(&mut self, pattern: &BlockPattern) {
        let pairs = self.n_groups * (self.n_groups + 1) / 2;
        let mut slots = vec![u32::MAX; pairs * self.len()];
        let lists = slots.par_chunks_mut(pairs.max(1)).with_min_len(VALUE_TASK);
        lists.enumerate().for_each(|(e, slots)| self.look_up(e, pattern, slots));
        self.slots = slots;
        if self.rows != pattern.chunks() {
            self.rows = pattern.chunks().to_vec();
            self.chunks = self.rows.par_iter().map(|rows| self.touching(rows)).collect();
        }
    }

    /// The slots of an element's pairs of blocks.
    fn look_up(&self, element: usize, pattern: &BlockPattern, slots: &mut [u32]) {
        let mut slots = slots.iter_mut();
        for (g, a) in self.blocks(element).enumerate() {
            for (b, to) in self.blocks(element).skip(g).zip(&mut slots) {
                *to = pattern.slot(a.min(b), a.max(b)).map_or(u32::MAX, |s| s as u32);
            }
        }
    }

    /// The elements that write to some rows, ascending.
    fn touching(&self, rows: &Range<usize>) -> Vec<u32> {
        let touches = |e: usize| self.blocks(e).any(|b| rows.contains(&(b as usize)));
        (0..self.len()).filter(|&e| touches(e)).map(|e| e as u32).collect()
    }

    #[inline]
    fn gather(&self, element: usize, q: &[f64]) -> [f64; N] {
        self.dofs[element].map(|d| q[d as usize])
    }

    /// `sum_e f(e, q_e)`.
    pub fn sum(&self, q: &[f64], f: impl Fn(usize, &[f64; N]) -> f64 + Sync) -> f64 {
        let task = |t: usize| -> f64 {
            let range = t * VALUE_TASK..((t + 1) * VALUE_TASK).min(self.len());
            range.map(|e| f(e, &self.gather(e, q))).sum()
        };
        let n_tasks = self.len().div_ceil(VALUE_TASK);
        let parts: Vec<f64> = if n_tasks < 2 {
            (0..n_tasks).map(task).collect()
        } else {
            (0..n_tasks).into_par_iter().map(task).collect()
        };
        parts.iter().sum()
    }

    /// Adds the gradient of every element to `out`; `f(e, q_e)` returns one element's, or nothing.
    pub fn add_gradient(
        &self,
        pattern: &BlockPattern,
        q: &[f64],
        out: &mut [f64],
        f: impl Fn(usize, &[f64; N]) -> Option<[f64; N]> + Sync,
    ) {
        let mut parts = Vec::with_capacity(self.chunks.len());
        let mut rest = out;
        for rows in pattern.chunks() {
            let (head, tail) = rest.split_at_mut(B * rows.len());
            parts.push((B * rows.start, head));
            rest = tail;
        }
        self.chunks.par_iter().zip(parts).for_each(|(elements, (first, own))| {
            for &e in elements {
                let Some(g) = f(e as usize, &self.gather(e as usize, q)) else { continue };
                for (&d, g) in self.dofs[e as usize].iter().zip(g) {
                    if let Some(o) = own.get_mut((d as usize).wrapping_sub(first)) {
                        *o += g;
                    }
                }
            }
        });
    }

    /// Adds the Hessian of every element to `out`; `f(e, q_e)` returns one element's, symmetric, or nothing.
    pub fn add_hessian(
        &self,
        q: &[f64],
        out: &mut BlockMatrix<B>,
        f: impl Fn(usize, &[f64; N]) -> Option<[[f64; N]; N]> + Sync,
    ) {
        let pattern = std::sync::Arc::clone(out.pattern());
        let starts = pattern.chunks().iter().map(|rows| pattern.row(rows.start).start);
        let tasks: Vec<_> = self.chunks.iter().zip(starts.zip(out.chunks_mut())).collect();
        tasks.into_par_iter().for_each(|(elements, (first, own))| {
            for &e in elements {
                let Some(h) = f(e as usize, &self.gather(e as usize, q)) else { continue };
                self.scatter(e as usize, &h, first, own);
            }
        });
    }

    /// Adds the blocks of one element that belong to a chunk of rows.
    #[inline]
    fn scatter(&self, element: usize, h: &[[f64; N]; N], first: usize, own: &mut [[[f64; B]; B]]) {
        let dofs = &self.dofs[element];
        let component = dofs.map(|d| d as usize % B);
        let n_pairs = self.n_groups * (self.n_groups + 1) / 2;
        let mut slots = self.slots[n_pairs * element..n_pairs * (element + 1)].iter();
        for (g, rows) in self.members.iter().enumerate() {
            for columns in &self.members[g..] {
                let Some(&slot) = slots.next() else { return };
                let Some(block) = own.get_mut((slot as usize).wrapping_sub(first)) else { continue };
                let (row_block, column_block) = (dofs[rows.start] / B as u32, dofs[columns.start] / B as u32);
                let same_group = rows.start == columns.start;
                for i in rows.clone() {
                    for j in columns.clone() {
                        if row_block <= column_block {
                            block[component[i]][component[j]] += h[i][j];
                        }
                        // Below the diagonal, or of two groups in one block: the transposed entry.
                        if row_block > column_block || (row_block == column_block && !same_group) {
                            block[component[j]][component[i]] += h[i][j];
                        }
                    }
                }
            }
        }
    }
}

/// The unknowns of every group, which follow one another.
fn members(group: &[u8]) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    for (k, &g) in group.iter().enumerate() {
        match out.get_mut(g as usize) {
            Some(range) => range.end = k + 1,
            None => out.push(k..k + 1),
        }
    }
    out
}
