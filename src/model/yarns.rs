//! The yarns of a scene: rods, their nodes, the contacts between them, and the state.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::ids::{BLOCK, BlockId, ContactId, NodeId, RodId};
use super::material::Material;
use super::select::ThreadSet;
use super::sheets::Sheets;
use crate::geometry::Vec3;

/// A rod: one yarn with its nodes in order.
#[derive(Debug, Clone)]
pub struct Rod {
    /// Which fabric and which of its yarns, or none for a single rod.
    pub thread: Option<Thread>,
    /// Material.
    pub material: Material,
    /// Linear RGB.
    pub colour: [f32; 3],
    /// Its nodes.
    pub nodes: Range<u32>,
    /// Rest length, m.
    pub length: f64,
    /// How far from the points that it shares with yarns of its fabric its centre line passes, m; zero if through them.
    pub offset: f64,
}

impl Rod {
    /// Whether its centre line passes beside the points that it shares with yarns of its fabric.
    pub fn is_thick(&self) -> bool {
        self.offset > 0.0
    }

    /// Distance, m, that its centre line keeps from that of a rod like it where they touch without a contact.
    /// Unless the material says otherwise that is the yarn's diameter, and twice as much in a weave, whose
    /// yarns go over and under one another where the model has a single point.
    pub fn collision_thickness(&self) -> f64 {
        let diameters = if self.thread.is_some() { 2.0 } else { 1.0 };
        self.material.collision_thickness.unwrap_or(diameters * 2.0 * self.material.radius)
    }
}

/// A yarn's place in its fabric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thread {
    /// Index of the fabric.
    pub fabric: u32,
    /// Warp or weft.
    pub set: ThreadSet,
    /// Index among the yarns of its direction.
    pub index: u32,
}

/// Kind of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u8)]
pub enum NodeKind {
    /// A rod's end or a plain discretisation point.
    Lagrangian = 0,
    /// A sliding contact inside a fabric.
    EolIntra = 1,
    /// A sliding contact between fabrics.
    EolInter = 2,
    /// A degenerate sliding contact.
    Eil = 3,
}

/// A node of a rod.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    /// Its rod.
    pub rod: RodId,
    /// Where its position and arc coordinate are stored.
    pub block: BlockId,
    /// Component of the block that is its arc coordinate: 3 or 4.
    pub arc: u8,
    /// Kind.
    pub kind: NodeKind,
    /// Its contact, if it has one.
    pub contact: Option<ContactId>,
    /// Course and wale of the stitch that it is part of, if it is knitted.
    pub stitch: Option<[u32; 2]>,
    /// Curvature of the yarn at rest, 1/m: the angle of the segments beside it over the yarn in both.
    pub rest_curvature: f64,
    /// The same as a vector, with the curvature binormal in place of the angle, in the frame of the crossing: along its normal,
    /// across the yarn, along the yarn. Where there is none the yarn bends in any plane.
    pub rest_frame: Option<Vec3>,
}

impl Node {
    /// The unknown that is its arc coordinate.
    pub fn arc_dof(&self) -> u32 {
        self.block.dof(self.arc as usize)
    }

    /// The unknowns `x, y, z, u`.
    pub fn dofs(&self) -> [u32; 4] {
        [self.block.dof(0), self.block.dof(1), self.block.dof(2), self.arc_dof()]
    }
}

/// What a contact joins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContactKind {
    /// Warp and weft of a fabric where the weave crosses them.
    Intra,
    /// Loops of a knit.
    Hook,
    /// Yarns of two fabrics that lie on one another: they slide.
    Inter,
    /// Yarns of two fabrics that are sewn together: their arc coordinates are fixed.
    Seam,
}

impl ContactKind {
    /// Whether it joins two fabrics.
    pub fn is_between_fabrics(self) -> bool {
        matches!(self, Self::Inter | Self::Seam)
    }
}

/// A crossing of two rods.
#[derive(Debug, Clone, Copy)]
pub struct Contact {
    /// The nodes on the first rod (in a fabric: the warp) and on the second, in ascending order.
    pub nodes: [NodeId; 2],
    /// `1` if the first rod is above, `-1` if the second is; above is along the normal, the first rod's
    /// tangent times the second's.
    pub side: i8,
    /// What it joins.
    pub kind: ContactKind,
    /// Coulomb's coefficient.
    pub friction: f64,
    /// Whether it waits for its yarns to meet.
    pub is_to_come: bool,
}

/// A point fixed in space that a rod slides through.
#[derive(Debug, Clone, Copy)]
pub struct HeldNode {
    /// The node.
    pub node: NodeId,
    /// Coulomb's coefficient.
    pub friction: f64,
}

/// All yarns of a scene. Unknowns are in blocks of five, `(x, y, z, u, v)`: a contact has all five, a node
/// by itself has its position and, in `u`, its arc coordinate, which is fixed unless it is in an eyelet.
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// The rods.
    pub rods: Vec<Rod>,
    /// The nodes, rod by rod, in order along each.
    pub nodes: Vec<Node>,
    /// The contacts.
    pub contacts: Vec<Contact>,
    /// Nodes in eyelets.
    pub held: Vec<HeldNode>,
    /// Names of the fabrics.
    pub fabrics: Vec<String>,
    /// Names of the single rods, with their ids.
    pub single_rods: Vec<(String, RodId)>,
    /// Cloth of triangles.
    pub sheets: Sheets,
    /// Where each block lies in the fabric's plane, in spacings: guides the solver's ordering.
    pub coordinates: Vec<[f64; 3]>,
    /// Strips of neighbouring yarns as ordered lists of blocks, for the solver's preconditioner.
    pub strips: Vec<Vec<u32>>,
    /// The nodes of each block.
    pub block_nodes: Vec<[Option<NodeId>; 2]>,
    /// Unknowns that exist and may move, before any clamp.
    pub free: Vec<bool>,
    /// The unknowns as fabrics are drawn, wherever they start: the angles and lengths at which hooks are at rest.
    pub drawn: Vec<f64>,
}

