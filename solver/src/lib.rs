//! Sparse Newton and implicit time stepping for energies that are sums of many small functions.
#![warn(missing_docs)]
pub mod pattern;
pub mod matrix;
pub mod stencil;
pub mod objective;
