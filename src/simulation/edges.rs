//! Yarns that come over the sharp edges of obstacles and leave them.

use rayon::prelude::*;

use super::Simulation;
use super::place::YarnPoint;
use super::world::World;
use crate::collision::edges::{EdgeLine, Passing};
use crate::geometry::Vec3;
use crate::model::arrangement::{Arrangement, Role};
use crate::model::ids::NodeId;
use crate::model::obstacle::Obstacle;
use crate::model::yarns::{Model, State};
use crate::potential::chain::BINDING_STIFFNESS;
use crate::potential::edge::{EdgeBody, EdgeContact};
use crate::potential::family::{Family, Stencils};
use crate::potential::shield::shields;
use crate::potential::term::{Arranged, EnergyKind};

/// Nodes on edges, and those that wait.
pub(super) type Edges = Family<EdgeContact, 4>;

/// Height, over the distance that a yarn keeps, by which it clears an edge that it leaves: without it a yarn that
/// lies straight over an edge would be found and let go of at every step.
const CLEARANCE: f64 = 0.02;

/// Cosine of the angle by which a rim turns at most for yarns to go on along it: less than a corner of a box.
const STRAIGHT_ON: f64 = 0.5;

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
        Family::new("edges", EnergyKind::Contact, Stencils::new(dofs, [0; 4]), element)
    })
}

/// Which nodes come upon edges and which leave them.
#[derive(Debug, Default)]
pub(super) struct EdgeChange {
    pub(super) met: Vec<NodeId>,
    pub(super) left: Vec<NodeId>,
}

/// Where a node goes on along another edge.
struct Next {
    element: usize,
    edge: usize,
    /// Along its own and along the other, m.
    along: [f64; 2],
    x: Vec3,
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
        let Some(mut family) = self.terms.edges.take() else { return EdgeChange::default() };
        let contact = &mut family.element;
        let nodes: Vec<NodeId> = contact.bodies().iter().map(|b| b.node).collect();
        let waits = |n: NodeId| self.world.arrangement.role(n) == Role::Removed;
        (0..nodes.len()).filter(|&e| waits(nodes[e])).for_each(|e| contact.release(e));
        let view = View::of(self, contact);
        let next: Vec<Next> = (0..nodes.len()).filter_map(|e| view.next(e, self.world.time)).collect();
        for Next { element, edge, along, x } in next {
            contact.go_on(element, edge, along);
            let first = self.world.model.node(nodes[element]).block.dof(0) as usize;
            self.world.state.q[first..first + 3].copy_from_slice(x.as_slice());
        }
        let view = View::of(self, contact);
        let left: Vec<usize> = (0..nodes.len()).filter(|&e| view.leaves(e, self.world.time)).collect();
        let met = view.meetings(&left, self.world.time);
        left.iter().for_each(|&e| contact.release(e));
        for m in &met {
            contact.hold(m.element, m.edge, [m.u, m.along]);
            self.put(nodes[m.element], [m.x, m.velocity.0], [m.u, m.velocity.1]);
        }
        self.terms.edges = Some(family);
        EdgeChange {
            met: met.iter().map(|m| nodes[m.element]).collect(),
            left: left.into_iter().map(|e| nodes[e]).collect(),
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

impl<'a> View<'a> {
    fn of(simulation: &'a Simulation, contact: &'a EdgeContact) -> Self {
        let World { model, arrangement, state, .. } = &simulation.world;
        Self { model, arrangement, state, contact }
    }

    fn position(&self, node: NodeId) -> Vec3 {
        self.model.position(&self.state.q, node)
    }

    /// Where a node goes on that is beyond the end of its edge: along the one beside it that turns off least, at the same
    /// offset from it.
    fn next(&self, element: usize, time: f64) -> Option<Next> {
        let own = self.contact.edge_of(element)?;
        let x = self.position(self.contact.bodies()[element].node);
        let line = self.contact.line(element, own, time);
        let (along, offset) = line.split(x);
        if line.includes(along) {
            return None;
        }
        let beyond = (-along).max(along - line.length);
        let straight_on = |edge: usize| {
            let other = self.contact.line(element, edge, time);
            let (on_other, from_other) = other.split(x);
            let is_beside = other.includes(on_other) && from_other.norm() < line.reach + beyond;
            let there = other.origin + other.along * on_other + offset;
            let next = Next { element, edge, along: [along, on_other], x: there };
            is_beside.then_some((other.along.dot(&line.along), next))
        };
        let others = (0..self.contact.n_edges()).filter(|e| *e != own).filter_map(straight_on);
        let (cosine, next) = others.max_by(|a, b| a.0.total_cmp(&b.0))?;
        (cosine > STRAIGHT_ON).then_some(next)
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
        passes.is_none_or(|p| p.height > CLEARANCE * line.reach)
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
                let found = self.meeting(element, edge, &line, &shields)?;
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
    fn meeting(&self, element: usize, edge: usize, line: &EdgeLine, shields: &[Vec3]) -> Option<Meeting> {
        let rod = self.model.node(self.contact.bodies()[element].node).rod;
        let out = line.normals[0] + line.normals[1];
        let is_shielded = |n: NodeId| shields[self.model.node(n).block.index()].dot(&out) > 0.0;
        let below = |w: &[NodeId]| {
            let passing = line.passed_by([w[0], w[1]].map(|n| self.position(n)))?;
            let is_below = line.includes(passing.along) && passing.height < 0.0;
            (is_below && !is_shielded(w[0]) && !is_shielded(w[1])).then_some(([w[0], w[1]], passing))
        };
        let ([a, c], Passing { part, along, .. }) = self.arrangement.chain(rod).windows(2).find_map(below)?;
        let YarnPoint { u, tangent: w, velocity, .. } = YarnPoint::new(self.model, self.state, [a, c], part);
        let across = |x: Vec3| x - line.along * line.along.dot(&x);
        // The rate at which the rod's point least leaves the line: |across(velocity + w rate)| is smallest.
        let rate = -across(velocity).dot(&across(w)) / across(w).norm_squared().max(f64::MIN_POSITIVE);
        let slide = line.along * line.along.dot(&(velocity + w * rate));
        Some(Meeting {
            element,
            edge,
            along,
            x: line.origin + line.along * along,
            u,
            velocity: (slide, rate),
        })
    }
}
