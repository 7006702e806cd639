//! Large knits from small ones: the middle of a small one repeated, its edges as edges.
//!
//! Every loop of the whole is one of the patch, moved by whole repeats; near an edge it is the loop that is as far
//! from that edge, elsewhere one of the repeat in the middle:
//!
//! ```text
//! patch   | . . . . a b . . . . |
//! whole   | . . . . a b a b a b a b . . . . |
//! ```
//! So cast-on, bind-off and selvedges lie as they do at rest. Yarn slides from loop to loop, and near an edge loops may
//! have more or less of it: yarns of the whole are as long as the loops of which it is made are together, so that nothing
//! has to slide through all of it.

use std::collections::BTreeMap;
use std::ops::Range;

use super::ids::{BLOCK, NodeId, RodId};
use super::yarns::Model;
use crate::geometry::Vec3;

/// Loops between an edge and the repeat in the middle, at least; beyond them edges hardly change loops at rest.
const MARGIN: usize = 8;

/// Loops in one direction: courses or wales.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tiling {
    /// Those of the whole.
    pub(crate) whole: usize,
    /// Those of the repeat.
    pub(crate) repeat: usize,
    /// Those of the patch.
    pub(crate) patch: usize,
}

impl Tiling {
    /// Of a whole with the smallest patch that differs from it by repeats; the patch may be the whole.
    pub(crate) fn new(whole: usize, repeat: usize) -> Self {
        let least = repeat + 2 * MARGIN.max(repeat.div_ceil(2));
        let spare = whole.saturating_sub(least) / repeat * repeat;
        Self { whole, repeat, patch: whole - spare }
    }

    /// Repeats by which the whole is larger than the patch.
    pub(crate) fn repeats(&self) -> usize {
        (self.whole - self.patch) / self.repeat
    }

    /// The loops of the repeat in the middle of the patch; all of a patch that is the whole.
    pub(crate) fn in_the_middle(&self) -> Range<usize> {
        if self.repeats() == 0 {
            return 0..self.patch;
        }
        let first = (self.patch - self.repeat) / 2;
        first..first + self.repeat
    }

    /// The index in the patch of one in the whole, and by how many repeats it has moved.
    fn source(&self, index: usize) -> (usize, usize) {
        let Range { start: middle, end } = self.in_the_middle();
        let spare = self.whole - self.patch;
        if spare == 0 || index < middle {
            (index, 0)
        } else if index >= end + spare {
            (index - spare, self.repeats())
        } else {
            (middle + (index - middle) % self.repeat, (index - middle) / self.repeat)
        }
    }
}

/// A patch at rest.
struct Patch<'a> {
    model: &'a Model,
    q: &'a [f64],
    tilings: [Tiling; 2],
    /// The nodes of every stitch on every rod, in order.
    stitches: BTreeMap<(RodId, [u32; 2]), Vec<NodeId>>,
}

impl<'a> Patch<'a> {
    fn new((model, q): (&'a Model, &'a [f64]), tilings: [Tiling; 2]) -> Self {
        Self { model, q, tilings, stitches: stitches(model) }
    }

    /// The node that one of the whole lies as, and by how many repeats it has moved.
    fn source(&self, rod: RodId, stitch: [u32; 2], place: [usize; 2]) -> Option<(NodeId, [f64; 2])> {
        let [course, wale] = [0, 1].map(|k| self.tilings[k].source(stitch[k] as usize));
        let nodes = self.stitches.get(&(rod, [course.0 as u32, wale.0 as u32]))?;
        let [index, count] = place;
        (nodes.len() == count).then(|| (nodes[index], [course.1 as f64, wale.1 as f64]))
    }

    /// Yarn to the node that is drawn next, m; none after the last.
    fn yarn_after(&self, node: NodeId) -> f64 {
        if node.0 + 1 == self.model.rod_of(node).nodes.end {
            return 0.0;
        }
        self.model.arc(self.q, NodeId(node.0 + 1)) - self.model.arc(self.q, node)
    }
}

/// A knit as it is laid out.
pub(crate) struct Laid {
    /// Its unknowns.
    pub(crate) q: Vec<f64>,
    /// Lengths of its yarns, m.
    pub(crate) lengths: Vec<f64>,
}

