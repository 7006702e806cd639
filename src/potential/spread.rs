//! Normal forces between fabrics, smoothed to remove the noise of the discretisation.

use rayon::prelude::*;

use crate::model::arrangement::Arrangement;
use crate::model::ids::{ContactId, NodeId, RodId};
use crate::model::yarns::{ContactKind, Model};

/// How often the filter is applied along both rods in turn, at least and at most. Where three cloths of thick
/// yarns bend over a table's rim contacts push and pull by turns with ten times what the cloths weigh there: of
/// 1,316 contacts 576 pull after two passes, with three times the sum of all forces, 476 after eight, with half
/// of it, and 143 after thirty, with a twentieth. But thirty smear what presses over four contacts to either
/// side, which turns the friction of a small patch on a slope aside by three degrees.
const PASSES: [usize; 2] = [2, 30];

/// Pulls over pushes at which filtering ends.
const ENOUGH: f64 = 0.05;

/// How often what contacts still pull is passed on along both rods. One or two passes leave nothing where
/// neighbours push and pull by turns; where a part of a layer pulls as a whole, twelve take from no further
/// away than a dozen contacts.
const PULL_PASSES: usize = 12;

/// Contacts beside one another.
type Sequence = Vec<ContactId>;

/// Contacts with one other fabric: in order along the rods that are their first, in order along those that are
/// their second, and those of warp and weft about each crossing of the fabrics of their first rods. Of aligned
/// layers warp touches only weft and weft only warp: nothing but their crossings joins these contacts.
struct Sequences([Vec<Sequence>; 3]);

impl Sequences {
    /// Of the contacts between fabrics that are there, or that were until now and have a force.
    fn new(model: &Model, arrangement: &Arrangement, q: &[f64], forces: &[f64]) -> Self {
        let rods = || (0..model.rods.len() as u32).into_par_iter().map(RodId);
        let is_there =
            |id: ContactId| !arrangement.is_apart(&model.contacts[id.index()]) || forces[id.index()] != 0.0;
        let entry = |node: NodeId, end: usize| {
            let id = model.node(node).contact?;
            let nodes = model.contacts[id.index()].nodes;
            let is_one = !model.is_own(node) && nodes[end] == node && is_there(id);
            let other = model.rod_of(nodes[1 - end]).thread.map_or(u32::MAX, |t| t.fabric);
            is_one.then(|| (other, model.arc(q, node), id))
        };
        let of_rod = |rod: RodId, end: usize| -> Vec<Sequence> {
            let mut entries: Vec<(u32, f64, ContactId)> =
                model.rod_nodes(rod).filter_map(|n| entry(n, end)).collect();
            entries.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
            entries.chunk_by(|a, b| a.0 == b.0).map(|one| one.iter().map(|e| e.2).collect()).collect()
        };
        let [first, second] = [0, 1].map(|end| rods().flat_map_iter(|r| of_rod(r, end)).collect());
        let mut about: Vec<((u32, u32), ContactId)> =
            rods().flat_map_iter(|r| Self::about_crossings(model, q, r)).collect();
        about.retain(|(_, id)| is_there(*id));
        about.sort();
        let crossings = about.chunk_by(|a, b| a.0 == b.0).map(|c| c.iter().map(|e| e.1).collect());
        Self([first, second, crossings.collect()])
    }

    /// The contacts of which a rod is the first, each with the nearest crossing of its own fabric and the other
    /// fabric.
    fn about_crossings(model: &Model, q: &[f64], rod: RodId) -> Vec<((u32, u32), ContactId)> {
        let nodes = || model.rod_nodes(rod);
        let id = |n: NodeId| model.node(n).contact;
        let crossings: Vec<(f64, ContactId)> =
            nodes().filter(|&n| model.is_own(n)).filter_map(|n| Some((model.arc(q, n), id(n)?))).collect();
        let of_node = |node: NodeId| {
            let (id, u) = (id(node)?, model.arc(q, node));
            let other = model.rod_of(model.contacts[id.index()].nodes[1]).thread?.fabric;
            let after = crossings.partition_point(|c| c.0 < u);
            let beside = [after.checked_sub(1), Some(after)].into_iter().flatten();
            let near = beside.filter_map(|k| crossings.get(k));
            let nearest = near.min_by(|a, b| (a.0 - u).abs().total_cmp(&(b.0 - u).abs()))?;
            Some(((nearest.1.0, other), id))
        };
        let is_first = |n: &NodeId| id(*n).is_some_and(|c| model.contacts[c.index()].nodes[0] == *n);
        nodes().filter(|&n| !model.is_own(n)).filter(is_first).filter_map(of_node).collect()
    }

