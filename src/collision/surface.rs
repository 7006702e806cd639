//! Obstacles as surfaces at a moment: distances, and points that move with them.

use std::sync::Arc;

use nalgebra::Matrix3;
use parry3d_f64::math::Vector;
use parry3d_f64::query::PointQueryWithLocation;
use parry3d_f64::shape::{TriMesh, TriMeshFlags};

use super::blend::lesser;
use super::distance::signed_distance;
use crate::geometry::Vec3;
use crate::geometry::pose::Pose;
use crate::geometry::triangle::{closest_on_triangle, mean_edge, normal};
use crate::model::obstacle::{Obstacle, Shape};

/// The surface of an obstacle at a moment.
#[derive(Debug, Clone)]
pub enum Surface {
    /// A simple shape at a placement.
    Rigid(Shape, Pose),
    /// A closed mesh in space.
    Mesh(Arc<MeshSurface>),
    /// A mesh without a triangle of its own: nothing to touch.
    Empty,
}

/// Over the mean length of a mesh's edges: over which differences of distances those of its triangles are blended.
const BLENDED: f64 = 1e-3;

/// Over the mean length of a mesh's edges: by how much the corners of a flat face may miss its plane.
const FLATNESS: f64 = 1e-6;

/// A closed mesh in space.
#[derive(Debug)]
pub struct MeshSurface {
    mesh: TriMesh,
    /// The box around it.
    corners: [Vec3; 2],
    /// The triangles that have a corner in common with each, itself among them, in order.
    around: Vec<Vec<u32>>,
    /// Differences of distances over which those of triangles are blended, m; none where the mesh has no valley.
    width: f64,
}

/// A surface as a point near it sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearby {
    /// Distance, m, negative inside.
    pub distance: f64,
    /// Its gradient: the unit direction in which it grows, somewhat shorter where those of several triangles are blended.
    pub gradient: Vec3,
    /// Its Hessian where they are blended, times -1, 1/m. It is left out that the distances of edges and of curved shapes
    /// have Hessians too, which let a force turn.
    pub bend: Matrix3<f64>,
}

impl Surface {
    /// The surface of an obstacle at a time, s.
    pub fn at(obstacle: &Obstacle, time: f64) -> Self {
        let pose = obstacle.params.pose_at(time);
        let Some(sequence) = &obstacle.mesh else { return Self::Rigid(obstacle.params.shape.clone(), pose) };
        let points: Vec<Vec3> = sequence.at(time).into_iter().map(|x| pose.to_world(x)).collect();
        let surface = MeshSurface::new(&points, &sequence.triangles);
        surface.map_or(Self::Empty, |surface| Self::Mesh(Arc::new(surface)))
    }

    /// Distance, m, from the surface to a point, negative inside, and the unit direction in which it grows;
    /// none where a mesh is farther away than `reach`, m.
    pub fn distance(&self, x: Vec3, reach: f64) -> Option<(f64, Vec3)> {
        match self {
            Self::Rigid(shape, pose) => {
                let (distance, normal) = signed_distance(shape, pose.to_local(x));
                Some((distance, pose.rotate(normal)))
            }
            Self::Mesh(body) => body.is_near(x, reach).then(|| {
                let (nearest, _) = body.project(x);
                (nearest.distance, nearest.gradient)
            }),
            Self::Empty => None,
        }
    }

    /// As [`Self::distance`], but with a gradient that is continuous in the valleys of a mesh.
    pub fn nearby(&self, x: Vec3, reach: f64) -> Option<Nearby> {
        if let Self::Mesh(body) = self {
            return body.is_near(x, reach).then(|| body.nearby(x));
        }
        let (distance, gradient) = self.distance(x, reach)?;
        Some(Nearby { distance, gradient, bend: Matrix3::zeros() })
    }

    /// By how much the distance of [`Self::nearby`] is less than the distance at most, m.
    pub fn blended(&self) -> f64 {
        if let Self::Mesh(body) = self { body.width } else { 0.0 }
    }

