//! What is near what: crossings of layers, distances to obstacles.

pub mod crossings;
pub mod distance;
pub mod layers;
