//! How much sheets of triangles are bent.

use std::collections::BTreeMap;

use super::V3;
use crate::frame::SheetInfo;

/// Root mean square curvature at every vertex of a sheet, 1/m; zero where no edge has two triangles.
///
/// ```text
/// triangle:  k^2 a = sum (l theta)^2/(2 A)  over its edges          vertex:  sum k^2 a / sum a  over its triangles
/// ```
/// `l` is an edge's length, `theta` the angle between its two triangles, `A` their area together, `a` a triangle's,
/// as they are drawn.
pub(super) fn curvatures(vertices: &[[f32; 3]], info: &SheetInfo) -> Vec<f32> {
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
    let mut sums = vec![[0.0f32; 2]; info.vertices.len()];
    for (corners, (square, n)) in info.triangles.iter().zip(squares.iter().zip(&normals)) {
        for v in corners {
            let sum = &mut sums[(v - info.vertices.start) as usize];
            *sum = [sum[0] + square, sum[1] + 0.5 * n.norm()];
        }
    }
    sums.iter().map(|[square, area]| if *area > 0.0 { (square / area).sqrt() } else { 0.0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::mesh::Mesh;

    #[test]
    fn a_tube_is_bent_by_one_over_its_radius() {
        let tube = Mesh::tube([0.2, 0.2], 0.5, [60, 24]);
        let info = SheetInfo {
            name: String::new(),
            thickness: 1e-3,
            colour: [0.5; 3],
            vertices: 0..tube.vertices.len() as u32,
            triangles: tube.triangles.clone(),
        };
        let vertices: Vec<_> = tube.vertices.iter().map(|x| x.map(|c| c as f32)).collect();
        let inner = &curvatures(&vertices, &info)[60 * 4..60 * 20];
        assert!(inner.iter().all(|k| (k * 0.2 - 1.0).abs() < 5e-3), "{inner:?}");
    }
}
