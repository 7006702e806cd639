//! Which loops of a knit come undone.
//!
//! Two yarns that cross twice in a row, the one over the other both times, hold nothing: either can be drawn back
//! until they part (Reidemeister's second move). So it is with the last loop of an open edge, which only the loop
//! below holds. Where two loops hook, they cross over and under by turns, which no pull undoes. What tells the two
//! apart are the signs of the crossings, [`side`]: opposite here, the same in a hook.
//!
//! [`side`]: crate::model::yarns::Contact::side

use crate::model::arrangement::Arrangement;
use crate::model::ids::{NodeId, RodId};
use crate::model::yarns::{ContactKind, Model};

/// Two crossings that follow each other on both yarns: on that which was knitted later, on the other.
type Bight = [[NodeId; 2]; 2];

/// The nodes that go where loops come undone.
///
/// A bight does so when its yarn is longer by less than `r_A + r_B` than the earlier one that it hangs on: it reaches
/// no further beyond that one than half the thickness of both. Knots hold.
pub(super) fn undone(model: &Model, arrangement: &Arrangement, q: &[f64]) -> Vec<NodeId> {
    if model.contacts.iter().all(|c| c.kind != ContactKind::Hook) {
        return Vec::new();
    }
    let is_drawn_back = |bight: &Bight| {
        let [own, other] = bight.map(|[a, b]| (model.arc(q, b) - model.arc(q, a)).abs());
        let radii: f64 = bight.iter().map(|b| model.rod_of(b[0]).material.radius).sum();
        own - other < radii
    };
    let bights = bights(model, arrangement, q).into_iter().filter(is_drawn_back);
    bights.flat_map(|bight| parted(model, arrangement, q, bight)).collect()
}

/// Every two crossings of the same two stitches that follow each other on both yarns with opposite signs. Where a yarn
/// turns into the next row its crossings with a leg may cancel each other too, but the stitches there hold.
fn bights(model: &Model, arrangement: &Arrangement, q: &[f64]) -> Vec<Bight> {
    let hook = |n: NodeId| {
        let contact = &model.contacts[model.node(n).contact?.index()];
        (contact.kind == ContactKind::Hook && !arrangement.is_apart(contact)).then_some(contact)
    };
    let mut next = vec![None; model.nodes.len()];
    for rod in 0..model.rods.len() as u32 {
        let mut nodes: Vec<NodeId> = model.rod_nodes(RodId(rod)).filter(|&n| hook(n).is_some()).collect();
        nodes.sort_by(|&a, &b| model.arc(q, a).total_cmp(&model.arc(q, b)));
        nodes.windows(2).for_each(|w| next[w[0].index()] = Some(w[1]));
    }
    let is_free = |n: NodeId| model.free[model.node(n).arc_dof() as usize];
    let stitch = |n: NodeId| model.node(n).stitch;
    let is_stitch = |[a, b]: [NodeId; 2]| stitch(a) == stitch(b);
    let pairs = next.iter().zip(0..).filter_map(|(b, a)| Some([NodeId(a), (*b)?]));
    let bight = |[a, b]: [NodeId; 2]| {
        let others = [model.across(a)?, model.across(b)?];
        let [c, d] = others;
        let is_beside = next[c.index()] == Some(d) || next[d.index()] == Some(c);
        let is_loose = is_free(a) && is_free(b) && hook(a)?.side != hook(b)?.side;
        (stitch(a) > stitch(c) && is_beside && is_loose && is_stitch([a, b]) && is_stitch(others))
            .then_some([[a, b], others])
    };
    pairs.filter_map(bight).collect()
}

/// The node that goes at either crossing of a bight: together those that press their yarns together least.
///
/// ```text
/// V = k (s - l)^2/(2 s)       l between the nodes that are left around, s > l the yarn between them
/// ```
fn parted(model: &Model, arrangement: &Arrangement, q: &[f64], [own, other]: Bight) -> [NodeId; 2] {
    let choices = [own, other, [own[0], other[1]], [other[0], own[1]]];
    let squeezed = |gone: &[NodeId; 2]| {
        let mut spans: Vec<_> = gone.iter().filter_map(|&n| span(model, arrangement, n, gone)).collect();
        spans.dedup();
        let cost = |[a, b]: [NodeId; 2]| {
            let s = model.arc(q, b) - model.arc(q, a);
            let short = (s - (model.position(q, b) - model.position(q, a)).norm()).max(0.0);
            model.rod_of(a).material.stretch_stiffness() * short * short / (2.0 * s)
        };
        spans.into_iter().map(cost).sum::<f64>()
    };
    let costs = choices.map(|gone| (squeezed(&gone), gone));
    let best = costs.into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or(own, |(_, gone)| gone)
}

/// The nodes of the chain that are left around one of those that go; none if it is in no chain or at its end.
fn span(model: &Model, arrangement: &Arrangement, node: NodeId, gone: &[NodeId]) -> Option<[NodeId; 2]> {
    if !arrangement.is_active(node) {
        return None;
    }
    let left = |side: usize| {
        let mut at = node;
        while gone.contains(&at) {
            at = arrangement.neighbours(model, at)[side]?;
        }
        Some(at)
    };
    Some([left(0)?, left(1)?])
}
