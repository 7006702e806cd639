//! Strips of neighbouring yarns for the solver's preconditioner.

use super::stitches;
use crate::model::ids::{NodeId, RodId};
use crate::model::select::ThreadSet;
use crate::model::yarns::Model;

/// Yarns in a strip of the preconditioner: with single yarns a crimped weave needs four times the
/// iterations, with three the factor costs more than it saves.
const STRIP_WIDTH: usize = 2;

/// The blocks of all nodes along neighbouring yarns, contacts with other fabrics among them: a contact
/// is in a strip of either rod.
pub(super) fn strips(model: &Model) -> Vec<Vec<u32>> {
    let mut out = Vec::new();
    for fabric in 0..model.fabrics.len() as u32 {
        let knitted = stitches::strips(model, fabric);
        if !knitted.is_empty() {
            out.extend(knitted);
            continue;
        }
        for set in [ThreadSet::Warp, ThreadSet::Weft] {
            let is_in =
                |r: &RodId| model.rods[r.index()].thread.is_some_and(|t| t.fabric == fabric && t.set == set);
            let rods: Vec<RodId> = (0..model.rods.len() as u32).map(RodId).filter(is_in).collect();
            out.extend(rods.chunks(STRIP_WIDTH).map(|pair| interleave(model, pair)));
        }
    }
    out.extend(model.single_rods.iter().map(|(_, rod)| blocks(model, *rod)));
    out
}

/// The blocks along a rod, without those of contacts that wait; that in which both ends of a closed one lie once.
fn blocks(model: &Model, rod: RodId) -> Vec<u32> {
    let is_there = |n: &NodeId| model.is_for_edges(*n) || !model.is_to_come(*n);
    let mut out: Vec<u32> = model.rod_nodes(rod).filter(is_there).map(|n| model.node(n).block.0).collect();
    if out.len() > 1 && out.first() == out.last() {
        out.pop();
    }
    out
}

/// Merges neighbouring yarns into one list, block after block along them.
fn interleave(model: &Model, rods: &[RodId]) -> Vec<u32> {
    let of = |block: u32| model.coordinates[block as usize];
    let yarns: Vec<Vec<u32>> = rods.iter().map(|&r| blocks(model, r)).collect();
    let (first, last) = match (yarns[0].first(), yarns[0].last()) {
        (Some(&first), Some(&last)) => (of(first), of(last)),
        _ => return Vec::new(),
    };
    let along = [last[0] - first[0], last[1] - first[1]];
    let mut all: Vec<(f64, f64, u32)> = yarns
        .into_iter()
        .flatten()
        .map(|b| {
            let c = of(b);
            (c[0] * along[0] + c[1] * along[1], c[1] * along[0] - c[0] * along[1], b)
        })
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    all.into_iter().map(|(_, _, block)| block).collect()
}
