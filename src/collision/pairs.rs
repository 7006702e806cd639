//! Which segments of yarn may touch in a step.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::boxes::{Aabb, overlapping};
use super::vicinity::{Link, Reach, Vicinity};
use crate::geometry::Vec3;
use crate::geometry::segments::{closest_points, fastest_approach};
use crate::model::ids::{BlockId, RodId};
use crate::model::yarns::block_position;

/// A piece of yarn between two nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Segment {
    /// Its yarn.
    pub rod: RodId,
    /// Where its ends are stored.
    pub ends: [BlockId; 2],
    /// Its length at rest, m.
    pub length: f64,
    /// Distance that it keeps from one like it, m.
    pub thickness: f64,
    /// Its stack of fabrics and its fabric. Fabrics of a stack share the places of their contacts, and so have
    /// no distance from one another to keep; only yarns whose contact was removed stay on their sides.
    pub stack: Option<[u32; 2]>,
}

impl Segment {
    /// Whether two segments are of different fabrics of one stack.
    fn is_layered_on(&self, other: &Self) -> bool {
        self.stack.zip(other.stack).is_some_and(|(a, b)| a[0] == b[0] && a[1] != b[1])
    }
}

/// Segments, and which of them are joined by the cloth.
#[derive(Debug, Clone, Default)]
pub struct Segments {
    segments: Vec<Segment>,
    vicinity: Vicinity,
    parted: Parted,
}

/// Yarns of a stack, in ascending order, whose contact was removed, and which of them is above: `1` if the
/// first is, along its tangent times the second's, `-1` if the second is.
pub type Parted = BTreeMap<[RodId; 2], i8>;

/// Links that segments are apart along the yarns at least, to collide: next but one neighbours of a dense
/// weave that shears come as near as its thickness.
const LEAST_LINKS: u32 = 2;

/// And the way along the yarns over the thickness: less would hold sharp bends open.
const LEAST_WAY: f64 = 1.5;

impl Segments {
    /// Segments between `n_blocks` blocks, in the order of their yarns, some of which are joined by more than
    /// segments, and of whose yarns some have parted.
    pub fn new(segments: Vec<Segment>, joined: &[Link], n_blocks: usize, parted: Parted) -> Self {
        let mut links: Vec<Link> = segments.iter().map(|s| (s.ends.map(|b| b.0), s.length)).collect();
        links.extend_from_slice(joined);
        let thickest = segments.iter().map(|s| s.thickness).fold(0.0, f64::max);
        let reach = Reach { links: LEAST_LINKS, length: LEAST_WAY * thickest };
        Self { vicinity: Vicinity::new(n_blocks, &links, reach), segments, parted }
    }

    /// All of them.
    pub fn all(&self) -> &[Segment] {
        &self.segments
    }

    /// The distance that two segments keep, m.
    pub fn thickness(&self, [i, j]: [u32; 2]) -> f64 {
        0.5 * (self.segments[i as usize].thickness + self.segments[j as usize].thickness)
    }

    /// On which side of each other the yarns of a pair stay; none where they keep a distance instead.
    pub fn side(&self, [i, j]: [u32; 2]) -> Option<i8> {
        let [one, other] = [i, j].map(|k| &self.segments[k as usize]);
        if one.is_layered_on(other) { self.parted.get(&[one.rod, other.rod]).copied() } else { None }
    }

    /// The blocks of a pair.
    pub fn blocks(&self, [i, j]: [u32; 2]) -> [BlockId; 4] {
        let ([a, b], [c, d]) = (self.segments[i as usize].ends, self.segments[j as usize].ends);
        [a, b, c, d]
    }

    /// The pairs `[i, j]`, `i < j`, ascending, that come closer than `1 + margin` times their thickness
    /// somewhere between the unknowns at the start and at the end of a motion; never such that are near
    /// along the yarns.
    pub fn close(&self, start: &[f64], end: &[f64], margin: f64) -> Vec<[u32; 2]> {
        let swept = |s: &Segment| {
            let [a, b] = s.ends.map(|n| [block_position(start, n), block_position(end, n)]);
            Aabb::around(&[a[0], a[1], b[0], b[1]], 0.5 * (1.0 + margin) * s.thickness)
        };
        let boxes: Vec<Aabb> = self.segments.par_iter().map(swept).collect();
        overlapping(&boxes, |i, j| {
            let [one, other] = [i, j].map(|k| &self.segments[k as usize]);
            let [a, b] = [one, other].map(|s| s.ends.map(|n| n.0));
            let may_touch = if one.is_layered_on(other) {
                self.side([i, j]).is_some()
            } else {
                !self.vicinity.are_near(&a, &b)
            };
            may_touch && self.may_come_near([i, j], [start, end], margin)
        })
    }

    /// Whether a pair's distance, less all that it may lose in the motion, is below the bound.
    fn may_come_near(&self, pair: [u32; 2], [start, end]: [&[f64]; 2], margin: f64) -> bool {
        let blocks = self.blocks(pair);
        let [a0, a1, b0, b1] = blocks.map(|b| block_position(start, b));
        let motion: [Vec3; 4] = blocks.map(|b| block_position(end, b) - block_position(start, b));
        let kept = if self.side(pair).is_some() { 0.0 } else { self.thickness(pair) };
        let reach = kept + margin * self.thickness(pair) + fastest_approach(&motion);
        closest_points([a0, a1], [b0, b1], 0.0).squared_distance < reach * reach
    }
}

/// Whether every pair of an ascending list is in another.
pub fn includes(all: &[[u32; 2]], some: &[[u32; 2]]) -> bool {
    some.iter().all(|p| all.binary_search(p).is_ok())
}
