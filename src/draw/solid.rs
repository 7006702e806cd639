//! Meshes of the obstacles.

use std::f64::consts::{PI, TAU};

use super::V3;
use super::camera::bounds;
use super::mesh::{Mesh, Vertex};
use crate::frame::{Frame, ObstacleInfo};
use crate::geometry::Vec3;
use crate::geometry::pose::Pose;
use crate::geometry::prism::Prism;
use crate::model::mesh::Mesh as Triangles;
use crate::model::obstacle::{MeshSequence, Shape};

/// Linear grey of the obstacles, light enough for a shadow to show.
pub(crate) const GREY: [f32; 3] = [0.42, 0.43, 0.45];

/// Linear greys of the two kinds of squares of a plane.
const SQUARES: [[f32; 3]; 2] = [[0.66, 0.66, 0.66], [0.60, 0.60, 0.605]];

/// Squares across the drawn part of a plane, at least.
const SQUARES_ACROSS: f64 = 24.0;

/// Radius of the drawn part of a plane in diagonals of the scene: its rim has faded before it shows.
const PLANE_REACH: f64 = 2.5;

/// Divisions of a quarter turn of a round body.
const QUARTER: usize = 24;

/// Points that must be in the picture, m: all nodes and vertices, and obstacles not larger than twice the cloth.
pub(crate) fn extent(frame: &Frame) -> Vec<Vec3> {
    let mut points: Vec<Vec3> = frame.places().map(|&x| V3::from(x).cast()).collect();
    let (low, high) = bounds(&points);
    let diagonal = if points.is_empty() { f64::INFINITY } else { (high - low).norm() };
    for (info, pose) in frame.layout.obstacles.iter().zip(&frame.poses) {
        let half = half_size(&info.shape);
        if 2.0 * half.norm() > 2.0 * diagonal || !half.norm().is_finite() {
            continue;
        }
        points.extend((0..8).map(|k| {
            let sign = |bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
            pose.to_world(half.component_mul(&Vec3::new(sign(0), sign(1), sign(2))))
        }));
    }
    points
}

/// The meshes of all obstacles.
pub(crate) fn solids(frame: &Frame) -> Vec<Mesh> {
    let (low, high) = bounds(&extent(frame));
    let scene = ((low + high) * 0.5, (high - low).norm());
    let placed = frame.layout.obstacles.iter().zip(&frame.poses);
    let mesh = |(info, pose): (&ObstacleInfo, &Pose)| match &info.mesh {
        Some(sequence) => body(sequence, frame.time, pose),
        None => solid(&info.shape, pose, scene),
    };
    placed.map(mesh).collect()
}

/// The mesh of a shape at a pose; planes reach around a scene given by its centre and diagonal, m.
pub(crate) fn solid(shape: &Shape, pose: &Pose, scene: (Vec3, f64)) -> Mesh {
    match *shape {
        Shape::Plane => plane(pose, scene),
        Shape::Box { size } => cuboid(pose, Vec3::from(size) * 0.5),
        Shape::Sphere { radius } => capsule(pose, radius, 0.0),
        Shape::Capsule { radius, length } => capsule(pose, radius, length),
        Shape::Prism { radius, height, sides } => prism(pose, &Prism { radius, height, sides }),
        // Drawn as it is at a moment, see `body`.
        Shape::Mesh { .. } => Mesh::default(),
    }
}

/// Half the edges of the box around a shape, infinite for a plane, m.
fn half_size(shape: &Shape) -> Vec3 {
    match *shape {
        Shape::Plane => Vec3::repeat(f64::INFINITY),
        Shape::Box { size } => Vec3::from(size) * 0.5,
        Shape::Sphere { radius } => Vec3::repeat(radius),
        Shape::Capsule { radius, length } => Vec3::new(radius, radius, radius + 0.5 * length),
        Shape::Prism { radius, height, .. } => Vec3::new(radius, radius, 0.5 * height),
        Shape::Mesh { .. } => Vec3::repeat(f64::INFINITY),
    }
}

fn vertex(pose: &Pose, point: Vec3, normal: Vec3) -> Vertex {
    Vertex {
        position: pose.to_world(point).cast(),
        normal: pose.rotate(normal).cast(),
        tangent: V3::zeros(),
        phase: 0.0,
        colour: GREY,
        alpha: 1.0,
    }
}

/// A body of triangles at a time.
fn body(sequence: &MeshSequence, time: f64, pose: &Pose) -> Mesh {
    let vertices = sequence.at(time).into_iter().map(Into::into).collect();
    let shape = Triangles { vertices, triangles: sequence.triangles.clone() };
    let normals = shape.vertex_normals();
    let vertices = (0..).zip(&normals).map(|(k, n)| vertex(pose, shape.vertex(k), *n)).collect();
    Mesh { vertices, triangles: shape.triangles, radius: 0.0, casts_shadow: true }
}

