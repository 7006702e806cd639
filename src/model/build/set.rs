//! Yarns as they are drawn: how long, and how much of their curvature is set.

use super::ModelBuilder;
use crate::geometry::Vec3;
use crate::geometry::angle::{Angle, curvature_binormal};
use crate::geometry::framed::Framed;
use crate::model::centre_line::Crossing;
use crate::model::ids::{NodeId, RodId};

/// Length of the normal of yarns that cross rather than lie side by side.
const CROSSES: f64 = 0.5;

impl ModelBuilder {
    /// Gives a fabric's yarns a part of the curvature at rest that their centre lines have as they are drawn.
    pub(super) fn set(&mut self, fabric: u32, part: f64) {
        for rod in self.rods_of(fabric) {
            let (nodes, centres) = self.drawn_line(rod);
            let arcs: Vec<f64> = nodes.iter().map(|&n| self.model.arc(&self.q, n)).collect();
            for ((x, s), node) in centres.windows(3).zip(arcs.windows(3)).zip(&nodes[1..]) {
                let ([a, b], per_length) = ([x[1] - x[0], x[2] - x[1]], part / (s[2] - s[0]));
                let crossing = self.drawn_crossing(*node).filter(|_| part > 0.0);
                let frame =
                    crossing.map(|c| c.frame(&self.model, &self.q)).filter(|[n, _]| n.norm() > CROSSES);
                let frame = frame.map(|[normal, chord]| {
                    Framed::components(curvature_binormal(a, b) * per_length, normal, chord)
                });
                let node = &mut self.model.nodes[node.index()];
                (node.rest_curvature, node.rest_frame) = (Angle::new(a, b).theta * per_length, frame);
            }
        }
    }

    /// Makes a fabric's yarns as long as their centre lines are drawn, times a factor.
    pub(super) fn cut_to_length(&mut self, fabric: u32, factor: f64) {
        for rod in self.rods_of(fabric) {
            let (nodes, centres) = self.drawn_line(rod);
            let mut length = 0.0;
            for (k, &node) in nodes.iter().enumerate() {
                length += if k == 0 { 0.0 } else { factor * (centres[k] - centres[k - 1]).norm() };
                self.q[self.model.node(node).arc_dof() as usize] = length;
            }
            self.model.rods[rod.index()].length = length;
        }
    }

    fn rods_of(&self, fabric: u32) -> Vec<RodId> {
        let is_own = |r: &RodId| self.model.rods[r.index()].thread.is_some_and(|t| t.fabric == fabric);
        (0..self.model.rods.len() as u32).map(RodId).filter(is_own).collect()
    }

    /// A rod's nodes, and where its centre line is drawn there.
    fn drawn_line(&self, rod: RodId) -> (Vec<NodeId>, Vec<Vec3>) {
        let nodes: Vec<NodeId> = self.model.rods[rod.index()].nodes.clone().map(NodeId).collect();
        let centres = nodes.iter().map(|&n| self.drawn_centre(n)).collect();
        (nodes, centres)
    }

    fn drawn_centre(&self, node: NodeId) -> Vec3 {
        let displacement = self.drawn_crossing(node).map(|c| c.displacement(&self.model, &self.q));
        self.model.position(&self.q, node) + displacement.unwrap_or_default()
    }

    fn drawn_crossing(&self, node: NodeId) -> Option<Crossing> {
        Crossing::of(&self.model, node, |n| {
            let rod = &self.model.rod_of(n).nodes;
            [n.0.max(rod.start + 1) - 1, (n.0 + 1).min(rod.end - 1)].map(NodeId)
        })
    }
}
