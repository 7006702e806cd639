//! The nodes of a frame: where they are, whose they are, which way their yarns run.

use std::ops::Range;

use super::V3;
use crate::frame::{Frame, Layout};
use crate::model::yarns::NodeKind;

/// Length of yarn, in radii, over which its direction is measured: nodes that are nearer to one another
/// are noise, for positions are kept in `f32` and sliding contacts come together.
const BASE_LENGTH: f32 = 0.5;

/// The nodes of a frame with what drawing needs of each.
#[derive(Debug)]
pub struct Nodes<'a> {
    /// The frame.
    pub frame: &'a Frame,
    /// Rods of the nodes.
    pub rod: Vec<u32>,
    /// Positions, m; degenerate (EIL) nodes lie between their neighbours along the rod.
    pub position: Vec<V3>,
    /// Unit tangents of the rods.
    pub tangent: Vec<V3>,
}

impl<'a> Nodes<'a> {
    /// Those of a frame.
    pub fn new(frame: &'a Frame) -> Self {
        let n = frame.position.len();
        let mut this = Self {
            frame,
            rod: vec![0; n],
            position: frame.position.iter().map(|&x| x.into()).collect(),
            tangent: vec![V3::x(); n],
        };
        for rod in 0..frame.layout.rods.len() {
            let nodes = rod_nodes(&frame.layout, rod);
            this.rod[nodes.clone()].fill(rod as u32);
            this.place_degenerate(nodes.clone());
            for i in nodes.clone() {
                this.tangent[i] = this.chord(i, &nodes);
            }
        }
        this
    }

    /// The node of the other rod of a node's contact.
    pub fn partner(&self, node: usize) -> Option<usize> {
        let other = self.frame.layout.partner[node] as usize;
        (other < self.frame.layout.partner.len()).then_some(other)
    }

    /// Radius of a node's yarn, m.
    pub fn radius(&self, node: usize) -> f32 {
        self.frame.layout.rods[self.rod[node] as usize].radius
    }

    /// Where the centre line that is simulated passes a node, m.
    pub fn centre(&self, node: usize) -> V3 {
        let offset = self.offset(node);
        let crossed = self.partner(node).filter(|_| offset > 0.0 && !self.is_between_fabrics(node));
        let normal = crossed.and_then(|other| self.cross(node, other).try_normalize(f32::MIN_POSITIVE));
        let side = f32::from(self.frame.layout.side[node]);
        self.position[node] + normal.unwrap_or_default() * (side * offset)
    }

    /// How far from crossings the centre line of a node's yarn is simulated, m; zero if it passes through them.
    pub fn offset(&self, node: usize) -> f32 {
        self.frame.layout.rods[self.rod[node] as usize].offset
    }

    /// The fabric of a node's yarn; none for a single rod.
    pub fn fabric(&self, node: usize) -> Option<usize> {
        let fabric = self.frame.layout.rods[self.rod[node] as usize].fabric as usize;
        (fabric < self.frame.layout.fabrics.len()).then_some(fabric)
    }

    /// Whether a node's contact joins two fabrics that lie on one another.
    pub fn is_between_fabrics(&self, node: usize) -> bool {
        let fabrics = self.partner(node).and_then(|other| Some((self.fabric(node)?, self.fabric(other)?)));
        fabrics.is_some_and(|(a, b)| a != b)
    }

    /// Normal of a contact over the sine of its angle: the first rod's tangent times the second's.
    ///
    /// The first rod is the one of the lower node index.
    pub fn cross(&self, node: usize, partner: usize) -> V3 {
        self.tangent[node.min(partner)].cross(&self.tangent[node.max(partner)])
    }

    /// Part of the way by arc from one node of a rod to a later one at which a node between them lies.
    pub fn fraction(&self, node: usize, [from, to]: [usize; 2]) -> f32 {
        let arc = &self.frame.arc;
        let length = arc[to] - arc[from];
        let part = if length > 0.0 { (arc[node] - arc[from]) / length } else { 0.5 };
        if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.5 }
    }

    /// Puts the degenerate nodes of a rod between those whose positions are unknowns.
    fn place_degenerate(&mut self, nodes: Range<usize>) {
        let is_degenerate = |i: &usize| self.frame.kind[*i] == NodeKind::Eil;
        let degenerate: Vec<usize> = nodes.clone().filter(is_degenerate).collect();
        for i in degenerate {
            let before = (nodes.start..i).rev().find(|i| !is_degenerate(i));
            let after = (i..nodes.end).find(|i| !is_degenerate(i));
            let [Some(a), Some(b)] = [before.or(after), after.or(before)] else { continue };
            let (x, t) = (self.position[a], self.fraction(i, [a, b]));
            self.position[i] = x + (self.position[b] - x) * t;
        }
    }

    /// Direction between the nearest nodes on both sides that are not too near.
    fn chord(&self, i: usize, nodes: &Range<usize>) -> V3 {
        let far = |j: &usize| (self.frame.arc[*j] - self.frame.arc[i]).abs() >= BASE_LENGTH * self.radius(i);
        let before = (nodes.start..i).rev().find(far).unwrap_or(i.saturating_sub(1).max(nodes.start));
        let after = (i + 1..nodes.end).find(far).unwrap_or((i + 1).min(nodes.end - 1));
        let chord = self.position[after] - self.position[before];
        chord.try_normalize(0.0).unwrap_or_else(V3::x)
    }
}

/// Nodes of a rod.
pub fn rod_nodes(layout: &Layout, rod: usize) -> Range<usize> {
    layout.rod_start[rod] as usize..layout.rod_start[rod + 1] as usize
}
