//! Overlapping additive Schwarz with subdomains that are patches of cloth, all layers together.

mod cover;

use std::sync::Arc;

use rayon::prelude::*;

use self::cover::cover;
use crate::cholesky::{Cholesky, Workspace};
use crate::interrupt::Interrupt;
use crate::matrix::BlockMatrix;
use crate::pattern::{BlockPattern, PatternBuilder};
use crate::pcg::Preconditioner;

/// Block rows per task when the patches' solutions are added.
const SUM_TASK: usize = 2048;

/// The sum of exact solves on overlapping subdomains, the *patches*, in f32.
///
/// ```text
/// z = sum_p R_p' (R_p A R_p')^-1 R_p r
/// ```
/// `R_p` picks the unknowns of patch `p`: neighbours by their rest coordinates, whatever layer they are of,
/// and whatever they are coupled with. So a patch has both ends of a stiff spring between layers, which strips of
/// yarns cut. Patches resolve errors that reach over some spacings; errors along whole yarns are left to
/// [`Strips`](crate::strips::Strips).
/// A patch that is not positive definite has no share; inactive unknowns have none either.
///
/// Source: Smith, Bjorstad and Gropp, *Domain decomposition*, 1996, chapter 1 (additive Schwarz).
#[derive(Debug)]
pub struct Patches<const B: usize> {
    patches: Vec<Patch<B>>,
    active: Vec<bool>,
    /// Where the solutions of block `i` are: `places[place_start[i]..place_start[i + 1]]`.
    place_start: Vec<u32>,
    places: Vec<Place>,
}

#[derive(Debug, Clone, Copy)]
struct Place {
    patch: u32,
    position: u32,
}

impl<const B: usize> Patches<B> {
    /// Lays patches over the blocks, for matrices whose inactive unknowns have rows of the identity; none where
    /// the blocks have no coordinates. Once the flag is raised no patch is factored.
    pub fn new(
        pattern: &BlockPattern,
        coordinates: &[[f64; 3]],
        active: &[bool],
        interrupt: &Interrupt,
    ) -> Option<Self> {
        let lists = cover(pattern, coordinates)?;
        let (workspace, active) = (Workspace::new(interrupt.clone()), active.to_vec());
        let position = || vec![u32::MAX; pattern.n_blocks()];
        let patch = |position: &mut Vec<u32>, mut blocks: Vec<u32>| {
            blocks.retain(|&b| of_block::<B>(&active, b).contains(&true));
            Patch::new(pattern, (blocks, position.as_mut_slice()), (coordinates, &active), &workspace)
        };
        let patches: Vec<Patch<B>> = lists.into_par_iter().map_init(position, patch).collect();
        let (place_start, places) = index(pattern.n_blocks(), &patches);
        Some(Self { patches, active, place_start, places })
    }

    /// Whether they are laid over just these unknowns.
    pub fn are_of(&self, active: &[bool]) -> bool {
        self.active == active
    }

    /// Factors every patch of the matrix, which must have the pattern of [`Self::new`].
    pub fn factor(&mut self, matrix: &BlockMatrix<B>) {
        self.patches.par_iter_mut().with_max_len(1).for_each(|patch| patch.factor(matrix));
    }

    /// `z = sum_p R_p' A_p^-1 R_p r`, the same on any number of threads.
    pub fn apply(&mut self, r: &[f64], z: &mut [f64]) {
        self.patches.par_iter_mut().with_max_len(1).for_each(|patch| patch.solve(r));
        z.par_chunks_mut(B * SUM_TASK).enumerate().for_each(|(task, z)| {
            for (k, z) in z.chunks_exact_mut(B).enumerate() {
                let i = task * SUM_TASK + k;
                z.fill(0.0);
                for place in &self.places[self.place_start[i] as usize..self.place_start[i + 1] as usize] {
                    let x = &self.patches[place.patch as usize].z[B * place.position as usize..][..B];
                    z.iter_mut().zip(x).for_each(|(z, x)| *z += x);
                }
            }
        });
    }

