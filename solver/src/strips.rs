//! Overlapping additive Schwarz with subdomains along the yarns.

mod bands;
mod batch;

use rayon::prelude::*;

use self::bands::LANES;
use self::batch::{Batch, Group, PANEL};
use crate::matrix::BlockMatrix;
use crate::pattern::BlockPattern;
use crate::pcg::Preconditioner;

/// Couplings between blocks farther apart than this in the list of their group are left out, so that a
/// badly ordered group costs accuracy and not memory. Two interleaved yarns need 4, six layers of them 24.
const REACH_LIMIT: usize = PANEL;

/// Groups per task when they are looked up.
const GROUP_TASK: usize = 64;

/// Block rows per task when the strips' solutions are added.
const SUM_TASK: usize = 2048;

/// The sum of exact solves on overlapping subdomains, groups of blocks called *strips*, in f32 with a scaled diagonal.
///
/// ```text
/// z = sum_g R_g' (R_g A R_g')^-1 R_g r
/// ```
/// `R_g` picks the unknowns of group `g` in the group's order, in which the matrix should be a narrow
/// band: two neighbouring yarns, interleaved. When every yarn of a weave is in a group and the mass term
/// outweighs shear and bending, the number of iterations of conjugate gradients does not grow with the size
/// of the cloth: 40 to 1e-2 and 70 to 1e-4 for a crimped weave. Stiff shear and bending couple many groups,
/// and then it grows, unless a coarse level is added: see [`TwoLevel`](crate::two_level::TwoLevel).
/// Blocks in no group count as groups of one. Up to 16 groups are factored at once, one in each SIMD
/// lane. A group that is not positive definite in f32 has its diagonal raised, never an error.
///
/// Source: Smith, Bjorstad and Gropp, *Domain decomposition*, 1996, chapter 1 (additive Schwarz).
#[derive(Debug, Clone)]
pub struct Strips<const B: usize> {
    batches: Vec<Batch<B>>,
    /// Where the solutions of block `i` are: `places[place_start[i]..place_start[i + 1]]`.
    place_start: Vec<u32>,
    places: Vec<Place>,
}

#[derive(Debug, Clone, Copy)]
struct Place {
    batch: u32,
    position: u32,
    lane: u8,
}

impl<const B: usize> Strips<B> {
    /// Prepares the groups: ordered lists of blocks, which may overlap. A block's second mention within
    /// a group, and blocks that are not in the pattern, are ignored.
    pub fn new(pattern: &BlockPattern, groups: &[Vec<u32>]) -> Self {
        let mut strips = Self { batches: Vec::new(), place_start: Vec::new(), places: Vec::new() };
        strips.set_pattern(pattern, groups);
        strips
    }

    /// Prepares other groups or those of another pattern, in the same memory where it fits.
    pub fn set_pattern(&mut self, pattern: &BlockPattern, groups: &[Vec<u32>]) {
        let mut groups = analyse(pattern, groups);
        groups.sort_by_key(|g| (g.reach, g.len()));
        let mut spare: Vec<_> = self.batches.drain(..).map(|b| Some(b.into_bands())).collect();
        spare.resize(groups.len().div_ceil(LANES), None);
        let batches = groups.par_chunks(LANES).zip(spare).map(|(groups, spare)| Batch::new(groups, spare));
        self.batches = batches.collect();
        (self.place_start, self.places) = index(pattern.n_blocks(), &self.batches);
    }

    /// Factors every strip of the matrix, which must have the pattern of [`Self::new`].
    pub fn factor(&mut self, matrix: &BlockMatrix<B>) {
        self.batches.par_iter_mut().with_max_len(1).for_each(|batch| batch.factor(matrix));
    }

    /// `z = sum_g R_g' A_g^-1 R_g r`, the same on any number of threads.
    pub fn apply(&mut self, r: &[f64], z: &mut [f64]) {
        self.batches.par_iter_mut().with_max_len(1).for_each(|batch| batch.solve(r));
        z.par_chunks_mut(B * SUM_TASK).enumerate().for_each(|(task, z)| {
            for (k, z) in z.chunks_exact_mut(B).enumerate() {
                let i = task * SUM_TASK + k;
                let mut sum = [0.0; B];
                for place in &self.places[self.place_start[i] as usize..self.place_start[i + 1] as usize] {
                    let x = self.batches[place.batch as usize].solution(place.position, place.lane);
                    sum.iter_mut().zip(x).for_each(|(s, x)| *s += f64::from(x));
                }
                z.copy_from_slice(&sum);
            }
        });
    }

    /// Number of strips whose diagonal had to be raised in the last factorisation.
    pub fn n_shifted(&self) -> usize {
        self.batches.iter().map(Batch::n_shifted).sum()
    }

    /// Bytes held, and nearly all of them touched by one application.
    pub fn bytes(&self) -> usize {
        let places = size_of_val(self.places.as_slice()) + size_of_val(self.place_start.as_slice());
        self.batches.iter().map(Batch::bytes).sum::<usize>() + places
    }
}

impl<const B: usize> Preconditioner for Strips<B> {
    fn apply(&mut self, r: &[f64], z: &mut [f64]) {
        Self::apply(self, r, z);
    }
}

/// The groups with their couplings, and one more for each block that is in none.
fn analyse(pattern: &BlockPattern, groups: &[Vec<u32>]) -> Vec<Group> {
    let n = pattern.n_blocks();
    let mut seen_in = vec![u32::MAX; n];
    let mut lists = Vec::with_capacity(groups.len());
    for (g, group) in groups.iter().enumerate() {
        let mut list = group.clone();
        list.retain(|&b| {
            let mark = seen_in.get_mut(b as usize);
            mark.is_some_and(|mark| std::mem::replace(mark, g as u32) != g as u32)
        });
        lists.push(list);
    }
    lists.retain(|list| !list.is_empty());
    lists.extend((0..n).filter(|&b| seen_in[b] == u32::MAX).map(|b| vec![b as u32]));
    let position = || vec![u32::MAX; n];
    let group = |position: &mut Vec<u32>, list| Group::new(pattern, list, position, REACH_LIMIT);
    lists.into_par_iter().with_min_len(GROUP_TASK).map_init(position, group).collect()
}

/// Where the solutions of every block are, in compressed rows.
fn index<const B: usize>(n: usize, batches: &[Batch<B>]) -> (Vec<u32>, Vec<Place>) {
    let mut start = vec![0u32; n + 1];
    for m in batches.iter().flat_map(Batch::members) {
        start[m.block as usize + 1] += 1;
    }
    for i in 0..n {
        start[i + 1] += start[i];
    }
    let mut next = start.clone();
    let mut places = vec![Place { batch: 0, position: 0, lane: 0 }; start[n] as usize];
    for (b, batch) in batches.iter().enumerate() {
        for m in batch.members() {
            let place = Place { batch: b as u32, position: m.position, lane: m.lane };
            places[next[m.block as usize] as usize] = place;
            next[m.block as usize] += 1;
        }
    }
    (start, places)
}
