//! Pairs of pieces of yarn and of sheets that may touch in a step.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::boxes::{Aabb, overlapping};
use super::vicinity::{Link, Reach, Vicinity};
use crate::geometry::Vec3;
use crate::geometry::pair::Pair;
use crate::model::ids::{BlockId, NodeId, RodId};
use crate::model::yarns::block_position;

/// What a piece is, with the blocks of its corners.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Shape {
    /// Yarn between two nodes, or an edge of a sheet.
    Segment([BlockId; 2]),
    /// A node, or a vertex of a sheet.
    Point([BlockId; 1]),
    /// A triangle of a sheet.
    Triangle([BlockId; 3]),
}

impl Shape {
    /// Its corners.
    pub(crate) fn corners(&self) -> &[BlockId] {
        match self {
            Self::Segment(ends) => ends,
            Self::Point(point) => point,
            Self::Triangle(corners) => corners,
        }
    }
}

/// A piece of cloth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Piece {
    /// What it is.
    pub(crate) shape: Shape,
    /// Its yarn, if it is of one.
    pub(crate) rod: Option<RodId>,
    /// The first node of a piece of yarn: two segments of yarn between the same two contacts have the same blocks.
    pub(crate) node: Option<NodeId>,
    /// Length of a segment at rest, m; 0 of others.
    pub(crate) length: f64,
    /// Distance that it keeps from one like it, m.
    pub(crate) thickness: f64,
    /// Its stack of fabrics and its fabric. Fabrics of a stack share the places of their contacts, and so have
    /// no distance from one another to keep; only yarns whose contact was removed stay on their sides.
    pub(crate) stack: Option<[u32; 2]>,
    /// Its fabric, if that is a knit. Loops of one lie closer than its yarns are thick, and their contacts alone
    /// keep them in order.
    pub(crate) knit: Option<u32>,
}

impl Piece {
    /// Whether two pieces are of different fabrics of one stack.
    fn is_layered_on(&self, other: &Self) -> bool {
        self.stack.zip(other.stack).is_some_and(|(a, b)| a[0] == b[0] && a[1] != b[1])
    }

    /// Whether two pieces are of one knit.
    fn is_knitted_with(&self, other: &Self) -> bool {
        self.knit.is_some() && self.knit == other.knit
    }
}

/// Pieces, and which of them are joined by the cloth. Segments meet segments, points meet triangles; points come
/// before triangles.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pieces {
    pieces: Vec<Piece>,
    vicinity: Vicinity,
    parted: Parted,
}

/// Yarns of a stack, in ascending order, whose contact was removed, and which of them is above: `1` if the
/// first is, along its tangent times the second's, `-1` if the second is.
pub(crate) type Parted = BTreeMap<[RodId; 2], i8>;

/// Links that pieces are apart along the cloth at least, to collide: next but one neighbours of a dense
/// weave that shears come as near as its thickness.
const LEAST_LINKS: u32 = 2;

/// And the way along the yarns over the thickness: less would hold sharp bends open.
const LEAST_WAY: f64 = 1.5;

impl Pieces {
    /// Pieces between `n_blocks` blocks, in the order of their yarns, some of which are joined by more than
    /// segments, and of whose yarns some have parted.
    pub(crate) fn new(pieces: Vec<Piece>, joined: &[Link], n_blocks: usize, parted: Parted) -> Self {
        let link = |p: &Piece| match p.shape {
            Shape::Segment(ends) => Some((ends.map(|b| b.0), p.length)),
            Shape::Point(_) | Shape::Triangle(_) => None,
        };
        let mut links: Vec<Link> = pieces.iter().filter_map(link).collect();
        links.extend_from_slice(joined);
        let thickest = pieces.iter().map(|p| p.thickness).fold(0.0, f64::max);
        let reach = Reach { links: LEAST_LINKS, length: LEAST_WAY * thickest };
        Self { vicinity: Vicinity::new(n_blocks, &links, reach), pieces, parted }
    }

