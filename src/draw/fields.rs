//! Values at the vertices of sheets of triangles.

use std::collections::BTreeMap;

use super::V3;
use super::colour::ColourMode;
use crate::frame::{Frame, SheetInfo};
use crate::geometry::triangle::RestTriangle;

/// The values of a sheet's vertices in a mode, in its unit; none where the mode says nothing of sheets.
pub(crate) fn sheet_values(frame: &Frame, info: &SheetInfo, mode: ColourMode) -> Option<Vec<f32>> {
    match mode {
        ColourMode::Stretch => Some(strains(&frame.vertices, info)),
        ColourMode::Bending => Some(curvatures(&frame.vertices, info)),
        ColourMode::Speed => Some(info.vertices.clone().map(|v| frame.vertex_speed[v as usize]).collect()),
        _ => None,
    }
}

/// Strain at every vertex of a sheet: of the principal strains of each triangle the one of the greater size.
///
/// ```text
/// F'F = R diag(l_1^2, l_2^2) R'     e = l - 1     vertex:  sum e a / sum a  over its triangles, `a` their areas at rest
/// ```
fn strains(vertices: &[[f32; 3]], info: &SheetInfo) -> Vec<f32> {
    let place = |v: u32| V3::from(vertices[v as usize]).cast();
    let strain = |(corners, rest): (&[u32; 3], &RestTriangle)| {
        let [f, g] = rest.deformation(corners.map(place));
        let (mean, half) = (0.5 * (f.dot(&f) + g.dot(&g)), 0.5 * (f.dot(&f) - g.dot(&g)));
        let radius = half.hypot(f.dot(&g));
        let [low, high] = [mean - radius, mean + radius].map(|square| square.max(0.0).sqrt() - 1.0);
        let strain = if high >= -low { high } else { low };
        [strain * rest.area, rest.area].map(|x| x as f32)
    };
    means(info, info.triangles.iter().zip(&info.rest).map(strain))
}

/// Means of a value over the triangles at each vertex of a sheet, from its integral over each triangle and the area.
fn means(info: &SheetInfo, triangles: impl Iterator<Item = [f32; 2]>) -> Vec<f32> {
    let mut sums = vec![[0.0f32; 2]; info.vertices.len()];
    for (corners, [integral, area]) in info.triangles.iter().zip(triangles) {
        for v in corners {
            let sum = &mut sums[(v - info.vertices.start) as usize];
            *sum = [sum[0] + integral, sum[1] + area];
        }
    }
    sums.iter().map(|[integral, area]| if *area > 0.0 { integral / area } else { 0.0 }).collect()
}

/// Root mean square curvature at every vertex of a sheet, 1/m; zero where no edge has two triangles.
///
/// ```text
/// triangle:  k^2 a = sum (l theta)^2/(2 A)  over its edges          vertex:  sum k^2 a / sum a  over its triangles
/// ```
/// `l` is an edge's length, `theta` the angle between its two triangles, `A` their area together, `a` a triangle's,
/// as they are drawn.
fn curvatures(vertices: &[[f32; 3]], info: &SheetInfo) -> Vec<f32> {
    let place = |v: u32| V3::from(vertices[v as usize]);
    let normal = |&[a, b, c]: &[u32; 3]| (place(b) - place(a)).cross(&(place(c) - place(a)));
    let normals: Vec<V3> = info.triangles.iter().map(normal).collect();
    let (mut first, mut squares) = (BTreeMap::new(), vec![0.0; normals.len()]);
    for (k, &[a, b, c]) in info.triangles.iter().enumerate() {
        for [v, w] in [[a, b], [b, c], [c, a]] {
            let Some(other) = first.insert([v.min(w), v.max(w)], k) else { continue };
            let (n, m): (V3, V3) = (normals[k], normals[other]);
            let bend = (place(w) - place(v)).norm() * n.cross(&m).norm().atan2(n.dot(&m));
            let square = bend * bend / (n.norm() + m.norm());
            squares[k] += square;
            squares[other] += square;
        }
    }
    let sums = squares.iter().zip(&normals).map(|(square, n)| [*square, 0.5 * n.norm()]);
    means(info, sums).into_iter().map(f32::sqrt).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Vec3;
    use crate::model::mesh::Mesh;

    /// A mesh at rest as a sheet, and its vertices.
    fn sheet(mesh: &Mesh) -> (SheetInfo, Vec<[f32; 3]>) {
        let rest = |t: &[u32; 3]| {
            let corners = t.map(|v| Vec3::from(mesh.vertices[v as usize]));
            RestTriangle::in_space(corners, Vec3::z()).expect("has an area")
        };
        let info = SheetInfo {
            name: String::new(),
            thickness: 1e-3,
            colour: [0.5; 3],
            vertices: 0..mesh.vertices.len() as u32,
            triangles: mesh.triangles.clone(),
            rest: mesh.triangles.iter().map(rest).collect(),
        };
        (info, mesh.vertices.iter().map(|x| x.map(|c| c as f32)).collect())
    }

    #[test]
    fn a_tube_is_bent_by_one_over_its_radius() {
        let (info, vertices) = sheet(&Mesh::tube([0.2, 0.2], 0.5, [60, 24]));
        let inner = &curvatures(&vertices, &info)[60 * 4..60 * 20];
        assert!(inner.iter().all(|k| (k * 0.2 - 1.0).abs() < 5e-3), "{inner:?}");
    }

    #[test]
    fn the_strain_of_a_tube_is_the_larger_of_those_round_it_and_along_it() {
        let (info, vertices) = sheet(&Mesh::tube([0.2, 0.2], 0.5, [60, 24]));
        for (wide, long, strain) in [(1.0, 1.0, 0.0), (1.1, 1.02, 0.1), (1.02, 0.7, -0.3)] {
            let stretched: Vec<_> = vertices.iter().map(|[x, y, z]| [x * wide, y * wide, z * long]).collect();
            let strains = strains(&stretched, &info);
            assert!(strains.iter().all(|e| (e - strain).abs() < 1e-5), "{strain}: {strains:?}");
        }
    }
}
