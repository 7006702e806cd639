//! The strips of the preconditioner as nodes change their roles.

use rayon::prelude::*;

use crate::model::arrangement::{Arrangement, Role};
use crate::model::ids::BlockId;
use crate::model::yarns::Model;

/// The model's strips, where they hold a degenerate contact with the nodes that it is bound to: a strip
/// that cuts a binding takes its end for fixed, and a binding is so stiff that conjugate gradients would
/// need hundreds of iterations to find that it is not.
pub(super) fn strips(model: &Model, arrangement: &Arrangement) -> Vec<Vec<u32>> {
    let with_bound = |strip: &Vec<u32>| {
        let mut own = strip.clone();
        own.sort_unstable();
        let mut out = Vec::with_capacity(strip.len());
        for &block in strip {
            out.push(block);
            for &node in model.block_nodes[BlockId(block).index()].iter().flatten() {
                let Role::Eil(around) = arrangement.role(node) else { continue };
                let bound = around.map(|n| model.node(n).block.0);
                out.extend(bound.into_iter().filter(|b| own.binary_search(b).is_err()));
            }
        }
        out
    };
    model.strips.par_iter().map(with_bound).collect()
}
