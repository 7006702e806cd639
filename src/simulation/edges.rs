//! Yarns that come over the sharp edges of obstacles and leave them.

use rayon::prelude::*;

use super::Simulation;
use crate::collision::edges::EdgeLine;
use crate::geometry::Vec3;
use crate::model::arrangement::{Arrangement, Role};
use crate::model::ids::NodeId;
use crate::model::obstacle::Obstacle;
use crate::model::yarns::{Model, State};
use crate::potential::chain::BINDING_STIFFNESS;
use crate::potential::edge::{EdgeBody, EdgeContact};
use crate::potential::family::{Arranged, EnergyKind, Family};
use crate::potential::shield::shields;

/// Nodes on edges, and those that wait.
pub(super) type Edges = Family<EdgeContact, 4>;

/// Height, over the distance that a yarn keeps, by which it clears an edge that it leaves: without it a yarn that
/// lies straight over an edge would be found and let go of at every step.
const CLEARANCE: f64 = 0.02;

/// The nodes of a model that are for edges, none if it has none; `spacings` are the rods' rest segments, m.
pub(super) fn edges(model: &Model, spacings: &[f64], obstacles: &[Obstacle]) -> Option<Edges> {
    let nodes = (0..model.nodes.len() as u32).map(NodeId).filter(|&n| model.is_for_edges(n));
    let body = |node: NodeId| {
        let (rod, material) = (model.rod_of(node), &model.rod_of(node).material);
        let spacing = spacings[model.node(node).rod.index()];
        EdgeBody {
            node,
            // In a weave, as at its crossings, that of both yarns.
            radius: if rod.thread.is_some() { 2.0 * material.radius } else { material.radius },
            stiffness: BINDING_STIFFNESS * material.stretch_stiffness() / spacing,
            stick: material.stick,
            friction: material.friction,
        }
    };
    let bodies: Vec<EdgeBody> = nodes.map(body).collect();
    let dofs = bodies.iter().map(|b| model.node(b.node).dofs()).collect();
    (!bodies.is_empty()).then(|| {
        let element = EdgeContact::new(obstacles.to_vec(), bodies);
        Family::new(("edges", EnergyKind::Contact), (dofs, [0; 4]), element)
    })
}

/// Which nodes come upon edges and which leave them.
#[derive(Debug, Default)]
pub(super) struct EdgeChange {
    pub(super) met: Vec<NodeId>,
    pub(super) left: Vec<NodeId>,
}

/// A place where a yarn passes below the line of an edge.
struct Meeting {
    element: usize,
    edge: usize,
    along: f64,
    x: Vec3,
    u: f64,
    /// `x'` and `u'`.
    velocity: (Vec3, f64),
}

impl Simulation {
    /// Finds what nodes come upon edges and leave them in the present state, and has their potential follow.
    pub(super) fn meet_edges(&mut self) -> EdgeChange {
        let Some(mut family) = self.edges.take() else { return EdgeChange::default() };
        let contact = &mut family.element;
        let nodes: Vec<NodeId> = contact.bodies().iter().map(|b| b.node).collect();
        let waits = |n: NodeId| self.arrangement.role(n) == Role::Removed;
        (0..nodes.len()).filter(|&e| waits(nodes[e])).for_each(|e| contact.release(e));
        let view = View { model: &self.model, arrangement: &self.arrangement, state: &self.state, contact };
        let left: Vec<usize> = (0..nodes.len()).filter(|&e| view.leaves(e, self.time)).collect();
        let met = view.meetings(&left, self.time);
        left.iter().for_each(|&e| contact.release(e));
        for m in &met {
            contact.hold(m.element, m.edge, [m.u, m.along]);
            self.place(nodes[m.element], m);
        }
        self.edges = Some(family);
        EdgeChange {
            met: met.iter().map(|m| nodes[m.element]).collect(),
            left: left.into_iter().map(|e| nodes[e]).collect(),
        }
    }

    /// Puts a node where its yarn meets an edge.
    fn place(&mut self, node: NodeId, meeting: &Meeting) {
        let dofs = self.model.node(node).dofs().map(|d| d as usize);
        let (x, (rate, slide)) = (meeting.x, meeting.velocity);
        let (q, v) = ([x.x, x.y, x.z, meeting.u], [rate.x, rate.y, rate.z, slide]);
        for (k, d) in dofs.into_iter().enumerate() {
            self.state.q[d] = q[k];
            (self.state.v[d], self.last_velocity[d]) = (v[k], v[k]);
        }
    }
}

