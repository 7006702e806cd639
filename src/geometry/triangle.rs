//! Triangles at rest and what follows from them.

use super::Vec3;
use super::angle::perpendicular;

/// A triangle at rest in its own plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RestTriangle {
    /// m2.
    pub area: f64,
    /// Gradients of the corners' shape functions along the two axes of the plane, 1/m.
    pub gradients: [[f64; 2]; 3],
}

/// A triangle whose area is below this part of the product of two of its edges has none.
const SMALLEST_SINE: f64 = 1e-6;

impl RestTriangle {
    /// From the corners in the plane, m; none when they lie on a line.
    pub fn new([a, b, c]: [[f64; 2]; 3]) -> Option<Self> {
        let (e, f) = ([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]);
        let twice = e[0] * f[1] - e[1] * f[0];
        if twice.abs() <= SMALLEST_SINE * e[0].hypot(e[1]) * f[0].hypot(f[1]) {
            return None;
        }
        let second = [f[1] / twice, -f[0] / twice];
        let third = [-e[1] / twice, e[0] / twice];
        let first = [-second[0] - third[0], -second[1] - third[1]];
        Some(Self { area: 0.5 * twice.abs(), gradients: [first, second, third] })
    }

    /// From the corners in space, m, with the first axis along a direction as seen in the plane (any direction
    /// in the plane where that one stands on it); none when the corners lie on a line.
    pub fn in_space(corners: [Vec3; 3], grain: Vec3) -> Option<Self> {
        let normal = normal(corners).try_normalize(0.0)?;
        let along = grain - normal * normal.dot(&grain);
        let first = if along.norm() > SMALLEST_SINE * grain.norm() {
            along.normalize()
        } else {
            perpendicular(normal)
        };
        let second = normal.cross(&first);
        Self::new(corners.map(|x| [(x - corners[0]).dot(&first), (x - corners[0]).dot(&second)]))
    }
}

/// The normal of a triangle, as long as twice its area, m2.
pub fn normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(&(c - a))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shape_functions_are_one_at_their_corner() {
        let corners = [Vec3::new(0.1, 0.2, 0.3), Vec3::new(1.0, 0.1, 0.2), Vec3::new(0.3, 0.9, -0.5)];
        let rest = RestTriangle::in_space(corners, Vec3::new(0.4, 1.0, 0.2)).unwrap();
        assert!((rest.area - 0.5 * normal(corners).norm()).abs() < 1e-15);
        // F of the rest shape itself is a rotation into space: its columns are orthonormal.
        let columns = [0, 1].map(|k| (0..3).map(|a| corners[a] * rest.gradients[a][k]).sum::<Vec3>());
        assert!((columns[0].norm() - 1.0).abs() < 1e-12 && (columns[1].norm() - 1.0).abs() < 1e-12);
        assert!(columns[0].dot(&columns[1]).abs() < 1e-12 && columns[0].dot(&Vec3::new(0.4, 1.0, 0.2)) > 0.9);
        assert!(RestTriangle::in_space([corners[0], corners[1], corners[0]], Vec3::x()).is_none());
    }
}