/// Positions, arc coordinates and their velocities, five unknowns a block.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct State {
    /// m.
    pub q: Vec<f64>,
    /// m/s.
    pub v: Vec<f64>,
}

impl Model {
    /// Number of blocks.
    pub fn n_blocks(&self) -> usize {
        self.coordinates.len()
    }

    /// Number of unknowns, those of inactive components included.
    pub fn n_dofs(&self) -> usize {
        BLOCK * self.n_blocks()
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The rod of a node.
    pub fn rod_of(&self, id: NodeId) -> &Rod {
        &self.rods[self.node(id).rod.index()]
    }

    /// The nodes of a rod, in order.
    pub fn rod_nodes(
        &self,
        rod: RodId,
    ) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + Clone {
        self.rods[rod.index()].nodes.clone().map(NodeId)
    }

    /// Whether a node is the rod's or its fabric's own, not one for a contact between fabrics or with an edge.
    pub fn is_own(&self, id: NodeId) -> bool {
        self.node(id).kind != NodeKind::EolInter
    }

    /// Whether a node is for the edges of obstacles that its rod may come to lie over.
    pub fn is_for_edges(&self, id: NodeId) -> bool {
        !self.is_own(id) && self.node(id).contact.is_none()
    }

    /// Whether a node is not there at the start: it waits for an edge or for another yarn.
    pub fn is_to_come(&self, id: NodeId) -> bool {
        let waits = |c: ContactId| self.contacts[c.index()].is_to_come;
        self.is_for_edges(id) || self.node(id).contact.is_some_and(waits)
    }

    /// Whether a node is an end of its rod.
    pub fn is_end(&self, id: NodeId) -> bool {
        let nodes = &self.rod_of(id).nodes;
        id.0 == nodes.start || id.0 + 1 == nodes.end
    }

    /// Consecutive own nodes along all rods, as they are built.
    pub fn segments(&self) -> impl Iterator<Item = [NodeId; 2]> + '_ {
        self.consecutive(|n| self.is_own(n))
    }

    /// Consecutive ones of some nodes along all rods, as they are built.
    pub fn consecutive<'a>(
        &'a self,
        is_one: impl Fn(NodeId) -> bool + Copy + 'a,
    ) -> impl Iterator<Item = [NodeId; 2]> + 'a {
        let of_rod = move |r: &'a Rod| {
            let ones = r.nodes.clone().map(NodeId).filter(move |&n| is_one(n));
            ones.clone().zip(ones.skip(1)).map(|(a, b)| [a, b])
        };
        self.rods.iter().flat_map(of_rod)
    }

    /// The own nodes before and after on the same rod, as they are built.
    pub fn neighbours(&self, id: NodeId) -> [Option<NodeId>; 2] {
        let range = &self.rod_of(id).nodes;
        let own = |k: &u32| self.is_own(NodeId(*k));
        let (before, after) = ((range.start..id.0).rfind(own), (id.0 + 1..range.end).find(own));
        [before.map(NodeId), after.map(NodeId)]
    }

    /// The node across from one at their contact.
    pub fn across(&self, id: NodeId) -> Option<NodeId> {
        let [a, b] = self.contacts[self.node(id).contact?.index()].nodes;
        Some(if a == id { b } else { a })
    }

    /// A node's position.
    pub fn position(&self, q: &[f64], id: NodeId) -> Vec3 {
        block_position(q, self.node(id).block)
    }

    /// A node's arc coordinate, m.
    pub fn arc(&self, q: &[f64], id: NodeId) -> f64 {
        q[self.node(id).arc_dof() as usize]
    }

    /// Per fabric: the lowest of the fabrics that are joined to it, directly or by others.
    pub fn stacks(&self) -> Vec<u32> {
        let mut stacks: Vec<u32> = (0..self.fabrics.len() as u32).collect();
        let fabric = |n: NodeId| Some(self.rod_of(n).thread?.fabric as usize);
        for contact in self.contacts.iter().filter(|c| c.kind.is_between_fabrics()) {
            let [Some(a), Some(b)] = contact.nodes.map(fabric) else { continue };
            let (low, high) = (stacks[a].min(stacks[b]), stacks[a].max(stacks[b]));
            if low != high {
                stacks.iter_mut().filter(|s| **s == high).for_each(|s| *s = low);
            }
        }
        stacks
    }

    /// Half the rest length of the segments beside every own node at the given state, m.
    pub fn dual_lengths(&self, q: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.nodes.len()];
        for [a, b] in self.segments() {
            let half = 0.5 * (self.arc(q, b) - self.arc(q, a));
            out[a.index()] += half;
            out[b.index()] += half;
        }
        out
    }
}

/// The position stored in a block.
pub fn block_position(q: &[f64], block: BlockId) -> Vec3 {
    let k = block.dof(0) as usize;
    Vec3::new(q[k], q[k + 1], q[k + 2])
}
