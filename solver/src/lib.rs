//! Sparse Newton and implicit time stepping for energies that are sums of many small functions.
#![warn(missing_docs)]
pub mod cholesky;
pub mod matrix;
pub mod objective;
pub mod order;
pub mod pattern;
pub mod reference;
pub mod stencil;
