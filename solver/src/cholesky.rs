//! A multifrontal Cholesky factorisation of a [`BlockMatrix`].

mod dense;
mod numeric;
mod pool;
mod scalar;
mod substitution;
mod supernodes;
mod symbolic;

use std::sync::Arc;

use rayon::scope;
use thiserror::Error;

use crate::matrix::BlockMatrix;
use crate::pattern::BlockPattern;
use numeric::Factorisation;
use pool::Pool;
pub use scalar::Scalar;
use substitution::Substitution;
use symbolic::Symbolic;

/// The matrix has no Cholesky factor.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error(
    "the matrix is not positive definite: no positive pivot at unknown {unknown}, even with {shift:e} of \
     the diagonal added to it"
)]
pub struct NotPositiveDefinite {
    /// The unknown, in the matrix's numbering.
    pub unknown: usize,
    /// The largest relative shift of the diagonal that was tried.
    pub shift: f64,
}

/// What a factorisation of a pattern costs, found without doing it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FactorWork {
    flops: f64,
    blocks: usize,
}

impl FactorWork {
    /// Orders the blocks as [`Cholesky::new`] does, and counts.
    pub fn of(pattern: &Arc<BlockPattern>, coordinates: Option<&[[f64; 3]]>) -> Self {
        Self::counted(&Symbolic::new(pattern, coordinates))
    }

    fn counted(symbolic: &Symbolic) -> Self {
        let flops = symbolic.roots.iter().map(|&r| symbolic.nodes[r].subtree_flops).sum();
        Self { flops, blocks: symbolic.n_blocks() }
    }

    /// Multiplications and additions with blocks of `B` unknowns.
    pub fn flops<const B: usize>(&self) -> f64 {
        (B * B * B) as f64 * self.flops
    }

    /// Number of values of the factor.
    pub fn n_values<const B: usize>(&self) -> usize {
        B * B * self.blocks
    }
}

/// Working memory that factorisations share: it grows to what those that run at the same time need.
#[derive(Debug, Clone, Default)]
pub struct Workspace<T>(Arc<Pool<T>>);

/// A factor kept in precision `T`, the same on any number of threads.
///
/// ```text
/// S A S + shift I = P^T L L^T P,   S = diag(A)^(-1/2)
/// ```
///
/// In `f32` it serves as a preconditioner of an iteration in `f64`: rounding alone can make a pivot of a
/// badly conditioned matrix negative, and then small shifts are tried one after the other.
#[derive(Debug)]
pub struct Cholesky<const B: usize, T = f32> {
    symbolic: Symbolic,
    values: Vec<T>,
    scale: Vec<f64>,
    shift: f64,
    workspace: Workspace<T>,
    x: Vec<T>,
}

impl<const B: usize, T: Scalar> Cholesky<B, T> {
    /// Orders the blocks of a pattern and lays out the factor; `coordinates` are the blocks' rest
    /// positions, which make for better and quicker orderings.
    pub fn new(pattern: &Arc<BlockPattern>, coordinates: Option<&[[f64; 3]]>) -> Self {
        Self::sharing(pattern, coordinates, &Workspace::default())
    }

    /// As [`Self::new`], with working memory that other factorisations use too.
    pub fn sharing(
        pattern: &Arc<BlockPattern>,
        coordinates: Option<&[[f64; 3]]>,
        workspace: &Workspace<T>,
    ) -> Self {
        let symbolic = Symbolic::new(pattern, coordinates);
        let n = B * pattern.n_blocks();
        let values = vec![T::default(); B * B * symbolic.n_blocks()];
        let x = vec![T::default(); n];
        Self { symbolic, values, scale: vec![1.0; n], shift: 0.0, workspace: workspace.clone(), x }
    }

    /// Factors a matrix of the pattern given to [`Cholesky::new`]. Fails where it is not positive
    /// definite; the factor is of no use then.
    pub fn factor(&mut self, a: &BlockMatrix<B>) -> Result<(), NotPositiveDefinite> {
        self.set_scale(a)?;
        let mut failed = 0;
        for &shift in T::SHIFTS {
            let Self { symbolic, values, scale, workspace, .. } = self;
            let pool = &*workspace.0;
            let factorisation = Factorisation { symbolic, matrix: a, scale, shift, pool };
            self.shift = shift;
            match scope(|_| factorisation.run(values)) {
                Ok(()) => return Ok(()),
                Err(column) => failed = column,
            }
        }
        let unknown = B * self.symbolic.order[failed / B] as usize + failed % B;
        Err(NotPositiveDefinite { unknown, shift: self.shift })
    }

    /// Overwrites `x` with the solution of `(A + shift diag(A)) x = b` for the matrix last factored;
    /// not a number where none was.
    pub fn solve(&mut self, b: &[f64], x: &mut [f64]) {
        let Self { symbolic, values, scale, x: ordered, .. } = self;
        // A^-1 = S (S A S)^-1 S
        for (to, &old) in ordered.chunks_exact_mut(B).zip(&symbolic.order) {
            for (k, to) in to.iter_mut().enumerate() {
                let unknown = B * old as usize + k;
                *to = T::from_f64(scale[unknown] * b[unknown]);
            }
        }
        scope(|_| Substitution::<B, T> { symbolic, values }.solve(ordered));
        for (from, &old) in ordered.chunks_exact(B).zip(&symbolic.order) {
            for (k, from) in from.iter().enumerate() {
                let unknown = B * old as usize + k;
                x[unknown] = scale[unknown] * from.to_f64();
            }
        }
    }

    /// The shift, relative to the diagonal, that the last factorisation took.
    pub fn shift(&self) -> f64 {
        self.shift
    }

    /// Multiplications and additions of one factorisation.
    pub fn flops(&self) -> f64 {
        FactorWork::counted(&self.symbolic).flops::<B>()
    }

    /// Number of values that the factor stores.
    pub fn n_values(&self) -> usize {
        self.values.len()
    }

    fn set_scale(&mut self, a: &BlockMatrix<B>) -> Result<(), NotPositiveDefinite> {
        for (unknown, (scale, d)) in self.scale.iter_mut().zip(a.diagonal()).enumerate() {
            if !(d > 0.0 && d.is_finite()) {
                return Err(NotPositiveDefinite { unknown, shift: 0.0 });
            }
            *scale = 1.0 / d.sqrt();
        }
        Ok(())
    }
}
