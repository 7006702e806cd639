//! Meshes whose points move, in USD: sheets and animated bodies.

use std::io::{self, Write};

use super::usda::{Samples, list, vectors};
use crate::draw::V3;
use crate::draw::mesh::Mesh;

/// A mesh of the same triangles in every frame.
pub(super) struct Surface {
    name: String,
    colour: [f32; 3],
    triangles: Vec<[u32; 3]>,
    points: Samples,
    normals: Samples,
}

impl Surface {
    /// Adds a frame's meshes to those known by name.
    pub(super) fn sample(all: &mut Vec<Self>, code: f64, meshes: Vec<(String, Mesh)>) {
        for (k, (name, mesh)) in meshes.into_iter().enumerate() {
            if all.len() == k {
                let colour = mesh.vertices.first().map_or([0.5; 3], |v| v.colour);
                let (points, normals) = Default::default();
                all.push(Self { name, colour, triangles: mesh.triangles, points, normals });
            }
            all[k].points.push(code, vectors(mesh.vertices.iter().map(|v| v.position)));
            all[k].normals.push(code, vectors(mesh.vertices.iter().map(|v| v.normal)));
        }
    }

    /// Writes it as a prim.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let n_sides = list(self.triangles.iter().map(|_| 3));
        let indices = list(self.triangles.iter().flatten());
        write!(
            out,
            r#"
    def Mesh "{}"
    {{
        uniform token subdivisionScheme = "none"
        uniform bool doubleSided = 1
        int[] faceVertexCounts = {n_sides}
        int[] faceVertexIndices = {indices}
        color3f[] primvars:displayColor = {}
"#,
            self.name,
            vectors([V3::from(self.colour)])
        )?;
        self.points.write("point3f[] points", "", out)?;
        self.normals.write("normal3f[] normals", "vertex", out)?;
        writeln!(out, "    }}")
    }
}
