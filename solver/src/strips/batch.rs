//! Groups of similar length, assembled, factored and solved together.

use super::bands::{Bands, LANES, Lanes};
use crate::matrix::BlockMatrix;
use crate::pattern::BlockPattern;

/// First relative shift of a strip that is not positive definite in f32, and the factor between tries:
/// 1e-5 is a hundred roundings of f32; from 1e-5 to 100, where any scaled strip is diagonally dominant.
const FIRST_SHIFT: f32 = 1e-5;
const SHIFT_GROWTH: f32 = 10.0;
const MAX_SHIFTS: usize = 8;

/// Positions assembled and factored at a time: two panels of two yarns are half a megabyte, which the
/// second cache holds, and none is shorter than a reach.
pub(super) const PANEL: usize = 32;

/// Where a block's unknowns are in a batch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    pub(super) block: u32,
    pub(super) position: u32,
    pub(super) lane: u8,
}

/// Where a block of the matrix goes: `row` positions below the diagonal block of position `column`.
#[derive(Debug, Clone, Copy)]
struct Entry {
    slot: u32,
    column: u32,
    below: u8,
    lane: u8,
    transposed: bool,
}

/// The couplings inside one group; a position is an index into its list of blocks.
#[derive(Debug, Clone)]
pub(super) struct Group {
    blocks: Vec<u32>,
    /// `(slot, position of the row, position of the column)` of every coupling kept.
    couplings: Vec<(u32, u32, u32)>,
    /// Largest distance between coupled positions.
    pub(super) reach: usize,
}

impl Group {
    /// Looks up the couplings of a list of blocks; those more than `limit` positions apart are left out.
    /// `position` has an entry for each block of the pattern, `u32::MAX` before and after.
    pub(super) fn new(pattern: &BlockPattern, blocks: Vec<u32>, position: &mut [u32], limit: usize) -> Self {
        for (p, &b) in blocks.iter().enumerate() {
            position[b as usize] = p as u32;
        }
        let (mut couplings, mut reach) = (Vec::new(), 0);
        for (p, &b) in blocks.iter().enumerate() {
            for slot in pattern.row(b as usize) {
                let other = position[pattern.all_columns()[slot] as usize];
                let distance = (other as usize).abs_diff(p);
                if other != u32::MAX && distance <= limit {
                    reach = reach.max(distance);
                    couplings.push((slot as u32, p as u32, other));
                }
            }
        }
        for &b in &blocks {
            position[b as usize] = u32::MAX;
        }
        Self { blocks, couplings, reach }
    }

    /// Number of blocks.
    pub(super) fn len(&self) -> usize {
        self.blocks.len()
    }
}

/// Up to [`LANES`] groups side by side.
#[derive(Debug, Clone)]
pub(super) struct Batch<const B: usize> {
    members: Vec<Member>,
    entries: Vec<Entry>,
    bands: Bands,
    scale: Vec<Lanes>,
    x: Vec<Lanes>,
    shift: Lanes,
}

impl<const B: usize> Batch<B> {
    /// A batch of the groups, which may differ in length and reach; in spare memory if that has their size.
    pub(super) fn new(groups: &[Group], spare: Option<Bands>) -> Self {
        let length = groups.iter().map(Group::len).max().unwrap_or(0);
        let reach = groups.iter().map(|g| g.reach).max().unwrap_or(0);
        let (mut members, mut entries) = (Vec::new(), Vec::new());
        for (lane, group) in groups.iter().enumerate() {
            let lane = lane as u8;
            let place = |(p, &block): (usize, &u32)| Member { block, position: p as u32, lane };
            members.extend(group.blocks.iter().enumerate().map(place));
            entries.extend(group.couplings.iter().map(|&(slot, row, column)| Entry {
                slot,
                column: row.min(column),
                below: row.abs_diff(column) as u8,
                lane,
                // The pattern stores A(i, j) with i at position `row`; below the diagonal is A(j, i).
                transposed: row < column,
            }));
        }
        // Members in the order of the memory that they are written to; entries panel by panel, and then in
        // the order of the matrix.
        members.sort_unstable_by_key(|m| (m.position, m.lane));
        entries.sort_unstable_by_key(|e| (e.column as usize / PANEL, e.lane, e.slot));
        let (n, width) = (B * length, B * (reach + 1));
        let bands = spare.filter(|b| b.is(n, width)).unwrap_or_else(|| Bands::new(n, width));
        let x = vec![[0.0; LANES]; bands.padded_len()];
        Self { members, entries, bands, scale: vec![[1.0; LANES]; B * length], x, shift: [0.0; LANES] }
    }