    /// All of them.
    pub(crate) fn all(&self) -> &[Piece] {
        &self.pieces
    }

    /// What tells a piece from all others, whatever their order.
    pub(crate) fn key(&self, piece: u32) -> (Shape, Option<NodeId>) {
        let Piece { shape, node, .. } = self.pieces[piece as usize];
        (shape, node)
    }

    /// The distance that two pieces keep, m.
    pub(crate) fn thickness(&self, [i, j]: [u32; 2]) -> f64 {
        0.5 * (self.pieces[i as usize].thickness + self.pieces[j as usize].thickness)
    }

    /// On which side of each other the yarns of a pair stay; none where they keep a distance instead.
    pub(crate) fn side(&self, [i, j]: [u32; 2]) -> Option<i8> {
        let [one, other] = [i, j].map(|k| &self.pieces[k as usize]);
        if one.is_layered_on(other) { self.parted.get(&[one.rod?, other.rod?]).copied() } else { None }
    }

    /// Whether a pair collides wherever it meets: not such that are near along the cloth, or that contacts keep in order.
    pub(crate) fn may_touch(&self, [i, j]: [u32; 2]) -> bool {
        let [one, other] = [i, j].map(|k| &self.pieces[k as usize]);
        if one.is_layered_on(other) {
            return self.side([i, j]).is_some();
        }
        !one.is_knitted_with(other) && !self.vicinity.are_near(one.shape.corners(), other.shape.corners())
    }

    /// What a pair is, with its blocks; none if its pieces do not meet.
    pub(crate) fn meeting(&self, [i, j]: [u32; 2]) -> Option<(Pair, [BlockId; 4])> {
        match (self.pieces[i as usize].shape, self.pieces[j as usize].shape) {
            (Shape::Segment([a, b]), Shape::Segment([c, d])) => Some((Pair::Segments, [a, b, c, d])),
            (Shape::Point([p]), Shape::Triangle([a, b, c])) => Some((Pair::PointTriangle, [p, a, b, c])),
            _ => None,
        }
    }

    /// The pairs `[i, j]`, `i < j`, ascending, that come closer than `1 + margin` times their thickness
    /// somewhere between the unknowns at the start and at the end of a motion; never such that are near
    /// along the cloth.
    pub(crate) fn close(&self, start: &[f64], end: &[f64], margin: f64) -> Vec<[u32; 2]> {
        let swept = |p: &Piece| {
            let mut points = [Vec3::zeros(); 6];
            let corners = p.shape.corners();
            for (k, &b) in corners.iter().enumerate() {
                points[2 * k..2 * k + 2].copy_from_slice(&[block_position(start, b), block_position(end, b)]);
            }
            Aabb::around(&points[..2 * corners.len()], 0.5 * (1.0 + margin) * p.thickness)
        };
        let boxes: Vec<Aabb> = self.pieces.par_iter().map(swept).collect();
        overlapping(&boxes, |i, j| {
            self.meeting([i, j]).is_some_and(|(pair, blocks)| {
                let bound = (1.0 + margin) * self.thickness([i, j]);
                self.may_touch([i, j]) && may_come_near(pair, &blocks, [start, end], bound)
            })
        })
    }
}

/// Whether a pair's distance, less all that it may lose in a motion, is below a bound, m.
fn may_come_near(pair: Pair, blocks: &[BlockId; 4], [start, end]: [&[f64]; 2], bound: f64) -> bool {
    let x = blocks.map(|b| block_position(start, b));
    let motion: [Vec3; 4] = blocks.map(|b| block_position(end, b) - block_position(start, b));
    let reach = bound + pair.fastest_approach(&motion);
    pair.nearest(&x, 0.0).squared_distance < reach * reach
}

/// Whether every pair of an ascending list is in another.
pub(crate) fn includes(all: &[[u32; 2]], some: &[[u32; 2]]) -> bool {
    some.iter().all(|p| all.binary_search(p).is_ok())
}
