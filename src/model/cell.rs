//! A repeat of a knit among copies of itself.
//!
//! In a fabric without borders every repeat lies as all others do, moved by whole periods. A patch stands for it: in its
//! middle a repeat of its own, around it loops that follow as copies.

use std::collections::BTreeMap;
use std::ops::Range;

use super::ids::{BLOCK, BlockId, NodeId, RodId};
use super::tile::stitches;
use super::yarns::{Model, block_position};
use crate::geometry::Vec3;

/// A copy of a crossing, or of a point of a yarn, of the repeat.
#[derive(Debug, Clone)]
struct Copy {
    block: BlockId,
    of: BlockId,
    /// Repeats by which it lies further on: of courses, of wales.
    repeats: [f64; 2],
    /// Its arc coordinates, those that they follow, and the yarn between, m.
    arcs: Vec<(u32, u32, f64)>,
}

/// Which blocks of a patch are the repeat's own, and what the others follow.
#[derive(Debug, Clone)]
pub struct Cell {
    /// The block that each lies as, itself if it is the repeat's own; none near the edges of the patch.
    source: Vec<Option<BlockId>>,
    copies: Vec<Copy>,
    /// An arc coordinate of every course of the repeat: around a fabric without borders yarn can slide as a whole.
    first_arcs: Vec<u32>,
}

impl Cell {
    /// The repeat of the given courses and wales.
    pub fn new(model: &Model, [courses, wales]: &[Range<usize>; 2]) -> Self {
        let (stitches, ranges) = (stitches(model), [courses, wales]);
        let mut out =
            Self { source: vec![None; model.n_blocks()], copies: Vec::new(), first_arcs: Vec::new() };
        let mut first_arcs = BTreeMap::new();
        for block in (0..model.n_blocks() as u32).map(BlockId) {
            let Some((owner, stitch)) = owner(model, block) else { continue };
            if (0..2).all(|k| ranges[k].contains(&(stitch[k] as usize))) {
                out.source[block.index()] = Some(block);
                for node in model.block_nodes[block.index()].into_iter().flatten() {
                    let course = model.node(node).stitch.map_or(0, |s| s[0] as usize) % courses.len();
                    first_arcs.entry(course).or_insert(model.node(node).arc_dof());
                }
            } else if let Some(copy) = copy(model, &stitches, (block, owner, stitch), ranges) {
                out.source[block.index()] = Some(copy.of);
                out.copies.push(copy);
            }
        }
        out.first_arcs = first_arcs.into_values().collect();
        out
    }

    /// The block of the repeat that a block lies as.
    pub fn source(&self, block: BlockId) -> Option<BlockId> {
        self.source[block.index()]
    }

    /// Whether a block is the repeat's own.
    pub fn is_own(&self, block: BlockId) -> bool {
        self.source(block) == Some(block)
    }

    /// An arc coordinate of every course of the repeat.
    pub fn first_arcs(&self) -> &[u32] {
        &self.first_arcs
    }

    /// The periods as the patch lies: from a wale along `x`, and from a course along `y`, to that a repeat further on, m;
    /// 1 m where it has no copies.
    pub fn periods(&self, q: &[f64]) -> [f64; 2] {
        [[0.0, 1.0], [1.0, 0.0]].map(|repeats| {
            let next = self.copies.iter().filter(|c| c.repeats == repeats);
            let steps: Vec<Vec3> =
                next.map(|c| block_position(q, c.block) - block_position(q, c.of)).collect();
            if steps.is_empty() { 1.0 } else { (steps.iter().sum::<Vec3>() / steps.len() as f64).norm() }
        })
    }

    /// Stretches the repeat along `x` and `y`.
    pub fn stretch(&self, q: &mut [f64], by: [f64; 2]) {
        for block in (0..self.source.len() as u32).map(BlockId).filter(|&b| self.is_own(b)) {
            (0..2).for_each(|axis| q[block.dof(axis) as usize] *= by[axis]);
        }
    }

