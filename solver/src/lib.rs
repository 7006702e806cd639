//! Sparse Newton and implicit time stepping for energies that are sums of many small functions.
#![warn(missing_docs)]
#![allow(clippy::needless_range_loop, reason = "indices follow the formulas")]
pub mod cholesky;
pub mod linear;
pub mod matrix;
pub mod newton;
pub mod objective;
pub mod pattern;
pub mod pcg;
pub mod samples;
pub mod stats;
pub mod stencil;
pub mod strips;
pub mod time;
mod vector;
