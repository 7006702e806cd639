//! Normal forces between fabrics, freed of what the discretisation adds.

use rayon::prelude::*;

use crate::model::arrangement::{Arrangement, Role};
use crate::model::ids::{NodeId, RodId};
use crate::model::yarns::Model;

/// How often the filter is applied along each rod. Once leaves a tenth of the alternation on a rod bent
/// round a table's rim, three times smear the pressure of the rim over two more spacings.
const PASSES: usize = 2;

/// Spreads the normal forces of contacts between fabrics along both of their rods, which keeps their sum:
///
/// ```text
/// F_i <- F_(i-1)/4 + F_i/2 + F_(i+1)/4        i-th contact of a rod with one other fabric
/// ```
/// Two bent rods are poly-lines with corners at different places. Where contacts hold them together they
/// push and pull by turns, far more than the layers press on each other.
pub(super) fn spread(model: &Model, arrangement: &Arrangement, q: &[f64], forces: &mut [f64]) {
    let rods = || (0..model.rods.len() as u32).into_par_iter().map(RodId);
    for end in 0..2 {
        let sequences: Vec<Vec<u32>> =
            rods().flat_map_iter(|r| sequences(model, arrangement, q, (r, end))).collect();
        for _ in 0..PASSES {
            let filtered: Vec<Vec<f64>> = sequences.par_iter().map(|s| filtered(s, forces)).collect();
            for (contacts, values) in sequences.iter().zip(filtered) {
                contacts.iter().zip(values).for_each(|(&c, value)| forces[c as usize] = value);
            }
        }
    }
}

/// The contacts of which a rod is the first (`end` 0) or the second (1), in order along it, for each of the
/// other fabrics.
fn sequences(
    model: &Model,
    arrangement: &Arrangement,
    q: &[f64],
    (rod, end): (RodId, usize),
) -> Vec<Vec<u32>> {
    let entry = |node: NodeId| {
        let id = model.node(node).contact?;
        let nodes = model.contacts[id.index()].nodes;
        let is_one = !model.is_own(node) && nodes[end] == node && arrangement.role(node) != Role::Removed;
        let other = model.rod_of(nodes[1 - end]).thread.map_or(u32::MAX, |t| t.fabric);
        is_one.then(|| (other, model.arc(q, node), id.0))
    };
    let mut entries: Vec<(u32, f64, u32)> = model.rod_nodes(rod).filter_map(entry).collect();
    entries.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    entries.chunk_by(|a, b| a.0 == b.0).map(|one| one.iter().map(|e| e.2).collect()).collect()
}

/// The forces of a sequence of contacts, filtered once.
fn filtered(contacts: &[u32], forces: &[f64]) -> Vec<f64> {
    let f = |k: usize| forces[contacts[k] as usize];
    let last = contacts.len() - 1;
    let value = |k: usize| 0.25 * f(k.saturating_sub(1)) + 0.5 * f(k) + 0.25 * f((k + 1).min(last));
    (0..contacts.len()).map(value).collect()
}
