//! The signed distance of a mesh, blended so that it has no kinks.

use nalgebra::Matrix3;

use super::surface::Nearby;

/// The lesser of two distances, blended where they differ by less than a width, m.
///
/// ```text
/// d = a - w h^2/4,   h = 1 - (b - a)/w > 0,   a < b
/// ```
/// The lesser has a kink where both are alike, as in the valleys of a mesh, and a force that follows it jumps there from one
/// direction to the other: what is pressed into a valley comes to rest nowhere. This has a continuous gradient and is
/// less by at most a quarter of `w`.
pub(super) fn lesser(one: Nearby, other: Nearby, width: f64) -> Nearby {
    let [a, b] = if one.distance <= other.distance { [one, other] } else { [other, one] };
    let share = 1.0 - (b.distance - a.distance) / width;
    if share <= 0.0 {
        return a;
    }
    let (turn, part) = (b.gradient - a.gradient, 0.5 * share);
    let between: Matrix3<f64> = turn * turn.transpose() * (0.5 / width);
    Nearby {
        distance: a.distance - 0.25 * width * share * share,
        gradient: a.gradient + turn * part,
        bend: a.bend * (1.0 - part) + b.bend * part + between,
    }
}