/// A chequered disc below the scene that fades out towards its rim.
fn plane(pose: &Pose, (centre, diagonal): (Vec3, f64)) -> Mesh {
    let reach = PLANE_REACH * diagonal;
    let square = round_length(2.0 * reach / SQUARES_ACROSS);
    let middle = pose.to_local(centre);
    let (column, row) = ((middle.x / square).round(), (middle.y / square).round());
    let n = (reach / square).ceil() as i64;
    let mut mesh = Mesh::default();
    for (i, j) in (-n..n).flat_map(|i| (-n..n).map(move |j| (i, j))) {
        let first = mesh.vertices.len() as u32;
        let kind = (i + j + (column + row) as i64).rem_euclid(2) as usize;
        for (a, b) in [(0, 0), (1, 0), (1, 1), (0, 1)] {
            let at = Vec3::new((column + (i + a) as f64) * square, (row + (j + b) as f64) * square, 0.0);
            let fade = 1.0 - (at - Vec3::new(middle.x, middle.y, 0.0)).norm() / reach;
            let alpha = (1.6 * fade).clamp(0.0, 1.0) as f32;
            mesh.vertices.push(Vertex { colour: SQUARES[kind], alpha, ..vertex(pose, at, Vec3::z()) });
        }
        mesh.push_quad([first, first + 1, first + 2, first + 3]);
    }
    mesh
}

/// The largest of 1, 2 and 5 times a power of ten that is not above a length.
pub(crate) fn round_length(length: f64) -> f64 {
    let power = 10_f64.powf(length.log10().floor());
    [5.0, 2.0, 1.0].into_iter().map(|m| m * power).find(|&v| v <= length).unwrap_or(power)
}

fn cuboid(pose: &Pose, half: Vec3) -> Mesh {
    let mut mesh = Mesh { casts_shadow: true, ..Mesh::default() };
    for (axis, sign) in (0..3).flat_map(|axis| [(axis, 1.0), (axis, -1.0)]) {
        let first = mesh.vertices.len() as u32;
        let unit = |k: usize| Vec3::ith(k % 3, 1.0);
        let (normal, u, v) = (unit(axis) * sign, unit(axis + 1) * sign, unit(axis + 2));
        for (a, b) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
            mesh.vertices.push(vertex(pose, half.component_mul(&(normal + u * a + v * b)), normal));
        }
        mesh.push_quad([first, first + 1, first + 2, first + 3]);
    }
    mesh
}

fn prism(pose: &Pose, prism: &Prism) -> Mesh {
    let mut mesh = Mesh { casts_shadow: true, ..Mesh::default() };
    let up = Vec3::z() * (0.5 * prism.height);
    for side in 0..prism.sides {
        let ([a, b], normal) = ([side, side + 1].map(|s| prism.corner(s)), prism.normal(side));
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend([a - up, b - up, b + up, a + up].map(|x| vertex(pose, x, normal)));
        mesh.push_quad([first, first + 1, first + 2, first + 3]);
        for end in [1.0, -1.0] {
            let first = mesh.vertices.len() as u32;
            let corners = if end > 0.0 { [a, b] } else { [b, a] };
            let face = [Vec3::zeros(), corners[0], corners[1]].map(|x| x + up * end);
            mesh.vertices.extend(face.map(|x| vertex(pose, x, Vec3::z() * end)));
            mesh.triangles.push([first, first + 1, first + 2]);
        }
    }
    mesh
}

/// A capsule along `z`, or a sphere if its length is zero.
fn capsule(pose: &Pose, radius: f64, length: f64) -> Mesh {
    let mut mesh = Mesh { casts_shadow: true, ..Mesh::default() };
    let around = 4 * QUARTER as u32;
    // Rings from the south pole to the north pole; the equator is there twice.
    let latitudes = (0..=QUARTER).map(|k| (k, -0.5)).chain((QUARTER..=2 * QUARTER).map(|k| (k, 0.5)));
    for (k, end) in latitudes {
        let latitude = PI * (0.5 * k as f64 / QUARTER as f64 - 0.5);
        for i in 0..=around {
            let turn = TAU * f64::from(i) / f64::from(around);
            let normal = Vec3::new(latitude.cos() * turn.cos(), latitude.cos() * turn.sin(), latitude.sin());
            mesh.vertices.push(vertex(pose, normal * radius + Vec3::z() * (end * length), normal));
        }
    }
    for ring in 0..=2 * QUARTER as u32 {
        let a = ring * (around + 1);
        let b = a + around + 1;
        for i in 0..around {
            mesh.push_quad([a + i, a + i + 1, b + i + 1, b + i]);
        }
    }
    mesh
}
