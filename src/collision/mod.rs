//! What is near what: distances to obstacles.

pub mod distance;
