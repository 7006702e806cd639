//! Fabrics that lie on one another.

use serde::{Deserialize, Serialize};

use super::fabric::{FabricParams, Threads};
use super::ids::RodId;
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
    /// Smallest angle at which yarns of neighbouring layers are joined, degrees.
    #[serde(default = "default_angle")]
    pub min_angle: f64,
}

impl LayersParams {
    /// Fabrics by their names, from the lowest up.
    pub fn of(fabrics: &[&str]) -> Self {
        let fabrics = fabrics.iter().map(|f| (*f).into()).collect();
        Self { fabrics, friction: None, min_angle: default_angle() }
    }
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
    /// Coulomb's coefficient; the mean of the yarns' if none is given.
    pub friction: Option<f64>,
    /// Whether the yarns do not cross yet, so that their contact waits.
    pub is_to_come: bool,
}

/// A seam: two layers sewn together along a line. Their contacts there do not slide.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeamParams {
    /// Names of two neighbouring layers.
    pub fabrics: [String; 2],
    /// Line of the seam.
    pub along: SeamLine,
}

impl SeamParams {
    /// Two neighbouring layers by their names, sewn together along a line.
    pub fn of(fabrics: [&str; 2], along: SeamLine) -> Self {
        Self { fabrics: fabrics.map(Into::into), along }
    }
}

/// Where a seam runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum SeamLine {
    /// Straight, along the layers.
    Line {
        /// One end, m.
        from: [f64; 3],
        /// The other, m.
        to: [f64; 3],
    },
    /// Along the outermost yarn of the first fabric.
    Edge(FabricEdge),
}

/// An edge of a fabric, seen with its warp along `x` and its weft along `y`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum FabricEdge {
    /// The first weft yarn.
    Left,
    /// The last weft yarn.
    Right,
    /// The first warp yarn.
    Bottom,
    /// The last warp yarn.
    Top,
}

impl SeamLine {
    /// The ends of the line; `fabric` is the seam's first.
    pub fn ends(&self, fabric: &FabricParams) -> [Vec3; 2] {
        let edge = match *self {
            Self::Line { from, to } => return [from.into(), to.into()],
            Self::Edge(edge) => edge,
        };
        let half = |t: &Threads| 0.5 * (t.count.max(1) - 1) as f64 * t.spacing;
        let (x, y) = (half(&fabric.weft), half(&fabric.warp));
        let corners = match edge {
            FabricEdge::Left => [[-x, -y], [-x, y]],
            FabricEdge::Right => [[x, -y], [x, y]],
            FabricEdge::Bottom => [[-x, -y], [x, -y]],
            FabricEdge::Top => [[-x, y], [x, y]],
        };
        let place = fabric.pose();
        corners.map(|[x, y]| place.to_world(Vec3::new(x, y, 0.0)))
    }
}
