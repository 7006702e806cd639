//! Bending that stiffens at sharp angles.

use super::bending::Bending;
use super::family::add_square;
use super::strain::{Measure, Strain};
use crate::geometry::Vec3;

/// Bending strain at the middle of three nodes `(x0, u0, x1, u1, x2, u2)` of a knitted yarn.
///
/// ```text
/// w = u2 - u0      e = 2 tan(theta/2)      V = kb e^2/w
/// ```
/// `theta` is the angle between the segments. For small angles it is [`Bending`]; where loops hook the yarn
/// turns by a right angle and more within a node, and a yarn of finite thickness cannot fold back on itself:
/// `e` grows without bound. Sources: Bergou et al. 2008 for the curvature; Pizana et al. 2020 for the need.
/// Fails when a segment has no length.
#[derive(Debug, Clone, Copy, Default)]
pub struct SharpBending;

/// `tan(theta/2)`.
fn half_tangent(theta: f64) -> f64 {
    (0.5 * theta).tan()
}

impl Strain<12> for SharpBending {
    fn weight_and_elongation(&self, element: usize, q: &[f64; 12]) -> (f64, f64) {
        let (weight, theta) = Bending.weight_and_elongation(element, q);
        (weight, 2.0 * half_tangent(theta))
    }

    fn measure(&self, element: usize, q: &[f64; 12]) -> Measure<12> {
        let plain = Bending.measure(element, q);
        let t = half_tangent(plain.elongation);
        Measure {
            elongation: 2.0 * t,
            elongation_gradient: plain.elongation_gradient.map(|g| (1.0 + t * t) * g),
            ..plain
        }
    }

    fn add_curvature(&self, q: &[f64; 12], c: f64, project: bool, h: &mut [[f64; 12]; 12]) {
        // Hess e = (1 + t^2) (Hess theta + t grad theta grad theta')
        let plain = Bending.measure(0, q);
        let t = half_tangent(plain.elongation);
        let c = c * (1.0 + t * t);
        Bending.add_curvature(q, c, project, h);
        if !project || c > 0.0 {
            add_square(h, c * t, &plain.elongation_gradient);
        }
    }

    fn vector(&self, q: &[f64; 12]) -> Vec3 {
        Bending.vector(q)
    }

    fn vector_pull_back(&self, q: &[f64; 12], d: Vec3) -> [f64; 12] {
        Bending.vector_pull_back(q, d)
    }

    fn vector_share(&self, elongation: f64) -> f64 {
        Bending.vector_share(elongation)
    }
}
