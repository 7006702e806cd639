//! Corners and sharp convex edges of obstacles.

use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use crate::geometry::Vec3;
use crate::geometry::prism::Prism;
use crate::geometry::triangle::normal;
use crate::model::edges::SHARP;
use crate::model::obstacle::{MeshSequence, Obstacle, Shape};

/// A corner, whose two ends are one place, or a straight convex edge of an obstacle at a moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sharp {
    /// Its ends, m.
    pub(crate) ends: [Vec3; 2],
    /// Unit direction away from the obstacle, between the normals of its faces.
    pub(crate) outward: Vec3,
}

/// The corners or the sharp edges of an obstacle; none of a smooth one. A mesh that changes its shape has those of its
/// first frame.
#[derive(Debug, Clone)]
pub(crate) struct SharpParts {
    obstacle: Obstacle,
    mesh: Arc<MeshSequence>,
    parts: Vec<Part>,
}

/// Vertices of a mesh at the ends of a part, and triangles that meet there.
#[derive(Debug, Clone)]
struct Part {
    ends: [u32; 2],
    faces: Vec<u32>,
}

/// What the faces around a vertex lack to a full turn, radians, where it is a corner though no sharp edge ends there: the
/// tip of a cone that is not blunt.
const POINTED: f64 = PI / 3.0;

/// Cosine of the angle below which faces count as one.
const FLAT: f64 = 1.0 - 1e-6;

impl SharpParts {
    /// The sharp edges.
    pub(crate) fn edges(obstacle: &Obstacle) -> Self {
        Self::of(obstacle, |mesh| mesh.edges())
    }

    /// The ends of the sharp edges, and tips.
    pub(crate) fn corners(obstacle: &Obstacle) -> Self {
        Self::of(obstacle, |mesh| mesh.corners())
    }

    fn of(obstacle: &Obstacle, find: impl Fn(&Faces<'_>) -> Vec<Part>) -> Self {
        let mesh = obstacle.mesh.clone().unwrap_or_else(|| Arc::new(polyhedron(&obstacle.params.shape)));
        let parts = find(&Faces::new(&mesh));
        Self { obstacle: obstacle.clone(), mesh, parts }
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Where they are at a time, s, always in the same order.
    pub(crate) fn at(&self, time: f64) -> Vec<Sharp> {
        if self.is_empty() {
            return Vec::new();
        }
        let (pose, frames) = (self.obstacle.params.pose_at(time), &self.mesh.frames);
        let moved = if frames.len() > 1 { self.mesh.at(time) } else { Vec::new() };
        let point =
            |v: u32| moved.get(v as usize).copied().unwrap_or_else(|| Vec3::from(frames[0][v as usize]));
        let face = |&t: &u32| normal(self.mesh.triangles[t as usize].map(point));
        let of_part = |part: &Part| {
            let outward: Vec3 = part.faces.iter().map(|t| unit(face(t))).sum();
            Sharp { ends: part.ends.map(|v| pose.to_world(point(v))), outward: unit(pose.rotate(outward)) }
        };
        self.parts.iter().map(of_part).collect()
    }
}

/// The first of a sequence of meshes.
struct Faces<'a> {
    points: Vec<Vec3>,
    triangles: &'a [[u32; 3]],
    normals: Vec<Vec3>,
}

impl<'a> Faces<'a> {
    fn new(mesh: &'a MeshSequence) -> Self {
        let points: Vec<Vec3> = mesh.frames.first().into_iter().flatten().map(|x| Vec3::from(*x)).collect();
        let of = |t: &[u32; 3]| unit(normal(t.map(|v| points[v as usize])));
        Self { normals: mesh.triangles.iter().map(of).collect(), points, triangles: &mesh.triangles }
    }

    fn edges(&self) -> Vec<Part> {
        let mut sides: BTreeMap<[u32; 2], Vec<u32>> = BTreeMap::new();
        for (k, &[a, b, c]) in (0..).zip(self.triangles) {
            for [v, w] in [[a, b], [b, c], [c, a]] {
                sides.entry([v.min(w), v.max(w)]).or_default().push(k);
            }
        }
        let parts = sides.into_iter().map(|(ends, faces)| Part { ends, faces });
        parts.filter(|part| self.is_sharp(part)).collect()
    }

