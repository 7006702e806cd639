//! Springs that hold the loops of a knit in shape where they hook.
//!
//! Two loops that hook cross twice, and between the crossings each yarn turns by a right angle, so that they
//! enclose a lens. Where the model has a single point for a crossing and a chord for both arcs, three energies
//! stand for the lens: springs on the angles between the yarns at its ends, springs on the yarn that is in it, and
//! contact of its yarns with those of the next.
//! Source: Cirio et al. 2017 (wrapping and stitch length); the stiffness of the lens is derived here.

use std::f64::consts::{FRAC_PI_2, PI};

use super::assemble::{Corners, Ingredients, add_pair, matched, position_dofs, position_groups};
use super::beside::Beside;
use super::chain::join;
use super::family::{Family, Stencils};
use super::parallel::Parallel;
use super::term::{EnergyKind, Potential};
use crate::geometry::Vec3;
use crate::geometry::angle::Angle;
use crate::model::ids::{NodeId, RodId};
use crate::model::yarns::{Contact, Model};

/// Springs that hold the angle between two yarns at either end of the lens where their loops hook; none
/// without knits, and none of thick yarns, whose centre lines bend round one another there.
pub(super) fn wrapping<'a>(model: &'a Model, from: &Ingredients<'_>) -> Option<Box<dyn Potential>> {
    let is_thin = |c: &&Contact| !c.nodes.iter().all(|&n| model.rod_of(n).is_thick());
    let corner = |c: &'a Contact| Some((c, outer_corner(model, c)?));
    let hooks: Vec<(&Contact, [NodeId; 3])> =
        model.contacts.iter().filter(is_thin).filter_map(corner).collect();
    let mut springs = Corners::new(model, from.damping);
    for (contact, corner) in &hooks {
        let [x, y, z] = corner.map(|n| model.position(&model.drawn, n));
        springs.add(contact, *corner, [Angle::new(y - x, z - x).theta, 0.0]);
    }
    (!hooks.is_empty()).then(|| -> Box<dyn Potential> { Box::new(springs.family("wrapping")) })
}

/// Springs on the yarn that is in every hook, as much at rest as it is drawn with; none without knits.
///
/// ```text
/// V = k (Du - h)^2/2,   k = (pi/2)^2 EI/h^3
/// ```
/// The stiffness is that of an arc which turns by a right angle: `EI (pi/2)^2/(2 s)` at length `s`, differentiated
/// twice.
pub(super) fn stitch_length(model: &Model, from: &Ingredients<'_>) -> Option<Box<dyn Potential>> {
    let mut strain = Parallel { is_two_sided: true, ..Parallel::default() };
    let (mut dofs, mut stiffness, mut beta) = (Vec::new(), Vec::new(), Vec::new());
    for pair in model.segments().filter(|pair| lens(model, *pair).is_some()) {
        let [a, b] = pair.map(|n| model.position(&model.drawn, n));
        let (length, material) = ((b - a).norm(), &model.rod_of(pair[0]).material);
        dofs.push(pair.map(|n| model.node(n).arc_dof()));
        strain.distance.push(length);
        stiffness.push(FRAC_PI_2 * FRAC_PI_2 * material.bending / length.powi(3));
        beta.push(from.damping.bending.unwrap_or(material.bending_damping));
    }
    (!dofs.is_empty()).then(|| -> Box<dyn Potential> {
        let material = matched(strain, stiffness, beta, from.damping);
        Box::new(Family::new("stitch length", EnergyKind::Elastic, Stencils::new(dofs, [0, 1]), material))
    })
}

/// Contact of the yarns that lie side by side in hooks which follow each other on a yarn, on the same face; none
/// without knits.
pub(super) fn side_by_side(model: &Model, from: &Ingredients<'_>) -> Option<Box<dyn Potential>> {
    let (mut dofs, mut strain) = (Vec::new(), Beside::default());
    let (mut stiffness, mut beta) = (Vec::new(), Vec::new());
    for nodes in consecutive_hooks(model, &model.drawn) {
        let [own, other] =
            [Some(nodes[1]), model.across(nodes[1])].map(|n| n.map(|n| &model.rod_of(n).material));
        let (Some(own), Some(other)) = (own, other) else { continue };
        dofs.push(join(nodes.map(|n| position_dofs(model.node(n).block))));
        strain.distance.push(own.radius + 3.0 * other.radius);
        add_pair((&mut stiffness, &mut beta), [own, other], from.damping);
    }
    (!dofs.is_empty()).then(|| -> Box<dyn Potential> {
        let material = matched(strain, stiffness, beta, from.damping);
        Box::new(Family::new(
            "side by side",
            EnergyKind::Contact,
            Stencils::new(dofs, position_groups()),
            material,
        ))
    })
}

