//! Nodes that wait to be where a yarn meets an edge.

use super::ModelBuilder;
use crate::model::ids::{NodeId, RodId};
use crate::model::yarns::{NodeKind, block_position};

/// Edges that a yarn may lie over at a time: two rims of a table, and at a corner of it four.
const EDGES_PER_ROD: usize = 4;

impl ModelBuilder {
    /// Gives every rod nodes without a place yet.
    pub fn add_edge_nodes(&mut self) {
        for rod in (0..self.model.rods.len() as u32).map(RodId) {
            let (own, length) =
                (self.model.rods[rod.index()].nodes.clone().map(NodeId), self.model.rods[rod.index()].length);
            let blocks: Vec<_> =
                own.map(|n| (self.model.node(n).block, self.model.arc(&self.q, n))).collect();
            for k in 0..EDGES_PER_ROD {
                // Spread along the rod, as guides of the solver.
                let arc = length * (k as f64 + 0.5) / EDGES_PER_ROD as f64;
                let nearest = blocks.iter().min_by(|a, b| (a.1 - arc).abs().total_cmp(&(b.1 - arc).abs()));
                let Some(&(like, _)) = nearest else { continue };
                let block =
                    self.add_block(block_position(&self.q, like), self.model.coordinates[like.index()]);
                self.add_node(rod, block, (3, arc), NodeKind::EolInter);
            }
        }
    }
}
