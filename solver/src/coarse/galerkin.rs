//! The matrix of the coarse level.

use std::sync::Arc;

use rayon::prelude::*;

use super::grid::{CORNERS, Grid};
use crate::matrix::BlockMatrix;
use crate::pattern::{BlockPattern, PatternBuilder};

/// Pairs of cells summed in parallel before their sums are added one after the other: 512 of B = 5 are 1.6 MB.
const PAIR_CHUNK: usize = 512;

/// What the couplings between two cells contribute, by corner of the one and of the other.
type PairSum<const B: usize> = [[[[f64; B]; B]; CORNERS]; CORNERS];

/// `P' A P` and the way to assemble it, pair of cells by pair of cells.
#[derive(Debug)]
pub(super) struct Galerkin<const B: usize> {
    matrix: BlockMatrix<B>,
    pairs: Vec<Pair>,
    couplings: Vec<Coupling>,
}

/// The couplings from blocks of one cell to blocks of another, or of the same.
#[derive(Debug, Clone, Copy)]
struct Pair {
    cells: (u32, u32),
    first: u32,
    end: u32,
}

#[derive(Debug, Clone, Copy)]
struct Coupling {
    slot: u32,
    row: u32,
    column: u32,
}

impl<const B: usize> Galerkin<B> {
    /// A zero matrix with the pattern of `P' A P`.
    pub(super) fn new(pattern: &BlockPattern, grid: &Grid) -> Self {
        let (pairs, couplings) = pairs_of_cells(pattern, grid);
        let mut builder = PatternBuilder::new(grid.n_nodes());
        for pair in &pairs {
            let mut nodes = [grid.corners(pair.cells.0).as_slice(), grid.corners(pair.cells.1)].concat();
            nodes.sort_unstable();
            nodes.dedup();
            builder.couple(&nodes);
        }
        Self { matrix: BlockMatrix::new(Arc::new(builder.build())), pairs, couplings }
    }

    /// The matrix last assembled.
    pub(super) fn matrix(&self) -> &BlockMatrix<B> {
        &self.matrix
    }

    /// `P' A P` without the inactive unknowns; coarse unknowns on which none hangs get identity rows.
    pub(super) fn assemble(&mut self, a: &BlockMatrix<B>, grid: &Grid, active: &[bool]) {
        self.matrix.set_zero();
        let Self { matrix, pairs, couplings } = self;
        for pairs in pairs.chunks(PAIR_CHUNK) {
            let of = |p: &Pair| sum_pair(a, grid, active, &couplings[p.first as usize..p.end as usize]);
            let sums: Vec<PairSum<B>> = pairs.par_iter().map(of).collect();
            for (pair, sum) in pairs.iter().zip(&sums) {
                add_pair(matrix, grid.corners(pair.cells.0), grid.corners(pair.cells.1), sum);
            }
        }
        for i in 0..grid.n_nodes() {
            let slot = matrix.pattern().row(i).start;
            let block = &mut matrix.values_mut()[slot];
            for k in 0..B {
                if block[k][k] == 0.0 {
                    block[k][k] = 1.0;
                }
            }
        }
    }
}

/// `sum_ij w_i w_j A_ij` for each pair of corners, half of it for `i = j`.
fn sum_pair<const B: usize>(
    a: &BlockMatrix<B>,
    grid: &Grid,
    active: &[bool],
    couplings: &[Coupling],
) -> PairSum<B> {
    let mut sum = [[[[0.0; B]; B]; CORNERS]; CORNERS];
    for row in couplings.chunk_by(|a, b| a.row == b.row) {
        // Y_J = sum_j w_jJ A_ij
        let i = row[0].row as usize;
        let mut products = [[[0.0; B]; B]; CORNERS];
        for c in row {
            let j = c.column as usize;
            let block =
                masked(&a.values()[c.slot as usize], &active[B * i..B * i + B], &active[B * j..B * j + B]);
            let half = if i == j { 0.5 } else { 1.0 };
            for (product, &weight) in products.iter_mut().zip(grid.weights(j)) {
                add_scaled(product, half * f64::from(weight), &block);
            }
        }
        // S_IJ += w_iI Y_J
        for (sums, &weight) in sum.iter_mut().zip(grid.weights(i)) {
            for (sum, product) in sums.iter_mut().zip(&products) {
                add_scaled(sum, f64::from(weight), product);
            }
        }
    }
    sum
}

/// The block without the rows and columns of inactive unknowns.
fn masked<const B: usize>(block: &[[f64; B]; B], rows: &[bool], columns: &[bool]) -> [[f64; B]; B] {
    let mut masked = *block;
    for a in 0..B {
        for b in 0..B {
            if !(rows[a] && columns[b]) {
                masked[a][b] = 0.0;
            }
        }
    }
    masked
}

#[inline]
fn add_scaled<const B: usize>(to: &mut [[f64; B]; B], scale: f64, from: &[[f64; B]; B]) {
    for (to, from) in to.as_flattened_mut().iter_mut().zip(from.as_flattened()) {
        *to += scale * from;
    }
}

/// Adds the sum and its transpose, of which the matrix keeps the upper triangle.
fn add_pair<const B: usize>(
    matrix: &mut BlockMatrix<B>,
    rows: &[u32; CORNERS],
    columns: &[u32; CORNERS],
    sum: &PairSum<B>,
) {
    for (&i, sums) in rows.iter().zip(sum) {
        for (&j, sum) in columns.iter().zip(sums) {
            let Some(slot) = matrix.pattern().slot(i.min(j), i.max(j)) else { continue };
            let to = &mut matrix.values_mut()[slot];
            for a in 0..B {
                for b in 0..B {
                    let straight = if i <= j { sum[a][b] } else { 0.0 };
                    let transposed = if j <= i { sum[b][a] } else { 0.0 };
                    to[a][b] += straight + transposed;
                }
            }
        }
    }
}

fn pairs_of_cells(pattern: &BlockPattern, grid: &Grid) -> (Vec<Pair>, Vec<Coupling>) {
    let mut couplings = Vec::with_capacity(pattern.n_slots());
    for i in 0..pattern.n_blocks() {
        let of =
            |slot: usize| Coupling { slot: slot as u32, row: i as u32, column: pattern.all_columns()[slot] };
        couplings.extend(pattern.row(i).map(of));
    }
    let cells = |c: &Coupling| (grid.cell_of(c.row as usize), grid.cell_of(c.column as usize));
    couplings.par_sort_unstable_by_key(|c| (cells(c), c.slot));
    let mut pairs = Vec::new();
    let mut end = 0;
    for group in couplings.chunk_by(|a, b| cells(a) == cells(b)) {
        let first = end;
        end += group.len() as u32;
        pairs.push(Pair { cells: cells(&group[0]), first, end });
    }
    (pairs, couplings)
}
