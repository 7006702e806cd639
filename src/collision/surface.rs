//! Obstacles as surfaces at a moment: distances, and points that move with them.

use std::sync::Arc;

use parry3d_f64::math::Vector;
use parry3d_f64::query::PointQueryWithLocation;
use parry3d_f64::shape::{TriMesh, TriMeshFlags};

use super::distance::signed_distance;
use crate::geometry::Vec3;
use crate::geometry::pose::Pose;
use crate::geometry::triangle::normal;
use crate::model::obstacle::{Obstacle, Shape};

/// The surface of an obstacle at a moment.
#[derive(Debug, Clone)]
pub enum Surface {
    /// A simple shape at a placement.
    Rigid(Shape, Pose),
    /// A closed mesh in space, with the box around it.
    Mesh(Arc<TriMesh>, [Vec3; 2]),
    /// A mesh without a triangle of its own: nothing to touch.
    Empty,
}

impl Surface {
    /// The surface of an obstacle at a time, s.
    pub fn at(obstacle: &Obstacle, time: f64) -> Self {
        let pose = obstacle.params.pose_at(time);
        let Some(sequence) = &obstacle.mesh else { return Self::Rigid(obstacle.params.shape.clone(), pose) };
        let points: Vec<Vec3> = sequence.at(time).into_iter().map(|x| pose.to_world(x)).collect();
        let low = points.iter().fold(Vec3::repeat(f64::INFINITY), |m, x| m.inf(x));
        let high = points.iter().fold(Vec3::repeat(f64::NEG_INFINITY), |m, x| m.sup(x));
        let vertices = points.iter().map(|x| Vector::new(x.x, x.y, x.z)).collect();
        let mesh = TriMesh::with_flags(vertices, sequence.triangles.clone(), TriMeshFlags::ORIENTED);
        mesh.map_or(Self::Empty, |mesh| Self::Mesh(Arc::new(mesh), [low, high]))
    }

    /// Distance, m, from the surface to a point, negative inside, and the unit direction in which it grows;
    /// none where a mesh is farther away than `reach`, m.
    pub fn distance(&self, x: Vec3, reach: f64) -> Option<(f64, Vec3)> {
        match self {
            Self::Rigid(shape, pose) => {
                let (distance, normal) = signed_distance(shape, pose.to_local(x));
                Some((distance, pose.rotate(normal)))
            }
            Self::Mesh(mesh, [low, high]) => {
                if (0..3).any(|k| x[k] < low[k] - reach || x[k] > high[k] + reach) {
                    return None;
                }
                let (found, (triangle, _)) = mesh.project_local_point_and_get_location(to_parry(x), false);
                let away = x - from_parry(found.point);
                let (r, sign) = (away.norm(), if found.is_inside { -1.0 } else { 1.0 });
                // On the surface itself the direction is the triangle's.
                let direction = if r > 1e-12 { away * (sign / r) } else { face_normal(mesh, triangle) };
                Some((sign * r, direction))
            }
            Self::Empty => None,
        }
    }

    /// The point of the surface that is nearest to a point, in coordinates that do not change as the obstacle
    /// moves: of its own frame, or the number of a triangle and two barycentric coordinates.
    pub fn attach(&self, x: Vec3) -> Vec3 {
        match self {
            Self::Rigid(_, pose) => pose.to_local(x),
            Self::Mesh(mesh, _) => {
                let (_, (triangle, location)) = mesh.project_local_point_and_get_location(to_parry(x), false);
                let [_, b, c] = location.barycentric_coordinates().unwrap_or([1.0, 0.0, 0.0]);
                Vec3::new(f64::from(triangle), b, c)
            }
            Self::Empty => x,
        }
    }

    /// Where an attached point is.
    pub fn place(&self, attached: Vec3) -> Vec3 {
        match self {
            Self::Rigid(_, pose) => pose.to_world(attached),
            Self::Mesh(mesh, _) => {
                let [a, b, c] = corners(mesh, attached.x as u32);
                a + (b - a) * attached.y + (c - a) * attached.z
            }
            Self::Empty => attached,
        }
    }

    /// The largest way of a point of a mesh to where it is `after`, m.
    pub(super) fn largest_way(&self, after: &Self) -> f64 {
        let (Self::Mesh(before, _), Self::Mesh(after, _)) = (self, after) else { return 0.0 };
        let ways = before.vertices().iter().zip(after.vertices()).map(|(a, b)| (*b - *a).length());
        ways.fold(0.0, f64::max)
    }

    /// A point, and a direction there, carried along by the obstacle as it moves to `after`: by the part of a mesh
    /// that is next to it.
    pub(super) fn carry(&self, after: &Self, x: Vec3, direction: Vec3) -> [Vec3; 2] {
        if let (Self::Rigid(_, from), Self::Rigid(_, to)) = (self, after) {
            return [to.to_world(from.to_local(x)), to.rotate(from.rotate_back(direction))];
        }
        let held = self.attach(x);
        let turn = |d: Vec3| self.turn(after, held, d);
        [after.place(held) + turn(x - self.place(held)), turn(direction)]
    }

