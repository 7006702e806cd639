//! Proximity: crossings of layers, seams, distances to obstacles, pairs of segments of yarn.

pub(crate) mod boxes;
pub(crate) mod crossings;
pub(crate) mod distance;
pub(crate) mod edges;
pub mod surface;
pub(crate) mod passage;
pub mod layers;
pub mod overlap;
pub(crate) mod pairs;
pub mod seams;
pub(crate) mod sharp;
pub(crate) mod sunk;
pub(crate) mod vicinity;

mod blend;
