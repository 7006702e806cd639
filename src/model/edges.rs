//! Sharp edges of obstacles.

use super::obstacle::Shape;
use crate::geometry::Vec3;

/// A straight convex edge in its obstacle's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// Its ends, m.
    pub ends: [Vec3; 2],
    /// Unit normals of the faces that meet there.
    pub normals: [Vec3; 2],
}

impl Shape {
    /// The sharp edges of a shape: those of a box; no other shape has any.
    pub fn edges(&self) -> Vec<Edge> {
        let Self::Box { size } = self else { return Vec::new() };
        let half = Vec3::from(*size) * 0.5;
        let signs = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]];
        let along = |axis: usize| {
            let others = [(axis + 1) % 3, (axis + 2) % 3];
            signs.map(|signs| {
                let mut normals = [Vec3::zeros(); 2];
                (0..2).for_each(|k| normals[k][others[k]] = signs[k]);
                let middle = (normals[0] + normals[1]).component_mul(&half);
                let mut reach = Vec3::zeros();
                reach[axis] = half[axis];
                Edge { ends: [middle - reach, middle + reach], normals }
            })
        };
        (0..3).flat_map(along).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_has_twelve_edges_between_its_faces() {
        let half = Vec3::new(0.5, 0.4, 0.3);
        let edges = Shape::Box { size: (half * 2.0).into() }.edges();
        assert_eq!(edges.len(), 12);
        let is_inside = |x: Vec3| x.iter().zip(&half).all(|(x, h)| x.abs() <= h + 1e-12);
        for (k, edge) in edges.iter().enumerate() {
            let (middle, [n, m]) = (0.5 * (edge.ends[0] + edge.ends[1]), edge.normals);
            assert!(n.dot(&m) == 0.0 && n.norm() == 1.0 && m.norm() == 1.0);
            assert!(edge.ends.iter().all(|x| is_inside(*x)) && is_inside(middle - 0.1 * (n + m)));
            assert!(!is_inside(middle + 0.1 * n - 0.1 * m) && !is_inside(middle + 0.1 * m - 0.1 * n));
            assert!(edges[..k].iter().all(|e| 0.5 * (e.ends[0] + e.ends[1]) != middle));
        }
    }
}
