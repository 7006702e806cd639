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
/// The gradient of `theta` has no direction when the segments are aligned. Damping takes the vector strain
/// `2 tan(theta/2) n/w` of a bend that passes through zero within the step, see [`super::through_zero`], and the angle
/// of every other and of every yarn with a curvature at rest: the vector turns with the rod and would damp rigid
/// rotation. The published method, Sanchez-Banderas et al. 2018, equations (3.20) to (3.24), takes the vector below a
/// fixed angle instead; then a rod that is finely divided loses energy as it spins, whatever its curvature. What the
/// angle leaves free is what three nodes without twist cannot tell from a rigid rotation: a turn of the plane of
/// bending about the rod.
///
/// Source: Sanchez-Banderas et al. 2020, equation (4.8). Fails when a segment has no length.
#[derive(Debug, Clone, Default)]
pub struct Bending {
    /// `kappa0` of every element, 1/m.
    pub rest: Vec<f64>,
}

fn edges(q: &[f64; 12]) -> (Vec3, Vec3) {
    (Vec3::new(q[4] - q[0], q[5] - q[1], q[6] - q[2]), Vec3::new(q[8] - q[4], q[9] - q[5], q[10] - q[6]))
}

/// A linear form on the two edges as one on the twelve unknowns.
fn on_nodes([a, b]: [Vec3; 2]) -> [f64; 12] {
    let m = a - b;
    [-a.x, -a.y, -a.z, 0.0, m.x, m.y, m.z, 0.0, b.x, b.y, b.z, 0.0]
}

impl Strain<12> for Bending {
    fn weight_and_elongation(&self, element: usize, q: &[f64; 12]) -> (f64, [f64; 1]) {
        let ((a, b), w) = (edges(q), q[11] - q[3]);
        (w, [a.cross(&b).norm().atan2(a.dot(&b)) - self.rest[element] * w])
    }

    fn measure(&self, element: usize, q: &[f64; 12]) -> Measure<12> {
        let ((a, b), rest) = (edges(q), self.rest[element]);
        let angle = Angle::new(a, b);
        let weight = q[11] - q[3];
        let mut weight_gradient = [0.0; 12];
        (weight_gradient[3], weight_gradient[11]) = (-1.0, 1.0);
        let mut gradient = on_nodes(angle.gradient());
        gradient[3] += rest;
        gradient[11] -= rest;
        let elongation = [angle.theta - rest * weight];
        Measure { weight, weight_gradient, elongation, elongation_gradient: [gradient] }
    }

    fn add_curvature(
        &self,
        _: usize,
        q: &[f64; 12],
        ([c], project): (&[f64; 1], bool),
        h: &mut [[f64; 12]; 12],
    ) {
        let (a, b) = edges(q);
        add_angle_curvature(&Angle::new(a, b), *c, project, on_nodes, h);
    }

    fn vector(&self, element: usize, q: &[f64; 12]) -> Option<Vec3> {
        let (a, b) = edges(q);
        (self.rest[element] == 0.0).then(|| curvature_binormal(a, b))
    }

    fn vector_pull_back(&self, q: &[f64; 12], d: Vec3) -> [f64; 12] {
        let (a, b) = edges(q);
        on_nodes(curvature_binormal_pull_back(a, b, d))
    }
}
