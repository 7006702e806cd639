//! Triangles at rest and what follows from them.

use serde::{Deserialize, Serialize};

use super::Vec3;
use super::angle::perpendicular;

/// A triangle at rest in its own plane.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
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

    /// Derivatives of the place in space along the two axes of the plane, no unit, from the corners in space, m.
    pub fn deformation(&self, [a, b, c]: [Vec3; 3]) -> [Vec3; 2] {
        let [_, second, third] = self.gradients;
        [0, 1].map(|k| (b - a) * second[k] + (c - a) * third[k])
    }

    /// Length of the side opposite to a corner, m: a shape function falls from one to nothing over the height, which is
    /// twice the area over the side.
    pub fn side(&self, corner: usize) -> f64 {
        let [x, y] = self.gradients[corner];
        2.0 * self.area * x.hypot(y)
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

/// Mean length of the sides of triangles, m; zero without any.
pub fn mean_edge(triangles: impl ExactSizeIterator<Item = [Vec3; 3]>) -> f64 {
    let sides = 3 * triangles.len();
    let lengths = triangles.flat_map(|[a, b, c]| [(b - a).norm(), (c - b).norm(), (a - c).norm()]);
    lengths.sum::<f64>() / sides.max(1) as f64
}

/// The parts of the corners in the point of a triangle that is nearest to a point.
///
/// Source: Ericson, *Real-Time Collision Detection*, 2005, section 5.1.5: the regions of the corners, of the edges and
/// of the face are told apart by signs of barycentric coordinates.
pub fn closest_on_triangle(p: Vec3, [a, b, c]: [Vec3; 3]) -> [f64; 3] {
    let (ab, ac) = (b - a, c - a);
    let towards = |from: Vec3| (ab.dot(&(p - from)), ac.dot(&(p - from)));
    let ((d1, d2), (d3, d4), (d5, d6)) = (towards(a), towards(b), towards(c));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let t = d1 / (d1 - d3);
        return [1.0 - t, t, 0.0];
    }
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let t = d2 / (d2 - d6);
        return [1.0 - t, 0.0, t];
    }
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        let t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return [0.0, 1.0 - t, t];
    }
    let sum = va + vb + vc;
    [va / sum, vb / sum, vc / sum]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_point_is_the_least_of_a_fine_search() {
        let corners = [Vec3::new(0.0, 0.0, 0.1), Vec3::new(1.0, 0.2, 0.0), Vec3::new(0.3, 0.9, -0.2)];
        let at = |[a, b, c]: [f64; 3]| corners[0] * a + corners[1] * b + corners[2] * c;
        let grid = || {
            (0..=60).flat_map(|i| (0..=60 - i).map(move |j| [i, j, 60 - i - j].map(|k| f64::from(k) / 60.0)))
        };
        let (mut faces, mut edges, mut points) = (0, 0, 0);
        for (i, j, k) in (0..7).flat_map(|i| (0..7).flat_map(move |j| (0..3).map(move |k| (i, j, k)))) {
            let p = Vec3::new(f64::from(i) * 0.3 - 0.5, f64::from(j) * 0.3 - 0.6, f64::from(k) * 0.4 - 0.4);
            let parts = closest_on_triangle(p, corners);
            let least = grid().map(|g| (at(g) - p).norm()).fold(f64::INFINITY, f64::min);
            let found = (at(parts) - p).norm();
            assert!(found <= least + 1e-12 && found > least - 2e-2, "{p}: {found} {least}");
            assert!(parts.iter().all(|x| *x >= 0.0) && (parts.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            match parts.iter().filter(|x| **x == 0.0).count() {
                0 => faces += 1,
                1 => edges += 1,
                _ => points += 1,
            }
        }
        assert!(faces > 5 && edges > 5 && points > 5, "{faces} {edges} {points}");
    }

    #[test]
    fn shape_functions_are_one_at_their_corner() {
        let corners = [Vec3::new(0.1, 0.2, 0.3), Vec3::new(1.0, 0.1, 0.2), Vec3::new(0.3, 0.9, -0.5)];
        let rest = RestTriangle::in_space(corners, Vec3::new(0.4, 1.0, 0.2)).unwrap();
        assert!((rest.area - 0.5 * normal(corners).norm()).abs() < 1e-15);
        assert!((rest.side(0) - (corners[2] - corners[1]).norm()).abs() < 1e-12);
        // F of the rest shape itself is a rotation into space: its columns are orthonormal.
        let columns = [0, 1].map(|k| (0..3).map(|a| corners[a] * rest.gradients[a][k]).sum::<Vec3>());
        assert!((columns[0].norm() - 1.0).abs() < 1e-12 && (columns[1].norm() - 1.0).abs() < 1e-12);
        assert!(columns[0].dot(&columns[1]).abs() < 1e-12);
        // The first follows the grain as far as the plane allows.
        let (grain, across) = (Vec3::new(0.4, 1.0, 0.2), normal(corners).normalize());
        let in_plane = grain - across * across.dot(&grain);
        assert!((columns[0] - in_plane.normalize()).norm() < 1e-12);
        assert!(RestTriangle::in_space([corners[0], corners[1], corners[0]], Vec3::x()).is_none());
    }
}