    /// Lays the copies where the repeat has them.
    pub fn follow(&self, q: &mut [f64], [along, up]: [f64; 2]) {
        for copy in &self.copies {
            let x =
                block_position(q, copy.of) + Vec3::new(along * copy.repeats[1], up * copy.repeats[0], 0.0);
            let first = copy.block.dof(0) as usize;
            q[first..first + 3].copy_from_slice(x.as_slice());
            for &(arc, of, yarn) in &copy.arcs {
                q[arc as usize] = q[of as usize] + yarn;
            }
        }
    }
}

/// Lays what is held as it lies in the second of two states, everything else as in the first, with its yarn shifted along.
pub fn lay_out(model: &Model, [from, to]: [&[f64]; 2]) -> Vec<f64> {
    let is_held = |n: NodeId| !model.free[model.node(n).block.dof(0) as usize];
    let mut q = from.to_vec();
    for (block, free) in model.free.chunks_exact(BLOCK).enumerate().filter(|(_, free)| !free[0]) {
        let dofs = BLOCK * block..BLOCK * block + free.len();
        q[dofs.clone()].copy_from_slice(&to[dofs]);
    }
    for rod in (0..model.rods.len() as u32).map(RodId) {
        let shift = |n: NodeId| model.arc(to, n) - model.arc(from, n);
        let (held, others): (Vec<NodeId>, Vec<NodeId>) = model.rod_nodes(rod).partition(|&n| is_held(n));
        for node in others {
            let next = held.partition_point(|&n| n < node);
            let [before, after] = [next.checked_sub(1), Some(next)].map(|k| held.get(k?));
            q[model.node(node).arc_dof() as usize] += match (before, after) {
                (Some(&a), Some(&b)) => {
                    let [begin, at, end] = [a, node, b].map(|n| model.arc(from, n));
                    shift(a) + (at - begin) / (end - begin) * (shift(b) - shift(a))
                }
                (Some(&n), None) | (None, Some(&n)) => shift(n),
                (None, None) => 0.0,
            };
        }
    }
    q
}

/// The node of a block whose stitch was knitted first, and the stitch.
fn owner(model: &Model, block: BlockId) -> Option<(NodeId, [u32; 2])> {
    let nodes = model.block_nodes[block.index()].into_iter().flatten();
    nodes.filter_map(|n| Some((n, model.node(n).stitch?))).min_by_key(|&(n, stitch)| (stitch, n))
}

fn copy(
    model: &Model,
    stitches: &BTreeMap<(RodId, [u32; 2]), Vec<NodeId>>,
    (block, node, stitch): (BlockId, NodeId, [u32; 2]),
    ranges: [&Range<usize>; 2],
) -> Option<Copy> {
    let rod = model.node(node).rod;
    let (mut source, mut repeats) = (stitch, [0.0; 2]);
    for k in 0..2 {
        let (start, period) = (ranges[k].start as i64, ranges[k].len() as i64);
        let from = i64::from(stitch[k]) - start;
        source[k] = (start + from.rem_euclid(period)) as u32;
        repeats[k] = from.div_euclid(period) as f64;
    }
    let (own, theirs) = (stitches.get(&(rod, stitch))?, stitches.get(&(rod, source))?);
    let of = *theirs.get(own.iter().position(|&n| n == node)?)?;
    let (first, _) = owner(model, model.node(of).block)?;
    if own.len() != theirs.len() || first != of {
        return None;
    }
    let arc = |n: NodeId| {
        let of = if n == node { of } else { model.across(of)? };
        let [arc, other] = [n, of].map(|n| model.node(n).arc_dof());
        Some((arc, other, model.drawn[arc as usize] - model.drawn[other as usize]))
    };
    let nodes = model.block_nodes[block.index()].into_iter().flatten();
    Some(Copy { block, of: model.node(of).block, repeats, arcs: nodes.map(arc).collect::<Option<_>>()? })
}
