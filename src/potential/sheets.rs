//! The potentials of sheets of triangles.

use std::collections::BTreeMap;

use super::assemble::position_groups;
use super::damping::{DampingKind, DampingParams};
use super::family::{Element, Family, Stencils};
use super::forces::ForcesParams;
use super::hinge::Hinge;
use super::material::Material;
use super::membrane::Membrane;
use super::obstacle::{Body, ObstacleContact};
use super::point::{PointGravity, PointInertia};
use super::press::Press;
use super::sharp::SharpContact;
use super::term::{EnergyKind, Potential};
use crate::model::ids::{BlockId, VertexId};
use crate::model::obstacle::Obstacle;
use crate::model::yarns::Model;

/// Inertia of all vertices.
pub(crate) fn inertia(model: &Model, damping: &DampingParams) -> Family<PointInertia, 3> {
    let alpha = if damping.kind == DampingKind::Rayleigh { damping.mass } else { 0.0 };
    let element = PointInertia::new(masses(model), alpha);
    Family::new("inertia", EnergyKind::Inertial, Stencils::new(vertex_dofs(model), [0; 3]), element)
}

/// Mass of every vertex, kg.
fn masses(model: &Model) -> Vec<f64> {
    model.sheets.vertices.iter().map(|v| model.sheets.mass(v)).collect()
}

fn vertex_dofs(model: &Model) -> Vec<[u32; 3]> {
    model.sheets.vertices.iter().map(|v| position(v.block)).collect()
}

/// The potentials of a model's sheets; none without a sheet.
pub(super) fn potentials(
    model: &Model,
    damping: &DampingParams,
    forces: &ForcesParams,
) -> Vec<Box<dyn Potential>> {
    if model.sheets.list.is_empty() {
        return Vec::new();
    }
    vec![
        Box::new(membrane(model, damping)),
        Box::new(hinges(model, damping)),
        Box::new(gravity(model, forces)),
    ]
}

/// What obstacles meet at every block that is a vertex, which stands for half of the sheet; its edges for the rest.
pub(super) fn bodies(model: &Model) -> impl Iterator<Item = (BlockId, Body)> + '_ {
    let sheets = &model.sheets;
    sheets.vertices.iter().map(|v| (v.block, body(model, v.sheet, 0.5 * v.area)))
}

fn body(model: &Model, sheet: u32, area: f64) -> Body {
    let material = model.sheets.material(sheet);
    let press = Press { stiffness: STIFFNESS * area, ramp: 0.0 };
    Body { radius: 0.5 * material.thickness, area, press, friction: material.friction }
}

/// Of sheets against obstacles that state none, N/m3: a metre of cotton shirting that drapes over a ball of 0.2 m is pressed
/// in by a tenth of its half thickness at most.
const STIFFNESS: f64 = 1e8;

/// Contact of the middles of the sheets' edges with obstacles, and of edges and triangles with sharp ones; none without a
/// sheet.
pub(super) fn obstacles(model: &Model, obstacles: &[Obstacle]) -> Vec<Box<dyn Potential>> {
    let mut areas = BTreeMap::new();
    for triangle in &model.sheets.triangles {
        let [a, b, c] = triangle.vertices;
        for [v, w] in [[a, b], [b, c], [c, a]] {
            let edge = areas.entry([v.min(w), v.max(w)]).or_insert((triangle.sheet, 0.0));
            edge.1 += triangle.rest.area / 6.0;
        }
    }
    if areas.is_empty() {
        return Vec::new();
    }
    let dofs: Vec<[u32; 6]> = areas.keys().map(|&edge| positions(model, edge)).collect();
    let bodies = areas.values().map(|&(sheet, area)| body(model, sheet, area)).collect();
    let middles = contact(dofs.clone(), ObstacleContact::new(obstacles.to_vec(), bodies));
    let edges = areas.values().map(|&(sheet, area)| firm(model, sheet, 2.0 * area)).collect();
    let edges = SharpContact::new(obstacles, edges);
    let triangles = &model.sheets.triangles;
    let faces = triangles.iter().map(|t| firm(model, t.sheet, t.rest.area)).collect();
    let faces = SharpContact::new(obstacles, faces);
    if faces.is_empty() {
        return vec![middles];
    }
    let corners = triangles.iter().map(|t| positions(model, t.vertices)).collect();
    vec![middles, contact::<_, 6>(dofs, edges), contact::<_, 9>(corners, faces)]
}

