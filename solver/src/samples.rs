//! Systems to test and to measure solvers with.

mod net;
mod woven;

pub use net::HangingNet;
pub use woven::{WovenSquare, woven_square};
