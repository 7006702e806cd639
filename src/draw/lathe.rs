//! Bodies of revolution: balls and arrows.

use std::f32::consts::{PI, TAU};

use super::V3;
use super::mesh::{Mesh, Vertex};
use super::normal::perpendicular;

/// Rings of a ball from pole to pole, and sides of all bodies.
const RINGS: usize = 7;
const SIDES: usize = 12;

/// Radius of an arrow's head in radii of its shaft, and its length in its own radii.
const HEAD: [f32; 2] = [2.6, 2.4];

/// A point of the outline: along the axis, m; from it, m; the outward normal there in the same plane.
struct Outline {
    along: f32,
    radius: f32,
    normal: [f32; 2],
}

/// A ball.
pub(crate) fn ball(at: V3, radius: f32, colour: [f32; 3]) -> Mesh {
    let outline = (0..=RINGS).map(|k| {
        let (sine, cosine) = (PI * k as f32 / RINGS as f32).sin_cos();
        Outline { along: -radius * cosine, radius: radius * sine, normal: [-cosine, sine] }
    });
    let mut mesh = empty();
    turn(&mut mesh, (at, V3::z()), &outline.collect::<Vec<_>>(), colour);
    mesh
}

/// An arrow between two points with a shaft of a radius, m; shorter than its head it is a head only.
pub(crate) fn arrow([from, to]: [V3; 2], radius: f32, colour: [f32; 3], has_head: bool) -> Mesh {
    let mut mesh = empty();
    let length = (to - from).norm();
    let Some(axis) = (to - from).try_normalize(0.0) else { return mesh };
    let wide = if has_head { HEAD[0] * radius.min(length / (HEAD[0] * HEAD[1])) } else { radius };
    let neck = if has_head { length - HEAD[1] * wide } else { length };
    let radius = radius.min(wide);
    let point = |along, radius, normal| Outline { along, radius, normal };
    let back = [-1.0, 0.0];
    let side = [0.0, 1.0];
    let front = [1.0, 0.0];
    let slope = (1.0 + HEAD[1] * HEAD[1]).sqrt();
    let cone = [1.0 / slope, HEAD[1] / slope];
    let mut parts = vec![
        [point(0.0, 0.0, back), point(0.0, radius, back)],
        [point(0.0, radius, side), point(neck, radius, side)],
    ];
    parts.push(if has_head {
        [point(neck, radius, back), point(neck, wide, back)]
    } else {
        [point(neck, radius, front), point(neck, 0.0, front)]
    });
    if has_head {
        parts.push([point(neck, wide, cone), point(length, 0.0, cone)]);
    }
    parts.iter().for_each(|part| turn(&mut mesh, (from, axis), part, colour));
    mesh
}

fn empty() -> Mesh {
    Mesh { casts_shadow: true, ..Mesh::default() }
}

/// Adds the surface of an outline turned about an axis through a point.
fn turn(mesh: &mut Mesh, (at, axis): (V3, V3), outline: &[Outline], colour: [f32; 3]) {
    let across = perpendicular(V3::x(), axis);
    let binormal = axis.cross(&across);
    let first = mesh.vertices.len() as u32;
    for point in outline {
        for k in 0..SIDES {
            let (sine, cosine) = (TAU * k as f32 / SIDES as f32).sin_cos();
            let outward = across * cosine + binormal * sine;
            mesh.vertices.push(Vertex {
                position: at + axis * point.along + outward * point.radius,
                normal: axis * point.normal[0] + outward * point.normal[1],
                tangent: V3::zeros(),
                phase: 0.0,
                colour,
                alpha: 1.0,
            });
        }
    }
    let sides = SIDES as u32;
    for ring in 0..outline.len() as u32 - 1 {
        let a = first + ring * sides;
        for k in 0..sides {
            let next = (k + 1) % sides;
            mesh.push_quad([a + k, a + next, a + sides + next, a + sides + k]);
        }
    }
}
