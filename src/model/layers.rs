//! Fabrics that lie on one another.

use serde::{Deserialize, Serialize};

use super::ids::RodId;
use super::yarns::ContactKind;
use crate::geometry::Vec3;

/// Fabrics stacked flat on one another. Where yarns of neighbouring layers cross they are joined by
/// contacts that slide. Contacts have no thickness: all layers start on the surface of the lowest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayersParams {
    /// Names of the fabrics in their order along the upper face (`z`) of the first.
    pub fabrics: Vec<String>,
    /// Coulomb's coefficient between the layers (default: the mean of the yarns').
    #[serde(default)]
    pub friction: Option<f64>,
    /// Yarns that cross at a smaller angle are not joined, degrees (default 15).
    #[serde(default = "default_angle")]
    pub min_angle: f64,
}

/// A contact of yarns at an angle `a` slides `1/sin(a)` times as fast as the yarns pass each other: four
/// times at 15 degrees. Yarns that are nearly parallel never block the layers' way, for those across do.
fn default_angle() -> f64 {
    15.0
}

/// Where a yarn of one fabric crosses a yarn of another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crossing {
    /// The yarns, in ascending order.
    pub rods: [RodId; 2],
    /// Arc coordinates of the crossing along them, m.
    pub arcs: [f64; 2],
    /// Where it is, m.
    pub position: Vec3,
    /// `1` if the first yarn is above along its tangent times the second's, `-1` if it is below.
    pub side: i8,
    /// Whether it slides.
    pub kind: ContactKind,
    /// Coulomb's coefficient; the mean of the yarns' if none is given.
    pub friction: Option<f64>,
}
