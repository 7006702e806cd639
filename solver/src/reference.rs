//! The same systems by faer's own sparse Cholesky factorisation, to test against.

use faer::Side;
use faer::prelude::Solve;
use faer::sparse::linalg::LltError;
use faer::sparse::{CreationError, SparseColMat, Triplet};
use thiserror::Error;

use crate::matrix::BlockMatrix;

/// Why faer could not solve a system.
#[derive(Debug, Error)]
pub enum ReferenceError {
    /// The entries make no sparse matrix.
    #[error("the matrix cannot be given to faer: {0:?}")]
    Creation(CreationError),
    /// The factorisation failed.
    #[error("faer finds no Cholesky factor: {0:?}")]
    Factorisation(LltError),
}

/// Solves `A x = b` in double precision by faer's `L L^T` with its approximate minimum degree order.
/// Fails where `A` is not positive definite.
pub fn solve_with_faer<const B: usize>(a: &BlockMatrix<B>, b: &[f64]) -> Result<Vec<f64>, ReferenceError> {
    let n = a.n_unknowns();
    let pattern = a.pattern();
    let mut lower = Vec::with_capacity(B * B * pattern.n_slots());
    for i in 0..pattern.n_blocks() {
        for slot in pattern.row(i) {
            let j = pattern.all_columns()[slot] as usize;
            for (y, row) in a.values()[slot].iter().enumerate() {
                for (x, &value) in row.iter().enumerate() {
                    if B * i + y <= B * j + x {
                        lower.push(Triplet::new(B * j + x, B * i + y, value));
                    }
                }
            }
        }
    }
    let matrix = SparseColMat::try_new_from_triplets(n, n, &lower).map_err(ReferenceError::Creation)?;
    let factor = matrix.sp_cholesky(Side::Lower).map_err(ReferenceError::Factorisation)?;
    let mut x = faer::Col::from_fn(n, |i| b[i]);
    factor.solve_in_place(&mut x);
    Ok(x.iter().copied().collect())
}
