//! The roles of nodes at a moment: active ones carry the rods, degenerate ones are carried.
//!
//! The *chain* of a rod is its active nodes (EoL and Lagrangian) in order of their arc coordinates. A
//! contact whose node is too close to another one on the rod is degenerate (EIL): it keeps its arc
//! coordinate, but its point is interpolated between two nodes of the chain, and the rod does not feel it.

mod choice;

use std::sync::Arc;

use rayon::prelude::*;

use self::choice::{Rank, Stop, carried, choose};
use super::ids::{BlockId, NodeId, RodId};
use super::yarns::{Contact, Model};
use crate::geometry::Vec3;
use serde::{Deserialize, Serialize};

/// What a node is at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// In the chain of its rod.
    Active,
    /// Interpolated between two consecutive nodes of the chain.
    Eil([NodeId; 2]),
    /// Gone: its contact was removed. The other node of the contact may stay active, at a fixed place of its
    /// rod, for as long as there is room for it.
    Removed,
}

/// The chains of all rods and the roles of all nodes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Arrangement {
    roles: Vec<Role>,
    chain: Vec<NodeId>,
    /// The chain of rod `r` is `chain[start[r]..start[r + 1]]`.
    start: Vec<u32>,
    /// Where an active node is in `chain`.
    place: Vec<u32>,
}

/// What an arrangement is chosen by.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    /// Unknowns.
    pub q: &'a [f64],
    /// Their velocities.
    pub v: &'a [f64],
    /// The step to come, s.
    pub dt: f64,
    /// The distance below which nodes are too close, as a part of the rod's rest segment; none if all
    /// nodes stay active whatever their distance.
    pub safety: Option<f64>,
    /// Nodes that must not be in a chain in this step.
    pub kept_out: &'a [NodeId],
    /// Nodes that go for good.
    pub removed: &'a [NodeId],
}

/// The distance below which nodes are too close, as a part of the rod's rest segment (thesis 4.3.1).
pub const SAFETY_DISTANCE: f64 = 0.1;

impl Arrangement {
    /// The arrangement of a start at `q`, in which no node has been active before but those of the rods
    /// themselves.
    pub fn new(model: &Model, spacings: &[f64], now: &Moment<'_>) -> Self {
        let role = |n: u32| match NodeId(n) {
            n if model.is_own(n) => Role::Active,
            n if model.is_to_come(n) => Role::Removed,
            n => Role::Eil([n; 2]),
        };
        let roles = (0..model.nodes.len() as u32).map(role).collect();
        Self { roles, ..Self::default() }.revised(model, spacings, now)
    }

    /// The arrangement for a step that starts now: nodes that are or will be too close leave the chain,
    /// those that have room return.
    ///
    /// Ends stay in any case; of two other nodes that are too close the one between fabrics gives way to
    /// the one inside a fabric, any to that on an edge, a degenerate one to an active one, and the later one to
    /// the earlier. On either side of an edge a yarn is straight, so that it feels nothing of nodes that pass it.
    #[must_use]
    pub fn revised(&self, model: &Model, spacings: &[f64], now: &Moment<'_>) -> Self {
        let mut out = self.emptied(now.removed);
        let (mut kept_out, gone) = (now.kept_out.to_vec(), &out.roles);
        kept_out.sort_unstable();
        let of_rod = |r: usize| {
            let mut stops: Vec<Stop> =
                (model.rod_nodes(RodId(r as u32)).filter(|n| gone[n.index()] != Role::Removed))
                    .map(|n| self.stop(model, n, now, out.rank(model, n)))
                    .collect();
            stops.sort_by(|a, b| a.u.total_cmp(&b.u));
            let safety = now.safety.map_or(f64::NEG_INFINITY, |part| part * spacings[r]);
            let chain = choose(&stops, safety, &kept_out);
            let carried = carried(&stops, &chain);
            (chain.iter().map(|s| s.node).collect::<Vec<_>>(), carried)
        };
        let rods: Vec<_> = (0..model.rods.len()).into_par_iter().map(of_rod).collect();
        for (chain, carried) in rods {
            for &node in &chain {
                out.place[node.index()] = out.chain.len() as u32;
                out.chain.push(node);
            }
            out.start.push(out.chain.len() as u32);
            for (node, around) in carried {
                let is_left = out.is_removed(model, model.node(node).block);
                out.roles[node.index()] = if is_left { Role::Removed } else { Role::Eil(around) };
            }
        }
        out
    }

    /// The same with nodes that were not there, in no chain yet.
    #[must_use]
    pub fn with(&self, nodes: &[NodeId]) -> Self {
        let mut out = self.clone();
        nodes.iter().for_each(|n| out.roles[n.index()] = Role::Eil([*n; 2]));
        out
    }

