//! The step, adaptive time, relaxation.

pub mod params;
