//! The precisions that a factor may be kept in.

use std::ops::{AddAssign, Div, Mul, Sub, SubAssign};

/// A real number that a [`Cholesky`](super::Cholesky) factor may be made of.
pub trait Scalar:
    faer::traits::RealField
    + Copy
    + Default
    + Send
    + Sync
    + AddAssign
    + SubAssign
    + Mul<Output = Self>
    + Div<Output = Self>
    + Sub<Output = Self>
    + 'static
{
    /// Relative shifts of the scaled diagonal that are tried one after the other, the first being none.
    const SHIFTS: &[f64];

    /// Rounds to this precision.
    fn from_f64(value: f64) -> Self;

    /// The same value in double precision.
    fn to_f64(self) -> f64;
}

impl Scalar for f64 {
    const SHIFTS: &[f64] = &[0.0];

    fn from_f64(value: f64) -> Self {
        value
    }

    fn to_f64(self) -> f64 {
        self
    }
}

impl Scalar for f32 {
    // Rounding moves the eigenvalues of the scaled matrix by about 1e-7 times a small power of its size.
    const SHIFTS: &[f64] = &[0.0, 2e-7, 1e-6, 1e-5, 1e-4, 1e-3];

    fn from_f64(value: f64) -> Self {
        value as f32
    }

    fn to_f64(self) -> f64 {
        f64::from(self)
    }
}