    /// Values of the factors.
    pub fn n_values(&self) -> usize {
        self.patches.iter().map(|p| p.factor.n_values()).sum()
    }
}

impl<const B: usize> Preconditioner for Patches<B> {
    fn apply(&mut self, r: &[f64], z: &mut [f64]) {
        Self::apply(self, r, z);
    }
}

#[derive(Debug)]
struct Patch<const B: usize> {
    /// Its blocks, ascending.
    blocks: Vec<u32>,
    pattern: Arc<BlockPattern>,
    /// The slot of the whole matrix for each of its own.
    slots: Vec<u32>,
    factor: Cholesky<B, f32>,
    is_factored: bool,
    r: Vec<f64>,
    z: Vec<f64>,
}

impl<const B: usize> Patch<B> {
    /// A patch of ascending blocks; `position` holds `u32::MAX` for each block of the pattern, before and
    /// after.
    fn new(
        pattern: &BlockPattern,
        (blocks, position): (Vec<u32>, &mut [u32]),
        (coordinates, active): (&[[f64; 3]], &[bool]),
        workspace: &Workspace<f32>,
    ) -> Self {
        for (k, &b) in blocks.iter().enumerate() {
            position[b as usize] = k as u32;
        }
        let (mut couplings, mut slots) = (Vec::new(), Vec::new());
        for (k, &b) in blocks.iter().enumerate() {
            for slot in pattern.row(b as usize) {
                let other = position[pattern.all_columns()[slot] as usize];
                if other != u32::MAX {
                    slots.push(slot as u32);
                    couplings.push((k as u32, other));
                }
            }
        }
        blocks.iter().for_each(|&b| position[b as usize] = u32::MAX);
        couplings.retain(|(i, j)| i != j);
        let own = Arc::new(PatternBuilder::new(blocks.len()).build().extended(&couplings));
        let points: Vec<[f64; 3]> = blocks.iter().map(|&b| coordinates[b as usize]).collect();
        let active: Vec<bool> = blocks.iter().flat_map(|&b| of_block::<B>(active, b)).copied().collect();
        let factor = Cholesky::of_active(&own, Some(&points), &active).with_workspace(workspace);
        let zero = || vec![0.0; B * blocks.len()];
        Self { pattern: own, slots, factor, is_factored: false, r: zero(), z: zero(), blocks }
    }

    fn factor(&mut self, matrix: &BlockMatrix<B>) {
        let mut own = BlockMatrix::new(Arc::clone(&self.pattern));
        for (to, &slot) in own.values_mut().iter_mut().zip(&self.slots) {
            *to = matrix.values()[slot as usize];
        }
        self.is_factored = self.factor.factor(&own).is_ok();
        self.z.fill(0.0);
    }

    fn solve(&mut self, r: &[f64]) {
        if !self.is_factored {
            return;
        }
        for (to, &b) in self.r.chunks_exact_mut(B).zip(&self.blocks) {
            to.copy_from_slice(&r[B * b as usize..][..B]);
        }
        self.factor.solve(&self.r, &mut self.z);
    }
}

fn of_block<const B: usize>(active: &[bool], block: u32) -> &[bool] {
    &active[B * block as usize..][..B]
}

/// Where the solutions of every block are, in compressed rows.
fn index<const B: usize>(n: usize, patches: &[Patch<B>]) -> (Vec<u32>, Vec<Place>) {
    let mut start = vec![0u32; n + 1];
    for &b in patches.iter().flat_map(|p| &p.blocks) {
        start[b as usize + 1] += 1;
    }
    for i in 0..n {
        start[i + 1] += start[i];
    }
    let mut next = start.clone();
    let mut places = vec![Place { patch: 0, position: 0 }; start[n] as usize];
    for (patch, blocks) in patches.iter().map(|p| &p.blocks).enumerate() {
        for (position, &b) in blocks.iter().enumerate() {
            let at = &mut next[b as usize];
            places[*at as usize] = Place { patch: patch as u32, position: position as u32 };
            *at += 1;
        }
    }
    (start, places)
}