    /// Whether two faces meet in an edge that stands out.
    fn is_sharp(&self, Part { ends, faces }: &Part) -> bool {
        let [a, b] = faces[..] else { return false };
        let [n, m] = [a, b].map(|t| self.normals[t as usize]);
        let apex = self.triangles[b as usize].iter().find(|v| !ends.contains(v));
        let rise = |&v: &u32| n.dot(&(self.points[v as usize] - self.points[ends[0] as usize]));
        n.dot(&m) < SHARP.cos() && apex.is_some_and(|v| rise(v) < 0.0)
    }

    fn corners(&self) -> Vec<Part> {
        let mut is_corner = vec![false; self.points.len()];
        self.edges().iter().flat_map(|part| part.ends).for_each(|v| is_corner[v as usize] = true);
        let (mut faces, mut turn) = (vec![Vec::new(); self.points.len()], vec![0.0; self.points.len()]);
        for (t, corners) in (0..).zip(self.triangles) {
            for k in 0..3 {
                let [v, a, b] = [0, 1, 2].map(|i| corners[(k + i) % 3] as usize);
                turn[v] += (self.points[a] - self.points[v]).angle(&(self.points[b] - self.points[v]));
                faces[v].push(t);
            }
        }
        let parts =
            (0..).zip(faces).filter(|&(v, _)| is_corner[v as usize] || TAU - turn[v as usize] > POINTED);
        parts.map(|(v, faces)| Part { ends: [v; 2], faces: self.distinct(faces) }).collect()
    }

