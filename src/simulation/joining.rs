//! Yarns of layers that come to press on one another and are joined.

use std::collections::BTreeMap;

use nalgebra::{Matrix2, Vector2};

use super::Simulation;
use super::place::YarnPoint;
use crate::geometry::Vec3;
use crate::model::arrangement::Role;
use crate::model::ids::{ContactId, NodeId};
use crate::model::yarns::ContactKind;
use crate::potential::collision::Pressing;

/// How long the yarns of every contact that is not there have pressed on one another without a break.
#[derive(Debug)]
pub(super) struct Joining {
    /// s, after which they are joined.
    after: Option<f64>,
    /// s.
    pressed: Vec<f64>,
}

impl Joining {
    /// Nothing presses yet.
    pub(super) fn new(after: Option<f64>, n_contacts: usize) -> Self {
        Self { after, pressed: vec![0.0; n_contacts] }
    }

    /// By contact, s.
    pub(super) fn pressed(&self) -> &[f64] {
        &self.pressed
    }

    /// Takes over times of the same contacts.
    pub(super) fn set_pressed(&mut self, pressed: Vec<f64>) {
        self.pressed = pressed;
    }

    /// Follows a step of `dt` at whose end these press.
    fn advance(&mut self, pressing: &BTreeMap<ContactId, Pressing>, dt: f64) {
        for (pressed, id) in self.pressed.iter_mut().zip(0..) {
            *pressed = if pressing.contains_key(&ContactId(id)) { *pressed + dt } else { 0.0 };
        }
    }

    fn is_ripe(&self, contact: ContactId) -> bool {
        self.after.is_some_and(|after| self.pressed[contact.index()] >= after)
    }
}

impl Simulation {
    /// Counts how long yarns press on one another that no contact joins.
    pub(super) fn watch_pressings(&mut self, dt: f64) {
        if self.contacts.joining.after.is_some() {
            let pressing = self.pressings();
            self.contacts.joining.advance(&pressing, dt);
        }
    }

    /// Yarns that are to be joined now, and where.
    pub(super) fn ripe(&self) -> BTreeMap<ContactId, Pressing> {
        let is_ripe = |id: u32| self.contacts.joining.is_ripe(ContactId(id));
        if !(0..self.world.model.contacts.len() as u32).any(is_ripe) {
            return BTreeMap::new();
        }
        let mut pressing = self.pressings();
        pressing.retain(|id, _| self.contacts.joining.is_ripe(*id));
        pressing
    }

    /// Where the yarns of contacts that are not there press on one another most.
    fn pressings(&self) -> BTreeMap<ContactId, Pressing> {
        let mut out = BTreeMap::<ContactId, Pressing>::new();
        let Some(collision) = &self.terms.collision else { return out };
        let waits = |n: NodeId| self.world.arrangement.role(n) == Role::Removed;
        let apart = self.world.model.contacts.iter().zip((0..).map(ContactId)).filter(|(contact, _)| {
            contact.kind == ContactKind::Inter && contact.nodes.iter().all(|&n| waits(n))
        });
        let apart: BTreeMap<_, _> =
            apart.map(|(contact, id)| (contact.nodes.map(|n| self.world.model.node(n).rod), id)).collect();
        for found in collision.pressings(&self.world.model, &self.world.state.q) {
            let Some(&id) = apart.get(&found.nodes.map(|[n, _]| self.world.model.node(n).rod)) else {
                continue;
            };
            let most = out.entry(id).or_insert(found);
            if found.depth > most.depth {
                *most = found;
            }
        }
        out
    }

    /// Puts the nodes of contacts where their yarns press on one another; returns these nodes. A contact goes halfway
    /// between both yarns, and moves as their crossing does.
    pub(super) fn join(&mut self, ripe: &BTreeMap<ContactId, Pressing>) -> Vec<NodeId> {
        for (id, found) in ripe {
            let place = |k: usize| {
                YarnPoint::new(&self.world.model, &self.world.state, found.nodes[k], found.parts[k])
            };
            let [a, b] = [place(0), place(1)];
            let rates = crossing_rates([a.tangent, b.tangent], b.velocity - a.velocity);
            let moves = |p: &YarnPoint, rate: f64| p.velocity + p.tangent * rate;
            let middle = |one: Vec3, other: Vec3| (one + other) * 0.5;
            let at = [middle(a.x, b.x), middle(moves(&a, rates[0]), moves(&b, rates[1]))];
            let [first, second] = self.world.model.contacts[id.index()].nodes;
            self.put(first, at, [a.u, rates[0]]);
            self.put(second, at, [b.u, rates[1]]);
            self.contacts.parting.close(*id);
        }
        ripe.keys().flat_map(|id| self.world.model.contacts[id.index()].nodes).collect()
    }
}

/// Rates of the arc coordinates at which two yarns cross: `t_a u' - t_b v' = v_b - v_a`, but for what is across both.
fn crossing_rates([along_a, along_b]: [Vec3; 2], difference: Vec3) -> [f64; 2] {
    let matrix = Matrix2::new(
        along_a.norm_squared(),
        -along_a.dot(&along_b),
        -along_a.dot(&along_b),
        along_b.norm_squared(),
    );
    let right = Vector2::new(along_a.dot(&difference), -along_b.dot(&difference));
    matrix.try_inverse().map_or([0.0; 2], |inverse| (inverse * right).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossings_move_with_both_yarns() {
        let (a, b) = (Vec3::new(1.0, 0.2, 0.1), Vec3::new(0.3, 1.1, 0.0));
        let difference = Vec3::new(0.4, -0.7, 0.2);
        let [u, v] = crossing_rates([a, b], difference);
        let left = a * u - b * v - difference;
        assert!(left.dot(&a).abs() < 1e-12 && left.dot(&b).abs() < 1e-12, "{left:?}");
    }
}
