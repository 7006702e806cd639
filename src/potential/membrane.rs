//! Stretch and shear of a triangle in its plane.

use super::strain::{Density, Measure, Strain};
use crate::geometry::Vec3;
use crate::geometry::triangle::RestTriangle;

/// Membrane strain of the triangle `(x0, x1, x2)`: Green's, with components along the rest plane's axes.
///
/// ```text
/// F = sum_a x_a N_a'     E = (F'F - I)/2     eps = (E11, E22, E12)     w = A
/// V = A eps . C eps/2                        isotropic: psi = lambda/2 tr(E)^2 + mu tr(E^2)
/// ```
/// | symbol | meaning | unit |
/// |---|---|---|
/// | `N_a` | gradient of the shape function of corner `a` at rest | 1/m |
/// | `A` | area at rest | m2 |
/// | `C` | stiffness of a unit of area | N/m |
///
/// `Hess eps` is the product of the stress's matrix with the shape functions' gradients, so its positive part
/// is that with the stress's negative eigenvalues set to zero. Source: Sanchez-Banderas, *Strain Rate
/// Dissipation*, (3.13), (3.14) and section 3.2.4. Fails when a triangle has no area at rest.
#[derive(Debug, Clone, Default)]
pub(crate) struct Membrane {
    /// The triangles at rest.
    pub(crate) rest: Vec<RestTriangle>,
    /// `C` of every triangle, N/m.
    pub(crate) stiffness: Vec<[[f64; 3]; 3]>,
}

/// The columns of `F`.
fn deformation(rest: &RestTriangle, q: &[f64; 9]) -> [Vec3; 2] {
    rest.deformation([0, 1, 2].map(|a| Vec3::new(q[3 * a], q[3 * a + 1], q[3 * a + 2])))
}

fn green([f, g]: &[Vec3; 2]) -> [f64; 3] {
    [0.5 * (f.norm_squared() - 1.0), 0.5 * (g.norm_squared() - 1.0), 0.5 * f.dot(g)]
}

impl Strain<9, 3> for Membrane {
    fn weight_and_elongation(&self, element: usize, q: &[f64; 9]) -> (f64, [f64; 3]) {
        let rest = &self.rest[element];
        (rest.area, green(&deformation(rest, q)).map(|e| e * rest.area))
    }

    fn measure(&self, element: usize, q: &[f64; 9]) -> Measure<9, 3> {
        let rest = &self.rest[element];
        let [f, g] = deformation(rest, q);
        let mut elongation_gradient = [[0.0; 9]; 3];
        for (a, n) in rest.gradients.iter().enumerate() {
            let parts = [f * n[0], g * n[1], (g * n[0] + f * n[1]) * 0.5];
            for (row, part) in elongation_gradient.iter_mut().zip(parts) {
                (0..3).for_each(|k| row[3 * a + k] = rest.area * part[k]);
            }
        }
        Measure {
            weight: rest.area,
            weight_gradient: [0.0; 9],
            elongation: green(&[f, g]).map(|e| e * rest.area),
            elongation_gradient,
        }
    }

    fn add_curvature(
        &self,
        element: usize,
        _: &[f64; 9],
        (stress, project): (&[f64; 3], bool),
        h: &mut [[f64; 9]; 9],
    ) {
        let rest = &self.rest[element];
        let [s11, s22, s12] = if project { positive_part(*stress) } else { *stress };
        for (a, n) in rest.gradients.iter().enumerate() {
            for (b, m) in rest.gradients.iter().enumerate() {
                let shear = 0.5 * s12 * (n[0] * m[1] + n[1] * m[0]);
                let c = rest.area * (s11 * n[0] * m[0] + s22 * n[1] * m[1] + shear);
                (0..3).for_each(|k| h[3 * a + k][3 * b + k] += c);
            }
        }
    }

    fn density(&self, element: usize, eps: &[f64; 3]) -> Density<3> {
        Density::quadratic(&self.stiffness[element], eps)
    }
}

/// The stress `(s11, s22, 2 s12)` without the negative eigenvalues of its 2x2 matrix.
fn positive_part([a, b, c]: [f64; 3]) -> [f64; 3] {
    let (mean, half, off) = (0.5 * (a + b), 0.5 * (a - b), 0.5 * c);
    let radius = half.hypot(off);
    let (low, high) = (mean - radius, mean + radius);
    if low >= 0.0 {
        return [a, b, c];
    }
    if high <= 0.0 {
        return [0.0; 3];
    }
    // high times the projection on its direction, (S - low I)/(high - low).
    let scale = high / (high - low);
    [scale * (a - low), scale * (b - low), scale * c]
}