    /// Replaces the forces of every sequence of one sort.
    fn replace(&self, sort: usize, forces: &mut [f64], by: impl Fn(&Sequence, &[f64]) -> Vec<f64> + Sync) {
        let replaced: Vec<Vec<f64>> = self.0[sort].par_iter().map(|s| by(s, forces)).collect();
        for (contacts, values) in self.0[sort].iter().zip(replaced) {
            contacts.iter().zip(values).for_each(|(c, value)| forces[c.index()] = value);
        }
    }
}

/// Spreads the normal forces of contacts between fabrics along both of their rods and round their crossings,
/// which keeps their sum:
///
/// ```text
/// F_i <- F_(i-1)/4 + F_i/2 + F_(i+1)/4        i-th contact beside each other
/// ```
/// Two bent rods are poly-lines with corners at different places. Where contacts hold them together they
/// push and pull by turns, far more than the layers press on each other. It is done until little pulls.
pub(super) fn spread(model: &Model, arrangement: &Arrangement, q: &[f64], forces: &mut [f64]) {
    let sequences = Sequences::new(model, arrangement, q, forces);
    let between = || model.contacts.iter().enumerate().filter(|(_, c)| c.kind == ContactKind::Inter);
    for pass in 0..PASSES[1] {
        let sum = |sign: f64| between().map(|(id, _)| (sign * forces[id]).max(0.0)).sum::<f64>();
        if pass >= PASSES[0] && sum(-1.0) <= ENOUGH * sum(1.0) {
            break;
        }
        for sort in 0..3 {
            sequences.replace(sort, forces, filtered);
        }
    }
}

/// The forces of a sequence of contacts, filtered once.
fn filtered(contacts: &Sequence, forces: &[f64]) -> Vec<f64> {
    let f = |k: usize| forces[contacts[k].index()];
    let last = contacts.len() - 1;
    let value = |k: usize| 0.25 * f(k.saturating_sub(1)) + 0.5 * f(k) + 0.25 * f((k + 1).min(last));
    (0..contacts.len()).map(value).collect()
}

/// What contacts press with when none can pull: one that pulls takes as much from its neighbours along both
/// rods, and one that was just removed leaves to them what it carried. The sum is kept, and with it the
/// friction of layers whose contacts push and pull by turns, as they do for a step when many change their
/// roles, or like a lever. What nobody near can give is left negative.
pub(crate) fn pressures(model: &Model, arrangement: &Arrangement, q: &[f64], forces: &[f64]) -> Vec<f64> {
    let mut out = forces.to_vec();
    let gone = |c: ContactId| arrangement.is_apart(&model.contacts[c.index()]);
    let owed = |c: ContactId, force: f64| if gone(c) { force.max(0.0) } else { force.min(0.0) };
    let owes = |out: &[f64]| {
        let contacts = (0..model.contacts.len() as u32).map(ContactId);
        contacts.zip(out).any(|(c, f)| *f != 0.0 && owed(c, *f) != 0.0)
    };
    if !owes(&out) {
        return out;
    }
    let sequences = Sequences::new(model, arrangement, q, forces);
    for _ in 0..PULL_PASSES {
        // A part of what is owed is left for the others.
        for (sort, part) in [1.0 / 3.0, 0.5, 1.0].into_iter().enumerate() {
            sequences.replace(sort, &mut out, |s, f| passed_on(s, f, part, owed));
        }
        if !owes(&out) {
            break;
        }
    }
    for (id, contact) in model.contacts.iter().enumerate() {
        if arrangement.is_apart(contact) {
            out[id] = 0.0;
        }
    }
    out
}

/// The forces of a sequence once every contact has passed a part of what it owes to those beside it.
fn passed_on(
    contacts: &Sequence,
    forces: &[f64],
    part: f64,
    owed: impl Fn(ContactId, f64) -> f64,
) -> Vec<f64> {
    let mut out: Vec<f64> = contacts.iter().map(|c| forces[c.index()]).collect();
    for (k, &contact) in contacts.iter().enumerate() {
        let debt = part * owed(contact, forces[contact.index()]);
        let beside = [k.checked_sub(1), (k + 1 < contacts.len()).then_some(k + 1)];
        let n = beside.iter().flatten().count();
        for other in beside.into_iter().flatten() {
            out[other] += debt / n as f64;
            out[k] -= debt / n as f64;
        }
    }
    out
}
