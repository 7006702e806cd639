//! The periods at which a repeat among its copies lies without being pulled.

use nalgebra::{Matrix2, SymmetricEigen, Vector2};

use super::SimulationError;
use super::cell::CellRelaxation;

/// Parts of a period: by how much periods change in the end, at most; by how much one is changed to see what follows, and
/// by how much it may change at once.
const FOUND: f64 = 1e-4;
const PROBE: f64 = 1e-3;
const STRIDE: f64 = 0.05;

/// The least stiffness that is believed, over the largest.
const SOFTEST: f64 = 1e-6;

/// Changes of the periods, at most.
const ROUNDS: usize = 100;

impl CellRelaxation {
    /// Brings the repeat to rest with these periods; returns what pulls at its sides, N.
    fn pull(&mut self, [x, y]: [f64; 2]) -> Result<Vector2<f64>, SimulationError> {
        let [along, up] = self.settle([x, y])?;
        Ok(Vector2::new(along / x, up / y))
    }

    /// Stretches the repeat at rest by parts of its size, little by little.
    ///
    /// # Errors
    /// When it does not come to rest.
    pub fn lead(&mut self, by: [f64; 2]) -> Result<(), SimulationError> {
        let strides = by.into_iter().fold(0.0, |most, part| f64::max(most, part.abs())) / STRIDE;
        let (from, n) = (self.periods(), strides.ceil());
        for k in 1..=n as u32 {
            self.settle([0, 1].map(|axis| from[axis] * (1.0 + by[axis] * f64::from(k) / n)))?;
        }
        Ok(())
    }

    /// Finds the periods that are free at which nothing pulls along them, by Newton's method; returns what pulls, N.
    ///
    /// # Errors
    /// When the repeat does not come to rest, or when there are no such periods.
    pub fn find(&mut self, is_free: [bool; 2]) -> Result<[f64; 2], SimulationError> {
        let mut periods = self.periods();
        let mut pull = self.pull(periods)?;
        let free: Vec<usize> = (0..2).filter(|&axis| is_free[axis]).collect();
        if free.is_empty() {
            return Ok(pull.into());
        }
        for round in 0..ROUNDS {
            // Of the energy over the strains.
            let (mut stiffness, mut gradient) = (Matrix2::identity(), Vector2::zeros());
            for &axis in &free {
                let mut probe = periods;
                probe[axis] *= 1.0 + PROBE;
                let slope = (self.pull(probe)? - pull) / PROBE;
                free.iter().for_each(|&row| stiffness[(row, axis)] = periods[row] * slope[row]);
                gradient[axis] = periods[axis] * pull[axis];
            }
            let downhill = downhill(stiffness).ok_or(SimulationError::NoPeriods { rounds: round })?;
            let change = -downhill * gradient;
            let part = change.amax();
            let change = change * (STRIDE / part).min(1.0);
            (0..2).for_each(|axis| periods[axis] *= 1.0 + change[axis]);
            pull = self.pull(periods)?;
            if part < FOUND {
                return Ok(pull.into());
            }
        }
        Err(SimulationError::NoPeriods { rounds: ROUNDS })
    }
}

/// The inverse of the symmetric part of a stiffness, with the sizes of its eigenvalues: where the repeat gives way to a
/// pull, Newton's own step would go uphill. None of one that is nothing or no number.
fn downhill(stiffness: Matrix2<f64>) -> Option<Matrix2<f64>> {
    let size = stiffness.norm();
    if !(size > 0.0 && size.is_finite()) {
        return None;
    }
    let SymmetricEigen { eigenvalues, eigenvectors } =
        ((stiffness + stiffness.transpose()) * 0.5).symmetric_eigen();
    let least = SOFTEST * eigenvalues.amax();
    let inverse = eigenvalues.map(|e| e.abs().max(least).recip());
    Some(eigenvectors * Matrix2::from_diagonal(&inverse) * eigenvectors.transpose())
}
