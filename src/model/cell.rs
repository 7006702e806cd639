//! A repeat of a fabric among copies of itself.
//!
//! In a fabric without borders every repeat lies as all others do, moved by whole periods. A patch stands for it: in its
//! middle a repeat of its own, around it what follows as copies. Places of a patch are counted along `y` and along `x`: in
//! courses and wales of a knit, in warps and wefts of a weave.

use std::collections::BTreeMap;
use std::ops::Range;

use super::ids::{BLOCK, BlockId, NodeId, RodId};
use super::select::ThreadSet;
use super::tile::grouped;
use super::yarns::{Model, block_position};
use crate::geometry::Vec3;

/// A copy of a crossing, or of a point of a yarn, of the repeat.
#[derive(Debug, Clone)]
struct Copy {
    block: BlockId,
    of: BlockId,
    /// Repeats by which it lies further on, along `y` and `x`.
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
    /// An arc coordinate of every yarn of the repeat, and of every course that is knitted of one: along a fabric without
    /// borders yarn can slide as a whole.
    first_arcs: Vec<u32>,
}

/// Yarns that are alike from repeat to repeat: a knitted one, or all of a direction of a weave.
type Line = (Option<RodId>, ThreadSet);

/// Where a node lies in its fabric: on what, and how far along `y` and `x`.
type Place = (Line, [u32; 2]);

impl Cell {
    /// The repeat of the given places along `y` and `x`.
    pub fn new(model: &Model, ranges: &[Range<usize>; 2]) -> Self {
        let nodes = grouped(model, |n| place_of(model, n));
        let mut out =
            Self { source: vec![None; model.n_blocks()], copies: Vec::new(), first_arcs: Vec::new() };
        let mut first_arcs = BTreeMap::new();
        for block in (0..model.n_blocks() as u32).map(BlockId) {
            let Some((owner, place)) = owner(model, block) else { continue };
            if (0..2).all(|k| ranges[k].contains(&(place.1[k] as usize))) {
                out.source[block.index()] = Some(block);
                for node in model.block_nodes[block.index()].into_iter().flatten() {
                    let Some(((_, set), at)) = place_of(model, node) else { continue };
                    let axis = across(model, node, set);
                    let yarn = (set, at[axis] as usize % ranges[axis].len());
                    first_arcs.entry(yarn).or_insert(model.node(node).arc_dof());
                }
            } else if let Some(copy) = copy(model, &nodes, (block, owner, place), ranges) {
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

    /// An arc coordinate of every yarn, or course, of the repeat.
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

    /// Yarn from a warp's node to the one a repeat further on, and the same of a weft, m; of a weave with copies.
    pub fn yarn(&self) -> [f64; 2] {
        [[0.0, 1.0], [1.0, 0.0]].map(|repeats| {
            let next = self.copies.iter().filter(|c| c.repeats == repeats);
            // The yarn across is another one there, as far along.
            let yarns = next.map(|c| c.arcs.iter().map(|a| a.2).fold(0.0, f64::max));
            yarns.reduce(f64::max).unwrap_or(0.0)
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

/// Where a node lies: a knitted one by its stitch, one at a crossing of a weave without cuts by the yarns that cross.
fn place_of(model: &Model, node: NodeId) -> Option<Place> {
    let rod = model.node(node).rod;
    if let Some(stitch) = model.node(node).stitch {
        return Some(((Some(rod), ThreadSet::Weft), stitch));
    }
    let [own, other] = [node, model.across(node)?].map(|n| model.rod_of(n).thread);
    let (own, other) = (own?, other?);
    let place = match own.set {
        ThreadSet::Warp => [own.index, other.index],
        ThreadSet::Weft => [other.index, own.index],
    };
    Some(((None, own.set), place))
}

/// The direction, of places, from yarn to yarn of a set.
fn across(model: &Model, node: NodeId, set: ThreadSet) -> usize {
    usize::from(model.node(node).stitch.is_none() && set == ThreadSet::Weft)
}

/// The node of a block that comes first in the fabric, and its place.
fn owner(model: &Model, block: BlockId) -> Option<(NodeId, Place)> {
    let nodes = model.block_nodes[block.index()].into_iter().flatten();
    nodes.filter_map(|n| Some((n, place_of(model, n)?))).min_by_key(|&(n, (_, at))| (at, n))
}

fn copy(
    model: &Model,
    nodes: &BTreeMap<Place, Vec<NodeId>>,
    (block, node, (line, at)): (BlockId, NodeId, Place),
    ranges: &[Range<usize>; 2],
) -> Option<Copy> {
    let (mut source, mut repeats) = (at, [0.0; 2]);
    for k in 0..2 {
        let (start, period) = (ranges[k].start as i64, ranges[k].len() as i64);
        let from = i64::from(at[k]) - start;
        source[k] = (start + from.rem_euclid(period)) as u32;
        repeats[k] = from.div_euclid(period) as f64;
    }
    let (own, theirs) = (nodes.get(&(line, at))?, nodes.get(&(line, source))?);
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
