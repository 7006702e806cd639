//! The interface between a problem and the minimiser.

use std::sync::Arc;

use crate::matrix::BlockMatrix;
use crate::pattern::BlockPattern;

/// Which second derivatives a Hessian holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HessianForm {
    /// Those that keep it positive semi-definite: it leads down from anywhere.
    Projected,
    /// All of them, so that it may be indefinite: near a minimum it converges quadratically.
    Whole,
}

/// A function of a few blocks of another's.
pub struct Restricted<'a, const B: usize> {
    /// The function; blocks of the other that it depends on and that stay as they are may be among its own.
    pub objective: Box<dyn Objective<B> + 'a>,
    /// Which blocks of the other its own are.
    pub blocks: Vec<u32>,
}

/// A function of `B * n_blocks` unknowns to be minimised, with a sparse Hessian.
///
/// Values, gradients and Hessians must not depend on the number of threads.
pub trait Objective<const B: usize> {
    /// Which blocks are coupled.
    fn pattern(&self) -> &Arc<BlockPattern>;

    /// Which unknowns may move, `B * n_blocks` of them. The others keep the values that they have.
    fn active(&self) -> &[bool];

    /// The function's value.
    fn value(&self, q: &[f64]) -> f64;

    /// Overwrites `out` with the gradient, all unknowns included.
    fn gradient(&self, q: &[f64], out: &mut [f64]);

    /// Overwrites `out` with the Hessian; both forms may be the same.
    fn hessian(&self, q: &[f64], form: HessianForm, out: &mut BlockMatrix<B>);

    /// The same function, but for a constant, of the unknowns of the free blocks, where all others stay as they are in
    /// `q`; none where it takes as long to compute (default).
    fn restricted<'a>(&'a self, _q: &[f64], _free: &'a [bool]) -> Option<Restricted<'a, B>> {
        None
    }

    /// The largest `t` in `(0, 1]` for which `q + t * direction` may be tried.
    fn longest_step(&self, _q: &[f64], _direction: &[f64]) -> f64 {
        1.0
    }

    /// Infinity norm of the gradient over the active unknowns; NaN when an entry is.
    fn residual(&self, gradient: &[f64]) -> f64 {
        let on = gradient.iter().zip(self.active()).filter(|(_, a)| **a);
        on.fold(0.0, |m: f64, (g, _)| if g.is_nan() || m.is_nan() { f64::NAN } else { m.max(g.abs()) })
    }
}
