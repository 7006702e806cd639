//! Stretch of a segment of a rod.

use super::family::add_square;
use super::strain::{Measure, Strain};
use crate::geometry::Vec3;

/// Stretch strain of the segment between two nodes `(x0, u0, x1, u1)`.
///
/// ```text
/// w = u1 - u0      e = |x1 - x0| - w      V = k e^2/(2 w),  k = E pi r^2
/// ```
/// | symbol | meaning | unit |
/// |---|---|---|
/// | `x` | node position | m |
/// | `u` | arc coordinate | m |
/// | `E`, `r` | modulus and radius of the yarn | Pa, m |
///
/// `Hess e = (I - d d')/l` is positive semi-definite: under compression its coefficient is clamped to
/// zero. Source: Sanchez-Banderas et al. 2020, equation (4.2). Fails when a segment has no length.
#[derive(Debug, Clone, Copy, Default)]
pub struct Stretch;

fn edge(q: &[f64; 8]) -> Vec3 {
    Vec3::new(q[4] - q[0], q[5] - q[1], q[6] - q[2])
}

impl Strain<8> for Stretch {
    fn weight_and_elongation(&self, _: usize, q: &[f64; 8]) -> (f64, [f64; 1]) {
        let w = q[7] - q[3];
        (w, [edge(q).norm() - w])
    }

    fn measure(&self, _: usize, q: &[f64; 8]) -> Measure<8> {
        let d = edge(q);
        let (l, w) = (d.norm(), q[7] - q[3]);
        let d = d / l;
        Measure {
            weight: w,
            weight_gradient: [0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 1.0],
            elongation: [l - w],
            elongation_gradient: [[-d.x, -d.y, -d.z, 1.0, d.x, d.y, d.z, -1.0]],
        }
    }

    fn add_curvature(
        &self,
        _: usize,
        q: &[f64; 8],
        (&[c], project): (&[f64; 1], bool),
        h: &mut [[f64; 8]; 8],
    ) {
        if project && c <= 0.0 {
            return;
        }
        let d = edge(q);
        let l = d.norm();
        let d = d / l;
        let c = c / l;
        let along = [-d.x, -d.y, -d.z, 0.0, d.x, d.y, d.z, 0.0];
        add_square(h, -c, &along);
        for k in 0..3 {
            h[k][k] += c;
            h[k + 4][k + 4] += c;
            h[k][k + 4] -= c;
            h[k + 4][k] -= c;
        }
    }
}