    /// Of several triangles of one flat face the first.
    fn distinct(&self, faces: Vec<u32>) -> Vec<u32> {
        let mut kept: Vec<u32> = Vec::new();
        for t in faces {
            let is_known = |k: &u32| self.normals[*k as usize].dot(&self.normals[t as usize]) > FLAT;
            if !kept.iter().any(is_known) {
                kept.push(t);
            }
        }
        kept
    }
}

fn unit(v: Vec3) -> Vec3 {
    v.try_normalize(0.0).unwrap_or_default()
}

/// A box or a prism as a mesh; no other shape has faces.
fn polyhedron(shape: &Shape) -> MeshSequence {
    let (ring, height): (Vec<Vec3>, f64) = match *shape {
        Shape::Box { size: [x, y, z] } => {
            let signs = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
            (signs.map(|[i, j]| Vec3::new(i * x, j * y, 0.0)).to_vec(), z)
        }
        Shape::Prism { radius, height, sides } => {
            let prism = Prism { radius, height, sides };
            ((0..sides).map(|side| prism.corner(side)).collect(), height)
        }
        _ => (Vec::new(), 0.0),
    };
    let n = ring.len() as u32;
    let vertices =
        [-0.5, 0.5].iter().flat_map(|end| ring.iter().map(move |x| [x.x, x.y, end * height])).collect();
    let side = |k: u32| {
        let next = (k + 1) % n;
        [[k, next, next + n], [k, next + n, k + n]]
    };
    let ends = (2..n).flat_map(|k| [[0, k, k - 1], [n, n + k - 1, n + k]]);
    let triangles = (0..n).flat_map(side).chain(ends).collect();
    MeshSequence { triangles, frames: vec![vertices], every: 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::motion::{Keyframe, Motion};
    use crate::model::obstacle::ObstacleParams;

    fn solid(shape: Shape) -> Obstacle {
        Obstacle::read(ObstacleParams::of(shape)).unwrap()
    }

    /// A cone with its tip at the top, or a crater.
    fn cone(sides: u32, tip: f64) -> Obstacle {
        let ring = (0..sides).map(|k| Prism { radius: 1.0, height: 0.0, sides }.corner(k).into());
        let vertices = ring.chain([[0.0, 0.0, tip], [0.0, 0.0, -1.0]]).collect();
        let around = |k: u32| [[k, (k + 1) % sides, sides], [(k + 1) % sides, k, sides + 1]];
        let triangles = (0..sides).flat_map(around).collect();
        let mesh = MeshSequence { triangles, frames: vec![vertices], every: 1.0 };
        let shape = Shape::Mesh { files: Vec::new(), every: 1.0, scale: 1.0 };
        Obstacle { params: ObstacleParams::of(shape), mesh: Some(Arc::new(mesh)) }
    }

    #[test]
    fn boxes_and_prisms_have_the_edges_that_yarns_bend_over() {
        for shape in [
            Shape::Box { size: [1.0, 0.8, 0.6] },
            Shape::Prism { radius: 0.5, height: 0.2, sides: 6 },
            Shape::Prism { radius: 0.5, height: 0.2, sides: 48 },
        ] {
            let (obstacle, expected) = (solid(shape.clone()), shape.edges());
            let (edges, corners) =
                (SharpParts::edges(&obstacle).at(0.0), SharpParts::corners(&obstacle).at(0.0));
            assert_eq!(edges.len(), expected.len());
            for edge in &expected {
                let is_it = |s: &&Sharp| (s.ends[0] + s.ends[1] - edge.ends[0] - edge.ends[1]).norm() < 1e-12;
                let found = edges.iter().find(is_it).unwrap();
                assert!((found.outward - (edge.normals[0] + edge.normals[1]).normalize()).norm() < 1e-12);
                let is_corner = |x: &Vec3| corners.iter().any(|c| (c.ends[0] - x).norm() < 1e-12);
                assert!(edge.ends.iter().all(is_corner));
            }
            let ring = expected.iter().filter(|e| e.normals[1].z > 0.5 || e.normals[0].z > 0.5).count();
            assert_eq!(corners.len(), 2 * ring);
        }
        for shape in
            [Shape::Plane, Shape::Sphere { radius: 1.0 }, Shape::Capsule { radius: 1.0, length: 2.0 }]
        {
            assert!(SharpParts::edges(&solid(shape.clone())).is_empty());
            assert!(SharpParts::corners(&solid(shape)).is_empty());
        }
    }

    #[test]
    fn only_what_stands_out_is_sharp() {
        let [pointed, blunt, crater] = [1.0, 0.1, -0.5].map(|tip| cone(48, tip));
        for (cone, tips) in [(&pointed, 2), (&blunt, 1), (&crater, 1)] {
            let corners = SharpParts::corners(cone).at(0.0);
            assert_eq!(corners.len(), 48 + tips);
            assert_eq!(SharpParts::edges(cone).at(0.0).len(), 48);
        }
        let tip = SharpParts::corners(&pointed).at(0.0)[48];
        assert!((tip.ends[0] - Vec3::z()).norm() < 1e-12 && (tip.outward - Vec3::z()).norm() < 1e-9);
        // Inwards, with few sides.
        let valleys = SharpParts::edges(&cone(4, -0.5)).at(0.0);
        assert!(valleys.iter().all(|e| e.ends.iter().all(|x| x.z != -0.5)), "{valleys:?}");
    }

    #[test]
    fn they_move_with_their_obstacle() {
        let turned = Keyframe { time: 1.0, rotation: [0.0, 90.0, 0.0], translation: [1.0, 0.0, 0.0] };
        let shape = Shape::Box { size: [2.0; 3] };
        let params = ObstacleParams::of(shape).moving(Motion(vec![Keyframe::default(), turned]));
        let corners = SharpParts::corners(&Obstacle::read(params).unwrap());
        for (before, after) in corners.at(0.0).iter().zip(corners.at(1.0)) {
            let turn = |v: Vec3| Vec3::new(v.z, v.y, -v.x);
            assert!((turn(before.ends[0]) + Vec3::x() - after.ends[0]).norm() < 1e-12);
            assert!((turn(before.outward) - after.outward).norm() < 1e-12);
            assert!((before.outward * 3f64.sqrt() - before.ends[0]).norm() < 1e-12);
        }
    }
}
