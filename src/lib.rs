//! Woven and knitted cloth in which every yarn is a rod.

pub mod draw;
pub mod geometry;
pub mod model;
pub mod pattern;
pub mod potential;
pub mod simulation;
pub mod record;
#[cfg(feature = "viewer")]
pub mod viewer;
