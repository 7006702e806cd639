//! Rigid placements.

use nalgebra::{Isometry3, Translation3, UnitQuaternion};
use serde::{Deserialize, Serialize};

use super::Vec3;

/// A rigid placement: a rotation about the body's origin, then a translation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// Where the body's origin is, m.
    pub translation: [f64; 3],
    /// Unit quaternion `x, y, z, w`.
    pub rotation: [f64; 4],
}

impl Pose {
    /// No rotation, no translation.
    pub const IDENTITY: Self = Self { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0] };

    /// From a translation, m, and a rotation vector (axis times angle), rad.
    pub fn new(translation: Vec3, rotation_rad: Vec3) -> Self {
        let q = UnitQuaternion::from_scaled_axis(rotation_rad);
        Self { translation: translation.into(), rotation: q.coords.into() }
    }

    /// As a nalgebra isometry.
    pub fn isometry(&self) -> Isometry3<f64> {
        let [x, y, z, w] = self.rotation;
        let q = UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(w, x, y, z));
        Isometry3::from_parts(Translation3::from(Vec3::from(self.translation)), q)
    }

    /// A point of the body in space.
    pub fn to_world(&self, point: Vec3) -> Vec3 {
        self.isometry().transform_point(&point.into()).coords
    }

    /// A point of space in the body's frame.
    pub fn to_local(&self, point: Vec3) -> Vec3 {
        self.isometry().inverse_transform_point(&point.into()).coords
    }

    /// A direction of the body in space.
    pub fn rotate(&self, direction: Vec3) -> Vec3 {
        self.isometry().rotation * direction
    }

    /// A direction of space in the body's frame.
    pub fn rotate_back(&self, direction: Vec3) -> Vec3 {
        self.isometry().rotation.inverse() * direction
    }
}
