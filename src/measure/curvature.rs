//! How much cloth is bent, as one number.

use crate::geometry::angle::Angle;
use crate::geometry::dihedral::Dihedral;
use crate::model::ids::{NodeId, VertexId};
use crate::model::select::Selected;
use crate::model::sheets::Hinge;
use crate::model::yarns::Model;
use crate::simulation::Simulation;

/// Where cloth bends: nodes of yarns, and edges between two triangles of a sheet.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bends {
    nodes: Vec<NodeId>,
    /// Indices of hinges.
    hinges: Vec<u32>,
}

impl Bends {
    /// What bends among selected nodes and vertices.
    pub fn among(model: &Model, selected: Selected) -> Self {
        let vertices: std::collections::HashSet<VertexId> = selected.vertices.into_iter().collect();
        let is_in = |h: &Hinge| h.vertices.iter().all(|v| vertices.contains(v));
        let hinges = (0u32..).zip(&model.sheets.hinges).filter(|(_, h)| is_in(h)).map(|(k, _)| k).collect();
        let inner = |n: &NodeId| model.neighbours(*n).iter().all(Option::is_some);
        Self { nodes: selected.nodes.into_iter().filter(inner).collect(), hinges }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.hinges.is_empty()
    }
}

/// Root mean square curvature over the area of cloth, 1/m; zero where all yarns' nodes are gone.
///
/// ```text
/// sqrt(sum a kappa^2 / sum a)
/// yarn:   kappa = theta/L,       a = 2 r L        L: half the arc length between a node's neighbours
/// sheet:  kappa^2 a = (l theta)^2/A               l, A: length of an edge, area of its triangles, at rest
/// ```
/// A sheet's is what its bending energy is made of.
pub fn curvature(simulation: &Simulation, bends: &Bends) -> f64 {
    let yarns = bends.nodes.iter().filter_map(|&n| bend_of_yarn(simulation, n));
    let all = yarns.chain(bends.hinges.iter().map(|&k| bend_of_sheet(simulation, k)));
    let [sum, area] = all.fold([0.0; 2], |[s, a], [square, area]| [s + square, a + area]);
    if area > 0.0 { (sum / area).sqrt() } else { 0.0 }
}

/// `a kappa^2` and `a` at a node; none while it is not between two others.
fn bend_of_yarn(simulation: &Simulation, node: NodeId) -> Option<[f64; 2]> {
    let (model, arrangement, q) = (simulation.model(), simulation.arrangement(), &simulation.state().q);
    let around = arrangement.is_active(node).then(|| arrangement.neighbours(model, node))?;
    let [before, after] = [around[0]?, around[1]?];
    let x = [before, node, after].map(|n| model.position(q, n));
    let length = 0.5 * (model.arc(q, after) - model.arc(q, before));
    let turn = Angle::new(x[1] - x[0], x[2] - x[1]).theta / length;
    let area = 2.0 * model.rod_of(node).material.radius * length;
    Some([area * turn * turn, area])
}

/// `a kappa^2` and `a` at a hinge: a triangle's area is shared by its three edges.
fn bend_of_sheet(simulation: &Simulation, hinge: u32) -> [f64; 2] {
    let sheets = &simulation.model().sheets;
    let Hinge { vertices, rest, .. } = &sheets.hinges[hinge as usize];
    let theta = Dihedral::new(vertices.map(|v| simulation.block_position(sheets.vertex(v).block))).theta;
    [(rest.length * theta).powi(2) / rest.area, rest.area / 3.0]
}