    /// The same chains, with every degenerate node between those that are around it at `q`; none if no
    /// node lies further out than `slack` safety distances (a tolerance). No node returns to those that it was between before.
    #[must_use]
    pub fn replaced(
        &self,
        model: &Model,
        (spacings, slack): (&[f64], f64),
        q: &[f64],
        before: &[Arc<Self>],
    ) -> Option<Self> {
        let around = |(n, role): (usize, &Role)| {
            let (node, Role::Eil([a, c])) = (NodeId(n as u32), *role) else { return None };
            let rod = model.node(node).rod;
            let [u, from, to] = [node, a, c].map(|n| model.arc(q, n));
            let out = (from - u).max(u - to);
            if out <= slack * SAFETY_DISTANCE * spacings[rod.index()] {
                return None;
            }
            let chain = self.chain(rod);
            let right = segment_at(chain, |n| model.arc(q, *n), u);
            let found = [chain[right - 1], chain[right]];
            let is_new = found != [a, c] && before.iter().all(|b| b.roles[n] != Role::Eil(found));
            is_new.then_some((n, found))
        };
        let moved: Vec<_> = self.roles.par_iter().enumerate().filter_map(around).collect();
        let mut out = (!moved.is_empty()).then(|| self.clone())?;
        for (n, found) in moved {
            out.roles[n] = Role::Eil(found);
        }
        Some(out)
    }

    /// What a node is.
    pub fn role(&self, node: NodeId) -> Role {
        self.roles[node.index()]
    }

    /// Whether a node is in the chain of its rod.
    pub fn is_active(&self, node: NodeId) -> bool {
        self.role(node) == Role::Active
    }

    /// The chain of a rod.
    pub fn chain(&self, rod: RodId) -> &[NodeId] {
        &self.chain[self.start[rod.index()] as usize..self.start[rod.index() + 1] as usize]
    }

