//! Triangle meshes: made rectangular or as a tube, or read from files.

mod read;

use std::collections::HashMap;
use std::f64::consts::TAU;
use std::path::PathBuf;

pub use self::read::read;
use crate::geometry::Vec3;
use crate::geometry::triangle::{mean_edge, normal};

/// Triangles that share corners.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mesh {
    /// The corners, m.
    pub vertices: Vec<[f64; 3]>,
    /// Indices of the corners, counter-clockwise seen from the front.
    pub triangles: Vec<[u32; 3]>,
}

/// Why a mesh cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MeshError {
    /// The file cannot be read.
    #[error("{}: cannot be read: {reason}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// Why.
        reason: String,
    },
    /// The file's name does not tell its format.
    #[error("{}: unknown kind of mesh; known: .obj, .stl (ASCII or binary), .off", file.display())]
    UnknownFormat {
        /// The file.
        file: PathBuf,
    },
    /// The file does not hold what its name says.
    #[error("{}{}: {message}", file.display(), line.map_or_else(String::new, |l| format!(":{l}")))]
    Malformed {
        /// The file.
        file: PathBuf,
        /// Line from one, where it is known.
        line: Option<usize>,
        /// What was expected.
        message: String,
    },
    /// There is no triangle.
    #[error("the mesh has no triangle")]
    Empty,
    /// A solid body whose mesh has a border.
    #[error("{}: the mesh of an obstacle must be closed; this one has a border", file.display())]
    Open {
        /// The file.
        file: PathBuf,
    },
    /// Meshes of one body that differ in more than their vertices' places.
    #[error("{}: its triangles are not those of the first mesh of the sequence", file.display())]
    Unlike {
        /// The file.
        file: PathBuf,
    },
    /// A triangle whose corners lie on a line.
    #[error("triangle {triangle} has no area")]
    Degenerate {
        /// Its index.
        triangle: usize,
    },
    /// More than two triangles at an edge, or two that face each other.
    #[error(
        "more than two triangles, or two that face opposite ways, meet at the edge of vertices {0} and {1}"
    )]
    NotASurface(u32, u32),
}

impl Mesh {
    /// A rectangle about the origin in the `x, y` plane, cut into `cells` along `x` and `y`, with diagonals
    /// that alternate. Vertex `k` is number `k % (nx + 1)` along `x` of row `k / (nx + 1)`.
    pub fn rectangle(size: [f64; 2], cells: [usize; 2]) -> Self {
        let point = |i: usize, j: usize| {
            [size[0] * (i as f64 / cells[0] as f64 - 0.5), size[1] * (j as f64 / cells[1] as f64 - 0.5), 0.0]
        };
        let vertices = (0..=cells[1])
            .flat_map(|j| (0..=cells[0]).map(move |i| (i, j)))
            .map(|(i, j)| point(i, j))
            .collect();
        let index = |i: usize, j: usize| (j * (cells[0] + 1) + i) as u32;
        Self { vertices, triangles: grid(cells, index) }
    }

    /// A tube about the `z` axis, `cells` around and up. Vertex `k` is number `k % around` of ring
    /// `k / around`, from the lower rim, anticlockwise from `x`.
    pub fn tube(radii: [f64; 2], height: f64, cells: [usize; 2]) -> Self {
        let point = |i: usize, j: usize| {
            let (turn, up) = (TAU * i as f64 / cells[0] as f64, j as f64 / cells[1] as f64);
            let radius = radii[0] + (radii[1] - radii[0]) * up;
            [radius * turn.cos(), radius * turn.sin(), height * (up - 0.5)]
        };
        let vertices = (0..=cells[1])
            .flat_map(|j| (0..cells[0]).map(move |i| (i, j)))
            .map(|(i, j)| point(i, j))
            .collect();
        let index = |i: usize, j: usize| (j * cells[0] + i % cells[0]) as u32;
        Self { vertices, triangles: grid(cells, index) }
    }

    /// Vertices at the same place made one, in the order of their first mention.
    pub fn welded(&self) -> Self {
        let mut known = HashMap::new();
        let mut vertices = Vec::new();
        let mut place = |x: &[f64; 3]| {
            // Adding zero makes -0 and 0 one.
            *known.entry(x.map(|c| (c + 0.0).to_bits())).or_insert_with(|| {
                vertices.push(*x);
                vertices.len() as u32 - 1
            })
        };
        let new: Vec<u32> = self.vertices.iter().map(&mut place).collect();
        let triangles = self.triangles.iter().map(|t| t.map(|v| new[v as usize])).collect();
        Self { vertices, triangles }
    }

