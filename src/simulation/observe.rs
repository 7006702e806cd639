//! What can be read of a simulation: energies, places, forces, frames.

use rayon::prelude::*;

use super::Simulation;
use super::report::Counts;
use super::world::World;
use crate::frame::{ForceArrow, ForceKind, Frame};
use crate::geometry::Vec3;
use crate::model::arrangement::{Arrangement, Role};
use crate::model::ids::{BlockId, ContactId, NodeId, RodId};
use crate::model::yarns::{ContactKind, Model, NodeKind, State, block_position};

impl Simulation {
    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        self.world.time
    }

    /// Accepted steps.
    pub fn steps(&self) -> u64 {
        self.world.step
    }

    /// Steps that failed and were halved.
    pub fn rejected_steps(&self) -> u64 {
        self.rejected
    }

    /// The yarns.
    pub fn model(&self) -> &Model {
        &self.world.model
    }

    /// Unknowns `q` and velocities `v`, five a block: `x, y, z` and the arc coordinates `u, v` of the yarns there, m and m/s.
    /// [`Node::dofs`](crate::model::yarns::Node::dofs) are the indices of a node's.
    pub fn state(&self) -> &State {
        &self.world.state
    }

    /// Replaces unknowns and velocities, for a start that no scene describes.
    pub fn set_state(&mut self, state: State) {
        self.stepper.last_velocity.copy_from_slice(&state.v);
        self.world.state = state;
    }

    pub(super) fn kinetic_energy(&self) -> f64 {
        let (rods, points) = (&self.terms.chain.inertia, &self.terms.points);
        rods.element.kinetic_energy(&rods.stencils, &self.world.state.q, &self.world.state.v)
            + points.element.kinetic_energy(&points.stencils, &self.world.state.v)
    }

    /// Pairs of segments of yarn that are watched for collisions.
    pub fn n_collision_pairs(&self) -> usize {
        self.terms.collision.as_ref().map_or(0, |c| c.n_pairs())
    }

    /// How far the deepest collision of yarns is pressed in, over the thickness that they keep; 0 without any.
    pub fn deepest_collision(&self) -> f64 {
        self.terms.collision.as_ref().map_or(0.0, |c| c.deepest(&self.world.state.q))
    }

    /// How far the deepest place of cloth is pressed into an obstacle, over half its thickness; 0 where nothing is.
    pub fn deepest_in_obstacles(&self) -> f64 {
        self.terms.all().map(|t| t.deepest(&self.world.state.q)).fold(0.0, f64::max)
    }

    /// Linear momentum, kg m/s.
    pub fn momentum(&self) -> Vec3 {
        let (rods, points) = (&self.terms.chain.inertia, &self.terms.points);
        rods.element.momentum(&rods.stencils, &self.world.state.q, &self.world.state.v)
            + points.element.momentum(&points.stencils, &self.world.state.v)
    }

    /// Counts of everything.
    pub fn counts(&self) -> Counts {
        let is_gone = |n| self.world.arrangement.role(n) == Role::Removed;
        Counts::arranged(&self.world.model, |n| self.kind(n), is_gone)
    }

    /// What a node is now.
    pub fn kind(&self, node: NodeId) -> NodeKind {
        match self.world.arrangement.role(node) {
            Role::Eil(_) => NodeKind::Eil,
            Role::Active
                if self
                    .world
                    .arrangement
                    .is_removed(&self.world.model, self.world.model.node(node).block) =>
            {
                NodeKind::Lagrangian
            }
            Role::Active | Role::Removed => self.world.model.node(node).kind,
        }
    }

    /// Whether a node's contact is of a seam, and still there.
    fn is_sewn(&self, node: NodeId) -> bool {
        let seam = |c: &ContactId| self.world.model.contacts[c.index()].kind == ContactKind::Seam;
        self.world.model.node(node).contact.is_some_and(|c| seam(&c))
            && self.kind(node) != NodeKind::Lagrangian
    }

    /// The roles of the nodes in the last step.
    pub fn arrangement(&self) -> &Arrangement {
        &self.world.arrangement
    }

    /// A node's position, m: the point of its rod at its arc coordinate.
    pub fn position(&self, node: NodeId) -> Vec3 {
        self.world.arrangement.point(&self.world.model, &self.world.state.q, node)
    }

    /// The position stored in a block, m.
    pub fn block_position(&self, block: BlockId) -> Vec3 {
        block_position(&self.world.state.q, block)
    }

    /// The velocity stored in a block, m/s.
    pub fn block_velocity(&self, block: BlockId) -> Vec3 {
        block_position(&self.world.state.v, block)
    }

    /// A node's velocity, m/s.
    pub fn velocity(&self, node: NodeId) -> Vec3 {
        block_position(&self.world.state.v, self.world.model.node(node).block)
    }

    /// The positions of all nodes, m, in the order of their ids.
    pub fn positions(&self) -> Vec<[f64; 3]> {
        self.node_ids().map(|n| self.position(n).into()).collect()
    }

    /// The velocities of all nodes, m/s, in the order of their ids.
    pub fn velocities(&self) -> Vec<[f64; 3]> {
        self.node_ids().map(|n| self.velocity(n).into()).collect()
    }

    /// The forces on all nodes but that of inertia, N, in the order of their ids. Nodes of one contact share theirs.
    pub fn forces(&self) -> Vec<[f64; 3]> {
        let gradient = self.gradient();
        self.node_ids().map(|n| (-block_position(&gradient, self.world.model.node(n).block)).into()).collect()
    }

    /// The positions of a yarn's nodes that are there, m, from its start to its end.
    pub fn rod_positions(&self, rod: RodId) -> Vec<[f64; 3]> {
        self.present_on(rod).into_iter().map(|n| self.position(n).into()).collect()
    }

    /// The positions of all vertices of sheets, m, in the order of their ids.
    pub fn vertex_positions(&self) -> Vec<[f64; 3]> {
        self.world.model.sheets.vertices.iter().map(|v| self.block_position(v.block).into()).collect()
    }

    fn node_ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.world.model.nodes.len() as u32).map(NodeId)
    }

    /// The length of yarn that has passed a node since the start, m.
    pub fn slide(&self, node: NodeId) -> f64 {
        self.world.model.arc(&self.world.start_q, node) - self.world.model.arc(&self.world.state.q, node)
    }

    /// Normal force of a node's contact, N.
    pub fn normal_force(&self, node: NodeId) -> f64 {
        self.world.model.node(node).contact.map_or(0.0, |c| self.contacts.normal_forces[c.index()])
    }

    /// The force that a clamp exerts, N.
    pub fn clamp_force(&self, clamp: usize) -> Vec3 {
        self.world.clamps.force(clamp, &self.reactions)
    }

    /// Seconds spent so far, by phase.
    pub fn seconds_by_phase(&self) -> Vec<(&'static str, f64)> {
        let s = self.stepper.newton.statistics();
        vec![
            ("arrange", self.seconds.arrange),
            ("prepare", self.seconds.prepare),
            ("gradient", s.gradient_seconds),
            ("hessian", s.hessian_seconds),
            ("linear_setup", s.setup_seconds),
            ("linear_solve", s.solve_seconds),
            ("line_search", s.line_search_seconds),
            ("regions", s.region_seconds),
            ("finish", self.seconds.finish),
        ]
    }

    /// The nodes that are there, rod by rod in order of their arc coordinates.
    fn present(&self) -> Vec<NodeId> {
        let rods = 0..self.world.model.rods.len() as u32;
        rods.into_par_iter().flat_map_iter(|r| self.present_on(RodId(r))).collect()
    }

    /// The nodes of a rod that are there, in order of their arc coordinates.
    fn present_on(&self, rod: RodId) -> Vec<NodeId> {
        let World { model, arrangement, state, .. } = &self.world;
        let nodes = model.rod_nodes(rod);
        let mut nodes: Vec<NodeId> = nodes.filter(|&n| arrangement.role(n) != Role::Removed).collect();
        nodes.sort_by(|&a, &b| model.arc(&state.q, a).total_cmp(&model.arc(&state.q, b)));
        nodes
    }

    /// What can be drawn now.
    pub fn frame(&self) -> Frame {
        let present = self.present();
        let held = self.world.clamps.held(self.world.model.n_blocks());
        let nodes = || present.iter().copied();
        let vertices = || self.world.model.sheets.vertices.iter().map(|v| v.block);
        Frame {
            layout: self.world.layout.reordered(&present.iter().map(|n| n.0).collect::<Vec<_>>()),
            step: self.world.step,
            time: self.world.time,
            position: nodes().map(|n| self.position(n).map(|c| c as f32).into()).collect(),
            arc: nodes().map(|n| self.world.model.arc(&self.world.state.q, n) as f32).collect(),
            kind: nodes().map(|n| self.kind(n)).collect(),
            speed: nodes().map(|n| self.velocity(n).norm() as f32).collect(),
            normal_force: nodes().map(|n| self.normal_force(n) as f32).collect(),
            slide: nodes().map(|n| self.slide(n) as f32).collect(),
            vertices: vertices().map(|b| self.block_position(b).cast().into()).collect(),
            vertex_speed: vertices().map(|b| self.block_velocity(b).norm() as f32).collect(),
            poses: self.world.obstacles.iter().map(|o| o.params.pose_at(self.world.time)).collect(),
            held: nodes().map(|n| held[self.world.model.node(n).block.index()]).collect(),
            sewn: nodes().map(|n| self.is_sewn(n)).collect(),
            forces: self.arrows(),
        }
    }

    /// The forces of the clamps and pushes that act now.
    fn arrows(&self) -> Vec<ForceArrow> {
        let arrow = |kind, at: Vec3, force: Vec3| ForceArrow {
            kind,
            at: at.map(|c| c as f32).into(),
            force: force.map(|c| c as f32).into(),
        };
        let clamps = self.world.clamps.forces(&self.world.state.q, &self.reactions).into_iter();
        let pushes = self
            .world
            .pushes
            .iter()
            .filter(|(push, blocks)| push.acts_at(self.world.time) && !blocks.is_empty());
        let middle = |blocks: &[BlockId]| {
            blocks.iter().map(|&b| self.block_position(b)).sum::<Vec3>() / blocks.len() as f64
        };
        clamps
            .map(|(at, force)| arrow(ForceKind::Clamp, at, force))
            .chain(pushes.map(|(push, b)| arrow(ForceKind::Push, middle(b), push.force.into())))
            .collect()
    }
}