    /// A direction at an attached point when the obstacle has moved to `after`.
    pub fn turn(&self, after: &Self, attached: Vec3, direction: Vec3) -> Vec3 {
        match (self, after) {
            (Self::Rigid(_, before), Self::Rigid(_, after)) => after.rotate(before.rotate_back(direction)),
            (Self::Mesh(before, _), Self::Mesh(after, _)) => {
                let triangle = attached.x as u32;
                let [from, to] = [face_normal(before, triangle), face_normal(after, triangle)];
                let turn = nalgebra::UnitQuaternion::rotation_between(&from, &to).unwrap_or_default();
                turn * direction
            }
            _ => direction,
        }
    }
}

fn to_parry(x: Vec3) -> Vector {
    Vector::new(x.x, x.y, x.z)
}

fn from_parry(x: Vector) -> Vec3 {
    Vec3::new(x.x, x.y, x.z)
}

fn corners(mesh: &TriMesh, triangle: u32) -> [Vec3; 3] {
    let index = mesh.indices()[triangle as usize];
    index.map(|v| from_parry(mesh.vertices()[v as usize]))
}

fn face_normal(mesh: &TriMesh, triangle: u32) -> Vec3 {
    normal(corners(mesh, triangle)).try_normalize(0.0).unwrap_or_else(Vec3::z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::mesh::Mesh;
    use crate::model::obstacle::{MeshSequence, ObstacleParams};

    /// A ball of radius one, made of a tube that closes at both ends.
    fn ball() -> Mesh {
        let mut mesh = Mesh::tube([1.0, 1.0], 1.0, [48, 24]);
        for x in &mut mesh.vertices {
            let latitude = std::f64::consts::PI * x[2] * 0.98;
            (x[0], x[1], x[2]) = (x[0] * latitude.cos(), x[1] * latitude.cos(), latitude.sin());
        }
        let rim = 24 * 48;
        mesh.vertices.extend([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]]);
        for k in 0..48u32 {
            let next = (k + 1) % 48;
            mesh.triangles.push([next, k, 25 * 48]);
            mesh.triangles.push([rim + k, rim + next, 25 * 48 + 1]);
        }
        mesh
    }

    fn obstacle(meshes: &[Mesh], shape: Shape) -> Obstacle {
        let params =
            ObstacleParams { at: [0.1, 0.2, 0.3], rotation: [10.0, 20.0, 30.0], ..ObstacleParams::of(shape) };
        let frames = meshes.iter().map(|m| m.vertices.clone()).collect();
        let mesh = MeshSequence { triangles: meshes[0].triangles.clone(), frames, every: 1.0 };
        Obstacle { params, mesh: Some(std::sync::Arc::new(mesh)) }
    }

    #[test]
    fn a_mesh_of_a_ball_is_as_far_as_the_ball() {
        let mesh = ball();
        assert!(mesh.is_closed().unwrap());
        let fine = Surface::at(&obstacle(&[mesh], Shape::Plane), 0.0);
        for x in [Vec3::new(1.9, 0.4, 0.8), Vec3::new(0.3, 0.5, 0.7), Vec3::new(0.1, 0.2, 2.5)] {
            let (distance, direction) = fine.distance(x, 9.0).unwrap();
            let from_centre = x - Vec3::new(0.1, 0.2, 0.3);
            assert!((distance - (from_centre.norm() - 1.0)).abs() < 0.01, "{distance}");
            assert!(direction.dot(&from_centre.normalize()) > 0.98, "{direction}");
        }
        assert!(fine.distance(Vec3::new(5.0, 0.0, 0.0), 1.0).is_none());
    }

    #[test]
    fn attached_points_move_with_the_mesh() {
        let mut larger = ball();
        larger.vertices.iter_mut().for_each(|x| *x = [2.0 * x[0] + 1.0, 2.0 * x[1], 2.0 * x[2]]);
        let obstacle = obstacle(&[ball(), larger], Shape::Plane);
        let [before, after] = [0.0, 1.0].map(|t| Surface::at(&obstacle, t));
        let pose = obstacle.params.pose_at(0.0);
        let x = pose.to_world(Vec3::new(0.5, -0.4, 0.3).normalize() * 1.1);
        let attached = before.attach(x);
        let local = |s: &Surface| pose.to_local(s.place(attached));
        assert!((local(&after) - Vec3::x() - local(&before) * 2.0).norm() < 1e-12);
        assert!((local(&before) - Vec3::new(0.5, -0.4, 0.3).normalize()).norm() < 0.03);
        // A uniform growth turns nothing.
        assert!((before.turn(&after, attached, Vec3::x()) - Vec3::x()).norm() < 1e-9);
    }
}
