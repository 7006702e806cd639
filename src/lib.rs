//! Woven and knitted cloth in which every yarn is a rod.

pub mod geometry;
pub mod pattern;
pub mod model;
pub mod potential;
pub mod simulation;
pub mod record;
pub mod draw;
#[cfg(feature = "viewer")]
pub mod viewer;
