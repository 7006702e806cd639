//! Bending of a rod at a node.

use super::strain::{Measure, Strain, add_angle_curvature};
use crate::geometry::Vec3;
use crate::geometry::angle::{Angle, curvature_binormal, curvature_binormal_pull_back};

/// Bending strain at the middle of three nodes `(x0, u0, x1, u1, x2, u2)`.
///
/// ```text
/// w = u2 - u0      e = theta - kappa0 w,  theta the angle between the segments      V = kb e^2/w
/// ```
/// As `V = k e^2/(2 w)` with `k = 2 kb`, and `kb = EI` of a continuous rod. `kappa0`, 1/m, is the curvature that
/// the yarn has at rest: none in a weave, what it was set to in a knit; in whichever plane it bends.
///
/// The gradient of `theta` has no direction when the segments are aligned. Damping there takes the
/// vector strain `2 tan(theta/2) n/w`; it fades out at [`VECTOR_LIMIT`], because the vector turns with
/// the rod and would damp rigid rotation. Source: Sanchez-Banderas et al. 2020, equation (4.8).
/// Fails when a segment has no length.
#[derive(Debug, Clone, Default)]
pub struct Bending {
    /// `kappa0` of every element, 1/m.
    pub rest: Vec<f64>,
}

/// Angle, rad, above which damping acts on the scalar angle alone. Tenfold less and a straight rod's
/// transverse vibration is damped in one direction only; tenfold more and a rod bent by a radian loses
/// energy as it spins.
pub const VECTOR_LIMIT: f64 = 0.1;

fn edges(q: &[f64; 12]) -> (Vec3, Vec3) {
    (Vec3::new(q[4] - q[0], q[5] - q[1], q[6] - q[2]), Vec3::new(q[8] - q[4], q[9] - q[5], q[10] - q[6]))
}

/// A linear form on the two edges as one on the twelve unknowns.
fn on_nodes([a, b]: [Vec3; 2]) -> [f64; 12] {
    let m = a - b;
    [-a.x, -a.y, -a.z, 0.0, m.x, m.y, m.z, 0.0, b.x, b.y, b.z, 0.0]
}

impl Strain<12> for Bending {
    fn weight_and_elongation(&self, element: usize, q: &[f64; 12]) -> (f64, f64) {
        let ((a, b), w) = (edges(q), q[11] - q[3]);
        (w, a.cross(&b).norm().atan2(a.dot(&b)) - self.rest[element] * w)
    }

    fn measure(&self, element: usize, q: &[f64; 12]) -> Measure<12> {
        let ((a, b), rest) = (edges(q), self.rest[element]);
        let angle = Angle::new(a, b);
        let weight = q[11] - q[3];
        let mut weight_gradient = [0.0; 12];
        (weight_gradient[3], weight_gradient[11]) = (-1.0, 1.0);
        let mut elongation_gradient = on_nodes(angle.gradient());
        elongation_gradient[3] += rest;
        elongation_gradient[11] -= rest;
        Measure { weight, weight_gradient, elongation: angle.theta - rest * weight, elongation_gradient }
    }

    fn add_curvature(&self, q: &[f64; 12], c: f64, project: bool, h: &mut [[f64; 12]; 12]) {
        let (a, b) = edges(q);
        add_angle_curvature(&Angle::new(a, b), c, project, on_nodes, h);
    }

    fn vector(&self, q: &[f64; 12]) -> Vec3 {
        let (a, b) = edges(q);
        curvature_binormal(a, b)
    }

    fn vector_pull_back(&self, q: &[f64; 12], d: Vec3) -> [f64; 12] {
        let (a, b) = edges(q);
        on_nodes(curvature_binormal_pull_back(a, b, d))
    }

    fn vector_share(&self, element: usize, theta: f64) -> f64 {
        if self.rest[element] > 0.0 {
            return 0.0;
        }
        let t = (theta / VECTOR_LIMIT).min(1.0);
        1.0 - t * t * (3.0 - 2.0 * t)
    }
}
