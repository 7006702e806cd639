//! The coarse level of a two-level Schwarz preconditioner: motions of many neighbouring blocks together.

mod galerkin;
mod grid;

use rayon::prelude::*;

use self::galerkin::Galerkin;
pub(crate) use self::grid::CELL_SIDE;
use self::grid::{CORNERS, Grid};
use crate::cholesky::Cholesky;
use crate::matrix::BlockMatrix;
use crate::pattern::BlockPattern;

/// Coarse nodes per task when vectors are restricted.
const NODE_TASK: usize = 16;

/// Blocks per task when vectors are interpolated.
const BLOCK_TASK: usize = 2048;

/// The coarse correction of a two-level preconditioner, factored in f32.
///
/// ```text
/// z = P (P' A P)^-1 P' r
/// ```
/// `P` interpolates each of the `B` unknowns of a block bilinearly from the nodes of a square grid over the
/// first two rest coordinates, one grid for each value of the third; inactive unknowns have no share.
/// Source: Smith, Bjorstad and Gropp, *Domain decomposition*, 1996, chapter 2 (two-level methods).
#[derive(Debug)]
pub struct Coarse<const B: usize> {
    grid: Grid,
    galerkin: Galerkin<B>,
    factor: Cholesky<B, f32>,
    active: Vec<bool>,
    /// Blocks that hang on node `k`, with their weights: `support[support_start[k]..support_start[k + 1]]`.
    support_start: Vec<u32>,
    support: Vec<(u32, f32)>,
    r: Vec<f64>,
    z: Vec<f64>,
    is_factored: bool,
}

impl<const B: usize> Coarse<B> {
    /// Lays out the coarse level of a pattern; none where the blocks have no rest coordinates or lie too
    /// scattered for it to be much smaller than the pattern.
    pub fn new(pattern: &BlockPattern, coordinates: &[[f64; 3]]) -> Option<Self> {
        let grid = Grid::new(pattern, coordinates)?;
        let galerkin = Galerkin::new(pattern, &grid);
        let factor = Cholesky::new(galerkin.matrix().pattern(), Some(grid.positions()));
        let (support_start, support) = supports(&grid, pattern.n_blocks());
        let zero = || vec![0.0; B * grid.n_nodes()];
        let (r, z) = (zero(), zero());
        let active = vec![true; B * pattern.n_blocks()];
        Some(Self { grid, galerkin, factor, active, support_start, support, r, z, is_factored: false })
    }

    /// Assembles and factors `P' A P`. Where it is not positive definite there is no correction until the
    /// next call.
    pub fn factor(&mut self, matrix: &BlockMatrix<B>, active: &[bool]) {
        self.active.copy_from_slice(active);
        self.galerkin.assemble(matrix, &self.grid, active);
        self.is_factored = self.factor.factor(self.galerkin.matrix()).is_ok();
    }

    /// `z += P (P' A P)^-1 P' r`, the same on any number of threads.
    pub fn add_correction(&mut self, r: &[f64], z: &mut [f64]) {
        if self.is_factored {
            self.restrict(r);
            self.factor.solve(&self.r, &mut self.z);
            self.interpolate(z);
        }
    }

    /// Whether the last matrix has a correction.
    pub fn is_factored(&self) -> bool {
        self.is_factored
    }

    /// Number of coarse nodes.
    pub fn n_nodes(&self) -> usize {
        self.grid.n_nodes()
    }

    /// `r_c = P' r`.
    fn restrict(&mut self, r: &[f64]) {
        let Self { active, support_start, support, r: coarse, .. } = self;
        coarse.par_chunks_mut(B * NODE_TASK).enumerate().for_each(|(task, coarse)| {
            for (k, coarse) in coarse.chunks_exact_mut(B).enumerate() {
                let node = task * NODE_TASK + k;
                let mut sum = [0.0; B];
                for &(i, weight) in &support[support_start[node] as usize..support_start[node + 1] as usize] {
                    let first = B * i as usize;
                    for a in 0..B {
                        let r = if active[first + a] { r[first + a] } else { 0.0 };
                        sum[a] += f64::from(weight) * r;
                    }
                }
                coarse.copy_from_slice(&sum);
            }
        });
    }

    /// `z += P z_c`.
    fn interpolate(&self, z: &mut [f64]) {
        z.par_chunks_mut(B * BLOCK_TASK).enumerate().for_each(|(task, z)| {
            for (k, z) in z.chunks_exact_mut(B).enumerate() {
                let i = task * BLOCK_TASK + k;
                let mut sum = [0.0; B];
                for (&node, &weight) in
                    self.grid.corners(self.grid.cell_of(i)).iter().zip(self.grid.weights(i))
                {
                    let coarse = &self.z[B * node as usize..B * node as usize + B];
                    sum.iter_mut().zip(coarse).for_each(|(s, c)| *s += f64::from(weight) * c);
                }
                for a in 0..B {
                    z[a] += if self.active[B * i + a] { sum[a] } else { 0.0 };
                }
            }
        });
    }
}

/// The blocks on every node, in compressed rows.
fn supports(grid: &Grid, n_blocks: usize) -> (Vec<u32>, Vec<(u32, f32)>) {
    let mut start = vec![0u32; grid.n_nodes() + 1];
    for i in 0..n_blocks {
        for &node in grid.corners(grid.cell_of(i)) {
            start[node as usize + 1] += 1;
        }
    }
    for k in 0..grid.n_nodes() {
        start[k + 1] += start[k];
    }
    let mut next = start.clone();
    let mut support = vec![(0, 0.0); CORNERS * n_blocks];
    for i in 0..n_blocks {
        for (&node, &weight) in grid.corners(grid.cell_of(i)).iter().zip(grid.weights(i)) {
            support[next[node as usize] as usize] = (i as u32, weight);
            next[node as usize] += 1;
        }
    }
    (start, support)
}
