//! The smooth centre line of a yarn through its drawn nodes.

use rayon::prelude::*;

use super::V3;
use super::nodes::rod_nodes;
use super::offset::{Role, drawn};
use crate::frame::Frame;

/// Part of the distance between two knots that a handle may reach. With both at 0.7 a yarn passes from over
/// to under at 59 degrees where four radii part its crossings, as steeply as jammed round yarns do.
const MAX_HANDLE: f32 = 0.7;

/// A chain of cubic Bezier curves, one from each node of a rod to the next, with continuous tangents.
#[derive(Debug, Clone)]
pub struct Curve {
    /// The nodes as drawn, m.
    pub points: Vec<V3>,
    /// Unit tangents at the nodes.
    pub tangents: Vec<V3>,
    /// Control points from node to node, m.
    segments: Vec<[V3; 4]>,
}

/// The drawn centre lines of all rods, in the layout's order.
///
/// These are the curves of every picture, window and export.
pub fn curves(frame: &Frame) -> Vec<Curve> {
    let nodes = drawn(frame);
    let curve = |rod: usize| {
        let range = rod_nodes(&frame.layout, rod);
        let led: Vec<usize> = range.clone().filter(|&i| nodes.roles[i] != Role::Follows).collect();
        let through = led.iter().map(|&i| Knot {
            point: nodes.points[i],
            normal: nodes.normals[i],
            crown: if let Role::Crosses(radius) = nodes.roles[i] { Some(radius) } else { None },
        });
        let arcs = &frame.arc[range.clone()];
        let led: Vec<usize> = led.iter().map(|i| i - range.start).collect();
        Curve::through(&through.collect::<Vec<_>>()).with_followers(&led, arcs)
    };
    (0..frame.layout.rods.len()).into_par_iter().map(curve).collect()
}

/// A point that a curve passes.
#[derive(Debug, Clone, Copy)]
struct Knot {
    /// m.
    point: V3,
    /// Unit normal of the fabric, or zero.
    normal: V3,
    /// Least radius of curvature over or under another yarn, m.
    crown: Option<f32>,
}

impl Curve {
    /// Two touching tubes have their axes perpendicular to the line between them: at a crossing a tangent
    /// that leaned to the next one would press the tubes into each other.
    fn through(knots: &[Knot]) -> Self {
        let points: Vec<V3> = knots.iter().map(|k| k.point).collect();
        let n = points.len();
        let mut tangents: Vec<V3> = (0..n).map(|i| tangent(&points, i)).collect();
        for (t, knot) in tangents.iter_mut().zip(knots).filter(|(_, k)| k.crown.is_some()) {
            *t = (*t - knot.normal * t.dot(&knot.normal)).try_normalize(1e-6).unwrap_or(*t);
        }
        if n > 2 {
            tangents[0] = end_tangent(points[1] - points[0], tangents[1], tangents[0]);
            tangents[n - 1] = end_tangent(points[n - 1] - points[n - 2], tangents[n - 2], tangents[n - 1]);
        }
        let segment = |i: usize| {
            let (p, q) = (points[i], points[i + 1]);
            let (a, b) = (handle(&knots[i], q - p), handle(&knots[i + 1], p - q));
            [p, p + tangents[i] * a, q - tangents[i + 1] * b, q]
        };
        let segments = (1..n).map(|i| segment(i - 1)).collect();
        Self { points, tangents, segments }
    }

    /// The same curve with a node at each arc coordinate, m; the curve's own nodes are those at `led`.
    fn with_followers(self, led: &[usize], arcs: &[f32]) -> Self {
        if led.len() == arcs.len() || led.len() < 2 {
            return self;
        }
        let Some(&first) = self.points.first() else { return self };
        let (mut points, mut tangents) = (vec![first], vec![self.tangents[0]]);
        let mut segments = Vec::with_capacity(arcs.len());
        for (k, ends) in led.windows(2).enumerate() {
            let mut rest = self.segments[k];
            for i in ends[0] + 1..ends[1] {
                let left = arcs[ends[1]] - arcs[i - 1];
                let t = if left > 0.0 { ((arcs[i] - arcs[i - 1]) / left).clamp(0.0, 1.0) } else { 0.0 };
                let (head, tail) = split(rest, t);
                let slope = (tail[1] - tail[0]).try_normalize(0.0);
                tangents.push(slope.or(tangents.last().copied()).unwrap_or_else(V3::x));
                points.push(tail[0]);
                segments.push(head);
                rest = tail;
            }
            points.push(rest[3]);
            tangents.push(self.tangents[k + 1]);
            segments.push(rest);
        }
        Self { points, tangents, segments }
    }

