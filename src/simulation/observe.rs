//! What can be read of a simulation: energies, places, forces, frames.

use std::sync::Arc;

use super::Simulation;
use super::report::{Counts, Energies};
use crate::frame::Frame;
use crate::geometry::Vec3;
use crate::model::arrangement::{Arrangement, Role};
use crate::model::ids::{BlockId, NodeId};
use crate::model::yarns::{Model, NodeKind, State, block_position};
use crate::potential::family::EnergyKind;

impl Simulation {
    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Accepted steps.
    pub fn steps(&self) -> u64 {
        self.step
    }

    /// Steps that failed and were halved.
    pub fn rejected_steps(&self) -> u64 {
        self.rejected
    }

    /// The yarns.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Unknowns and velocities.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Replaces unknowns and velocities, for a start that no scene describes.
    pub fn set_state(&mut self, state: State) {
        self.last_velocity.copy_from_slice(&state.v);
        self.state = state;
    }

    /// Energies of the present state, J.
    pub fn energies(&self) -> Energies {
        let q = &self.state.q;
        let stored =
            |kind: EnergyKind| -> f64 { self.all().filter(|p| p.kind() == kind).map(|p| p.energy(q)).sum() };
        Energies {
            kinetic: self.kinetic_energy(),
            elastic: stored(EnergyKind::Elastic),
            gravitational: stored(EnergyKind::Gravitational),
            contact: stored(EnergyKind::Contact),
            dissipated: self.dissipated,
        }
    }

    fn kinetic_energy(&self) -> f64 {
        let (rods, points) = (&self.chain.inertia, &self.points);
        rods.element.kinetic_energy(&rods.stencils, &self.state.q, &self.state.v)
            + points.element.kinetic_energy(&points.stencils, &self.state.v)
    }

    /// Linear momentum, kg m/s.
    pub fn momentum(&self) -> Vec3 {
        let (rods, points) = (&self.chain.inertia, &self.points);
        rods.element.momentum(&rods.stencils, &self.state.q, &self.state.v)
            + points.element.momentum(&points.stencils, &self.state.v)
    }

    /// Counts of everything.
    pub fn counts(&self) -> Counts {
        let is_gone = |n| self.arrangement.role(n) == Role::Removed;
        Counts::arranged(&self.model, |n| self.kind(n), is_gone)
    }

    /// What a node is now.
    pub fn kind(&self, node: NodeId) -> NodeKind {
        match self.arrangement.role(node) {
            Role::Eil(_) => NodeKind::Eil,
            Role::Active | Role::Removed => self.model.node(node).kind,
        }
    }

    /// The roles of the nodes in the last step.
    pub fn arrangement(&self) -> &Arrangement {
        &self.arrangement
    }

    /// A node's position, m: the point of its rod at its arc coordinate.
    pub fn position(&self, node: NodeId) -> Vec3 {
        self.arrangement.point(&self.model, &self.state.q, node)
    }

    /// The position stored in a block, m.
    pub fn block_position(&self, block: BlockId) -> Vec3 {
        block_position(&self.state.q, block)
    }

    /// The velocity stored in a block, m/s.
    pub fn block_velocity(&self, block: BlockId) -> Vec3 {
        block_position(&self.state.v, block)
    }

    fn vertex_positions(&self) -> Vec<[f32; 3]> {
        let vertices = &self.model.sheets.vertices;
        vertices.iter().map(|v| self.block_position(v.block).cast().into()).collect()
    }

    /// A node's velocity, m/s.
    pub fn velocity(&self, node: NodeId) -> Vec3 {
        block_position(&self.state.v, self.model.node(node).block)
    }

    /// The length of yarn that has passed a node since the start, m.
    pub fn slide(&self, node: NodeId) -> f64 {
        self.model.arc(&self.start_q, node) - self.model.arc(&self.state.q, node)
    }

    /// Normal force of a node's contact, N.
    pub fn normal_force(&self, node: NodeId) -> f64 {
        self.model.node(node).contact.map_or(0.0, |c| self.normal_forces[c.index()])
    }

    /// The force that a clamp exerts, N.
    pub fn clamp_force(&self, clamp: usize) -> Vec3 {
        self.clamps.force(clamp, &self.reactions)
    }

    /// Seconds spent so far, by phase.
    pub fn seconds_by_phase(&self) -> Vec<(&'static str, f64)> {
        let s = self.newton.statistics();
        vec![
            ("prepare", self.prepare_seconds),
            ("gradient", s.gradient_seconds),
            ("hessian", s.hessian_seconds),
            ("linear_setup", s.setup_seconds),
            ("linear_solve", s.solve_seconds),
            ("line_search", s.line_search_seconds),
            ("finish", self.finish_seconds),
        ]
    }

    /// What can be drawn now.
    pub fn frame(&self) -> Frame {
        let nodes = || (0..self.model.nodes.len() as u32).map(NodeId);
        Frame {
            layout: Arc::clone(&self.layout),
            step: self.step,
            time: self.time,
            position: nodes().map(|n| self.position(n).map(|c| c as f32).into()).collect(),
            arc: nodes().map(|n| self.model.arc(&self.state.q, n) as f32).collect(),
            kind: nodes().map(|n| self.kind(n)).collect(),
            speed: nodes().map(|n| self.velocity(n).norm() as f32).collect(),
            normal_force: nodes().map(|n| self.normal_force(n) as f32).collect(),
            slide: nodes().map(|n| self.slide(n) as f32).collect(),
            vertices: self.vertex_positions(),
            poses: self.obstacles.iter().map(|o| o.params.pose_at(self.time)).collect(),
        }
    }
}
