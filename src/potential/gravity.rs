//! Weight of segments.

use super::family::Element;
use crate::geometry::Vec3;

/// Gravitational energy of a segment between two nodes `(x0, u0, x1, u1)`.
///
/// ```text
/// V = -rho (u1 - u0) g.(x0 + x1)/2
/// ```
/// It acts on the arc coordinates too. Its Hessian, `-rho g/2` between `u` and `x`, is indefinite and
/// smaller than the mass over the step squared by the ratio of the step's fall to a segment; it is left
/// out of the system. Source: Cirio et al. 2014.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gravity {
    /// Mass per rest length of every segment, kg/m.
    pub(crate) line_density: Vec<f64>,
    /// Acceleration, m/s2.
    pub(crate) acceleration: Vec3,
}

impl Element<8> for Gravity {
    fn hessian(&self, _: usize, _: &[f64; 8]) -> [[f64; 8]; 8] {
        [[0.0; 8]; 8]
    }

    fn is_linear(&self) -> bool {
        true
    }

    fn energy(&self, element: usize, q: &[f64; 8]) -> f64 {
        let middle = Vec3::new(q[0] + q[4], q[1] + q[5], q[2] + q[6]) * 0.5;
        -self.line_density[element] * (q[7] - q[3]) * self.acceleration.dot(&middle)
    }

    fn energy_gradient(&self, element: usize, q: &[f64; 8]) -> [f64; 8] {
        let rho = self.line_density[element];
        let f = self.acceleration * (-0.5 * rho * (q[7] - q[3]));
        let middle = Vec3::new(q[0] + q[4], q[1] + q[5], q[2] + q[6]) * 0.5;
        let u = rho * self.acceleration.dot(&middle);
        [f.x, f.y, f.z, u, f.x, f.y, f.z, -u]
    }
}