    /// Number of segments.
    pub fn n_segments(&self) -> usize {
        self.segments.len()
    }

    /// Point, m, and unit tangent at `t` in 0 to 1 along a segment.
    pub fn at(&self, segment: usize, t: f32) -> (V3, V3) {
        let [p, b, c, q] = self.segments[segment];
        let s = 1.0 - t;
        let point = p * (s * s * s) + b * (3.0 * s * s * t) + c * (3.0 * s * t * t) + q * (t * t * t);
        let slope = (b - p) * (s * s) + (c - b) * (2.0 * s * t) + (q - c) * (t * t);
        (point, slope.try_normalize(0.0).unwrap_or(self.tangents[segment]))
    }

    /// Pieces that a segment must be cut into for its chords to stay within `tolerance`, m, of the curve.
    ///
    /// ```text
    /// n = sqrt(3/4 max|second differences| / tolerance)
    /// ```
    ///
    /// Wang's bound for a cubic Bezier curve.
    pub fn pieces(&self, segment: usize, tolerance: f32) -> usize {
        let [p, b, c, q] = self.segments[segment];
        let bend = (p - 2.0 * b + c).norm().max((b - 2.0 * c + q).norm());
        ((0.75 * bend / tolerance).sqrt().ceil() as usize).max(1)
    }

    /// The curve as a poly-line with some pieces to a segment, from the first node to the last, m.
    pub fn poly_line(&self, pieces: usize) -> Vec<V3> {
        let pieces = pieces.max(1);
        let inner = |segment: usize| (0..pieces).map(move |k| (segment, k as f32 / pieces as f32));
        let inner = (0..self.n_segments()).flat_map(inner).map(|(segment, t)| self.at(segment, t).0);
        inner.chain(self.points.last().copied()).collect()
    }

    /// Control points of a segment as a cubic Bezier curve, m.
    pub fn bezier(&self, segment: usize) -> [V3; 4] {
        self.segments[segment]
    }
}

/// Length of the handle at a knot towards a neighbour at a distance vector, m.
///
/// A third of the chord, or more where a crown would otherwise be sharper than the yarn below it is thick.
/// With `h` the neighbour's height beside the crown's plane, the curvature at the end of a cubic Bezier curve
/// with a handle `a` is `2 h / (3 a^2)`; so
///
/// ```text
/// a = sqrt(2 h R / 3)
/// ```
///
/// bends it to the radius `R` of the circle around the other yarn's axis, as in the geometry of Peirce (The
/// geometry of cloth structure, 1937), up to a part of the distance, [`MAX_HANDLE`].
fn handle(knot: &Knot, to: V3) -> f32 {
    let third = to.norm() / 3.0;
    let Some(radius) = knot.crown else { return third };
    let height = to.dot(&knot.normal).abs();
    let along = (to - knot.normal * to.dot(&knot.normal)).norm();
    third.max((height * radius / 1.5).sqrt().min(MAX_HANDLE * along))
}

/// Both parts of a cubic Bezier curve cut at a parameter (de Casteljau).
fn split([p, b, c, q]: [V3; 4], t: f32) -> ([V3; 4], [V3; 4]) {
    let [pb, bc, cq] = [p.lerp(&b, t), b.lerp(&c, t), c.lerp(&q, t)];
    let [left, right] = [pb.lerp(&bc, t), bc.lerp(&cq, t)];
    let middle = left.lerp(&right, t);
    ([p, pb, left, middle], [middle, right, cq, q])
}

/// Slope of the parabola through three nodes over their chord lengths `a` and `b`.
///
/// ```text
/// t = (b e_a + a e_b) / (a + b),  e the chords' unit vectors
/// ```
fn tangent(points: &[V3], i: usize) -> V3 {
    let before = points[i] - points[i.saturating_sub(1)];
    let after = points[(i + 1).min(points.len() - 1)] - points[i];
    let (a, b) = (before.norm(), after.norm());
    let slope = match (a > 0.0, b > 0.0) {
        (true, true) => before * (b / a) + after * (a / b),
        _ => before + after,
    };
    slope.try_normalize(0.0).or_else(|| after.try_normalize(0.0)).unwrap_or_else(V3::x)
}

/// Tangent of an end segment that has no bending moment at its end, as nearly as a unit vector can.
fn end_tangent(chord: V3, inner: V3, fallback: V3) -> V3 {
    chord.try_normalize(0.0).and_then(|e| (e * 1.5 - inner * 0.5).try_normalize(1e-3)).unwrap_or(fallback)
}
