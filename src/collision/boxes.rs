//! Broad phase: overlapping boxes by a uniform grid.

use rayon::prelude::*;

use crate::geometry::Vec3;

/// An axis-aligned box.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Aabb {
    min: Vec3,
    max: Vec3,
}

impl Aabb {
    /// The smallest box round some points, m, grown by a margin, m.
    pub(crate) fn around(points: &[Vec3], margin: f64) -> Self {
        let start = Self { min: Vec3::repeat(f64::INFINITY), max: Vec3::repeat(f64::NEG_INFINITY) };
        let grow = |b: Self, p: &Vec3| Self { min: b.min.inf(p), max: b.max.sup(p) };
        let tight = points.iter().fold(start, grow);
        Self { min: tight.min.add_scalar(-margin), max: tight.max.add_scalar(margin) }
    }

    fn overlaps(&self, other: &Self) -> bool {
        (0..3).all(|k| self.min[k] <= other.max[k] && other.min[k] <= self.max[k])
    }
}

/// Side of a cell over the mean of the boxes' longest sides.
const CELL: f64 = 1.5;

/// Cells that the longest box may extend over in each direction.
const LONGEST: f64 = 64.0;

/// Bits of a cell's number along each axis.
const BITS: u32 = 21;

/// A grid over a set of boxes.
struct Grid {
    origin: Vec3,
    side: f64,
}

impl Grid {
    fn new(boxes: &[Aabb]) -> Self {
        let longest = |b: &Aabb| (b.max - b.min).max();
        let mean = boxes.iter().map(longest).sum::<f64>() / boxes.len() as f64;
        let most = boxes.iter().map(longest).fold(0.0, f64::max);
        let origin = boxes.iter().fold(boxes[0].min, |m, b| m.inf(&b.min));
        let end = boxes.iter().fold(boxes[0].max, |m, b| m.sup(&b.max));
        let finest = (end - origin).max() / f64::from((1u32 << BITS) - 2);
        let side = (CELL * mean).max(most / LONGEST).max(finest).max(f64::MIN_POSITIVE);
        Self { origin, side }
    }

    fn cell(&self, p: Vec3) -> [u64; 3] {
        ((p - self.origin) / self.side).map(|c| c as u64).into()
    }

    fn key([i, j, k]: [u64; 3]) -> u64 {
        (i << (2 * BITS)) | (j << BITS) | k
    }

    /// The cells that a box touches.
    fn keys(&self, b: &Aabb) -> impl Iterator<Item = u64> {
        let ([i0, j0, k0], [i1, j1, k1]) = (self.cell(b.min), self.cell(b.max));
        (i0..=i1).flat_map(move |i| (j0..=j1).flat_map(move |j| (k0..=k1).map(move |k| Self::key([i, j, k]))))
    }
}

/// The pairs `[i, j]`, `i < j`, of overlapping boxes that `keep` wants, ascending; coordinates must be finite.
///
/// Every box is listed in the cells of a uniform grid that it touches, the list is sorted by cell, and boxes
/// of one cell are compared, where the lower corner of what they share lies in that cell.
pub(crate) fn overlapping(boxes: &[Aabb], keep: impl Fn(u32, u32) -> bool + Sync) -> Vec<[u32; 2]> {
    if boxes.len() < 2 {
        return Vec::new();
    }
    let grid = Grid::new(boxes);
    let listed = |(i, b): (usize, &Aabb)| grid.keys(b).map(move |key| (key, i as u32)).collect::<Vec<_>>();
    let mut entries: Vec<(u64, u32)> = boxes.par_iter().enumerate().flat_map_iter(listed).collect();
    entries.par_sort_unstable();
    let in_cell = |cell: &[(u64, u32)]| {
        let mut found = Vec::new();
        for (k, &(key, i)) in cell.iter().enumerate() {
            let a = &boxes[i as usize];
            for &(_, j) in &cell[k + 1..] {
                let b = &boxes[j as usize];
                let first = |a: &Aabb, b: &Aabb| Grid::key(grid.cell(a.min.sup(&b.min))) == key;
                if a.overlaps(b) && first(a, b) && keep(i, j) {
                    found.push([i, j]);
                }
            }
        }
        found
    };
    let cells = entries.par_chunk_by(|a, b| a.0 == b.0);
    let mut pairs: Vec<[u32; 2]> = cells.flat_map_iter(in_cell).collect();
    pairs.par_sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_overlap_is_found_once() {
        let mut state = 3u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as f64 / (1u64 << 24) as f64
        };
        let mut boxes = Vec::new();
        for k in 0..600 {
            let at = Vec3::new(random(), random(), random() * 0.1);
            let size = Vec3::new(random(), random(), random()) * if k % 50 == 0 { 0.5 } else { 0.05 };
            boxes.push(Aabb::around(&[at, at + size], 0.01));
        }
        let mut expected = Vec::new();
        for i in 0..600u32 {
            for j in i + 1..600 {
                if boxes[i as usize].overlaps(&boxes[j as usize]) && (i + j) % 3 > 0 {
                    expected.push([i, j]);
                }
            }
        }
        assert!(expected.len() > 300);
        assert_eq!(overlapping(&boxes, |i, j| (i + j) % 3 > 0), expected);
    }

    #[test]
    fn few_and_flat_boxes_are_no_trouble() {
        let point = Aabb::around(&[Vec3::zeros()], 0.0);
        assert!(overlapping(&[], |_, _| true).is_empty());
        assert!(overlapping(&[point], |_, _| true).is_empty());
        assert_eq!(overlapping(&[point; 3], |_, _| true), [[0, 1], [0, 2], [1, 2]]);
    }
}