    /// The point of the surface that is nearest to a point, in coordinates that do not change as the obstacle
    /// moves: of its own frame, or the number of a triangle and two barycentric coordinates.
    pub fn attach(&self, x: Vec3) -> Vec3 {
        match self {
            Self::Rigid(_, pose) => pose.to_local(x),
            Self::Mesh(body) => {
                let (_, (triangle, location)) =
                    body.mesh.project_local_point_and_get_location(to_parry(x), false);
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
            Self::Mesh(body) => {
                let [a, b, c] = corners(&body.mesh, attached.x as u32);
                a + (b - a) * attached.y + (c - a) * attached.z
            }
            Self::Empty => attached,
        }
    }

    /// The largest way of a point of a mesh to where it is `after`, m.
    pub(super) fn largest_way(&self, after: &Self) -> f64 {
        let (Self::Mesh(before), Self::Mesh(after)) = (self, after) else { return 0.0 };
        let ways = before.mesh.vertices().iter().zip(after.mesh.vertices()).map(|(a, b)| (*b - *a).length());
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
            (Self::Mesh(before), Self::Mesh(after)) => {
                let triangle = attached.x as u32;
                let [from, to] = [before, after].map(|body| face_normal(&body.mesh, triangle));
                let turn = nalgebra::UnitQuaternion::rotation_between(&from, &to).unwrap_or_default();
                turn * direction
            }
            _ => direction,
        }
    }
}

impl MeshSurface {
    /// Of vertices and triangles; none without a triangle.
    fn new(points: &[Vec3], triangles: &[[u32; 3]]) -> Option<Self> {
        let low = points.iter().fold(Vec3::repeat(f64::INFINITY), |m, x| m.inf(x));
        let high = points.iter().fold(Vec3::repeat(f64::NEG_INFINITY), |m, x| m.sup(x));
        let vertices = points.iter().map(|x| to_parry(*x)).collect();
        let mesh = TriMesh::with_flags(vertices, triangles.to_vec(), TriMeshFlags::ORIENTED).ok()?;
        let around = around(triangles, points.len());
        let corners_of = |t: &[u32; 3]| t.map(|v| points[v as usize]);
        let edge = mean_edge(triangles.iter().map(corners_of));
        let rises = |(triangle, near): (&[u32; 3], &Vec<u32>)| {
            let corners = corners_of(triangle);
            let Some(up) = normal(corners).try_normalize(0.0) else { return false };
            let mut others = near.iter().flat_map(|&t| corners_of(&triangles[t as usize]));
            others.any(|x| up.dot(&(x - corners[0])) > FLATNESS * edge)
        };
        let has_valley = triangles.iter().zip(&around).any(rises);
        let width = if has_valley { BLENDED * edge } else { 0.0 };
        Some(Self { mesh, corners: [low, high], around, width })
    }

    /// Whether a point is in the box around it, or no farther from that than `reach`, m.
    fn is_near(&self, x: Vec3, reach: f64) -> bool {
        let [low, high] = &self.corners;
        (0..3).all(|k| x[k] >= low[k] - reach && x[k] <= high[k] + reach)
    }

    /// What a point sees of the mesh, negative inside, and the triangle nearest to it.
    fn project(&self, x: Vec3) -> (Nearby, u32) {
        let (found, (triangle, _)) = self.mesh.project_local_point_and_get_location(to_parry(x), false);
        let Nearby { distance, gradient, bend } = self.side(triangle, x - from_parry(found.point));
        let sign = if found.is_inside { -1.0 } else { 1.0 };
        (Nearby { distance: sign * distance, gradient: gradient * sign, bend }, triangle)
    }

    /// What a point sees of a triangle from whose nearest point it is so far away.
    fn side(&self, triangle: u32, away: Vec3) -> Nearby {
        let distance = away.norm();
        // On the triangle itself the direction is its normal.
        let is_off = distance > 1e-12;
        let gradient = if is_off { away / distance } else { face_normal(&self.mesh, triangle) };
        Nearby { distance, gradient, bend: Matrix3::zeros() }
    }

    /// The least of the distances from the triangles around the nearest, always blended in the same order.
    fn nearby(&self, x: Vec3) -> Nearby {
        let (nearest, triangle) = self.project(x);
        if nearest.distance < 0.0 || self.width == 0.0 {
            return nearest;
        }
        let seen = |&t: &u32| {
            let corners = corners(&self.mesh, t);
            let parts = closest_on_triangle(x, corners);
            self.side(t, x - (0..3).map(|k| corners[k] * parts[k]).sum::<Vec3>())
        };
        let near = self.around[triangle as usize].iter().map(seen);
        near.reduce(|a, b| lesser(a, b, self.width)).unwrap_or(nearest)
    }
}

