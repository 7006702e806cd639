//! Solid bodies that cloth lies on or is pushed by.

use serde::{Deserialize, Serialize};

use super::motion::Motion;
use crate::geometry::Vec3;
use crate::geometry::pose::Pose;

/// A solid shape in its own frame.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Shape {
    /// The half-space below the plane through the origin, normal to `z`.
    Plane,
    /// A box about the origin.
    Box {
        /// Full edge lengths, m.
        size: [f64; 3],
    },
    /// A ball about the origin.
    Sphere {
        /// m.
        radius: f64,
    },
    /// Points within `radius` of a segment of the `z` axis, centred at the origin.
    Capsule {
        /// m.
        radius: f64,
        /// Length of the segment, without the round ends, m.
        length: f64,
    },
}

/// An obstacle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObstacleParams {
    /// Name.
    #[serde(default)]
    pub name: String,
    /// The shape in its own frame.
    pub shape: Shape,
    /// Where the shape's origin starts, m.
    #[serde(default)]
    pub at: [f64; 3],
    /// How it is turned at the start: rotation vector, degrees.
    #[serde(default)]
    pub rotation: [f64; 3],
    /// Motion from there, rotations about the shape's origin.
    #[serde(default)]
    pub motion: Motion,
    /// Coulomb's coefficient (default: the touching yarn's).
    #[serde(default)]
    pub friction: Option<f64>,
    /// Distance kept beside the yarn's radius, m.
    #[serde(default)]
    pub thickness: f64,
    /// Contact stiffness per area of touching yarn, N/m3.
    #[serde(default = "default_stiffness")]
    pub stiffness: f64,
}

/// A node of cotton shirting weighs 3e-7 N and shows 2e-7 m2: it sinks in by 15 nm under its weight and by
/// 5 um under 300 times that, a twentieth of its radius. A hundred times stiffer doubles Newton's iterations
/// in `drape` and shows nothing.
fn default_stiffness() -> f64 {
    1e8
}

impl ObstacleParams {
    /// Where the obstacle is at a time.
    pub fn pose_at(&self, time: f64) -> Pose {
        let moved = self.motion.at(time);
        let start = Pose::new(Vec3::from(self.at), Vec3::from(self.rotation).map(f64::to_radians));
        let turned = moved.isometry().rotation * start.isometry().rotation;
        let at = Vec3::from(self.at) + Vec3::from(moved.translation);
        Pose { translation: at.into(), rotation: turned.coords.into() }
    }
}