fn contact<E: Element<N> + 'static, const N: usize>(dofs: Vec<[u32; N]>, element: E) -> Box<dyn Potential> {
    let stencils = Stencils::new(dofs, position_groups());
    Box::new(Family::new("obstacles", EnergyKind::Contact, stencils, element))
}

/// What a corner or an edge of an obstacle meets: it gives way no more than the sheet under tension stretches.
fn firm(model: &Model, sheet: u32, area: f64) -> Body {
    let body = body(model, sheet, area);
    let [[along, ..], [_, across, _], _] = model.sheets.material(sheet).membrane.matrix();
    Body { press: Press { stiffness: body.press.stiffness.max(along).max(across), ramp: 0.0 }, ..body }
}

/// The triangles around every block that is a vertex.
pub(super) fn patches(model: &Model) -> Vec<Vec<[BlockId; 3]>> {
    let mut out = vec![Vec::new(); model.n_blocks()];
    for triangle in &model.sheets.triangles {
        let blocks = model.sheets.blocks(triangle);
        blocks.iter().for_each(|b| out[b.index()].push(blocks));
    }
    out
}

fn position(block: BlockId) -> [u32; 3] {
    [block.dof(0), block.dof(1), block.dof(2)]
}

fn positions<const K: usize, const N: usize>(model: &Model, vertices: [VertexId; K]) -> [u32; N] {
    let blocks = vertices.map(|v| position(model.sheets.vertex(v).block));
    std::array::from_fn(|i| blocks[i / 3][i % 3])
}

fn membrane(model: &Model, damping: &DampingParams) -> Family<Material<Membrane, 9, 3>, 9> {
    let sheets = &model.sheets;
    let of = |sheet: u32| sheets.material(sheet);
    let mut strain = Membrane::default();
    let (mut dofs, mut beta, mut viscosity) = (Vec::new(), Vec::new(), Vec::new());
    for t in &sheets.triangles {
        let (m, b) = (of(t.sheet), damping.stretch.unwrap_or(of(t.sheet).membrane_damping));
        let stiffness = m.membrane.matrix();
        let matched = stiffness.map(|row| row.map(|c| b * c));
        dofs.push(positions(model, t.vertices));
        strain.rest.push(t.rest);
        strain.stiffness.push(stiffness);
        viscosity.push(m.viscosity.map_or(matched, |v| v.matrix()));
        beta.push(b);
    }
    let material = Material::new(strain, vec![1.0; dofs.len()], damping.of(beta, viscosity));
    Family::new("membrane", EnergyKind::Elastic, Stencils::new(dofs, position_groups()), material)
}

fn hinges(model: &Model, damping: &DampingParams) -> Family<Material<Hinge, 12>, 12> {
    let sheets = &model.sheets;
    let mut strain = Hinge::default();
    let (mut dofs, mut stiffness, mut beta) = (Vec::new(), Vec::new(), Vec::new());
    for h in &sheets.hinges {
        let m = sheets.material(h.sheet);
        dofs.push(positions(model, h.vertices));
        strain.rest.push(h.rest);
        stiffness.push(m.bending);
        beta.push(damping.bending.unwrap_or(m.bending_damping));
    }
    let material = super::assemble::matched(strain, stiffness, beta, damping);
    Family::new("hinges", EnergyKind::Elastic, Stencils::new(dofs, position_groups()), material)
}

fn gravity(model: &Model, forces: &ForcesParams) -> Family<PointGravity, 3> {
    let element = PointGravity { mass: masses(model), acceleration: forces.gravity.into() };
    Family::new("weight", EnergyKind::Gravitational, Stencils::new(vertex_dofs(model), [0; 3]), element)
}