/// The triangles that have a corner in common with each, in order.
fn around(triangles: &[[u32; 3]], n_vertices: usize) -> Vec<Vec<u32>> {
    let mut at = vec![Vec::new(); n_vertices];
    for (k, triangle) in (0..).zip(triangles) {
        triangle.iter().for_each(|&v| at[v as usize].push(k));
    }
    let near = |triangle: &[u32; 3]| {
        let mut near: Vec<u32> = triangle.iter().flat_map(|&v| &at[v as usize]).copied().collect();
        near.sort_unstable();
        near.dedup();
        near
    };
    triangles.iter().map(near).collect()
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

    /// A block with a groove along its top, 0.1 deep.
    fn grooved() -> Mesh {
        let outline = [[0.0, 0.9], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [1.0, 1.0]];
        let vertices = [-1.0, 1.0].iter().flat_map(|&y| outline.map(|[x, z]| [x, y, z])).collect();
        let ends = (1..4u32).flat_map(|k| [[0, k, k + 1], [5, 6 + k, 5 + k]]);
        let round = (0..5u32).flat_map(|k| {
            let next = (k + 1) % 5;
            [[k, k + 5, next + 5], [k, next + 5, next]]
        });
        Mesh { vertices, triangles: ends.chain(round).collect() }
    }

    #[test]
    fn a_groove_is_smooth_and_no_deeper_than_its_width_allows() {
        let mesh = grooved();
        assert!(mesh.is_closed().unwrap());
        let params = ObstacleParams::of(Shape::Plane);
        let sequence = MeshSequence { triangles: mesh.triangles, frames: vec![mesh.vertices], every: 1.0 };
        let surface = Surface::at(&Obstacle { params, mesh: Some(sequence.into()) }, 0.0);
        let near = |x: Vec3| surface.nearby(x, 9.0).unwrap();
        let Surface::Mesh(body) = &surface else { panic!("a mesh") };
        let width = body.width;
        let mut blended = 0;
        for k in -40..=40 {
            let x = Vec3::new(f64::from(k) / 2000.0 + 1e-5, 0.3, 1.05);
            let Nearby { distance, gradient, bend } = near(x);
            let (exact, _) = surface.distance(x, 9.0).unwrap();
            assert!(distance < exact + 1e-12 && distance > exact - 0.5 * width, "{k}: {distance} {exact}");
            let by = |i: usize, h: f64| near(x + Vec3::ith(i, h));
            for i in 0..3 {
                let slope = (by(i, 1e-6).distance - by(i, -1e-6).distance) / 2e-6;
                assert!((slope - gradient[i]).abs() < 1e-4, "{k}: {slope} {gradient}");
                // Beside the blend there is the turn about the groove's edge.
                let turn = (by(i, 1e-6).gradient - by(i, -1e-6).gradient) / 2e-6;
                assert!((turn + bend.column(i)).norm() < 1.0 / distance, "{k}: {turn} {bend}");
            }
            blended += u32::from(bend.norm() > 1.0);
        }
        assert!((10..70).contains(&blended), "{blended} of 81");
        assert_eq!(surface.blended(), width);
        // No distance changes by more than the way, beyond the groove's ends neither.
        for k in 0..4000 {
            let at = |a: f64| (f64::from(k) * a).fract() - 0.5;
            let x = Vec3::new(2.2 * at(0.6180), 2.4 * at(0.4142), 1.05 + 0.1 * at(0.7321));
            let step = Vec3::new(at(0.2361), at(0.1623), at(0.8730)) * 1e-3;
            let change = near(x + step).distance - near(x).distance;
            assert!(change.abs() <= step.norm() * (1.0 + 1e-9), "{x}: {change}");
            // Nor does the gradient jump.
            let step = step * 1e-4;
            let turn = near(x + step).gradient - near(x).gradient;
            let most = 4.0 / width + 2.0 / near(x).distance;
            assert!(near(x).distance < 0.0 || turn.norm() < most * step.norm(), "{x}: {turn}");
        }
    }
}
