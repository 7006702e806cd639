//! Round tubes around centre lines.

use std::f32::consts::TAU;

use super::V3;
use super::mesh::{Mesh, Vertex};
use super::normal::perpendicular;

/// Plies of a drawn yarn: two show a rope's diagonal at every distance, more blur to stripes.
const PLIES: f32 = 2.0;

/// Tangent of the angle between the plies and the axis: 27 degrees, as in balanced two-ply yarns.
pub(crate) const TWIST_TANGENT: f32 = 0.5;

/// A point of a centre line.
#[derive(Debug, Clone, Copy)]
pub struct AxisPoint {
    /// m.
    pub position: V3,
    /// Unit tangent.
    pub tangent: V3,
    /// Linear RGB, 0 to 1.
    pub colour: [f32; 3],
}

/// The closed tube of a radius, m, around a centre line, with flat ends.
///
/// Frames turn as little as they can along the axis (double reflection; Wang, Juttler, Zheng and Liu,
/// Computation of rotation minimizing frames, 2008). Fewer than two points or three sides give nothing.
pub fn tube(axis: &[AxisPoint], radius: f32, sides: usize) -> Mesh {
    let mut mesh = Mesh { radius, casts_shadow: true, ..Mesh::default() };
    if axis.len() < 2 || sides < 3 {
        return mesh;
    }
    mesh.vertices.reserve((axis.len() + 2) * (sides + 1) + 2);
    mesh.triangles.reserve(2 * axis.len() * sides);
    let mut reference = perpendicular(V3::z(), axis[0].tangent);
    let mut length = 0.0;
    cap(&mut mesh, (&axis[0], reference), radius, sides, -1.0);
    let first = mesh.vertices.len() as u32;
    ring(&mut mesh, (&axis[0], reference), radius, sides, length);
    for pair in axis.windows(2) {
        reference = transport(reference, &pair[0], &pair[1]);
        length += (pair[1].position - pair[0].position).norm();
        ring(&mut mesh, (&pair[1], reference), radius, sides, length);
    }
    join_rings(&mut mesh, first, axis.len() as u32, sides as u32);
    cap(&mut mesh, (&axis[axis.len() - 1], reference), radius, sides, 1.0);
    mesh
}

/// A reference direction carried from one point of the axis to the next by two reflections.
fn transport(reference: V3, from: &AxisPoint, to: &AxisPoint) -> V3 {
    let reflect = |v: V3, mirror: V3| {
        let squared = mirror.norm_squared();
        if squared > 0.0 { v - mirror * (2.0 * mirror.dot(&v) / squared) } else { v }
    };
    let step = to.position - from.position;
    let (r, t) = (reflect(reference, step), reflect(from.tangent, step));
    perpendicular(reflect(r, to.tangent - t), to.tangent)
}

/// One ring of `sides + 1` corners, the last over the first for the sake of its phase.
fn ring(mesh: &mut Mesh, (point, reference): (&AxisPoint, V3), radius: f32, sides: usize, length: f32) {
    let binormal = point.tangent.cross(&reference);
    // A polygon as large as the circle: its corners lie outside, by r sqrt(2 pi / (n sin(2 pi / n))).
    let corner = TAU / sides as f32;
    let reach = radius * (corner / corner.sin()).sqrt();
    // phase = plies (angle / 2 pi - length tan(twist) / (2 pi r))
    let along = length * TWIST_TANGENT / (TAU * radius.max(f32::MIN_POSITIVE));
    for k in 0..=sides {
        let turn = k as f32 / sides as f32;
        let (sine, cosine) = (corner * (k % sides) as f32).sin_cos();
        let normal = reference * cosine + binormal * sine;
        mesh.vertices.push(Vertex {
            position: point.position + normal * reach,
            normal,
            tangent: point.tangent,
            phase: PLIES * (turn - along),
            colour: point.colour,
            alpha: 1.0,
        });
    }
}

fn join_rings(mesh: &mut Mesh, first: u32, rings: u32, sides: u32) {
    for ring in 0..rings - 1 {
        let a = first + ring * (sides + 1);
        let b = a + sides + 1;
        for k in 0..sides {
            mesh.push_quad([a + k, a + k + 1, b + k + 1, b + k]);
        }
    }
}

/// A flat end, outward along `direction` times the tangent.
fn cap(mesh: &mut Mesh, (point, reference): (&AxisPoint, V3), radius: f32, sides: usize, direction: f32) {
    let start = mesh.vertices.len();
    ring(mesh, (point, reference), radius, sides, 0.0);
    let normal = point.tangent * direction;
    for v in &mut mesh.vertices[start..] {
        *v = Vertex { normal, tangent: V3::zeros(), phase: 0.5, ..*v };
    }
    let start = start as u32;
    for k in 1..sides as u32 - 1 {
        let (a, b) = (start + k, start + k + 1);
        mesh.triangles.push(if direction > 0.0 { [start, a, b] } else { [start, b, a] });
    }
}
