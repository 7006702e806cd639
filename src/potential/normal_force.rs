//! Normal forces of contacts, which limit their friction.

use rayon::prelude::*;

use super::strain::Strain;
use super::stretch::Stretch;
use super::{bending::Bending, family::gather};
use crate::geometry::Vec3;
use crate::model::ids::{NodeId, RodId};
use crate::model::yarns::{Contact, ContactKind, Model};

/// What a rod does at one of its nodes.
#[derive(Debug, Clone, Copy, Default)]
struct NodeLoad {
    /// Force of the rod's own stretch and bending on the node, N.
    force: Vec3,
    /// Pressure of the tension along the rod's waves over and under, N.
    crimp: f64,
}

/// The normal force of every contact, then of every held node, N.
///
/// ```text
/// Fn = (n.(F_B - F_A)/2 + preload + (C_A + C_B)/2)+         n from B to A
/// C  = T r ((s_i - s_(i-1))/Du_(i-1) + (s_i - s_(i+1))/Du_i) s_i
/// ```
/// `F` is a rod's own force on the shared position. The other terms are what a model in which crossing
/// yarns share a position cannot see: a preload from weaving and the pressure `C` of a rod under tension
/// `T` that waves by `r` (half the sum of the radii) as the weave takes it over (`s = 1`) and under
/// (`s = -1`). They make plain weave, twill and satin differ. A held node has the force of its rod.
/// Source: Cirio et al. 2014 for the first term.
pub fn normal_forces(model: &Model, q: &[f64]) -> Vec<f64> {
    let loads: Vec<NodeLoad> = (0..model.rods.len())
        .into_par_iter()
        .flat_map_iter(|r| rod_loads(model, q, RodId(r as u32)))
        .collect();
    let of_contact = |c: &Contact| contact_force(model, q, c, &loads);
    let mut out: Vec<f64> = model.contacts.par_iter().map(of_contact).collect();
    out.extend(model.held.iter().map(|h| loads[h.node.index()].force.norm()));
    out
}

fn contact_force(model: &Model, q: &[f64], contact: &Contact, loads: &[NodeLoad]) -> f64 {
    let [a, b] = contact.nodes;
    if contact.kind == ContactKind::Hook {
        return hook_force(model, q, contact, loads);
    }
    let n = contact_normal(model, q, contact);
    let (la, lb) = (loads[a.index()], loads[b.index()]);
    let preload = 0.5 * (model.rod_of(a).material.preload + model.rod_of(b).material.preload);
    (0.5 * n.dot(&(lb.force - la.force)) + preload + 0.5 * (la.crimp + lb.crimp)).max(0.0)
}

/// At a hook the yarns press on one another in the plane of the fabric, where their loops pull:
///
/// ```text
/// f = (F_B - F_A)/2       Fn = |f - n min(n.f, 0)|
/// ```
/// whichever way in the plane, and along `n` (from B to A) only when it pushes them together.
fn hook_force(model: &Model, q: &[f64], contact: &Contact, loads: &[NodeLoad]) -> f64 {
    let [a, b] = contact.nodes;
    let f = 0.5 * (loads[b.index()].force - loads[a.index()].force);
    let n = contact_normal(model, q, contact);
    (f - n * n.dot(&f).min(0.0)).norm()
}

/// Unit normal of a contact, from its second rod to its first; zero where they are parallel.
fn contact_normal(model: &Model, q: &[f64], contact: &Contact) -> Vec3 {
    let [a, b] = contact.nodes;
    let normal = tangent(model, q, a).cross(&tangent(model, q, b));
    normal / normal.norm().max(f64::MIN_POSITIVE) * f64::from(contact.side)
}

/// Direction of a rod at a node, not normalised.
pub fn tangent(model: &Model, q: &[f64], node: NodeId) -> Vec3 {
    let [before, after] = model.neighbours(node);
    model.position(q, after.unwrap_or(node)) - model.position(q, before.unwrap_or(node))
}

/// `1` where the rod is above its partner, `-1` below, `0` without a contact.
pub fn side(model: &Model, node: NodeId) -> f64 {
    let Some(id) = model.node(node).contact else { return 0.0 };
    let contact = &model.contacts[id.index()];
    let sign = f64::from(contact.side);
    if contact.nodes[0] == node { sign } else { -sign }
}

/// Half the sum of the radii at a contact, m.
fn wave_height(model: &Model, node: NodeId) -> f64 {
    let Some(id) = model.node(node).contact else { return 0.0 };
    0.5 * model.contacts[id.index()].nodes.iter().map(|&n| model.rod_of(n).material.radius).sum::<f64>()
}

fn rod_loads(model: &Model, q: &[f64], rod: RodId) -> Vec<NodeLoad> {
    let material = &model.rods[rod.index()].material;
    let nodes: Vec<NodeId> = model.rod_nodes(rod).collect();
    let dofs: Vec<[u32; 4]> = nodes.iter().map(|&n| model.node(n).dofs()).collect();
    let mut out = vec![NodeLoad::default(); nodes.len()];
    let mut add = |k: usize, g: &[f64], c: f64| out[k].force -= Vec3::new(g[0], g[1], g[2]) * c;
    let mut pull = Vec::with_capacity(nodes.len());
    for (k, pair) in dofs.windows(2).enumerate() {
        let m = Stretch.measure(0, &join::<2, 8>(q, pair));
        let tension = material.stretch_stiffness() * m.strain();
        let g = m.elongation_gradient;
        add(k, &g[0..3], tension);
        add(k + 1, &g[4..7], tension);
        pull.push((tension.max(0.0), m.weight));
    }
    for (k, triple) in dofs.windows(3).enumerate() {
        let m = Bending.measure(0, &join::<3, 12>(q, triple));
        let moment = 2.0 * material.bending * m.strain();
        for i in 0..3 {
            add(k + i, &m.elongation_gradient[4 * i..4 * i + 3], moment);
        }
    }
    for k in 1..nodes.len().saturating_sub(1) {
        let s = side(model, nodes[k]);
        let turn = |other: usize, (tension, length): (f64, f64)| {
            let t = side(model, nodes[other]);
            if t == 0.0 { 0.0 } else { tension * s * (s - t) / length }
        };
        out[k].crimp = wave_height(model, nodes[k]) * (turn(k - 1, pull[k - 1]) + turn(k + 1, pull[k]));
    }
    out
}

fn join<const K: usize, const N: usize>(q: &[f64], dofs: &[[u32; 4]]) -> [f64; N] {
    let mut out = [0.0; N];
    for (to, from) in out.chunks_exact_mut(4).zip(&dofs[..K]) {
        to.copy_from_slice(&gather(q, from));
    }
    out
}
