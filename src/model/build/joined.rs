//! Contacts between fabrics: layers on a common surface, nodes among the nodes of yarns.

use super::{ModelBuilder, layer_height};
use crate::geometry::Vec3;
use crate::geometry::pose::Pose;
use crate::model::ids::{ContactId, NodeId, RodId};
use crate::model::layers::Crossing;
use crate::model::yarns::{ContactKind, Model, Node, NodeKind, block_position};

/// Coordinates that differ by less, in spacings, differ by rounding.
const ROUNDING: f64 = 1e-6;

impl ModelBuilder {
    /// The yarns so far, and their unknowns.
    pub fn yarns(&self) -> (&Model, &[f64]) {
        (&self.model, &self.q)
    }

    /// Lays fabrics flat on the plane of a placement, and gives them common coordinates there, in
    /// `spacing`, m, along its `x` and `y`.
    pub fn lay(&mut self, fabrics: &[u32], on: &Pose, spacing: [f64; 2]) {
        for node in 0..self.model.nodes.len() {
            let Node { rod, block, .. } = self.model.nodes[node];
            let thread = self.model.rods[rod.index()].thread;
            let Some(fabric) = thread.map(|t| t.fabric).filter(|f| fabrics.contains(f)) else { continue };
            let local = on.to_local(block_position(&self.q, block));
            let flat = on.to_world(Vec3::new(local.x, local.y, 0.0));
            let first = block.dof(0) as usize;
            self.q[first..first + 3].copy_from_slice(flat.as_slice());
            self.model.coordinates[block.index()] = in_plane(local, spacing, layer_height(fabric));
        }
    }

    /// Joins rods where they cross.
    pub fn join_rods(&mut self, crossings: &[Crossing], on: &Pose, spacing: [f64; 2]) {
        for c in crossings {
            let fabric = |r: RodId| self.model.rods[r.index()].thread.map_or(0, |t| t.fabric);
            let height = layer_height(fabric(c.rods[0]).min(fabric(c.rods[1])));
            let block = self.add_block(c.position, in_plane(on.to_local(c.position), spacing, height));
            let node = |k: usize| (c.rods[k], block, (3 + k, c.arcs[k]), NodeKind::EolInter);
            let nodes = [node(0), node(1)].map(|(rod, b, arc, kind)| self.add_node(rod, b, arc, kind));
            let contact = self.join(nodes, c.side, ContactKind::Inter, c.friction);
            self.model.contacts[contact.index()].is_to_come = c.is_to_come;
        }
    }

    /// Sews contacts: they do not slide any more.
    pub fn sew(&mut self, contacts: &[ContactId]) {
        for contact in contacts {
            let contact = &mut self.model.contacts[contact.index()];
            contact.kind = ContactKind::Seam;
            for node in contact.nodes {
                self.model.free[self.model.nodes[node.index()].arc_dof() as usize] = false;
            }
        }
    }

    /// Numbers the nodes rod by rod in the order of their arc coordinates; of nodes at the same place
    /// those of the fabric itself come first.
    pub(super) fn order_nodes(&mut self) {
        let (model, q) = (&mut self.model, &self.q);
        let mut order: Vec<NodeId> = (0..model.nodes.len() as u32).map(NodeId).collect();
        order.sort_by(|&a, &b| {
            let rods = model.node(a).rod.cmp(&model.node(b).rod);
            rods.then(model.arc(q, a).total_cmp(&model.arc(q, b))).then(a.cmp(&b))
        });
        let mut rank = vec![NodeId(0); order.len()];
        for (new, old) in order.iter().enumerate() {
            rank[old.index()] = NodeId(new as u32);
        }
        model.nodes = order.iter().map(|&n| *model.node(n)).collect();
        for (r, rod) in model.rods.iter_mut().enumerate() {
            let before = |id: usize| model.nodes.partition_point(|n| n.rod.index() < id) as u32;
            rod.nodes = before(r)..before(r + 1);
        }
        let renumber = |n: &mut NodeId| *n = rank[n.index()];
        model.contacts.iter_mut().flat_map(|c| &mut c.nodes).for_each(renumber);
        model.held.iter_mut().map(|h| &mut h.node).for_each(renumber);
        model.block_nodes.iter_mut().flatten().flatten().for_each(renumber);
    }
}

/// A point of a plane in spacings, rounded: layers that are aligned share their coordinates.
fn in_plane(local: Vec3, spacing: [f64; 2], height: f64) -> [f64; 3] {
    let round = |c: f64| (c / ROUNDING).round() * ROUNDING;
    [round(local.x / spacing[0]), round(local.y / spacing[1]), height]
}
