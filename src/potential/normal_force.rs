//! Normal forces of contacts, which limit their friction.

use rayon::prelude::*;

use super::chain::Chain;
use super::family::gather;
use super::lines::gradient;
use super::spread::spread;
use crate::geometry::Vec3;
use crate::model::arrangement::{Arrangement, Role};
use crate::model::ids::{NodeId, RodId};
use crate::model::yarns::{Contact, ContactKind, Model};

/// A state whose normal forces are asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Loaded<'a> {
    /// The yarns.
    pub(crate) model: &'a Model,
    /// The roles of their nodes.
    pub(crate) arrangement: &'a Arrangement,
    /// The potentials of their chains.
    pub(crate) chain: &'a Chain,
    /// The unknowns.
    pub(crate) q: &'a [f64],
    /// Weight of forces over the step that ended at `q`; none if there was none, and the yarns rest.
    pub(crate) whole_step: Option<f64>,
}

/// What a rod does at one of its nodes.
#[derive(Debug, Clone, Copy, Default)]
struct NodeLoad {
    /// Force of the rod's own stretch and bending on the node, N.
    force: Vec3,
    /// Force that the rod's own motion, damping, weight, stretch and bending ask of its node, N.
    need: Vec3,
    /// Pressure of the tension along the rod's waves over and under, N.
    crimp: f64,
}

/// The normal force of every contact, then of every held node, N.
///
/// ```text
/// inside a fabric   Fn = (n.(F_B - F_A)/2 + preload + (C_A + C_B)/2)+         n from B to A
///                   C  = T r ((s_i - s_(i-1))/Du_(i-1) + (s_i - s_(i+1))/Du_i) s_i
/// of thick yarns    Fn = -(o_A n.F_A + o_B n.F_B)+/(r_A + r_B)      F on the centre lines, x + o n
/// hooks of loops    Fn = |f - n (n.f)-|,  f = (F_B - F_A)/2
/// between fabrics   Fn = max(n.G_A, -n.G_B),  negative where the contact pulls
/// degenerate        n.F in place of the differences, F the binding's force on rod A
/// ```
/// Those between fabrics are spread along their rods afterwards, see `spread`.
/// `F` is a rod's own force on the shared position. The other terms are what a model in which crossing
/// yarns share a position cannot see: a preload from weaving and the pressure `C` of a rod under tension
/// `T` that waves by `r` (half the sum of the radii) as the weave takes it over (`s = 1`) and under
/// (`s = -1`). They make plain weave, twill and satin differ. `G` is the force that a rod needs from
/// outside for its own motion; whatever holds the lower rod from below, or presses the upper one from
/// above, leaves one of the two as the contact's. A held node has the force of its rod.
/// Source: Cirio et al. 2014 for the first term.
pub(crate) fn normal_forces(state: &Loaded<'_>) -> Vec<f64> {
    let Loaded { model, arrangement, chain, q, .. } = *state;
    let loads = loads(state);
    let of_contact = |c: &Contact| contact_force(state, c, &loads);
    let mut out: Vec<f64> = model.contacts.par_iter().map(of_contact).collect();
    out.extend(model.held.iter().map(|h| loads[h.node.index()].force.norm()));
    let mut set = |node: NodeId, force: Vec3| {
        if let Some(id) = model.node(node).contact {
            let contact = &model.contacts[id.index()];
            let sign = if contact.nodes[0] == node { 1.0 } else { -1.0 };
            out[id.index()] = sign * arrangement.normal(model, q, contact).dot(&force)
                + woven_pressure(model, contact, &loads);
        } else if let Some(held) = model.held.iter().position(|h| h.node == node) {
            out[model.contacts.len() + held] = force.norm();
        }
    };
    for (e, &node) in chain.bound.iter().enumerate() {
        let f = &chain.bindings;
        set(node, f.element.force(e, &gather(q, f.stencils.dofs(e))));
    }
    for (e, block) in chain.doubly_bound.iter().enumerate() {
        let f = &chain.double_bindings;
        if let Some(first) = model.block_nodes[block.index()][0] {
            set(first, f.element.force(e, &gather(q, f.stencils.dofs(e))));
        }
    }
    if model.contacts.iter().any(|c| c.kind.is_between_fabrics()) {
        spread(model, arrangement, q, &mut out);
    }
    out
}

/// Cosine between the rods of every contact between fabrics, zero of every other.
pub(crate) fn slants(state: &Loaded<'_>) -> Vec<f64> {
    let Loaded { model, arrangement, q, .. } = *state;
    let slant = |c: &Contact| {
        if model.is_own(c.nodes[0]) {
            return 0.0;
        }
        let [a, b] = c.nodes.map(|n| arrangement.tangent(model, q, n));
        a.dot(&b) / (a.norm() * b.norm()).max(f64::MIN_POSITIVE)
    };
    model.contacts.par_iter().map(slant).collect()
}

fn contact_force(state: &Loaded<'_>, contact: &Contact, loads: &[NodeLoad]) -> f64 {
    let Loaded { model, arrangement, q, .. } = *state;
    let [a, b] = contact.nodes;
    if !(arrangement.is_active(a) && arrangement.is_active(b)) {
        return 0.0;
    }
    let n = arrangement.normal(model, q, contact);
    let (la, lb) = (loads[a.index()], loads[b.index()]);
    if !model.is_own(a) {
        return n.dot(&la.need).max(-n.dot(&lb.need));
    }
    if model.rod_of(a).is_thick() && model.rod_of(b).is_thick() {
        return pressed_out(state, contact, [la.force, lb.force]).max(0.0);
    }
    if contact.kind == ContactKind::Hook {
        return hook_force(n, 0.5 * (lb.force - la.force));
    }
    (0.5 * n.dot(&(lb.force - la.force)) + woven_pressure(model, contact, loads)).max(0.0)
}