/// Lays a knit out as a patch of it lies, with the periods of its repeat along `x` and `y`, m. Both are built by
/// themselves, without a placement, of the courses and the wales that the tilings say. None if their charts do not match.
pub(crate) fn tile(
    whole: &Model,
    patch: (&Model, &[f64]),
    (tilings, periods): ([Tiling; 2], [f64; 2]),
) -> Option<Laid> {
    let patch = Patch::new(patch, tilings);
    let mut places = vec![(Vec3::zeros(), 0.0); whole.n_blocks()];
    let mut yarn_after = vec![0.0; whole.nodes.len()];
    for ((rod, stitch), nodes) in stitches(whole) {
        for (k, &node) in nodes.iter().enumerate() {
            let (from, [up, along]) = patch.source(rod, stitch, [k, nodes.len()])?;
            let place = &mut places[whole.node(node).block.index()];
            place.0 +=
                patch.model.position(patch.q, from) + Vec3::new(along * periods[0], up * periods[1], 0.0);
            place.1 += 1.0;
            yarn_after[node.index()] = patch.yarn_after(from);
        }
    }
    let mut q = whole.drawn.clone();
    for (block, (sum, n)) in places.into_iter().enumerate().filter(|(_, p)| p.1 > 0.0) {
        q[BLOCK * block..BLOCK * block + 3].copy_from_slice((sum / n).as_slice());
    }
    let mut lay_yarn = |rod: u32| {
        whole.rod_nodes(RodId(rod)).fold(0.0, |arc, node| {
            q[whole.node(node).arc_dof() as usize] = arc;
            arc + yarn_after[node.index()]
        })
    };
    let lengths = (0..whole.rods.len() as u32).map(&mut lay_yarn).collect();
    Some(Laid { q, lengths })
}

/// The nodes of every stitch on every rod, in order.
fn stitches(model: &Model) -> BTreeMap<(RodId, [u32; 2]), Vec<NodeId>> {
    grouped(model, |n| Some((model.node(n).rod, model.node(n).stitch?)))
}

/// The nodes that have a key, by it, in order.
pub(super) fn grouped<K: Ord>(model: &Model, key: impl Fn(NodeId) -> Option<K>) -> BTreeMap<K, Vec<NodeId>> {
    let mut out: BTreeMap<_, Vec<NodeId>> = BTreeMap::new();
    for node in (0..model.nodes.len() as u32).map(NodeId) {
        if let Some(key) = key(node) {
            out.entry(key).or_default().push(node);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::build::ModelBuilder;
    use crate::model::cell::Cell;
    use crate::model::knit::KnitParams;
    use crate::model::material::named_material;
    use crate::model::part::Named;
    use crate::pattern::knit::chart::Knit;

    #[test]
    fn indices_near_the_edges_count_from_them() {
        let tiling = Tiling::new(50, 4);
        assert_eq!((tiling.patch, tiling.repeats()), (22, 7));
        let sources: Vec<(usize, usize)> = [0, 8, 9, 12, 13, 40, 41, 49].map(|k| tiling.source(k)).to_vec();
        assert_eq!(sources, [(0, 0), (8, 0), (9, 0), (12, 0), (9, 1), (12, 7), (13, 7), (21, 7)]);
        assert_eq!(Tiling::new(18, 4).repeats(), 0);
    }

    fn knit(pattern: &Knit, [courses, wales]: [usize; 2]) -> Model {
        let params = KnitParams::jersey(courses, wales).knitted(pattern.clone()).named("knit");
        let mut builder = ModelBuilder::default();
        builder.add_knit(&params, &|name| named_material(name).unwrap().material).unwrap();
        builder.finish().0
    }

    /// As they are drawn all repeats are alike, so that the patch gives the whole exactly.
    #[test]
    fn a_patch_as_it_is_drawn_gives_the_whole_as_it_is_drawn() {
        let chart = |rows: &[&str]| Knit::Chart(rows.iter().map(|r| (*r).to_string()).collect());
        let patterns = [
            Knit::Jersey,
            Knit::Rib { knit: 2, purl: 1 },
            Knit::Moss,
            chart(&["kkkk", "kskp", "kssk", "pktk"]),
            chart(&["kkkkkk", "kffkkk", "kffkkk"]),
        ];
        for pattern in &patterns {
            let repeat = pattern.repeat(&[]).unwrap();
            let rows = 3 * repeat.rows + 29;
            let tilings = [Tiling::new(rows + 2, repeat.courses), Tiling::new(37, repeat.wales)];
            assert!(tilings.iter().all(|t| t.repeats() > 0), "{tilings:?}");
            let whole = knit(pattern, [rows, 37]);
            let patch = knit(pattern, [rows - tilings[0].repeats() * repeat.rows, tilings[1].patch]);
            let periods = Cell::new(&patch, &tilings.map(|t| t.in_the_middle())).periods(&patch.drawn);
            let Laid { mut q, lengths } = tile(&whole, (&patch, &patch.drawn), (tilings, periods)).unwrap();
            assert!((lengths[0] / whole.rods[0].length - 1.0).abs() < 1e-12, "{pattern:?}: {} m", lengths[0]);
            let centre = |model: &Model, q: &[f64]| model.position(q, NodeId(0));
            let shift = centre(&whole, &whole.drawn) - centre(&whole, &q);
            q.chunks_mut(BLOCK).for_each(|b| (0..3).for_each(|k| b[k] += shift[k]));
            let off = q.iter().zip(&whole.drawn).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off < 1e-11, "{pattern:?}: {off} m");
        }
    }
}
