//! Meshes of cloth of triangles.

use super::V3;
use super::colour::{ColourMode, distinct, map_in};
use super::fields::sheet_values;
use super::mesh::{Mesh, Vertex};
use crate::frame::{Frame, SheetInfo};

/// The two faces of every sheet, apart by its thickness, smoothly shaded, in its own colour where a mode says nothing
/// of sheets.
pub(crate) fn sheets(frame: &Frame, mode: ColourMode, range: [f32; 2]) -> Vec<Mesh> {
    let faces = |(k, info): (usize, &SheetInfo)| {
        let half = 0.5 * info.thickness;
        let colours = colours(frame, (k, info), mode, range);
        [(1.0, half), (-1.0, -half)].map(|(side, lift)| {
            let mut mesh = face(frame, info, side, lift);
            mesh.vertices.iter_mut().zip(&colours).for_each(|(v, c)| v.colour = *c);
            mesh
        })
    };
    frame.layout.sheets.iter().enumerate().flat_map(faces).collect()
}

/// Linear RGB of a sheet's vertices: by which it is, counted on from the fabrics, or by its values.
fn colours(
    frame: &Frame,
    (k, info): (usize, &SheetInfo),
    mode: ColourMode,
    range: [f32; 2],
) -> Vec<[f32; 3]> {
    let one = match mode {
        ColourMode::Fabric => distinct(frame.layout.fabrics.len() + k),
        _ => info.colour,
    };
    let values = sheet_values(frame, info, mode).map(|v| v.iter().map(|v| map_in(mode, range, *v)).collect());
    values.unwrap_or_else(|| vec![one; info.vertices.len()])
}

/// A side of a sheet, its front (1) or its back (-1), lifted from its middle towards the front, m.
pub(crate) fn face(frame: &Frame, info: &SheetInfo, side: f32, lift: f32) -> Mesh {
    let first = info.vertices.start;
    let place = |v: u32| V3::from(frame.vertices[v as usize]);
    let mut normals = vec![V3::zeros(); info.vertices.len()];
    for &[a, b, c] in &info.triangles {
        let n = (place(b) - place(a)).cross(&(place(c) - place(a)));
        [a, b, c].iter().for_each(|v| normals[(v - first) as usize] += n);
    }
    let vertex = |(v, n): (u32, &V3)| {
        let front = n.try_normalize(0.0).unwrap_or_else(V3::z);
        let (position, normal) = (place(v) + front * lift, front * side);
        Vertex { position, normal, tangent: V3::zeros(), phase: 0.0, colour: info.colour, alpha: 1.0 }
    };
    let order = |&[a, b, c]: &[u32; 3]| {
        let [a, b, c] = [a - first, b - first, c - first];
        if side > 0.0 { [a, b, c] } else { [a, c, b] }
    };
    Mesh {
        vertices: info.vertices.clone().zip(&normals).map(vertex).collect(),
        triangles: info.triangles.iter().map(order).collect(),
        radius: 0.0,
        casts_shadow: true,
    }
}