    /// Its memory.
    pub(super) fn into_bands(self) -> Bands {
        self.bands
    }

    /// The blocks of the batch.
    pub(super) fn members(&self) -> &[Member] {
        &self.members
    }

    /// Number of strips whose diagonal was raised in the last factorisation.
    pub(super) fn n_shifted(&self) -> usize {
        self.shift.iter().filter(|s| **s > 0.0).count()
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.members.as_slice())
            + size_of_val(self.entries.as_slice())
            + size_of::<Lanes>() * (self.x.len() * (2 + self.bands.width()))
    }

    /// Factors `S A S`, where `S` scales the diagonal to 1, raising that diagonal where it is needed.
    pub(super) fn factor(&mut self, matrix: &BlockMatrix<B>) {
        self.set_scale(matrix);
        self.shift = [0.0; LANES];
        for _ in 0..=MAX_SHIFTS {
            let good = self.assemble_and_factor(matrix);
            if good.iter().all(|g| *g) {
                return;
            }
            for (shift, _) in self.shift.iter_mut().zip(good).filter(|(_, good)| !good) {
                *shift = (*shift * SHIFT_GROWTH).max(FIRST_SHIFT);
            }
        }
    }

    /// `s_i = 1 / sqrt |a_ii|`.
    fn set_scale(&mut self, matrix: &BlockMatrix<B>) {
        for m in &self.members {
            let diagonal = &matrix.values()[matrix.pattern().row(m.block as usize).start];
            for a in 0..B {
                let size = diagonal[a][a].abs();
                let scale = if size > 0.0 { 1.0 / size.sqrt() } else { 1.0 };
                self.scale[B * m.position as usize + a][m.lane as usize] = scale as f32;
            }
        }
    }

    /// Panel by panel, while they are in the cache.
    fn assemble_and_factor(&mut self, matrix: &BlockMatrix<B>) -> [bool; LANES] {
        let mut good = [true; LANES];
        self.assemble(matrix, 0);
        for panel in 0..(self.scale.len() / B).div_ceil(PANEL) {
            // A panel's columns update those of the next.
            self.assemble(matrix, panel + 1);
            let columns = B * PANEL * panel..B * PANEL * (panel + 1);
            good.iter_mut().zip(self.bands.factor(columns)).for_each(|(g, now)| *g &= now);
        }
        good
    }

    fn assemble(&mut self, matrix: &BlockMatrix<B>, panel: usize) {
        self.bands.set_identity(B * PANEL * panel..B * PANEL * (panel + 1));
        let before = |p: usize| self.entries.partition_point(|e| (e.column as usize) < PANEL * p);
        for e in &self.entries[before(panel)..before(panel + 1)] {
            let lane = e.lane as usize;
            let (row, column) = (B * (e.column as usize + e.below as usize), B * e.column as usize);
            let block = &matrix.values()[e.slot as usize];
            let (rows, columns) = (self.scale_of(row, lane), self.scale_of(column, lane));
            let mut scaled = [[0.0; B]; B];
            for a in 0..B {
                for b in 0..B {
                    let value = if e.transposed { block[b][a] } else { block[a][b] };
                    scaled[a][b] = (value * rows[a] * columns[b]) as f32;
                }
                if e.below == 0 {
                    scaled[a][a] += self.shift[lane];
                }
            }
            self.bands.set_block((row, column), lane, &scaled);
        }
    }

    fn scale_of(&self, first: usize, lane: usize) -> [f64; B] {
        let scale = &self.scale[first..first + B];
        std::array::from_fn(|a| f64::from(scale[a][lane]))
    }

    /// `x = S (S A S)^-1 S r` on every group.
    pub(super) fn solve(&mut self, r: &[f64]) {
        self.x.fill([0.0; LANES]);
        for m in &self.members {
            let (lane, from, to) = (m.lane as usize, B * m.block as usize, B * m.position as usize);
            for a in 0..B {
                self.x[to + a][lane] = r[from + a] as f32 * self.scale[to + a][lane];
            }
        }
        self.bands.solve(&mut self.x);
        for (x, scale) in self.x.iter_mut().zip(&self.scale) {
            for l in 0..LANES {
                x[l] *= scale[l];
            }
        }
    }

    /// The solution at a member.
    #[inline]
    pub(super) fn solution(&self, position: u32, lane: u8) -> [f32; B] {
        let first = B * position as usize;
        std::array::from_fn(|a| self.x[first + a][lane as usize])
    }
}