/// What is conjugate to the distance of two centre lines.
fn pressed_out(state: &Loaded<'_>, contact: &Contact, forces: [Vec3; 2]) -> f64 {
    let Loaded { model, arrangement, q, .. } = *state;
    let [a, b] = contact.nodes.map(|n| arrangement.crossing(model, n));
    let (Some(a), Some(b)) = (a, b) else { return 0.0 };
    let [up, down] = [a, b].map(|c| c.displacement(model, q));
    -(up.dot(&forces[0]) + down.dot(&forces[1])) / (a.offset.abs() + b.offset.abs())
}

/// Loops press on one another in the plane of the fabric, where they pull: whichever way there, and along the
/// normal only when that pushes them together.
fn hook_force(normal: Vec3, force: Vec3) -> f64 {
    (force - normal * normal.dot(&force).min(0.0)).norm()
}

/// Preload and crimp of a crossing inside a fabric, N.
fn woven_pressure(model: &Model, contact: &Contact, loads: &[NodeLoad]) -> f64 {
    let [a, b] = contact.nodes;
    if !model.is_own(a) || contact.kind == ContactKind::Hook {
        return 0.0;
    }
    let preload = 0.5 * (model.rod_of(a).material.preload + model.rod_of(b).material.preload);
    preload + 0.5 * (loads[a.index()].crimp + loads[b.index()].crimp)
}

/// `1` where the rod is above its partner, `-1` below, `0` without a contact.
pub(crate) fn side(model: &Model, node: NodeId) -> f64 {
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

/// The loads of all nodes.
fn loads(state: &Loaded<'_>) -> Vec<NodeLoad> {
    let rods = 0..state.model.rods.len() as u32;
    rods.into_par_iter().flat_map_iter(|r| rod_loads(state, RodId(r))).collect()
}

/// The loads of a rod's nodes in the model's order.
fn rod_loads(state: &Loaded<'_>, rod: RodId) -> Vec<NodeLoad> {
    let Loaded { model, arrangement, chain, q, .. } = *state;
    let (yarn, nodes) = (&model.rods[rod.index()], arrangement.chain(rod));
    let (material, first) = (&yarn.material, yarn.nodes.start as usize);
    let mut out = vec![NodeLoad::default(); model.rod_nodes(rod).len()];
    let mut add = |node: NodeId, g: &[f64], c: f64| {
        out[node.index() - first].force -= Vec3::new(g[0], g[1], g[2]) * c;
    };
    let mut pull = Vec::with_capacity(nodes.len());
    for (k, ends) in nodes.windows(2).enumerate() {
        let m = chain.lines.segment(rod, k, q);
        let tension = material.stretch_stiffness() * m.strain()[0];
        add(ends[0], &m.elongation_gradient[0][..3], tension);
        add(ends[1], &m.elongation_gradient[0][4..7], tension);
        pull.push(tension.max(0.0));
    }
    for (k, three) in nodes.windows(3).enumerate() {
        let g = chain.lines.bend_load(rod, k, q);
        for (i, &node) in three.iter().enumerate() {
            add(node, &g[4 * i..4 * i + 3], 1.0);
        }
    }
    for k in 1..nodes.len().saturating_sub(1) {
        out[nodes[k].index() - first].crimp = crimp(state, nodes[k], [pull[k - 1], pull[k]]);
    }
    if model.rod_nodes(rod).any(|n| !model.is_own(n)) {
        add_needs(state, rod, |node, need| out[node.index() - first].need += need);
    }
    out
}

/// `C` of an active node between segments of the given tensions.
fn crimp(state: &Loaded<'_>, node: NodeId, tensions: [f64; 2]) -> f64 {
    let Loaded { model, arrangement, q, .. } = *state;
    let s = side(model, node);
    let turn = |(other, tension): (Option<NodeId>, f64)| {
        let other = other.filter(|&o| arrangement.role(o) != Role::Removed);
        let Some((o, t)) = other.map(|o| (o, side(model, o))).filter(|(_, t)| *t != 0.0) else { return 0.0 };
        tension * s * (s - t) / (model.arc(q, node) - model.arc(q, o)).abs()
    };
    wave_height(model, node) * model.neighbours(node).into_iter().zip(tensions).map(turn).sum::<f64>()
}

/// Adds what the potentials of a rod's chain ask of its nodes.
fn add_needs(state: &Loaded<'_>, rod: RodId, mut add: impl FnMut(NodeId, Vec3)) {
    let Loaded { arrangement, chain, q, whole_step, .. } = *state;
    let (nodes, segments) = (arrangement.chain(rod), chain.lines.first_segment(rod));
    for (k, ends) in nodes.windows(2).enumerate() {
        let mut g = chain.lines.segment_gradient((rod, k), q, whole_step);
        add_to(&mut g, gradient(&chain.gravity, segments + k, q, whole_step));
        if whole_step.is_some() {
            add_to(&mut g, gradient(&chain.inertia, segments + k, q, whole_step));
        }
        add(ends[0], Vec3::new(g[0], g[1], g[2]));
        add(ends[1], Vec3::new(g[4], g[5], g[6]));
    }
    for (k, three) in nodes.windows(3).enumerate() {
        let g = chain.lines.bend_gradient((rod, k), q, whole_step);
        for (i, &node) in three.iter().enumerate() {
            add(node, Vec3::new(g[4 * i], g[4 * i + 1], g[4 * i + 2]));
        }
    }
}

fn add_to(sum: &mut [f64; 8], g: [f64; 8]) {
    sum.iter_mut().zip(g).for_each(|(s, g)| *s += g);
}
