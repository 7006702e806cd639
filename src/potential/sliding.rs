//! Friction of two pieces that touch, over a step.

use nalgebra::Matrix3;

use super::coulomb::Huber;
use crate::geometry::Vec3;

/// Friction at the place where two pieces of four points together touch.
///
/// ```text
/// H(|d|),  d = (I - n n')(w - anchor),  w = sum of the parts times the points
/// ```
/// All but the points is frozen at the start of the step. Gradients and Hessians are by the twelve coordinates.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sliding {
    /// Parts of the four points in `w`.
    pub(super) parts: [f64; 4],
    /// `n`, of unit length.
    pub(super) normal: Vec3,
    /// `w` without stretch, m.
    pub(super) anchor: Vec3,
    /// `H`.
    pub(super) law: Huber,
}

impl Sliding {
    /// `d`, m.
    pub(super) fn offset(&self, x: &[Vec3; 4]) -> Vec3 {
        let d = combine(&self.parts, x) - self.anchor;
        d - self.normal * self.normal.dot(&d)
    }

    /// J.
    pub(super) fn value(&self, x: &[Vec3; 4]) -> f64 {
        self.law.value(self.offset(x).norm())
    }

    /// N, times a weight.
    pub(super) fn gradient(&self, x: &[Vec3; 4], weight: f64) -> [f64; 12] {
        let d = self.offset(x);
        spread(&self.parts, d * (weight * self.law.secant(d.norm())))
    }

    /// Adds the Hessian, N/m, times a weight.
    pub(super) fn add_hessian(&self, x: &[Vec3; 4], weight: f64, h: &mut [[f64; 12]; 12]) {
        let d = self.offset(x);
        let r = d.norm();
        let (secant, tangent) = (self.law.secant(r), self.law.tangent(r));
        let plane = Matrix3::identity() - self.normal * self.normal.transpose();
        let bend = (tangent - secant) / (r * r).max(f64::MIN_POSITIVE);
        let block = (plane * secant + d * d.transpose() * bend) * weight;
        for i in 0..12 {
            for j in 0..12 {
                h[i][j] += self.parts[i / 3] * self.parts[j / 3] * block[(i % 3, j % 3)];
            }
        }
    }
}

/// The sum of the parts times the points.
pub(super) fn combine(parts: &[f64; 4], x: &[Vec3; 4]) -> Vec3 {
    parts.iter().zip(x).map(|(c, x)| x * *c).sum()
}

/// What a vector at the contact is at the four points.
pub(super) fn spread(parts: &[f64; 4], v: Vec3) -> [f64; 12] {
    std::array::from_fn(|i| parts[i / 3] * v[i % 3])
}
