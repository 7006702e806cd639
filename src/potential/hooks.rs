//! How two yarns wrap about each other where loops of a knit hook.

use std::f64::consts::{FRAC_PI_2, PI};

use super::assemble::Corners;
use super::damping::DampingParams;
use super::family::Potential;
use crate::model::ids::NodeId;
use crate::model::yarns::{Contact, Model};

/// Angle between two yarns where they come together at a hook, rad.
const WRAPPING_ANGLE: f64 = FRAC_PI_2;

/// Springs that hold the angle between two yarns at either end of the twist where their loops hook; none
/// without knits.
pub(super) fn wrapping(model: &Model, damping: &DampingParams) -> Option<Box<dyn Potential>> {
    let hooks: Vec<(&Contact, [NodeId; 3])> =
        model.contacts.iter().filter_map(|c| Some((c, outer_corner(model, c)?))).collect();
    let mut springs = Corners::new(model, damping);
    hooks.iter().for_each(|(contact, corner)| springs.add(contact, *corner, [WRAPPING_ANGLE, 0.0]));
    (!hooks.is_empty()).then(|| -> Box<dyn Potential> { Box::new(springs.family("wrapping")) })
}

/// Where two yarns are twisted about each other between two contacts they take up at least half a turn of
/// the tightest twist, `pi (r_A + r_B)/2`, m. `pair` are consecutive nodes, `partners` those across.
pub(super) fn twist_length(model: &Model, pair: [NodeId; 2], partners: [NodeId; 2]) -> Option<f64> {
    let radius = |n: NodeId| model.rod_of(n).material.radius;
    is_twist(model, partners).then(|| 0.5 * PI * (radius(pair[0]) + radius(partners[0])))
}

/// Whether nodes are neighbours on one knitted yarn.
fn is_twist(model: &Model, [a, b]: [NodeId; 2]) -> bool {
    model.node(a).stitch.is_some() && model.neighbours(a).contains(&Some(b))
}

/// At the end of a twist: the contact and the neighbours on both yarns that are no part of the twist; none
/// where another twist goes on.
fn outer_corner(model: &Model, contact: &Contact) -> Option<[NodeId; 3]> {
    let [a, b] = contact.nodes;
    let across = |n: NodeId| {
        let [x, y] = model.contacts[model.node(n).contact?.index()].nodes;
        Some(if x == n { y } else { x })
    };
    let (near, far) = (model.neighbours(a), model.neighbours(b));
    let twist = near.into_iter().flatten().find(|&m| far.contains(&across(m)) && across(m).is_some())?;
    let other =
        |pair: [Option<NodeId>; 2], not: Option<NodeId>| pair.into_iter().find(|n| *n != not).flatten();
    model.node(a).stitch?;
    let (m, n) = (other(near, Some(twist))?, other(far, across(twist))?);
    (model.node(m).block != model.node(n).block).then_some([a, m, n])
}
