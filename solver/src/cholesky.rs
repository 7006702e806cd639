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

use crate::interrupt::Interrupt;
use crate::matrix::BlockMatrix;
use crate::pattern::BlockPattern;
use numeric::Factorisation;
use pool::Pool;
pub use scalar::Scalar;
use substitution::Substitution;
use symbolic::{Kept, Symbolic};

/// Why there is no factor.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum FactorError {
    /// The matrix has none.
    #[error(
        "the matrix is not positive definite: no positive pivot at unknown {unknown}, even with {shift:e} of \
         the diagonal added to it"
    )]
    NotPositiveDefinite {
        /// The unknown, in the matrix's numbering.
        unknown: usize,
        /// The largest relative shift of the diagonal that was tried.
        shift: f64,
    },
    /// It was asked to stop.
    #[error("the factorisation was interrupted")]
    Interrupted,
}

/// What a factorisation of a pattern costs, found without doing it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FactorWork {
    /// Multiplications and additions.
    pub flops: f64,
    /// Number of values of the factor.
    pub n_values: usize,
}

impl FactorWork {
    /// Orders the blocks as [`Cholesky::new`] does, and counts.
    pub fn of<const B: usize>(
        pattern: &Arc<BlockPattern>,
        coordinates: Option<&[[f64; 3]]>,
        active: &[bool],
    ) -> Self {
        Self::counted(&Symbolic::new(pattern, coordinates, kept::<B>(active)))
    }

    fn counted(symbolic: &Symbolic) -> Self {
        let flops = symbolic.roots.iter().map(|&r| symbolic.nodes[r].subtree_flops).sum();
        Self { flops, n_values: symbolic.n_values() }
    }
}

fn kept<const B: usize>(active: &[bool]) -> Vec<Kept> {
    active.chunks_exact(B).map(Kept::new).collect()
}

/// What factorisations share: working memory, which grows to what those that run at the same time need, and what
/// stops them.
#[derive(Debug, Clone, Default)]
pub struct Workspace<T> {
    pool: Arc<Pool<T>>,
    interrupt: Interrupt,
}

impl<T: Default> Workspace<T> {
    /// For factorisations that end early where the flag is raised.
    pub fn new(interrupt: Interrupt) -> Self {
        Self { interrupt, ..Self::default() }
    }
}

/// A factor kept in precision `T`, the same on any number of threads.
///
/// ```text
/// S A S + shift I = P^T L L^T P,   S = diag(A)^(-1/2)
/// ```
///
/// Inactive unknowns, whose rows and columns are those of the identity, take no part.
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
        Self::of_active(pattern, coordinates, &vec![true; B * pattern.n_blocks()])
    }

    /// As [`Self::new`], of active unknowns only.
    pub fn of_active(pattern: &Arc<BlockPattern>, coordinates: Option<&[[f64; 3]]>, active: &[bool]) -> Self {
        const { assert!(B <= u32::BITS as usize, "an unknown of a block is a bit") };
        let symbolic = Symbolic::new(pattern, coordinates, kept::<B>(active));
        let values = vec![T::default(); symbolic.n_values()];
        let x = vec![T::default(); symbolic.order.len()];
        let scale = vec![1.0; B * pattern.n_blocks()];
        Self { symbolic, values, scale, shift: 0.0, workspace: Workspace::default(), x }
    }

    /// The same factor with what other factorisations use too.
    #[must_use]
    pub fn with_workspace(self, workspace: &Workspace<T>) -> Self {
        Self { workspace: workspace.clone(), ..self }
    }

    /// Whether it is a factor of just these unknowns.
    pub fn is_of(&self, active: &[bool]) -> bool {
        let own = self.symbolic.kept.iter().copied();
        active.chunks_exact(B).map(Kept::new).eq(own)
    }

    /// Factors a matrix of the pattern given to [`Cholesky::new`].
    ///
    /// # Errors
    /// See [`FactorError`]; the factor is of no use then.
    pub fn factor(&mut self, a: &BlockMatrix<B>) -> Result<(), FactorError> {
        self.factor_shifted(a, T::SHIFTS)
    }

    /// As [`Self::factor`], but without a shift: a pivot that rounding has made negative is a failure too.
    ///
    /// # Errors
    /// See [`FactorError`].
    pub fn factor_once(&mut self, a: &BlockMatrix<B>) -> Result<(), FactorError> {
        self.factor_shifted(a, &[0.0])
    }

    fn factor_shifted(&mut self, a: &BlockMatrix<B>, shifts: &[f64]) -> Result<(), FactorError> {
        self.set_scale(a)?;
        let mut failed = 0;
        for &shift in shifts {
            let Self { symbolic, values, scale, workspace, .. } = self;
            let Workspace { pool, interrupt } = workspace;
            let factorisation = Factorisation { symbolic, matrix: a, scale, shift, pool, interrupt };
            self.shift = shift;
            let done = scope(|_| factorisation.run(values));
            if interrupt.is_raised() {
                return Err(FactorError::Interrupted);
            }
            match done {
                Ok(()) => return Ok(()),
                Err(column) => failed = column,
            }
        }
        let unknown = self.symbolic.order[failed] as usize;
        Err(FactorError::NotPositiveDefinite { unknown, shift: self.shift })
    }

    /// Overwrites `x` with the solution of `(A + shift diag(A)) x = b` for the matrix last factored, not a
    /// number where none was. An inactive unknown gets what `b` has there.
    pub fn solve(&mut self, b: &[f64], x: &mut [f64]) {
        let Self { symbolic, values, scale, x: ordered, .. } = self;
        // A^-1 = S (S A S)^-1 S
        for (to, &unknown) in ordered.iter_mut().zip(&symbolic.order) {
            *to = T::from_f64(scale[unknown as usize] * b[unknown as usize]);
        }
        scope(|_| Substitution { symbolic, values }.solve(ordered));
        x.copy_from_slice(b);
        for (from, &unknown) in ordered.iter().zip(&symbolic.order) {
            x[unknown as usize] = scale[unknown as usize] * from.to_f64();
        }
    }

    /// The shift, relative to the diagonal, that the last factorisation took.
    pub fn shift(&self) -> f64 {
        self.shift
    }

    /// Multiplications and additions of one factorisation.
    pub fn flops(&self) -> f64 {
        FactorWork::counted(&self.symbolic).flops
    }

    /// Number of values that the factor stores.
    pub fn n_values(&self) -> usize {
        self.values.len()
    }

    fn set_scale(&mut self, a: &BlockMatrix<B>) -> Result<(), FactorError> {
        for (unknown, (scale, d)) in self.scale.iter_mut().zip(a.diagonal()).enumerate() {
            if !(d > 0.0 && d.is_finite()) {
                return Err(FactorError::NotPositiveDefinite { unknown, shift: 0.0 });
            }
            *scale = 1.0 / d.sqrt();
        }
        Ok(())
    }
}