/// The crossings of every two hooks that follow each other on a yarn and lie on the same face of it.
fn consecutive_hooks<'a>(model: &'a Model, q: &'a [f64]) -> impl Iterator<Item = [NodeId; 4]> + 'a {
    let is_hook = |a: NodeId, b: NodeId| lens(model, [a, b]).is_some();
    let is_pair = move |w: &[NodeId; 4]| {
        let blocks = w.map(|n| model.node(n).block);
        let is_distinct = (0..4).all(|i| !blocks[..i].contains(&blocks[i]));
        is_hook(w[0], w[1]) && is_hook(w[2], w[3]) && !is_hook(w[1], w[2]) && is_distinct
    };
    let faces = move |w: &[NodeId; 4]| upwards(model, q, w[1]).dot(&upwards(model, q, w[2])) > 0.0;
    let of_rod = |rod: usize| {
        let nodes: Vec<NodeId> = model.rod_nodes(RodId(rod as u32)).filter(|&n| model.is_own(n)).collect();
        let fours: Vec<[NodeId; 4]> = nodes.windows(4).map(|w| [w[0], w[1], w[2], w[3]]).collect();
        fours
    };
    (0..model.rods.len()).flat_map(of_rod).filter(is_pair).filter(faces)
}

/// From the yarn that crosses a node's to the node's own.
fn upwards(model: &Model, q: &[f64], node: NodeId) -> Vec3 {
    let tangent = |n: NodeId| {
        let [before, after] = model.neighbours(n).map(|m| model.position(q, m.unwrap_or(n)));
        after - before
    };
    let Some(contact) = model.node(node).contact.map(|c| model.contacts[c.index()]) else {
        return Vec3::zeros();
    };
    let [a, b] = contact.nodes.map(tangent);
    let normal = a.cross(&b) * f64::from(contact.side);
    if contact.nodes[0] == node { normal } else { -normal }
}

/// Where the floats of a knit cross a yarn, each with what crosses it next: they slide along it, but not through hooks.
pub(super) fn beside_floats(model: &Model) -> impl Iterator<Item = [NodeId; 2]> + '_ {
    let stitches = model.consecutive(|n| model.node(n).stitch.is_some());
    stitches.filter(|pair| pair.iter().any(|&n| !model.is_own(n)))
}

/// Least length of the yarn between two crossings of a hook, `pi (r_A + r_B)/2` for half a turn of the tightest
/// twist, m; none for nodes that are not those of a hook.
pub(super) fn twist_length(model: &Model, pair: [NodeId; 2]) -> Option<f64> {
    let radius = |n: NodeId| model.rod_of(n).material.radius;
    lens(model, pair).map(|across| 0.5 * PI * (radius(pair[0]) + radius(across[0])))
}

/// The nodes across from consecutive ones, if they too are consecutive on a knitted yarn.
fn lens(model: &Model, pair: [NodeId; 2]) -> Option<[NodeId; 2]> {
    let [a, b] = pair.map(|n| model.across(n));
    let (a, b) = (a?, b?);
    (model.node(a).stitch.is_some() && model.neighbours(a).contains(&Some(b))).then_some([a, b])
}

/// At the end of a lens: the contact and the neighbours on both yarns that are no part of it; none where
/// another lens goes on.
fn outer_corner(model: &Model, contact: &Contact) -> Option<[NodeId; 3]> {
    let [a, b] = contact.nodes;
    let (near, far) = (model.neighbours(a), model.neighbours(b));
    let inner = near.into_iter().flatten().find(|&m| lens(model, [a, m]).is_some())?;
    let other =
        |pair: [Option<NodeId>; 2], not: Option<NodeId>| pair.into_iter().find(|n| *n != not).flatten();
    model.node(a).stitch?;
    let (m, n) = (other(near, Some(inner))?, other(far, model.across(inner))?);
    (model.node(m).block != model.node(n).block).then_some([a, m, n])
}
