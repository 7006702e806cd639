//! The cover of all blocks by overlapping subdomains.

use crate::order::Graph;
use crate::pattern::BlockPattern;

/// Blocks of a patch without its overlap, at most. On three layers of 127 x 127 yarns at angles to one another
/// 400 take 35 iterations a step, 800 take 29 with 3 % more values, and 1600 take 27 with 11 % more.
const CORE_BLOCKS: usize = 800;

/// Overlap over the mean distance from a block to the farthest that it is coupled with: with patches of 400
/// and 0.5, 0.7 and 1 of it those layers take 38, 35 and 33 iterations and 162, 173 and 206 million values.
const OVERLAP: f64 = 0.7;

/// Lists of blocks, ascending, that overlap and cover all blocks of a pattern: pieces of a repeatedly halved
/// plane, with what lies near them there and what they are coupled with. None without coordinates.
pub(super) fn cover(pattern: &BlockPattern, coordinates: &[[f64; 3]]) -> Option<Vec<Vec<u32>>> {
    if coordinates.len() != pattern.n_blocks() {
        return None;
    }
    let graph = Graph::new(pattern);
    let margin = OVERLAP * mean_reach(&graph, coordinates);
    let mut halving = Halving { coordinates, margin, pieces: Vec::new() };
    let all: Vec<u32> = (0..pattern.n_blocks() as u32).collect();
    halving.halve(all.clone(), all);
    let with_coupled = |Piece { core, mut near }: Piece| {
        near.extend(core.iter().flat_map(|&b| graph.neighbours(b as usize)));
        near.sort_unstable();
        near.dedup();
        near
    };
    Some(halving.pieces.into_iter().map(with_coupled).collect())
}

/// Blocks of a piece of the plane, and those within a margin of it, its own among them.
struct Piece {
    core: Vec<u32>,
    near: Vec<u32>,
}

struct Halving<'a> {
    coordinates: &'a [[f64; 3]],
    margin: f64,
    pieces: Vec<Piece>,
}

impl Halving<'_> {
    /// Halves a piece across its longer side until it is small.
    fn halve(&mut self, mut core: Vec<u32>, near: Vec<u32>) {
        if core.len() <= CORE_BLOCKS {
            if !core.is_empty() {
                self.pieces.push(Piece { core, near });
            }
            return;
        }
        let (points, margin) = (self.coordinates, self.margin);
        let extent = |axis: usize| {
            let along = core.iter().map(|&b| points[b as usize][axis]);
            along.clone().fold(f64::MIN, f64::max) - along.fold(f64::MAX, f64::min)
        };
        let axis = usize::from(extent(1) > extent(0));
        let key = |b: u32| points[b as usize][axis];
        core.sort_unstable_by(|&a, &b| key(a).total_cmp(&key(b)).then(a.cmp(&b)));
        let right = core.split_off(core.len() / 2);
        let middle = key(right[0]);
        let within = |keep: &dyn Fn(f64) -> bool| near.iter().copied().filter(|&b| keep(key(b))).collect();
        let beside = [within(&|x| x <= middle + margin), within(&|x| x >= middle - margin)];
        drop(near);
        let [near_left, near_right] = beside;
        self.halve(core, near_left);
        self.halve(right, near_right);
    }
}

/// Mean over the blocks of the distance in the plane to the farthest coupled block.
fn mean_reach(graph: &Graph, coordinates: &[[f64; 3]]) -> f64 {
    let distance = |a: usize, b: usize| {
        let (x, y) = (coordinates[a], coordinates[b]);
        (x[0] - y[0]).hypot(x[1] - y[1])
    };
    let reach = |i: usize| graph.neighbours(i).iter().map(|&j| distance(i, j as usize)).fold(0.0, f64::max);
    (0..graph.len()).map(reach).sum::<f64>() / graph.len().max(1) as f64
}
