//! Pure functions with their derivatives: angles, poses, distances to simple shapes.

pub mod angle;
pub mod crossing;
pub mod dihedral;
pub mod framed;
pub mod normal;
pub mod pair;
pub mod pose;
pub mod prism;
pub mod segments;
pub mod triangle;

/// A point or a vector in space, m unless said otherwise.
pub type Vec3 = nalgebra::Vector3<f64>;
