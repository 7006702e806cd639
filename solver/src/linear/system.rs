//! Linear systems, their place in a minimisation, and the outcome of their solution.

use super::LinearMethod;
use crate::matrix::BlockMatrix;

/// What is known of a system besides its pattern: both may be empty, and then less is gained.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Guides {
    /// Rest coordinates of the blocks, in any unit, for the ordering of the direct factor, the coarse level of
    /// [`TwoLevel`](crate::two_level::TwoLevel) and [`Patches`](crate::patches::Patches): two in the plane of
    /// the cloth and the height of its layer; one for each, or none.
    pub coordinates: Vec<[f64; 3]>,
    /// Ordered lists of blocks for [`Strips`](crate::strips::Strips).
    pub groups: Vec<Vec<u32>>,
}

impl Guides {
    /// The coordinates, if there are any.
    pub fn points(&self) -> Option<&[[f64; 3]]> {
        Some(self.coordinates.as_slice()).filter(|c| !c.is_empty())
    }
}

/// How a system stands to the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sequel {
    /// It is the first of a minimisation.
    First,
    /// It is the second.
    Second,
    /// It is a later one.
    Later,
}

/// A symmetric system to be solved.
#[derive(Debug)]
pub struct System<'a, const B: usize> {
    /// The matrix, with identity rows for the inactive unknowns.
    pub matrix: &'a mut BlockMatrix<B>,
    /// Which unknowns are active.
    pub active: &'a [bool],
    /// How it stands to the system before.
    pub sequel: Sequel,
    /// Whether its diagonal is raised where it is indefinite; else it is then given back unsolved.
    pub repair: bool,
}

/// How a system was solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinearReport {
    /// The method that gave the solution, never `Auto`.
    pub method: LinearMethod,
    /// Conjugate gradient iterations, those of failed attempts included.
    pub iterations: usize,
    /// Direct factorisations.
    pub factorisations: usize,
    /// What was added to the diagonal, in the units of the matrix.
    pub shift: f64,
    /// `|b - A x| / |b|`, Euclidean; above the tolerance when the iterations stagnated.
    pub relative_residual: f64,
    /// Whether the matrix is indefinite and was not to be repaired: there is no solution then.
    pub is_indefinite: bool,
    /// Whether the first method failed.
    pub fell_back: bool,
    /// Factoring and preparing preconditioners, s.
    pub setup_seconds: f64,
    /// Conjugate gradients, s.
    pub solve_seconds: f64,
}

impl Default for LinearReport {
    /// Nothing has been done yet.
    fn default() -> Self {
        Self {
            method: LinearMethod::Direct,
            iterations: 0,
            factorisations: 0,
            shift: 0.0,
            relative_residual: 1.0,
            is_indefinite: false,
            fell_back: false,
            setup_seconds: 0.0,
            solve_seconds: 0.0,
        }
    }
}

/// Why a system has no solution.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum LinearError {
    /// No reasonable shift makes the matrix positive definite.
    #[error("the matrix is indefinite even with {shift:e} added to its diagonal (mean {mean_diagonal:e})")]
    Indefinite {
        /// The last shift.
        shift: f64,
        /// Mean of the diagonal.
        mean_diagonal: f64,
    },
    /// The matrix or the right-hand side holds numbers that are not finite.
    #[error("the linear system has entries that are not finite or overflow")]
    NotFinite,
    /// It was asked to stop.
    #[error("the linear solve was interrupted")]
    Interrupted,
}
