//! Woven and knitted cloth in which every yarn is a rod.

pub mod cli;
pub mod collision;
pub mod draw;
pub mod geometry;
pub mod model;
pub mod pattern;
pub mod potential;
pub mod record;
pub mod scene;
pub mod simulation;
