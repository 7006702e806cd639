//! Simulations agree with formulas and with one another, and lose nothing when they stop and go on.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

#[path = "../common/mod.rs"]
mod common;
mod rods;
mod fabric;
mod crimp;
mod damping;
mod two_dampings;
mod curvature;
mod edges;
mod collision;
mod sheets;
mod sheet_collision;
mod sheet_obstacle;
mod sheet_corners;
mod tuning;
mod reproducible;
mod resume;