    /// Consecutive nodes of all chains, rod by rod.
    pub fn segments(&self) -> impl Iterator<Item = [NodeId; 2]> + '_ {
        self.chains().flat_map(|c| c.windows(2).map(|w| [w[0], w[1]]))
    }

    /// Three consecutive nodes of all chains, rod by rod.
    pub fn bends(&self) -> impl Iterator<Item = [NodeId; 3]> + '_ {
        self.chains().flat_map(|c| c.windows(3).map(|w| [w[0], w[1], w[2]]))
    }

    fn chains(&self) -> impl Iterator<Item = &[NodeId]> {
        self.start.windows(2).map(|w| &self.chain[w[0] as usize..w[1] as usize])
    }

    /// The nodes before and after an active node in its chain.
    pub fn neighbours(&self, model: &Model, node: NodeId) -> [Option<NodeId>; 2] {
        let place = self.place[node.index()];
        let rod = model.node(node).rod.index();
        let at = |k: u32| self.chain[k as usize];
        [
            (place > self.start[rod]).then(|| at(place - 1)),
            (place + 1 < self.start[rod + 1]).then(|| at(place + 1)),
        ]
    }

    /// Direction of a rod at a node, not normalised.
    pub fn tangent(&self, model: &Model, q: &[f64], node: NodeId) -> Vec3 {
        let [before, after] = match self.role(node) {
            Role::Active => self.neighbours(model, node).map(|n| n.unwrap_or(node)),
            Role::Eil(around) => around,
            Role::Removed => return Vec3::zeros(),
        };
        model.position(q, after) - model.position(q, before)
    }

    /// Unit normal of a contact, from its second rod to its first.
    pub fn normal(&self, model: &Model, q: &[f64], contact: &Contact) -> Vec3 {
        let [a, b] = contact.nodes.map(|n| self.tangent(model, q, n));
        let normal = a.cross(&b);
        normal / normal.norm().max(f64::MIN_POSITIVE) * f64::from(contact.side)
    }

    /// The point of a node's rod at its arc coordinate; of an active node that is its position.
    pub fn point(&self, model: &Model, q: &[f64], node: NodeId) -> Vec3 {
        let Role::Eil(around) = self.role(node) else { return model.position(q, node) };
        between(model, q, (node, around))
    }

    /// The point of a node's rod at its arc coordinate, between the nodes of the chain that are around it at `q`. A
    /// degenerate node is assigned to those that will be around it at the end of the step.
    pub fn present_point(&self, model: &Model, q: &[f64], node: NodeId) -> Vec3 {
        let chain = self.chain(model.node(node).rod);
        if self.is_active(node) || chain.len() < 2 {
            return model.position(q, node);
        }
        let right = segment_at(chain, |n| model.arc(q, *n), model.arc(q, node));
        between(model, q, (node, [chain[right - 1], chain[right]]))
    }

    /// Velocity, m/s, of the point that moves along a node's rod with its arc coordinate: `v(u) + w u'`.
    pub fn velocity(&self, model: &Model, (q, v): (&[f64], &[f64]), node: NodeId) -> Vec3 {
        let Role::Eil([a, c]) = self.role(node) else { return model.position(v, node) };
        let [u, from, to] = [node, a, c].map(|n| model.arc(q, n));
        let [rate, from_rate, to_rate] = [node, a, c].map(|n| model.arc(v, n));
        let w = (model.position(q, c) - model.position(q, a)) / (to - from);
        let [v0, v1] = [(a, from_rate), (c, to_rate)].map(|(n, r)| model.position(v, n) - w * r);
        v0 + (v1 - v0) * ((u - from) / (to - from)) + w * rate
    }

    /// Whether the position of a block is that of an active node, or of a vertex of a sheet, or of a node by itself
    /// that is held on its rod.
    pub fn is_position_active(&self, model: &Model, block: BlockId) -> bool {
        match model.block_nodes[block.index()] {
            [Some(a), Some(b)] => self.is_active(a) || self.is_active(b),
            [Some(n), None] | [None, Some(n)] => self.role(n) != Role::Removed,
            [None, None] => true,
        }
    }

    /// Whether a contact was removed.
    pub fn is_apart(&self, contact: &Contact) -> bool {
        contact.nodes.iter().any(|&n| self.role(n) == Role::Removed)
    }

    /// Whether a node of a block was removed.
    pub fn is_removed(&self, model: &Model, block: BlockId) -> bool {
        model.block_nodes[block.index()].iter().flatten().any(|&n| self.role(n) == Role::Removed)
    }

    /// Half the length of the segments of the chain beside every node, m; zero where it is not in a chain.
    pub fn dual_lengths(&self, model: &Model, q: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.roles.len()];
        for [a, b] in self.segments() {
            let half = 0.5 * (model.arc(q, b) - model.arc(q, a));
            out[a.index()] += half;
            out[b.index()] += half;
        }
        out
    }

    /// Which of two nodes of a rod gives way to the other; none if both are fixed.
    pub fn weaker(&self, model: &Model, [a, b]: [NodeId; 2]) -> Option<NodeId> {
        let (first, second) = (self.rank(model, a), self.rank(model, b));
        let weaker = if first < second { a } else { b };
        first.min(second).gives_way_to(first.max(second)).then_some(weaker)
    }

    /// The roles of all nodes, by node.
    pub fn roles(&self) -> &[Role] {
        &self.roles
    }

    /// Without chains yet, every node active but those that are gone.
    fn emptied(&self, removed: &[NodeId]) -> Self {
        let keep = |r: &Role| if *r == Role::Removed { Role::Removed } else { Role::Active };
        let mut roles: Vec<Role> = self.roles.iter().map(keep).collect();
        removed.iter().for_each(|n| roles[n.index()] = Role::Removed);
        let place = vec![u32::MAX; roles.len()];
        Self { roles, chain: Vec::with_capacity(self.chain.len()), start: vec![0], place }
    }

    /// Who gives way to a node; what is left of a contact that was removed gives way to all others.
    fn rank(&self, model: &Model, node: NodeId) -> Rank {
        if self.is_removed(model, model.node(node).block) { Rank::Between } else { Rank::of(model, node) }
    }

    fn stop(&self, model: &Model, node: NodeId, now: &Moment<'_>, rank: Rank) -> Stop {
        let (u, rate) = (model.arc(now.q, node), model.arc(now.v, node));
        Stop { node, u, slide: now.dt * rate, rank, was_active: self.is_active(node) }
    }
}

/// The point at the arc coordinate of a node on the straight line through two others.
fn between(model: &Model, q: &[f64], (node, [a, c]): (NodeId, [NodeId; 2])) -> Vec3 {
    let [u, from, to] = [node, a, c].map(|n| model.arc(q, n));
    let [x0, x1] = [a, c].map(|n| model.position(q, n));
    x0 + (x1 - x0) * ((u - from) / (to - from))
}

/// The index of the right end of the segment at `u` of an ascending list of at least two.
fn segment_at<T>(ascending: &[T], u_of: impl Fn(&T) -> f64, u: f64) -> usize {
    ascending.partition_point(|t| u_of(t) <= u).clamp(1, ascending.len() - 1)
}

/// The length of a rest segment of every rod: the median distance of the nodes that are not between
/// fabrics, m.
pub fn spacings(model: &Model, q: &[f64]) -> Vec<f64> {
    let of_rod = |r: usize| {
        let own = model.rod_nodes(RodId(r as u32)).filter(|&n| model.is_own(n));
        let arcs: Vec<f64> = own.map(|n| model.arc(q, n)).collect();
        let mut gaps: Vec<f64> = arcs.windows(2).map(|w| w[1] - w[0]).collect();
        gaps.sort_by(f64::total_cmp);
        gaps.get(gaps.len() / 2).copied().unwrap_or(model.rods[r].length)
    };
    (0..model.rods.len()).map(of_rod).collect()
}
