//! Which contacts between fabrics let go.

use crate::geometry::Vec3;
use crate::model::arrangement::Arrangement;
use crate::model::ids::{ContactId, NodeId};
use crate::model::yarns::{Contact, ContactKind, Model};

/// How far the yarns of every contact between fabrics would have parted by now, had it not pulled.
///
/// ```text
/// s'' = -F/m,   m = m_A m_B/(m_A + m_B),   s = 0 at rest as soon as it is not positive
/// ```
/// | symbol | meaning | unit |
/// |---|---|---|
/// | `s` | the gap of two yarns that are free of each other | m |
/// | `F` | what the contact presses with, less what its neighbours can give ([`pressures`]) | N |
/// | `m_A` | mass of a rest segment of a yarn | kg |
///
/// A force that alternates from step to step opens no gap, whatever its size; a pull of the yarn's own weight
/// opens `g t^2` or so. Yarns part for good once `s` is a part of their radius.
///
/// [`pressures`]: crate::potential::spread::pressures
#[derive(Debug)]
pub(super) struct Parting {
    /// `1/m` of each contact, 1/kg; zero where it never lets go.
    mobility: Vec<f64>,
    /// Mean radius of its yarns, m.
    radius: Vec<f64>,
    /// `s` and `s'`.
    gaps: Vec<[f64; 2]>,
}

impl Parting {
    /// Contacts that press; `spacings` are the rods' rest segments, m.
    pub(super) fn new(model: &Model, spacings: &[f64]) -> Self {
        let (mut mobility, mut radius) = (Vec::new(), Vec::new());
        for contact in &model.contacts {
            let rods = contact.nodes.map(|n| model.node(n).rod.index());
            let material = |r: usize| &model.rods[r].material;
            let inverse = |r: usize| 1.0 / (material(r).line_density() * spacings[r]);
            let lets_go = contact.kind == ContactKind::Inter;
            mobility.push(if lets_go { rods.map(inverse).iter().sum() } else { 0.0 });
            radius.push(0.5 * rods.map(|r| material(r).radius).iter().sum::<f64>());
        }
        let gaps = vec![[0.0; 2]; mobility.len()];
        Self { mobility, radius, gaps }
    }

    /// Follows a step of `dt` that ended with these forces, N.
    pub(super) fn advance(&mut self, forces: &[f64], dt: f64) {
        for ((gap, mobility), force) in self.gaps.iter_mut().zip(&self.mobility).zip(forces) {
            let speed = gap[1] - force * mobility * dt;
            let open = gap[0] + speed * dt;
            *gap = if open > 0.0 { [open, speed] } else { [0.0; 2] };
        }
    }

    /// Whether a contact's yarns would have parted by more than a part of their radius.
    pub(super) fn exceeds(&self, contact: ContactId, part: f64) -> bool {
        self.gaps[contact.index()][0] > part * self.radius[contact.index()]
    }

    /// Begins anew with a contact whose yarns are joined again.
    pub(super) fn close(&mut self, contact: ContactId) {
        self.gaps[contact.index()] = [0.0; 2];
    }

    /// The gaps, m, and their rates, m/s.
    pub(super) fn gaps(&self) -> &[[f64; 2]] {
        &self.gaps
    }

    /// Takes over gaps of the same contacts.
    pub(super) fn set_gaps(&mut self, gaps: Vec<[f64; 2]>) {
        self.gaps = gaps;
    }
}

/// The node of a contact that stays when its yarns part: that of the yarn that would be pressed together most by
/// losing the corner that it has there.
///
/// ```text
/// V = k (l_1 + l_2 - l)^2/(2 l)       l_1, l_2 the segments at the node, l across them, k the stretch stiffness
/// ```
/// None if no yarn has an active node there.
pub(super) fn node_that_stays(
    model: &Model,
    arrangement: &Arrangement,
    q: &[f64],
    contact: &Contact,
) -> Option<NodeId> {
    let cost = |&node: &NodeId| {
        let [before, after] = around(model, arrangement, node)?.map(|n| model.position(q, n));
        let (x, l) = (model.position(q, node), (after - before).norm());
        let shorter = (x - before).norm() + (after - x).norm() - l;
        Some((node, model.rod_of(node).material.stretch_stiffness() * shorter * shorter / l))
    };
    let costs = contact.nodes.iter().filter_map(cost);
    costs.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(node, _)| node)
}

/// Motion of a node's position over that of its arc coordinate while its yarn stays where it is.
pub(super) fn material_slide(model: &Model, arrangement: &Arrangement, q: &[f64], node: NodeId) -> Vec3 {
    let Some([before, after]) = around(model, arrangement, node) else { return Vec3::zeros() };
    let length = model.arc(q, after) - model.arc(q, before);
    (model.position(q, after) - model.position(q, before)) / length
}

/// The nodes on either side of an active one.
fn around(model: &Model, arrangement: &Arrangement, node: NodeId) -> Option<[NodeId; 2]> {
    let [before, after] = arrangement.is_active(node).then(|| arrangement.neighbours(model, node))?;
    Some([before?, after?])
}
