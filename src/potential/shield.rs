//! Nodes that other fabrics keep away from obstacles.

use rayon::prelude::*;

use super::term::Arranged;
use crate::geometry::Vec3;
use crate::model::arrangement::Role;
use crate::model::ids::{NodeId, RodId};

/// The direction, not normalised, away from the fabrics that every block's yarns lie on, from their
/// contacts between fabrics up to the next own nodes; zero where there is none.
///
/// Contacts have no thickness, so all layers are at the same distance from an obstacle. Only the one that
/// faces it touches it; the others rest on that one.
pub(crate) fn shields(now: &Arranged<'_>) -> Vec<Vec3> {
    let Arranged { model, .. } = *now;
    let mut out = vec![Vec3::zeros(); model.n_blocks()];
    let rods = 0..model.rods.len() as u32;
    let of_rods: Vec<Vec<(NodeId, Vec3)>> = rods.into_par_iter().map(|r| of_rod(now, RodId(r))).collect();
    for (node, away) in of_rods.into_iter().flatten() {
        out[model.node(node).block.index()] += away;
    }
    out
}

/// The directions at a rod's own nodes that have a contact with another fabric beside them.
fn of_rod(now: &Arranged<'_>, rod: RodId) -> Vec<(NodeId, Vec3)> {
    let Arranged { model, arrangement, q } = *now;
    if model.rod_nodes(rod).all(|n| model.is_own(n)) {
        return Vec::new();
    }
    let is_there = |n: &NodeId| arrangement.role(*n) != Role::Removed && !model.is_for_edges(*n);
    let present = model.rod_nodes(rod).filter(is_there);
    let mut nodes: Vec<NodeId> = present.collect();
    nodes.sort_by(|&a, &b| model.arc(q, a).total_cmp(&model.arc(q, b)));
    let beside = |node: Option<&NodeId>| {
        node.filter(|&&n| !model.is_own(n)).map_or_else(Vec3::zeros, |&n| away(now, n))
    };
    let own = (0..nodes.len()).filter(|&k| model.is_own(nodes[k]));
    own.map(|k| (nodes[k], beside(k.checked_sub(1).map(|j| &nodes[j])) + beside(nodes.get(k + 1))))
        .filter(|(_, away)| *away != Vec3::zeros())
        .collect()
}

/// Unit normal of a node's contact, from the other rod to the node's.
fn away(now: &Arranged<'_>, node: NodeId) -> Vec3 {
    let Arranged { model, arrangement, q } = *now;
    let Some(id) = model.node(node).contact else { return Vec3::zeros() };
    let contact = &model.contacts[id.index()];
    let n = arrangement.normal(model, q, contact);
    if contact.nodes[0] == node { n } else { -n }
}
