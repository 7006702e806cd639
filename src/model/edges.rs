//! Sharp edges of obstacles.

use super::obstacle::Shape;
use crate::geometry::Vec3;
use crate::geometry::prism::Prism;

/// A straight convex edge in its obstacle's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// Its ends, m.
    pub ends: [Vec3; 2],
    /// Unit normals of the faces that meet there.
    pub normals: [Vec3; 2],
    /// How far what is kept away from its faces meets the next edges' beyond its ends, over the distance kept.
    pub overhang: f64,
}

/// Faces that are turned against one another by less, radians, meet in no sharp edge.
pub(crate) const SHARP: f64 = std::f64::consts::PI / 6.0;

impl Shape {
    /// Whether it has sharp edges.
    pub fn has_edges(&self) -> bool {
        matches!(self, Self::Box { .. } | Self::Prism { .. })
    }

    /// The sharp edges of a shape: those of a box and of a prism; no other shape has any.
    pub fn edges(&self) -> Vec<Edge> {
        match *self {
            Self::Box { size } => of_box(Vec3::from(size) * 0.5),
            Self::Prism { radius, height, sides } => of_prism(&Prism { radius, height, sides }),
            _ => Vec::new(),
        }
    }
}

fn of_box(half: Vec3) -> Vec<Edge> {
    let signs = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]];
    let along = |axis: usize| {
        let others = [(axis + 1) % 3, (axis + 2) % 3];
        signs.map(|signs| {
            let mut normals = [Vec3::zeros(); 2];
            (0..2).for_each(|k| normals[k][others[k]] = signs[k]);
            let middle = (normals[0] + normals[1]).component_mul(&half);
            let mut reach = Vec3::zeros();
            reach[axis] = half[axis];
            Edge { ends: [middle - reach, middle + reach], normals, overhang: 1.0 }
        })
    };
    (0..3).flat_map(along).collect()
}

/// Both rims, and what stands between the sides if these are few.
fn of_prism(prism: &Prism) -> Vec<Edge> {
    let (turn, up) = (prism.turn(), Vec3::z());
    let rim = |side: u32, end: f64| {
        let ends = [prism.corner(side), prism.corner(side + 1)].map(|c| c + up * (0.5 * end * prism.height));
        Edge { ends, normals: [prism.normal(side), up * end], overhang: (0.5 * turn).tan() }
    };
    let post = |side: u32| {
        let ends = [-0.5, 0.5].map(|part| prism.corner(side) + up * (part * prism.height));
        let normals = [prism.normal((side + prism.sides - 1) % prism.sides), prism.normal(side)];
        Edge { ends, normals, overhang: 1.0 }
    };
    let sides = 0..prism.sides;
    let rims = sides.clone().flat_map(|s| [rim(s, 1.0), rim(s, -1.0)]);
    rims.chain(sides.filter(|_| turn >= SHARP).map(post)).collect()
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

    #[test]
    fn a_prism_has_two_rims_and_posts_where_it_has_few_sides() {
        for (sides, posts) in [(6, 6), (48, 0)] {
            let (radius, height) = (0.5, 0.2);
            let edges = Shape::Prism { radius, height, sides }.edges();
            assert_eq!(edges.len() as u32, 2 * sides + posts);
            let prism = Prism { radius, height, sides };
            for edge in edges {
                let (middle, [n, m]) = (0.5 * (edge.ends[0] + edge.ends[1]), edge.normals);
                let distance = |x: Vec3| prism.distance(x).0;
                assert!(
                    edge.ends.iter().all(|x| distance(*x).abs() < 1e-12) && distance(middle).abs() < 1e-12
                );
                assert!((distance(middle + n * 0.01) - 0.01).abs() < 1e-12);
                assert!((distance(middle + m * 0.01) - 0.01).abs() < 1e-12);
                assert!(distance(middle - (n + m) * 0.01) < 0.0);
            }
        }
    }
}
