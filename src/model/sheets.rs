//! Cloth of triangles: sheets, their vertices, triangles and hinges.

use std::ops::Range;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::ids::{BlockId, TriangleId, VertexId};
use super::mesh::{Mesh, MeshError, read};
use crate::geometry::triangle::RestTriangle;

/// A sheet of triangles as a scene describes it, at rest as it starts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SheetParams {
    /// Name, by which selections mean it (default: `sheet` and its number).
    #[serde(default)]
    pub name: String,
    /// Its mesh.
    pub shape: SheetShape,
    /// Where the mesh's origin starts, m.
    #[serde(default)]
    pub at: [f64; 3],
    /// How the mesh is turned at the start: axis times angle, degrees.
    #[serde(default)]
    pub rotation: [f64; 3],
    /// Initial velocity, m/s.
    #[serde(default)]
    pub velocity: [f64; 3],
    /// Mechanical properties.
    #[serde(default)]
    pub material: SheetMaterial,
    /// Colour, linear RGB from 0 to 1 (default: undyed).
    #[serde(default)]
    pub colour: Option<[f32; 3]>,
}

impl SheetParams {
    /// Cotton shirting in the shape of a mesh, at rest at the origin.
    pub fn of(shape: SheetShape) -> Self {
        Self {
            name: String::new(),
            shape,
            at: [0.0; 3],
            rotation: [0.0; 3],
            velocity: [0.0; 3],
            material: SheetMaterial::default(),
            colour: None,
        }
    }

    /// A rectangle of lengths along `x` and `y`, m, and so many squares of two triangles each.
    pub fn rectangle(size: [f64; 2], cells: [usize; 2]) -> Self {
        Self::of(SheetShape::Rectangle { size, cells })
    }
}

/// A mesh, made or read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum SheetShape {
    /// A rectangle about the origin in the `x, y` plane.
    Rectangle {
        /// Lengths along `x` and `y`, m.
        size: [f64; 2],
        /// Squares along `x` and `y`, of two triangles each.
        cells: [usize; 2],
    },
    /// A tube about the `z` axis, open at both ends.
    Tube {
        /// Radii of the lower and the upper rim, m.
        radii: [f64; 2],
        /// Height, m.
        height: f64,
        /// Squares around and up, of two triangles each.
        cells: [usize; 2],
    },
    /// A mesh from an OBJ, STL or OFF file.
    File {
        /// The file; a relative path starts at the scene's folder.
        path: PathBuf,
        /// Factor that makes the file's lengths metres.
        #[serde(default = "one")]
        scale: f64,
    },
}

fn one() -> f64 {
    1.0
}

impl SheetShape {
    /// The mesh, in its own frame.
    ///
    /// # Errors
    /// The file's.
    pub fn mesh(&self) -> Result<Mesh, MeshError> {
        match self {
            Self::Rectangle { size, cells } => Ok(Mesh::rectangle(*size, *cells)),
            Self::Tube { radii, height, cells } => Ok(Mesh::tube(*radii, *height, *cells)),
            Self::File { path, scale } => {
                let mut mesh = read(path)?;
                mesh.vertices.iter_mut().flatten().for_each(|c| *c *= scale);
                Ok(mesh)
            }
        }
    }
}

/// A quadratic form of the membrane strain `E`: constants in N/m as a stiffness, in N s/m as a viscosity.
///
/// Source: Sanchez-Banderas' thesis, (3.13) and (3.15).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Plane {
    /// `lambda/2 tr(E)^2 + mu tr(E^2)`.
    Isotropic {
        /// First Lame constant.
        lambda: f64,
        /// Second Lame constant.
        mu: f64,
    },
    /// `(warp E11^2 + weft E22^2)/2 + coupling E11 E22 + 2 shear E12^2`, the first axis along the grain.
    Orthotropic {
        /// Along the grain.
        warp: f64,
        /// Across it.
        weft: f64,
        /// Between both; its square is below `warp` times `weft`.
        coupling: f64,
        /// Shear modulus.
        shear: f64,
    },
}

impl Plane {
    /// The matrix between `(E11, E22, E12)` and the density's derivatives.
    pub fn matrix(&self) -> [[f64; 3]; 3] {
        match *self {
            Self::Isotropic { lambda, mu } => {
                let direct = lambda + 2.0 * mu;
                [[direct, lambda, 0.0], [lambda, direct, 0.0], [0.0, 0.0, 4.0 * mu]]
            }
            Self::Orthotropic { warp, weft, coupling, shear } => {
                [[warp, coupling, 0.0], [coupling, weft, 0.0], [0.0, 0.0, 4.0 * shear]]
            }
        }
    }
}

