//! Conjugate gradients with a preconditioner.

use serde::{Deserialize, Serialize};

use crate::interrupt::Interrupt;
use crate::matrix::{BlockMatrix, ProductScratch};
use crate::vector::{add_scaled, dot, scale_add};

/// A symmetric positive definite stand-in for the inverse of a matrix.
pub trait Preconditioner {
    /// Overwrites `z` with an approximation of `A^-1 r`.
    fn apply(&mut self, r: &[f64], z: &mut [f64]);
}

/// Why the iteration ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// The residual is below the tolerance.
    Converged,
    /// The cap on iterations was reached.
    IterationCap,
    /// The residual has not halved for [`STAGNATION_WINDOW`] iterations.
    Stagnation,
    /// A direction with `p'Ap <= 0` was met: the matrix or the preconditioner is not positive definite.
    NegativeCurvature,
    /// A number overflowed or was not a number to begin with.
    NotFinite,
    /// It was asked to stop.
    Interrupted,
}

/// How a run of [`ConjugateGradients::solve`] went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// Products with the matrix.
    pub iterations: usize,
    /// `|b - A x| / |b|` in the Euclidean norm, as updated by the recurrence.
    pub relative_residual: f64,
    /// Why the iteration ended. The iterate is usable unless it is not finite.
    pub ending: Ending,
}

/// Iterations within which the residual must halve; CG on woven systems takes 15 to 30 for that, and a
/// system on which it takes 200 is better off with a factor.
pub const STAGNATION_WINDOW: usize = 200;

/// Preconditioned conjugate gradients in f64, with their working memory.
///
/// ```text
/// alpha = r'z / p'Ap    x += alpha p    r -= alpha A p    z = M^-1 r    beta = r'z / (r'z)_old    p = z + beta p
/// ```
/// Source: Hestenes and Stiefel, 1952; Saad, *Iterative methods for sparse linear systems*, algorithm 9.1.
#[derive(Debug, Clone)]
pub struct ConjugateGradients {
    /// Ends when `|r| <= tolerance |b|`.
    pub tolerance: f64,
    /// Cap on iterations.
    pub max_iterations: usize,
    /// What ends it early.
    pub interrupt: Interrupt,
    r: Vec<f64>,
    z: Vec<f64>,
    p: Vec<f64>,
    ap: Vec<f64>,
    scratch: ProductScratch,
}

impl ConjugateGradients {
    /// Working memory for `n` unknowns.
    pub fn new(n: usize) -> Self {
        let zero = || vec![0.0; n];
        Self {
            tolerance: 1e-8,
            max_iterations: 1000,
            interrupt: Interrupt::default(),
            r: zero(),
            z: zero(),
            p: zero(),
            ap: zero(),
            scratch: ProductScratch::default(),
        }
    }

    /// Solves `A x = b` from `x = 0`; `x` holds the last iterate however the iteration ended.
    pub fn solve<const B: usize>(
        &mut self,
        a: &BlockMatrix<B>,
        m: &mut dyn Preconditioner,
        b: &[f64],
        x: &mut [f64],
    ) -> Outcome {
        x.fill(0.0);
        self.r.copy_from_slice(b);
        let b_norm = dot(b, b).sqrt();
        let mut watch = Watch { best: b_norm, since: 0 };
        let mut outcome = Outcome { iterations: 0, relative_residual: 1.0, ending: Ending::Converged };
        if b_norm == 0.0 {
            outcome.relative_residual = 0.0;
            return outcome;
        }
        let mut rz = 0.0;
        loop {
            m.apply(&self.r, &mut self.z);
            let rz_old = std::mem::replace(&mut rz, dot(&self.r, &self.z));
            if outcome.iterations == 0 {
                self.p.copy_from_slice(&self.z);
            } else {
                scale_add(&mut self.p, rz / rz_old, &self.z);
            }
            a.multiply(&self.p, &mut self.ap, &mut self.scratch);
            outcome.iterations += 1;
            let curvature = dot(&self.p, &self.ap);
            if let Some(ending) = trouble(rz, curvature) {
                outcome.ending = ending;
                return outcome;
            }
            let alpha = rz / curvature;
            add_scaled(x, alpha, &self.p);
            add_scaled(&mut self.r, -alpha, &self.ap);
            let norm = dot(&self.r, &self.r).sqrt();
            outcome.relative_residual = norm / b_norm;
            if let Some(ending) = self.ending(&outcome, &mut watch, norm) {
                outcome.ending = ending;
                return outcome;
            }
        }
    }

    fn ending(&self, outcome: &Outcome, watch: &mut Watch, norm: f64) -> Option<Ending> {
        if self.interrupt.is_raised() {
            Some(Ending::Interrupted)
        } else if !norm.is_finite() {
            Some(Ending::NotFinite)
        } else if outcome.relative_residual <= self.tolerance {
            Some(Ending::Converged)
        } else if outcome.iterations >= self.max_iterations {
            Some(Ending::IterationCap)
        } else if watch.is_stuck(norm) {
            Some(Ending::Stagnation)
        } else {
            None
        }
    }
}

/// Watches whether the residual still falls.
struct Watch {
    best: f64,
    since: usize,
}

impl Watch {
    fn is_stuck(&mut self, norm: f64) -> bool {
        self.since += 1;
        if norm <= 0.5 * self.best {
            *self = Self { best: norm, since: 0 };
        }
        self.since >= STAGNATION_WINDOW
    }
}

fn trouble(rz: f64, curvature: f64) -> Option<Ending> {
    if !(rz.is_finite() && curvature.is_finite()) {
        Some(Ending::NotFinite)
    } else if rz <= 0.0 || curvature <= 0.0 {
        Some(Ending::NegativeCurvature)
    } else {
        None
    }
}
