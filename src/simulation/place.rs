//! Points of yarns where nodes come to be.

use super::Simulation;
use crate::geometry::Vec3;
use crate::model::ids::NodeId;
use crate::model::yarns::{Model, State};

/// A point of a yarn in motion.
#[derive(Debug, Clone, Copy)]
pub(super) struct YarnPoint {
    /// m.
    pub(super) x: Vec3,
    /// Its arc coordinate, m.
    pub(super) u: f64,
    /// `dx/du`.
    pub(super) tangent: Vec3,
    /// Velocity of the yarn there, m/s.
    pub(super) velocity: Vec3,
}

impl YarnPoint {
    /// At a part of the way from one node to the next of a chain.
    pub(super) fn new(model: &Model, State { q, v }: &State, [a, c]: [NodeId; 2], part: f64) -> Self {
        let [x0, x1] = [a, c].map(|n| model.position(q, n));
        let [u0, u1] = [a, c].map(|n| model.arc(q, n));
        let tangent = (x1 - x0) / (u1 - u0);
        let [v0, v1] = [a, c].map(|n| model.position(v, n) - tangent * model.arc(v, n));
        let between = |from: Vec3, to: Vec3| from + (to - from) * part;
        Self { x: between(x0, x1), u: u0 + (u1 - u0) * part, tangent, velocity: between(v0, v1) }
    }
}

impl Simulation {
    /// Puts a node at a place, m, and arc coordinate, m, with the rates of both.
    pub(super) fn put(&mut self, node: NodeId, [x, rate]: [Vec3; 2], [u, slide]: [f64; 2]) {
        let dofs = self.world.model.node(node).dofs().map(|d| d as usize);
        let (q, v) = ([x.x, x.y, x.z, u], [rate.x, rate.y, rate.z, slide]);
        for (k, d) in dofs.into_iter().enumerate() {
            self.world.state.q[d] = q[k];
            (self.world.state.v[d], self.stepper.last_velocity[d]) = (v[k], v[k]);
        }
    }
}