/// The mechanical properties of a sheet: by default a cotton shirting of 130 g/m2, after KES.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SheetMaterial {
    /// Mass per area, kg/m2.
    pub density: f64,
    /// Thickness, m.
    pub thickness: f64,
    /// Stiffness in its plane, N/m.
    pub membrane: Plane,
    /// Bending rigidity per width, N m.
    pub bending: f64,
    /// Coulomb's coefficient.
    pub friction: f64,
    /// Damping of the membrane in proportion to its stiffness, s.
    pub membrane_damping: f64,
    /// Strain-rate damping of the membrane by constants of its own, N s/m, in place of `membrane_damping`.
    pub viscosity: Option<Plane>,
    /// Damping of bending in proportion to its stiffness, s.
    pub bending_damping: f64,
    /// Direction of the warp in the mesh's frame, as seen in each triangle's plane.
    pub grain: [f64; 3],
}

impl Default for SheetMaterial {
    fn default() -> Self {
        Self {
            density: 0.13,
            thickness: 4e-4,
            membrane: Plane::Isotropic { lambda: 500.0, mu: 1000.0 },
            bending: 5e-6,
            friction: 0.3,
            membrane_damping: 1e-3,
            viscosity: None,
            bending_damping: 5e-3,
            grain: [1.0, 0.0, 0.0],
        }
    }
}

/// All triangle cloth of a scene.
#[derive(Debug, Clone, Default)]
pub struct Sheets {
    /// The sheets.
    pub list: Vec<Sheet>,
    /// Vertices, sheet by sheet.
    pub vertices: Vec<Vertex>,
    /// Triangles, sheet by sheet.
    pub triangles: Vec<Triangle>,
    /// Inner edges, sheet by sheet.
    pub hinges: Vec<Hinge>,
}

/// A sheet.
#[derive(Debug, Clone)]
pub struct Sheet {
    /// Name.
    pub name: String,
    /// What it is made of.
    pub material: SheetMaterial,
    /// Linear RGB.
    pub colour: [f32; 3],
    /// Its vertices.
    pub vertices: Range<u32>,
    /// Its triangles.
    pub triangles: Range<u32>,
    /// Mean length of its edges at rest, m.
    pub mean_edge: f64,
}

/// A vertex of a sheet.
#[derive(Debug, Clone, Copy)]
pub struct Vertex {
    /// Where its position is stored; the arc coordinates of the block do not exist.
    pub block: BlockId,
    /// Index of its sheet.
    pub sheet: u32,
    /// A third of the area of the triangles around it at rest, m2.
    pub area: f64,
}

/// A triangle of a sheet.
#[derive(Debug, Clone, Copy)]
pub struct Triangle {
    /// Its corners.
    pub vertices: [VertexId; 3],
    /// Index of its sheet.
    pub sheet: u32,
    /// How it is at rest.
    pub rest: RestTriangle,
}

/// Two triangles that share an edge.
#[derive(Debug, Clone, Copy)]
pub struct Hinge {
    /// Edge start, edge end, apices of the first and of the second triangle.
    pub vertices: [VertexId; 4],
    /// Index of its sheet.
    pub sheet: u32,
    /// How it is at rest.
    pub rest: RestHinge,
}

/// A hinge at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RestHinge {
    /// Angle between the triangles, rad.
    pub angle: f64,
    /// Length of the edge, m.
    pub length: f64,
    /// Area of both triangles, m2.
    pub area: f64,
}

impl Sheets {
    /// A vertex.
    pub fn vertex(&self, id: VertexId) -> &Vertex {
        &self.vertices[id.index()]
    }

    /// A triangle.
    pub fn triangle(&self, id: TriangleId) -> &Triangle {
        &self.triangles[id.index()]
    }

    /// The material of a sheet.
    pub fn material(&self, sheet: u32) -> &SheetMaterial {
        &self.list[sheet as usize].material
    }

    /// Every edge once: its ends, its length at rest, m, and its sheet.
    pub fn edges(&self) -> impl Iterator<Item = ([VertexId; 2], f64, u32)> + '_ {
        let sides = self.triangles.iter().flat_map(|t| {
            let [a, b, c] = t.vertices;
            [([a, b], 2), ([b, c], 0), ([c, a], 1)].map(|(ends, apex)| (ends, t.rest.side(apex), t.sheet))
        });
        // An inner edge is there in both directions.
        let mut seen = std::collections::HashSet::new();
        sides.filter(move |([a, b], ..)| seen.insert(if a < b { [*a, *b] } else { [*b, *a] }))
    }

    /// Mass of a vertex, kg.
    pub fn mass(&self, vertex: &Vertex) -> f64 {
        self.material(vertex.sheet).density * vertex.area
    }

    /// The three blocks of a triangle.
    pub fn blocks(&self, triangle: &Triangle) -> [BlockId; 3] {
        triangle.vertices.map(|v| self.vertex(v).block)
    }
}
