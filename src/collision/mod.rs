//! What is near what: crossings of layers, seams, distances to obstacles.

pub mod crossings;
pub mod distance;
pub mod surface;
pub mod layers;
pub mod seams;
