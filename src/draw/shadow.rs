//! What the key light sees: a map of depths along parallel rays.

use rayon::prelude::*;

use super::V3;
use super::mesh::Mesh;
use super::raster::{self, BAND_ROWS, Triangle, Triangles};

/// Texels along an edge of the map: 16 MiB.
const TEXELS: usize = 2048;

/// Texels by which a surface is lifted along its normal before it asks whether it lies in shade: the depth
/// of a slope differs by that much over the texels that are compared.
const LIFT: f32 = 1.6;

/// Texels between the places compared for a soft edge.
const SOFTNESS: f32 = 1.5;

/// Places compared, in units of the softness: first those of the rim, then those within.
const CORNERS: [(f32, f32); 4] = [(-1.0, -0.4), (0.4, -1.0), (1.0, 0.4), (-0.4, 1.0)];
const INNER: [(f32, f32); 5] = [(0.0, 0.0), (-0.5, 0.3), (-0.3, -0.5), (0.5, -0.3), (0.3, 0.5)];

/// Depths towards the light over a square across its rays.
pub(crate) struct ShadowMap {
    /// Unit vectors across the light's rays and towards the light.
    axes: [V3; 3],
    centre: V3,
    /// Texels per metre.
    scale: f32,
    /// Heights towards the light over the centre, m.
    height: Vec<f32>,
}

impl ShadowMap {
    /// An empty map for a light from a direction over the points that may cast shadows, m.
    pub(crate) fn new(towards_light: V3, points: &[V3], margin: f32) -> Self {
        let across = super::normal::perpendicular(V3::x(), towards_light);
        let axes = [across, towards_light.cross(&across), towards_light];
        let place = |p: &V3| V3::new(p.dot(&axes[0]), p.dot(&axes[1]), p.dot(&axes[2]));
        let first = points.first().map_or_else(V3::zeros, place);
        let fold = |(low, high): (V3, V3), p: V3| (low.inf(&p), high.sup(&p));
        let (low, high) = points.iter().map(place).fold((first, first), fold);
        let middle = (low + high) * 0.5;
        let width = (high - low).x.max((high - low).y) + 4.0 * margin;
        let centre = axes[0] * middle.x + axes[1] * middle.y + axes[2] * middle.z;
        let scale = TEXELS as f32 / width.max(1e-6);
        Self { axes, centre, scale, height: vec![f32::NEG_INFINITY; TEXELS * TEXELS] }
    }

    /// Adds the triangles of meshes that cast shadows.
    pub(crate) fn draw(&mut self, meshes: &[Mesh]) {
        let list: Vec<Triangles> =
            meshes.par_iter().filter(|m| m.casts_shadow).map(|mesh| self.triangles(mesh)).collect();
        self.height.par_chunks_mut(TEXELS * BAND_ROWS).enumerate().for_each(|(band, heights)| {
            let rows = band * BAND_ROWS..(band + 1) * BAND_ROWS;
            for Triangle { corners, .. } in list.iter().flat_map(|t| t.within(&rows)) {
                raster::scan(corners, TEXELS, &rows, |x, y, weight| {
                    let texel = &mut heights[(y - rows.start) * TEXELS + x];
                    *texel = texel.max(raster::depth(corners, weight));
                });
            }
        });
    }

    /// The part of the light that reaches a point, m, of a surface with a unit normal, 0 to 1.
    pub(crate) fn light(&self, point: V3, normal: V3) -> f32 {
        let [x, y, height] = self.place(point + normal * (LIFT / self.scale));
        let bias = 0.5 / self.scale;
        let lit = |(dx, dy): (f32, f32)| {
            let (column, row) = (x + dx * SOFTNESS, y + dy * SOFTNESS);
            let inside = column >= 0.0 && row >= 0.0 && column < TEXELS as f32 && row < TEXELS as f32;
            let open = !inside || self.height[row as usize * TEXELS + column as usize] <= height + bias;
            if open { 1.0 } else { 0.0 }
        };
        let corners: f32 = CORNERS.into_iter().map(lit).sum();
        // Away from an edge all places agree.
        if corners == 0.0 || corners == CORNERS.len() as f32 {
            return corners / CORNERS.len() as f32;
        }
        (corners + INNER.into_iter().map(lit).sum::<f32>()) / (CORNERS.len() + INNER.len()) as f32
    }

    /// Column, row and height, m, of a point.
    fn place(&self, point: V3) -> [f32; 3] {
        let q = point - self.centre;
        let texel = |axis: &V3| 0.5 * TEXELS as f32 + self.scale * q.dot(axis);
        [texel(&self.axes[0]), texel(&self.axes[1]), q.dot(&self.axes[2])]
    }

    /// The triangles that face the light and lie on the map.
    fn triangles(&self, mesh: &Mesh) -> Triangles {
        let screen: Vec<[f32; 3]> = mesh.vertices.iter().map(|v| self.place(v.position)).collect();
        let mut out = Triangles::with_capacity(mesh.triangles.len() / 2);
        for &vertices in &mesh.triangles {
            let corners @ [a, b, c] = vertices.map(|i| screen[i as usize]);
            let area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
            let inside = |k: usize| {
                let (low, high) = (a[k].min(b[k]).min(c[k]), a[k].max(b[k]).max(c[k]));
                high >= 0.0 && low <= TEXELS as f32
            };
            if area > 0.0 && inside(0) && inside(1) {
                out.push(Triangle { corners, vertices });
            }
        }
        out
    }
}
