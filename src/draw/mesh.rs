//! Triangles with what the shading needs.

use super::V3;

/// A corner of a triangle.
#[derive(Debug, Clone, Copy)]
pub struct Vertex {
    /// m.
    pub position: V3,
    /// Outward unit normal.
    pub normal: V3,
    /// Unit tangent of the yarn's axis; zero on anything else.
    pub tangent: V3,
    /// Plies passed around and along the yarn, so that whole numbers are the grooves between plies.
    pub phase: f32,
    /// Linear RGB, 0 to 1.
    pub colour: [f32; 3],
    /// How much it covers the background, 0 to 1.
    pub alpha: f32,
}

impl Vertex {
    /// The weighted mean of the corners of a triangle; the normal is not normalised.
    pub(crate) fn mean(corners: [&Self; 3], weight: [f32; 3]) -> Self {
        let [a, b, c] = corners;
        let [u, v, w] = weight;
        let colour = std::array::from_fn(|k| a.colour[k] * u + b.colour[k] * v + c.colour[k] * w);
        Self {
            position: a.position * u + b.position * v + c.position * w,
            normal: a.normal * u + b.normal * v + c.normal * w,
            tangent: a.tangent * u + b.tangent * v + c.tangent * w,
            phase: a.phase * u + b.phase * v + c.phase * w,
            colour,
            alpha: a.alpha * u + b.alpha * v + c.alpha * w,
        }
    }
}

/// Triangles that share corners, counter-clockwise seen from outside.
#[derive(Debug, Clone, Default)]
pub struct Mesh {
    /// The corners.
    pub vertices: Vec<Vertex>,
    /// Indices of the corners.
    pub triangles: Vec<[u32; 3]>,
    /// Radius of the yarn, m; zero for anything else.
    pub radius: f32,
    /// Whether it shades what is behind it.
    pub casts_shadow: bool,
}

impl Mesh {
    /// Two triangles between four corners.
    pub(crate) fn push_quad(&mut self, [a, b, c, d]: [u32; 4]) {
        self.triangles.extend([[a, b, c], [a, c, d]]);
    }
}
