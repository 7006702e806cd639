//! From descriptions of fabrics and rods to yarns with nodes, contacts and a state at rest.

mod joined;
mod knit;
mod placement;
mod set;
mod sheet;
mod single;
mod spares;
mod stitches;
mod strips;
#[cfg(test)]
mod tests;
mod woven;

use super::ids::{BLOCK, BlockId, ContactId, NodeId, RodId};
use super::material::Material;
use super::yarns::{Contact, ContactKind, Model, Node, NodeKind, Rod, State, Thread};
use crate::geometry::Vec3;

/// Default colours of warp and weft, linear RGB: undyed ecru and indigo.
const COLOURS: [[f32; 3]; 2] = [[0.80, 0.72, 0.58], [0.16, 0.28, 0.50]];

/// Collects fabrics and rods into a [`Model`].
#[derive(Debug, Default)]
pub struct ModelBuilder {
    model: Model,
    q: Vec<f64>,
    v: Vec<f64>,
}

impl ModelBuilder {
    /// The yarns and the state that they start in.
    pub fn finish(mut self) -> (Model, State) {
        self.order_nodes();
        self.model.strips = strips::strips(&self.model);
        self.model.strips.extend(sheet::strips(&self.model));
        self.sort_blocks();
        self.model.drawn.clone_from(&self.q);
        (self.model, State { q: self.q, v: self.v })
    }

    fn add_block(&mut self, x: Vec3, rest: [f64; 3]) -> BlockId {
        let id = BlockId(self.model.coordinates.len() as u32);
        self.model.coordinates.push(rest);
        self.model.block_nodes.push([None; 2]);
        self.q.extend([x.x, x.y, x.z, 0.0, 0.0]);
        self.v.extend([0.0; BLOCK]);
        self.model.free.extend([true, true, true, false, false]);
        id
    }

    fn begin_rod(&mut self, thread: Option<Thread>, material: Material, colour: [f32; 3]) -> RodId {
        let first = self.model.nodes.len() as u32;
        self.model.rods.push(Rod { thread, material, colour, nodes: first..first, length: 0.0, offset: 0.0 });
        RodId(self.model.rods.len() as u32 - 1)
    }

    fn end_rod(&mut self, rod: RodId, length: f64) {
        let end = self.model.nodes.len() as u32;
        let rod = &mut self.model.rods[rod.index()];
        (rod.nodes.end, rod.length) = (end, length);
    }

    fn add_node(
        &mut self,
        rod: RodId,
        block: BlockId,
        (component, arc): (usize, f64),
        kind: NodeKind,
    ) -> NodeId {
        let id = NodeId(self.model.nodes.len() as u32);
        let (contact, stitch, rest_curvature, rest_frame) = (None, None, 0.0, None);
        self.model.nodes.push(Node {
            rod,
            block,
            arc: component as u8,
            kind,
            contact,
            stitch,
            rest_curvature,
            rest_frame,
        });
        let place = &mut self.model.block_nodes[block.index()];
        place[usize::from(place[0].is_some())] = Some(id);
        self.q[block.dof(component) as usize] = arc;
        self.model.free[block.dof(component) as usize] = kind != NodeKind::Lagrangian;
        id
    }

    /// Joins two nodes of one block; the friction is the mean of the yarns' unless it is given.
    fn join(&mut self, nodes: [NodeId; 2], side: i8, kind: ContactKind, friction: Option<f64>) -> ContactId {
        let id = ContactId(self.model.contacts.len() as u32);
        let mean = || 0.5 * nodes.map(|n| self.model.rod_of(n).material.friction).iter().sum::<f64>();
        let friction = friction.unwrap_or_else(mean);
        self.model.contacts.push(Contact { nodes, side, kind, friction, is_to_come: false });
        for node in nodes {
            self.model.nodes[node.index()].contact = Some(id);
        }
        id
    }

    /// Numbers blocks row by row, so that what is coupled lies close in memory.
    fn sort_blocks(&mut self) {
        let coordinates = &self.model.coordinates;
        let mut order: Vec<u32> = (0..coordinates.len() as u32).collect();
        let key = |&b: &u32| coordinates[b as usize];
        order.sort_by(|a, b| {
            let ([x0, y0, z0], [x1, y1, z1]) = (key(a), key(b));
            x0.total_cmp(&x1).then(y0.total_cmp(&y1)).then(z0.total_cmp(&z1))
        });
        let mut rank = vec![0u32; order.len()];
        for (new, &old) in order.iter().enumerate() {
            rank[old as usize] = new as u32;
        }
        let model = &mut self.model;
        for node in &mut model.nodes {
            node.block = BlockId(rank[node.block.index()]);
        }
        for vertex in &mut model.sheets.vertices {
            vertex.block = BlockId(rank[vertex.block.index()]);
        }
        for block in model.strips.iter_mut().flatten() {
            *block = rank[*block as usize];
        }
        model.coordinates = order.iter().map(|&b| model.coordinates[b as usize]).collect();
        model.block_nodes = order.iter().map(|&b| model.block_nodes[b as usize]).collect();
        let five =
            |of: &[f64]| order.iter().flat_map(|&b| of[BLOCK * b as usize..][..BLOCK].to_vec()).collect();
        (self.q, self.v) = (five(&self.q), five(&self.v));
        model.free = order.iter().flat_map(|&b| model.free[BLOCK * b as usize..][..BLOCK].to_vec()).collect();
    }
}

/// Fabrics are told apart by their height among the coordinates, so that stacked layers stay together.
fn layer_height(fabric: u32) -> f64 {
    0.1 * f64::from(fabric)
}
