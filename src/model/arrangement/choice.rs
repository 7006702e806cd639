//! The choice of the nodes in the chain of a rod.

use super::segment_at;
use crate::model::ids::NodeId;
use crate::model::yarns::{Model, NodeKind};

/// By how much more room a degenerate node needs to return to the chain: without it nodes that stay near
/// the safety distance change their role at every step.
const ROOM_TO_RETURN: f64 = 1.25;

/// How far ahead gaps are predicted, in steps. With the present gap alone, contacts that slide by more
/// than the safety distance in one step pass each other as active nodes, and the solve fails.
const STEPS_AHEAD: f64 = 1.5;

/// Who gives way to whom, from the weakest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    Between,
    Sewn,
    Inside,
    /// A point of a rod between its ends.
    Point,
    Edge,
    /// Ends of rods, and loops that hook, which never pass each other along a yarn.
    Fixed,
}

impl Rank {
    pub(super) fn of(model: &Model, node: NodeId) -> Self {
        let n = model.node(node);
        match n.kind {
            NodeKind::Lagrangian if model.is_end(node) => Self::Fixed,
            NodeKind::Lagrangian => Self::Point,
            NodeKind::EolIntra if n.stitch.is_some() => Self::Fixed,
            NodeKind::EolIntra => Self::Inside,
            _ if model.is_for_edges(node) => Self::Edge,
            _ if model.free[n.arc_dof() as usize] => Self::Between,
            _ => Self::Sewn,
        }
    }

    /// Whether a node may leave the chain for one of at least its rank: what is fixed never does, points only for edges
    /// and for what is fixed.
    pub(super) fn gives_way_to(self, other: Self) -> bool {
        self < Self::Point || self == Self::Edge || (self == Self::Point && other >= Self::Edge)
    }
}

/// A node of a rod that may be in its chain.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stop {
    pub(super) node: NodeId,
    pub(super) u: f64,
    /// How far it would slide in the step, m.
    pub(super) slide: f64,
    pub(super) rank: Rank,
    pub(super) was_active: bool,
}

impl Stop {
    fn ahead(&self) -> f64 {
        self.u + self.slide
    }

    fn is_too_close(&self, before: &Self, distance: f64) -> bool {
        let gap = self.u - before.u;
        let predicted = gap + STEPS_AHEAD * (self.slide - before.slide);
        let room = if self.was_active && before.was_active { 1.0 } else { ROOM_TO_RETURN };
        gap.min(predicted) < room * distance
    }
}

/// The stops that are in the chain.
pub(super) fn choose(stops: &[Stop], distance: f64, kept_out: &[NodeId]) -> Vec<Stop> {
    let mut chain: Vec<Stop> = Vec::with_capacity(stops.len());
    for stop in stops {
        if stop.rank < Rank::Fixed && kept_out.binary_search(&stop.node).is_ok() {
            continue;
        }
        let strength = |s: &Stop| (s.rank, s.was_active);
        let is_pushed_out = |l: &Stop| {
            stop.is_too_close(l, distance) && strength(stop) > strength(l) && l.rank.gives_way_to(stop.rank)
        };
        while chain.last().is_some_and(is_pushed_out) {
            chain.pop();
        }
        let blocks = |l: &Stop| stop.is_too_close(l, distance) && stop.rank.gives_way_to(l.rank);
        if !chain.last().is_some_and(blocks) {
            chain.push(*stop);
        }
    }
    chain
}

/// The stops that are not in the chain, with the nodes of the chain that will be around them.
pub(super) fn carried(stops: &[Stop], chain: &[Stop]) -> Vec<(NodeId, [NodeId; 2])> {
    let mut next = 0;
    let mut out = Vec::new();
    for stop in stops {
        if chain.get(next).is_some_and(|c| c.node == stop.node) {
            next += 1;
        } else if chain.len() > 1 {
            let right = segment_at(chain, Stop::ahead, stop.ahead());
            out.push((stop.node, [chain[right - 1].node, chain[right].node]));
        }
    }
    out
}
