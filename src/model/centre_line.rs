//! Where the centre lines of yarns run: beside the points that they share at their contacts.
//!
//! Two yarns that cross touch in the point that their contact stands for, and each centre line passes at an offset from
//! there, along the normal of the crossing:
//!
//! ```text
//! y = x + side o n(chord, chord across)      chord: from the node before to the node after
//! ```
//! The offset is the yarn's radius, and somewhat more in a weave, whose polygon of crossings cuts off the crests.
//! Lines of yarns without thickness run through the shared points themselves (the published method).

use super::arrangement::{Arrangement, Role};
use super::ids::NodeId;
use super::yarns::Model;
use crate::geometry::Vec3;
use crate::geometry::normal::Normal;

/// A node at which a centre line passes beside another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Crossing {
    /// From the shared point, negative where it passes below, m.
    pub(crate) offset: f64,
    /// The nodes before and after it on its own yarn, and the same on the other.
    pub(crate) chords: [[NodeId; 2]; 2],
}

/// Length, in offsets, next to which chords are long.
const SHORT: f64 = 0.1;

/// Length next to which the chords at a crossing of an offset are long, m.
pub(crate) fn short(offset: f64) -> f64 {
    SHORT * offset
}

impl Crossing {
    /// That of a node, none if its line passes through it; `around` gives the nodes before and after one.
    pub(crate) fn of(model: &Model, node: NodeId, around: impl Fn(NodeId) -> [NodeId; 2]) -> Option<Self> {
        let rod = model.rod_of(node);
        let contact = &model.contacts[model.node(node).contact.filter(|_| rod.is_thick())?.index()];
        if contact.kind.is_between_fabrics() {
            return None;
        }
        let side = f64::from(contact.side);
        let other = model.across(node)?;
        Some(Self { offset: side * rod.offset, chords: [node, other].map(around) })
    }

    /// From the node to the centre line, m.
    pub(crate) fn displacement(&self, model: &Model, q: &[f64]) -> Vec3 {
        self.frame(model, q)[0] * self.offset
    }

    /// The normal, and the chord of the own yarn, m.
    pub(crate) fn frame(&self, model: &Model, q: &[f64]) -> [Vec3; 2] {
        let chords = self.chords.map(|[a, b]| model.position(q, b) - model.position(q, a));
        [Normal::new(chords, short(self.offset.abs())).value, chords[0]]
    }
}

impl Arrangement {
    /// Where the centre line of a node in a chain passes it, none if it passes through.
    pub(crate) fn crossing(&self, model: &Model, node: NodeId) -> Option<Crossing> {
        let contact = model.node(node).contact?;
        if !self.is_active(node) || self.is_apart(&model.contacts[contact.index()]) {
            return None;
        }
        Crossing::of(model, node, |n| match self.role(n) {
            Role::Eil(around) => around,
            Role::Active | Role::Removed => self.neighbours(model, n).map(|m| m.unwrap_or(n)),
        })
    }
}
