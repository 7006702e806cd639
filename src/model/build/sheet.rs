//! From descriptions of sheets to vertices, triangles and hinges.

use super::{ModelBuilder, layer_height};
use crate::geometry::Vec3;
use crate::geometry::dihedral::Dihedral;
use crate::geometry::pose::Pose;
use crate::geometry::triangle::{RestTriangle, normal};
use crate::model::ids::VertexId;
use crate::model::mesh::{Mesh, MeshError};
use crate::model::sheets::{Hinge, RestHinge, Sheet, SheetParams, Triangle, Vertex};
use crate::model::yarns::Model;

/// Default colour, linear RGB: undyed.
const COLOUR: [f32; 3] = [0.72, 0.66, 0.56];

/// Width of the solver's strips, in mean edges: with one, a stiff membrane needs many more iterations.
const STRIP_WIDTH: f64 = 2.0;

/// Distance of the two sides of a closed sheet among the coordinates that guide the solver.
const SIDE_HEIGHT: f64 = 0.05;

impl ModelBuilder {
    /// Adds a sheet of triangles.
    ///
    /// # Errors
    /// When its mesh cannot be read or is not a surface of triangles with an area.
    pub fn add_sheet(&mut self, params: &SheetParams) -> Result<(), MeshError> {
        let mesh = params.shape.mesh()?;
        let hinges = mesh.hinges()?;
        let rest = rest_triangles(&mesh, Vec3::from(params.material.grain))?;
        let layer = layer_height((self.model.fabrics.len() + self.model.sheets.list.len()) as u32);
        let place = Pose::new(params.at.into(), Vec3::from(params.rotation).map(f64::to_radians));
        let mut blocks = Vec::with_capacity(mesh.vertices.len());
        for (k, guide) in (0..).zip(solver_coordinates(&mesh, layer)) {
            let block = self.add_block(place.to_world(mesh.vertex(k)), guide);
            let first = block.dof(0) as usize;
            self.v[first..first + 3].copy_from_slice(&params.velocity);
            blocks.push(block);
        }

        let sheets = &mut self.model.sheets;
        let (sheet, first) = (sheets.list.len() as u32, sheets.vertices.len() as u32);
        let first_triangle = sheets.triangles.len() as u32;
        let id = |v: u32| VertexId(first + v);
        sheets.vertices.extend(blocks.iter().map(|&block| Vertex { block, sheet, area: 0.0 }));
        for (t, rest) in mesh.triangles.iter().zip(&rest) {
            t.iter().for_each(|&v| sheets.vertices[id(v).index()].area += rest.area / 3.0);
            sheets.triangles.push(Triangle { vertices: t.map(id), sheet, rest: *rest });
        }
        for h in hinges {
            sheets.hinges.push(Hinge {
                vertices: h.map(id),
                sheet,
                rest: rest_hinge(h.map(|v| mesh.vertex(v))),
            });
        }
        sheets.list.push(Sheet {
            name: params.name.clone(),
            material: params.material,
            colour: params.colour.unwrap_or(COLOUR),
            vertices: first..sheets.vertices.len() as u32,
            triangles: first_triangle..sheets.triangles.len() as u32,
            mean_edge: mesh.mean_edge(),
        });
        Ok(())
    }
}

/// Strips of neighbouring vertices along both coordinates, for the solver's preconditioner.
pub(super) fn strips(model: &Model) -> Vec<Vec<u32>> {
    let mut out = Vec::new();
    for sheet in &model.sheets.list {
        let vertices = sheet.vertices.clone().map(|v| model.sheets.vertex(VertexId(v)).block);
        let blocks: Vec<u32> = vertices.map(|b| b.0).collect();
        for across in [0, 1] {
            let of = |block: u32| model.coordinates[block as usize];
            let strip = |block: u32| (((of(block)[across] + 0.5) / STRIP_WIDTH).floor(), of(block)[2]);
            let mut order = blocks.clone();
            order.sort_by(|&a, &b| {
                let ((strip_a, side_a), (strip_b, side_b)) = (strip(a), strip(b));
                let along = of(a)[1 - across].total_cmp(&of(b)[1 - across]);
                strip_a.total_cmp(&strip_b).then(side_a.total_cmp(&side_b)).then(along).then(a.cmp(&b))
            });
            out.extend(order.chunk_by(|&a, &b| strip(a) == strip(b)).map(<[u32]>::to_vec));
        }
    }
    out
}

fn rest_triangles(mesh: &Mesh, grain: Vec3) -> Result<Vec<RestTriangle>, MeshError> {
    if mesh.triangles.is_empty() {
        return Err(MeshError::Empty);
    }
    let rest = |(k, t): (usize, &[u32; 3])| {
        RestTriangle::in_space(mesh.corners(*t), grain).ok_or(MeshError::Degenerate { triangle: k })
    };
    mesh.triangles.iter().enumerate().map(rest).collect()
}

fn rest_hinge(corners: [Vec3; 4]) -> RestHinge {
    let [a, b, left, right] = corners;
    RestHinge {
        angle: Dihedral::new(corners).theta,
        length: (b - a).norm(),
        area: 0.5 * (normal([a, b, left]).norm() + normal([b, a, right]).norm()),
    }
}

/// Where the vertices lie along the two longest sides of the box around them, in mean edges, and on which side.
fn solver_coordinates(mesh: &Mesh, layer: f64) -> Vec<[f64; 3]> {
    let points = || mesh.vertices.iter().map(|&x| Vec3::from(x));
    let low = points().fold(Vec3::repeat(f64::INFINITY), |m, x| m.inf(&x));
    let size = points().fold(Vec3::repeat(f64::NEG_INFINITY), |m, x| m.sup(&x)) - low;
    let thin = size.imin();
    let (first, second) = ((thin + 1) % 3, (thin + 2) % 3);
    let edge = mesh.mean_edge();
    let coordinate = |(x, n): (Vec3, Vec3)| {
        let side = if n[thin] < 0.0 { SIDE_HEIGHT } else { 0.0 };
        let round = |c: f64| (c / edge * 1e6).round() * 1e-6;
        [round(x[first] - low[first]), round(x[second] - low[second]), layer + side]
    };
    points().zip(mesh.vertex_normals()).map(coordinate).collect()
}