/// What edges are looked for in.
struct View<'a> {
    model: &'a Model,
    arrangement: &'a Arrangement,
    state: &'a State,
    contact: &'a EdgeContact,
}

impl View<'_> {
    fn position(&self, node: NodeId) -> Vec3 {
        self.model.position(&self.state.q, node)
    }

    /// Whether a node is beyond the end of its edge, or would be lifted from it: an active one where its yarn passes
    /// over the edge without it, a degenerate one that its yarn pulls outwards.
    fn leaves(&self, element: usize, time: f64) -> bool {
        let Some(edge) = self.contact.edge_of(element) else { return false };
        let (line, node) = (self.contact.line(element, edge, time), self.contact.bodies()[element].node);
        let (along, offset) = line.split(self.position(node));
        if !line.includes(along) {
            return true;
        }
        if !self.arrangement.is_active(node) {
            return line.height(&offset) > 0.0;
        }
        let [Some(a), Some(c)] = self.arrangement.neighbours(self.model, node) else { return true };
        let passes = line.passed_by([a, c].map(|n| self.position(n)));
        passes.is_none_or(|(_, height)| height > CLEARANCE * line.reach)
    }

    /// Where yarns without a node there pass below edges; nodes that are `left` wait from now on.
    fn meetings(&self, left: &[usize], time: f64) -> Vec<Meeting> {
        let shields =
            shields(&Arranged { model: self.model, arrangement: self.arrangement, q: &self.state.q });
        let bodies = self.contact.bodies();
        let rod = |e: usize| self.model.node(bodies[e].node).rod;
        let elements: Vec<usize> = (0..bodies.len()).collect();
        let of_rod = |own: &[usize]| {
            let (mut waiting, on): (Vec<usize>, Vec<usize>) =
                own.iter().partition(|&&e| self.contact.edge_of(e).is_none() || left.contains(&e));
            let taken: Vec<_> = on.iter().filter_map(|&e| self.contact.edge_of(e)).collect();
            let free = (0..self.contact.n_edges()).filter(|k| !taken.contains(k));
            let meeting = |edge: usize| {
                let element = *waiting.last()?;
                let line = self.contact.line(element, edge, time);
                let found = self.meeting((element, edge), &line, &shields)?;
                waiting.pop();
                Some(found)
            };
            free.filter_map(meeting).collect::<Vec<_>>()
        };
        let rods: Vec<&[usize]> = elements.chunk_by(|a, b| rod(*a) == rod(*b)).collect();
        rods.into_par_iter().flat_map_iter(of_rod).collect()
    }

    /// Where the rod of an element that touches the obstacle first passes below the line of an edge; the velocities
    /// keep to the line and to the rod's motion along it.
    fn meeting(&self, (element, edge): (usize, usize), line: &EdgeLine, shields: &[Vec3]) -> Option<Meeting> {
        let rod = self.model.node(self.contact.bodies()[element].node).rod;
        let out = line.normals[0] + line.normals[1];
        let is_shielded = |n: NodeId| shields[self.model.node(n).block.index()].dot(&out) > 0.0;
        let below = |w: &[NodeId]| {
            let (part, height) = line.passed_by([w[0], w[1]].map(|n| self.position(n)))?;
            (height < 0.0 && !is_shielded(w[0]) && !is_shielded(w[1])).then_some(([w[0], w[1]], part))
        };
        let ([a, c], part) = self.arrangement.chain(rod).windows(2).find_map(below)?;
        let (State { q, v }, model) = (self.state, self.model);
        let between = |x0: Vec3, x1: Vec3| x0 + (x1 - x0) * part;
        let [u0, u1] = [a, c].map(|n| model.arc(q, n));
        let w = (self.position(c) - self.position(a)) / (u1 - u0);
        let of_material = |n: NodeId| model.position(v, n) - w * model.arc(v, n);
        let velocity = between(of_material(a), of_material(c));
        let across = |x: Vec3| x - line.along * line.along.dot(&x);
        // The rate at which the rod's point least leaves the line: |across(velocity + w rate)| is smallest.
        let rate = -across(velocity).dot(&across(w)) / across(w).norm_squared().max(f64::MIN_POSITIVE);
        let (along, _) = line.split(between(self.position(a), self.position(c)));
        let slide = line.along * line.along.dot(&(velocity + w * rate));
        Some(Meeting {
            element,
            edge,
            along,
            x: line.origin + line.along * along,
            u: u0 + (u1 - u0) * part,
            velocity: (slide, rate),
        })
    }
}
