//! Crossings of the yarns of two layers.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::boxes::{Aabb, overlapping};
use crate::geometry::Vec3;
use crate::geometry::crossing::{Point2, crossing};
use crate::geometry::pose::Pose;
use crate::model::ids::{NodeId, RodId};
use crate::model::layers::Crossing;
use crate::model::yarns::Model;

/// A yarn that ends nearer to another than this part of its length does not cross it.
const END_MARGIN: f64 = 1e-9;

/// A piece of a yarn between consecutive nodes, seen in a plane.
struct Piece {
    rod: RodId,
    ends: [Point2; 2],
    arcs: [f64; 2],
}

impl Piece {
    fn direction(&self) -> Point2 {
        let [a, b] = self.ends;
        [b[0] - a[0], b[1] - a[1]]
    }

    fn bounds(&self) -> Aabb {
        Aabb::around(&self.ends.map(|[x, y]| Vec3::new(x, y, 0.0)), 0.0)
    }

    /// Consecutive pieces of a straight yarn as one.
    fn joined(pieces: &[Self]) -> Option<Self> {
        let (first, last) = (pieces.first()?, pieces.last()?);
        let (ends, arcs) = ([first.ends[0], last.ends[1]], [first.arcs[0], last.arcs[1]]);
        Some(Self { rod: first.rod, ends, arcs })
    }

    fn arc(&self, fraction: f64) -> f64 {
        self.arcs[0] + fraction * (self.arcs[1] - self.arcs[0])
    }
}

/// The crossings of all yarns of a fabric with those of the fabric above it, seen along the `z` axis of
/// `plane`, which points from the lower to the upper; in the order of the rods and along them. Yarns that
/// cross at less than `min_angle_rad` and yarns that end on one another are left out.
pub(crate) fn crossings(
    model: &Model,
    q: &[f64],
    [lower, upper]: [u32; 2],
    plane: &Pose,
    min_angle_rad: f64,
) -> Vec<Crossing> {
    let below = pieces(model, q, lower, plane);
    let above = pieces(model, q, upper, plane);
    let boxes: Vec<Aabb> = below.iter().chain(&above).map(Piece::bounds).collect();
    let is_above = |k: u32| k as usize >= below.len();
    let near = overlapping(&boxes, |i, j| !is_above(i) && is_above(j));
    let of_pair = |&[i, j]: &[u32; 2]| {
        let pieces = [&below[i as usize], &above[j as usize - below.len()]];
        meet(model, pieces, plane, min_angle_rad.sin())
    };
    let mut found: Vec<Crossing> = near.par_iter().filter_map(of_pair).collect();
    found.par_sort_by(|a, b| a.rods.cmp(&b.rods).then(a.arcs[0].total_cmp(&b.arcs[0])));
    found
}

/// The yarns of a fabric and of the fabric above it that do not cross but would if the fabrics slid far enough, each at
/// its place that is nearest to that; otherwise as [`crossings`], from which `known` are.
pub(crate) fn crossings_to_come(
    model: &Model,
    q: &[f64],
    [lower, upper]: [u32; 2],
    (plane, min_angle_rad): (&Pose, f64),
    known: &[Crossing],
) -> Vec<Crossing> {
    let known: BTreeSet<[RodId; 2]> = known.iter().map(|c| c.rods).collect();
    let yarns = |fabric: u32| -> Vec<Piece> {
        let pieces = pieces(model, q, fabric, plane);
        pieces.chunk_by(|a, b| a.rod == b.rod).filter_map(Piece::joined).collect()
    };
    let (below, above) = (yarns(lower), yarns(upper));
    let of_yarn = |a: &Piece| -> Vec<Crossing> {
        let yet = above.iter().filter_map(|b| cross(a, b, nearest([a, b])?, plane, min_angle_rad.sin()));
        yet.filter(|c| !known.contains(&c.rods)).map(|c| Crossing { is_to_come: true, ..c }).collect()
    };
    below.par_iter().flat_map_iter(of_yarn).collect()
}

fn pieces(model: &Model, q: &[f64], fabric: u32, plane: &Pose) -> Vec<Piece> {
    let seen = plane.isometry().inverse();
    let point = |n: NodeId| {
        let x = seen.transform_point(&model.position(q, n).into());
        [x.x, x.y]
    };
    let is_in = |n: NodeId| model.rod_of(n).thread.is_some_and(|t| t.fabric == fabric);
    let piece = |s: [NodeId; 2]| Piece {
        rod: model.node(s[0]).rod,
        ends: s.map(point),
        arcs: s.map(|n| model.arc(q, n)),
    };
    model.segments().filter(|s| is_in(s[0])).map(piece).collect()
}

/// Parts of two pieces at their points, but for their ends, that are nearest to where their lines cross; none if these
/// do not.
fn nearest([a, b]: [&Piece; 2]) -> Option<[f64; 2]> {
    let (d, e) = (a.direction(), b.direction());
    let between = [b.ends[0][0] - a.ends[0][0], b.ends[0][1] - a.ends[0][1]];
    let area = area(d, e);
    (area != 0.0)
        .then(|| [e, d].map(|other| (self::area(between, other) / area).clamp(END_MARGIN, 1.0 - END_MARGIN)))
}

fn area(d: Point2, e: Point2) -> f64 {
    d[0] * e[1] - d[1] * e[0]
}

fn meet(model: &Model, [a, b]: [&Piece; 2], plane: &Pose, least_sine: f64) -> Option<Crossing> {
    let fractions = crossing(a.ends, b.ends)?;
    let ends_there = |piece: &Piece, fraction: f64| {
        let (arc, length) = (piece.arc(fraction), model.rods[piece.rod.index()].length);
        arc < END_MARGIN * length || arc > (1.0 - END_MARGIN) * length
    };
    if ends_there(a, fractions[0]) || ends_there(b, fractions[1]) {
        return None;
    }
    cross(a, b, fractions, plane, least_sine)
}

/// The crossing of a piece with one above it, at parts of both; none if its angle is too small.
fn cross(a: &Piece, b: &Piece, fractions: [f64; 2], plane: &Pose, least_sine: f64) -> Option<Crossing> {
    let (d, e) = (a.direction(), b.direction());
    let area = area(d, e);
    if area.abs() <= least_sine * d[0].hypot(d[1]) * e[0].hypot(e[1]) {
        return None;
    }
    let arcs = [a.arc(fractions[0]), b.arc(fractions[1])];
    let [s, _] = fractions;
    let local = Vec3::new(a.ends[0][0] + s * d[0], a.ends[0][1] + s * d[1], 0.0);
    // Tangents times one another point along z where `area > 0`; the upper yarn lies there. In ascending
    // order of the rods both the product and the question which one is above change sign.
    let side = if area > 0.0 { -1 } else { 1 };
    let (rods, arcs) =
        if a.rod < b.rod { ([a.rod, b.rod], arcs) } else { ([b.rod, a.rod], [arcs[1], arcs[0]]) };
    let position = plane.to_world(local);
    Some(Crossing { rods, arcs, position, side, friction: None, is_to_come: false })
}
