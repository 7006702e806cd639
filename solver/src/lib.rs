//! Sparse Newton and implicit time stepping for energies that are sums of many small functions.
//!
//! A state `q` of `n` blocks of `B` unknowns each is moved to a minimum of
//!
//! ```text
//! E(q) = sum_e f_e(q[dofs_e])          d = -H^-1 g,   g = dE/dq,   H = d2E/dq2
//! ```
//! by Newton's method. The crate knows nothing of space or yarns: it is handed functions of few unknowns
//! each and works with their sum. An implicit time step is such a minimum too, see [`time::Scheme`].
//!
//! # The way of the data
//!
//! | module | what it answers |
//! |---|---|
//! | [`pattern`] | which blocks are coupled, and what happens when that changes |
//! | [`stencil`] | how many small functions become one gradient and one Hessian, in parallel |
//! | [`matrix`] | a symmetric matrix of blocks, and its product with a vector |
//! | [`objective`] | what a problem tells the minimiser |
//! | [`newton`] | the minimiser: inexact Newton steps with a line search |
//! | [`linear`] | which linear solver is used, and what happens when it fails |
//! | [`pcg`] | conjugate gradients with a preconditioner |
//! | [`strips`] | overlapping additive Schwarz with subdomains along the yarns (*strips*): linear time and memory |
//! | [`patches`] | overlapping additive Schwarz with subdomains across all layers (*patches*) |
//! | [`coarse`] | a coarse level for smooth motions of many blocks together |
//! | [`two_level`] | strips and the coarse level in one |
//! | [`cholesky`] | a direct factor |
//! | [`order`] | the elimination order that keeps the factor sparse |
//! | [`time`] | time steps written as minima, and the control of their length |
//! | [`interrupt`] | how all of it is stopped from outside |
//! | [`stats`] | what it all cost |
//! | [`samples`] | systems to test and measure with |
//!
//! # An example
//!
//! A net of strings, fixed along its upper edge, finds how it hangs:
//!
//! ```
//! use std::sync::Arc;
//! use hebra_solver::linear::Guides;
//! use hebra_solver::newton::{Newton, NewtonOptions};
//! use hebra_solver::objective::Objective;
//! use hebra_solver::samples::HangingNet;
//!
//! let net = HangingNet::new(10);
//! let guides = Guides { coordinates: net.coordinates(), groups: net.groups() };
//! let mut newton = Newton::new(Arc::clone(net.pattern()), guides, NewtonOptions::default());
//! let mut q = net.start().to_vec();
//! let report = newton.minimize(&net, &mut q)?;
//! assert!(report.residual < 1e-6);
//! # Ok::<(), hebra_solver::newton::NewtonError>(())
//! ```
//!
//! # Determinism
//!
//! Every sum is taken in an order that depends on the problem alone, so results are the same to the last
//! bit on any number of threads, and no choice is made by the clock.
#![warn(missing_docs)]
pub mod cholesky;
pub mod coarse;
pub mod interrupt;
pub mod linear;
pub mod matrix;
pub mod newton;
pub mod objective;
pub mod order;
pub mod pattern;
pub mod patches;
pub mod pcg;
pub mod reference;
pub mod samples;
pub mod stats;
pub mod stencil;
pub mod strips;
pub mod time;
pub mod two_level;
mod vector;