    /// A corner.
    pub fn vertex(&self, index: u32) -> Vec3 {
        Vec3::from(self.vertices[index as usize])
    }

    /// The corners of a triangle.
    pub fn corners(&self, triangle: [u32; 3]) -> [Vec3; 3] {
        triangle.map(|v| self.vertex(v))
    }

    /// Mean length of the triangles' sides, m.
    pub fn mean_edge(&self) -> f64 {
        mean_edge(self.triangles.iter().map(|t| self.corners(*t)))
    }

    /// Normals of the corners, of unit length, weighted by the areas beside them.
    pub fn vertex_normals(&self) -> Vec<Vec3> {
        let mut out = vec![Vec3::zeros(); self.vertices.len()];
        for t in &self.triangles {
            let n = normal(self.corners(*t));
            t.iter().for_each(|&v| out[v as usize] += n);
        }
        out.iter().map(|n| n.try_normalize(0.0).unwrap_or_else(Vec3::z)).collect()
    }

    /// Whether every edge has two triangles, so that the mesh has an inside.
    ///
    /// # Errors
    /// [`MeshError::NotASurface`].
    pub fn is_closed(&self) -> Result<bool, MeshError> {
        Ok(2 * self.hinges()?.len() == 3 * self.triangles.len())
    }

    /// The inner edges with the apices of their two triangles: start, end, left apex, right apex.
    ///
    /// # Errors
    /// [`MeshError::NotASurface`].
    pub fn hinges(&self) -> Result<Vec<[u32; 4]>, MeshError> {
        let mut apex = HashMap::with_capacity(3 * self.triangles.len());
        for &[a, b, c] in &self.triangles {
            for (from, to, other) in [(a, b, c), (b, c, a), (c, a, b)] {
                if apex.insert((from, to), other).is_some() {
                    return Err(MeshError::NotASurface(from, to));
                }
            }
        }
        let sides = self.triangles.iter().flat_map(|&[a, b, c]| [[a, b, c], [b, c, a], [c, a, b]]);
        let hinge = |[from, to, left]: [u32; 3]| {
            let right = *apex.get(&(to, from)).filter(|_| from < to)?;
            Some([from, to, left, right])
        };
        Ok(sides.filter_map(hinge).collect())
    }
}

/// Two triangles a cell, the diagonals alternating.
fn grid(cells: [usize; 2], index: impl Fn(usize, usize) -> u32) -> Vec<[u32; 3]> {
    let mut triangles = Vec::with_capacity(2 * cells[0] * cells[1]);
    for (i, j) in (0..cells[1]).flat_map(|j| (0..cells[0]).map(move |i| (i, j))) {
        let [a, b, c, d] = [index(i, j), index(i + 1, j), index(i + 1, j + 1), index(i, j + 1)];
        triangles.extend(if (i + j) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] });
    }
    triangles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_meshes_are_surfaces() {
        let flat = Mesh::rectangle([0.4, 0.2], [4, 3]);
        assert_eq!((flat.vertices.len(), flat.triangles.len()), (20, 24));
        // Euler: inner edges = (3 triangles - boundary)/2.
        assert_eq!(flat.hinges().unwrap().len(), (3 * 24 - 14) / 2);
        assert!(flat.vertex_normals().iter().all(|n| (n - Vec3::z()).norm() < 1e-12));
        let tube = Mesh::tube([0.2, 0.3], 0.5, [8, 5]);
        assert_eq!((tube.vertices.len(), tube.triangles.len()), (48, 80));
        assert_eq!(tube.hinges().unwrap().len(), (3 * 80 - 16) / 2);
        let outward = tube.vertex_normals();
        assert!(tube.vertices.iter().zip(&outward).all(|(x, n)| x[0] * n.x + x[1] * n.y > 0.0));
    }

    #[test]
    fn three_triangles_at_an_edge_are_refused() {
        let mut mesh = Mesh::rectangle([1.0, 1.0], [1, 1]);
        mesh.vertices.push([0.0, 0.0, 1.0]);
        mesh.triangles.push([mesh.triangles[0][0], mesh.triangles[0][1], 4]);
        assert!(matches!(mesh.hinges(), Err(MeshError::NotASurface(..))));
    }
}
