//! Contact of neighbouring parallel yarns along the yarn that they both cross.

use super::strain::{Measure, Strain};

/// Approach of two consecutive crossings `(u0, u1)` of a rod.
///
/// ```text
/// w = 1      e = d - (u1 - u0),  d = r1 + r2 of the crossing yarns      V = kc (e+)^2/2
/// ```
/// Source: Cirio et al. 2014.
#[derive(Debug, Clone, Default)]
pub struct Parallel {
    /// `d` of every pair, m.
    pub distance: Vec<f64>,
}

impl Strain<2> for Parallel {
    fn weight_and_elongation(&self, element: usize, q: &[f64; 2]) -> (f64, f64) {
        (1.0, self.distance[element] - (q[1] - q[0]))
    }

    fn measure(&self, element: usize, q: &[f64; 2]) -> Measure<2> {
        let (weight, elongation) = self.weight_and_elongation(element, q);
        Measure { weight, weight_gradient: [0.0; 2], elongation, elongation_gradient: [1.0, -1.0] }
    }

    fn add_curvature(&self, _: &[f64; 2], _: f64, _: bool, _: &mut [[f64; 2]; 2]) {}

    fn density(&self, _: usize, eps: f64) -> [f64; 3] {
        if eps > 0.0 { [0.5 * eps * eps, eps, 1.0] } else { [0.0; 3] }
    }
}
