//! What is left between the points of degenerate contacts, so that they change their roles without a jolt.

use rayon::prelude::*;

use crate::geometry::Vec3;
use crate::model::arrangement::{Arrangement, Role};
use crate::model::ids::{BlockId, NodeId};
use crate::model::yarns::{Model, block_position};

/// Part of what is left that goes in a step. A node that becomes degenerate where its yarn bends by an angle `a`
/// is up to `0.1 L a` from the straight line that is left of its yarn. A binding closed at once, a thousand times
/// as stiff as the yarn, would hold up to `5 EA L a^2` there, more than anything else in the cloth does.
const CLOSED: f64 = 0.1;

/// The offsets at which bindings rest, by block, m: from the second rod of a contact, or its position, to the first.
///
/// ```text
/// o' = s' - (s - o)        s, s' between the points before and after a change of roles
/// ```
/// The offset takes up whatever a change moves, so that the bindings have the same force and energy after it; it
/// then goes to zero in a dozen steps. This is the progressive transition that Sanchez-Banderas et al. 2020 propose at
/// the end of section 4.3.1; their (4.4) to (4.7) move a node along its yarn, but what is in the way lies across it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Slack(Vec<Vec3>);

impl Slack {
    /// Nothing between.
    pub(super) fn new(model: &Model) -> Self {
        Self(vec![Vec3::zeros(); model.n_blocks()])
    }

    /// By block.
    pub(super) fn offsets(&self) -> &[Vec3] {
        &self.0
    }

    /// After a step.
    pub(super) fn close(&mut self) {
        self.0.iter_mut().for_each(|o| *o *= 1.0 - CLOSED);
    }

    /// After a change of roles at `q`.
    pub(super) fn changed(&self, model: &Model, [old, new]: [&Arrangement; 2], q: &[f64]) -> Self {
        let offset = |(block, o): (usize, &Vec3)| {
            let block = BlockId(block as u32);
            let Some(now) = between(model, new, q, block) else { return Vec3::zeros() };
            now - between(model, old, q, block).map_or_else(Vec3::zeros, |before| before - o)
        };
        Self(self.0.par_iter().enumerate().map(offset).collect())
    }

    /// Takes over offsets of the same blocks, one component after another.
    pub(super) fn load(&mut self, saved: &[[f64; 3]]) {
        self.0 = saved.iter().map(|o| Vec3::from(*o)).collect();
    }

    /// By block.
    pub(super) fn save(&self) -> Vec<[f64; 3]> {
        self.0.iter().map(|o| (*o).into()).collect()
    }
}

/// From the second point that a binding holds to the first; none if nothing of a block is bound.
fn between(model: &Model, arrangement: &Arrangement, q: &[f64], block: BlockId) -> Option<Vec3> {
    let nodes = model.block_nodes[block.index()];
    let is_bound = |n: &NodeId| matches!(arrangement.role(*n), Role::Eil([a, c]) if a != c);
    let point = |k: usize| match nodes[k] {
        Some(n) => arrangement.present_point(model, q, n),
        None => block_position(q, block),
    };
    nodes.iter().flatten().any(is_bound).then(|| point(0) - point(1))
}
