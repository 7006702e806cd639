//! The mesh of one yarn, as fine as it must be for a view.

use super::camera::View;
use super::curve::Curve;
use super::mesh::Mesh;
use super::options::Detail;
use super::tube::{AxisPoint, tube};

/// Limits of the sides of a tube: four or five change the shade of yarns as thin as a sample.
const SIDES: [usize; 2] = [6, 40];

/// Limits of the pieces between two crossings: a single one loses the slope between over and under, and
/// cloth seen from afar changes its shade where they become two.
const PIECES: [usize; 2] = [2, 24];

/// Length, in radii, below which the way from node to node is straight.
const STRAIGHT: f32 = 1.0;

/// The closed tube of a rod of a radius, m, with the colours of its nodes (linear RGB).
pub fn yarn(curve: &Curve, radius: f32, colours: &[[f32; 3]], fineness: Fineness<'_>) -> Mesh {
    let mut axis = Vec::with_capacity(4 * curve.points.len());
    let mut sides = SIDES[0];
    for segment in 0..curve.n_segments() {
        let cut = fineness.cut(curve, segment, radius);
        sides = sides.max(cut.sides);
        let (a, b) = (colours[segment], colours[segment + 1]);
        for k in 0..cut.pieces {
            let t = k as f32 / cut.pieces as f32;
            let (position, tangent) = curve.at(segment, t);
            let colour = std::array::from_fn(|i| a[i] + (b[i] - a[i]) * t);
            axis.push(AxisPoint { position, tangent, colour });
        }
    }
    if let (Some(segment), Some(&colour)) = (curve.n_segments().checked_sub(1), colours.last()) {
        let (position, tangent) = curve.at(segment, 1.0);
        axis.push(AxisPoint { position, tangent, colour });
    }
    tube(&axis, radius, sides)
}

/// How finely a tube is cut.
#[derive(Debug, Clone, Copy)]
pub enum Fineness<'a> {
    /// As finely as shows in a view: within a part of a sample there, coarsely where it is not seen.
    Seen(&'a View, f32),
    /// The same everywhere.
    Fixed {
        /// Pieces between two nodes.
        pieces: usize,
        /// Sides of a tube.
        sides: usize,
    },
}

impl Detail {
    /// What this means in a view.
    pub fn in_view(self, view: &View) -> Fineness<'_> {
        match self {
            Self::Tolerance(samples) => Fineness::Seen(view, samples),
            Self::Fixed { pieces, sides } => Fineness::Fixed { pieces, sides },
        }
    }
}

/// How finely a segment is cut.
struct Cut {
    pieces: usize,
    sides: usize,
}

impl Fineness<'_> {
    fn cut(self, curve: &Curve, segment: usize, radius: f32) -> Cut {
        let (view, tolerance) = match self {
            Self::Fixed { pieces, sides } => return Cut { pieces: pieces.max(1), sides },
            Self::Seen(view, samples) => (view, samples.max(1e-3)),
        };
        let (p, q) = (curve.points[segment], curve.points[segment + 1]);
        let length = (q - p).norm();
        let (middle, reach) = ((p + q) * 0.5, 0.7 * length + radius);
        if !view.sees(middle, reach) {
            return Cut { pieces: 1, sides: SIDES[0] };
        }
        let nearest = (view.depth(middle) - reach).max(view.near);
        let sample = nearest / view.focal;
        let least = if length > STRAIGHT * radius { PIECES[0] } else { 1 };
        let pieces = curve.pieces(segment, tolerance * sample).clamp(least, PIECES[1]);
        Cut { pieces, sides: sides(radius / sample, tolerance) }
    }
}

/// Sides of a circle of a radius whose edges stay within a tolerance of it: `pi / acos(1 - e / r)`.
fn sides(radius: f32, tolerance: f32) -> usize {
    let sine = (1.0 - tolerance / radius.max(f32::MIN_POSITIVE)).clamp(-1.0, 1.0);
    ((std::f32::consts::PI / sine.acos()).ceil() as usize).clamp(SIDES[0], SIDES[1])
}
