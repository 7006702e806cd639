//! Proximity: crossings of layers, seams, distances to obstacles, pairs of segments of yarn.

pub mod boxes;
pub mod crossings;
pub mod distance;
pub mod edges;
pub mod surface;
pub mod passage;
pub mod layers;
pub mod overlap;
pub mod pairs;
pub mod seams;
pub mod sunk;
pub mod vicinity;

mod blend;
