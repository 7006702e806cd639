//! Sparse Newton and implicit time stepping for energies that are sums of many small functions.
#![warn(missing_docs)]
pub mod matrix;
pub mod objective;
pub mod pattern;
pub mod pcg;
pub mod samples;
pub mod stencil;
pub mod strips;
mod vector;
