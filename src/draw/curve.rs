//! The smooth centre line of a yarn through its drawn nodes.

use super::V3;
use super::offset::{contact_normals, drawn_positions, rod_nodes};
use crate::frame::Frame;

/// A cubic Hermite spline through the nodes of a rod; each handle is as long as its segment's chord.
#[derive(Debug, Clone)]
pub struct Curve {
    /// The nodes as drawn, m.
    pub points: Vec<V3>,
    /// Unit tangents at the nodes.
    pub tangents: Vec<V3>,
}

/// The drawn centre lines of all rods, in the layout's order.
pub fn curves(frame: &Frame) -> Vec<Curve> {
    let normals = contact_normals(frame);
    let drawn = drawn_positions(frame, &normals);
    let rods = 0..frame.layout.rods.len();
    rods.map(|rod| rod_nodes(&frame.layout, rod))
        .map(|n| Curve::new(drawn[n.clone()].to_vec(), &normals[n]))
        .collect()
}

impl Curve {
    /// Through points, m, with tangents perpendicular to the contacts' unit normals (zero without contact).
    ///
    /// Two touching tubes have their axes perpendicular to the line between them; a tangent that leaned
    /// to the next crossing would press the tubes into each other.
    pub fn new(points: Vec<V3>, normals: &[V3]) -> Self {
        let n = points.len();
        let mut tangents: Vec<V3> = (0..n).map(|i| tangent(&points, i)).collect();
        for (t, normal) in tangents.iter_mut().zip(normals) {
            *t = (*t - normal * t.dot(normal)).try_normalize(1e-6).unwrap_or(*t);
        }
        if n > 2 {
            tangents[0] = end_tangent(points[1] - points[0], tangents[1], tangents[0]);
            tangents[n - 1] = end_tangent(points[n - 1] - points[n - 2], tangents[n - 2], tangents[n - 1]);
        }
        Self { points, tangents }
    }

    /// Number of segments.
    pub fn n_segments(&self) -> usize {
        self.points.len().saturating_sub(1)
    }

    /// Point, m, and unit tangent at `t` in 0 to 1 along a segment.
    pub fn at(&self, segment: usize, t: f32) -> (V3, V3) {
        let [p, b, c, q] = self.bezier(segment);
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
        let [p, b, c, q] = self.bezier(segment);
        let bend = (p - 2.0 * b + c).norm().max((b - 2.0 * c + q).norm());
        ((0.75 * bend / tolerance).sqrt().ceil() as usize).max(1)
    }

    /// Control points of a segment as a cubic Bezier curve, m.
    pub fn bezier(&self, segment: usize) -> [V3; 4] {
        let (p, q) = (self.points[segment], self.points[segment + 1]);
        let handle = (q - p).norm() / 3.0;
        [p, p + self.tangents[segment] * handle, q - self.tangents[segment + 1] * handle, q]
    }
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
