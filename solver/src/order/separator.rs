//! Small vertex separators that leave two pieces of like size.

use crate::order::subgraph::{Graph, Subgraph};

/// Directions of straight cuts: the two longest axes, their two diagonals, the third axis.
pub(super) const N_DIRECTIONS: usize = 5;

/// Where a vertex ends up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left = 0,
    Right = 1,
    Separator = 2,
}

/// A cut: which vertices lie on the left, and which side gives up its border as the separator.
pub(super) struct Cut {
    is_left: Vec<bool>,
    border: Side,
    /// Separator size in blocks, larger for an uneven cut.
    pub(super) cost: f64,
}

/// Projections of the blocks' coordinates, each axis in units of the mean extent of an edge along it,
/// so that the diagonals of a lattice of unequal spacings are lattice lines too.
pub(super) fn projections(graph: &Graph, points: &[[f64; 3]]) -> Vec<[f32; N_DIRECTIONS]> {
    let scale = axis_scales(graph, points);
    let mut axes = [0, 1, 2];
    let extent = axes.map(|a| {
        let values = points.iter().map(|p| p[a] * scale[a]);
        values.clone().fold(f64::MIN, f64::max) - values.fold(f64::MAX, f64::min)
    });
    axes.sort_by(|&a, &b| extent[b].total_cmp(&extent[a]));
    let [a, b, c] = axes;
    let project = |p: &[f64; 3]| {
        let (x, y, z) = (p[a] * scale[a], p[b] * scale[b], p[c] * scale[c]);
        [x, y, x + y, x - y, z].map(|key| key as f32)
    };
    points.iter().map(project).collect()
}

/// The best cut by a threshold of one of `D` keys per vertex. Costs the size of either border and the
/// balance for every threshold of every key in one sweep over the edges.
pub(super) fn cut_by_keys<const D: usize>(graph: &Subgraph, keys: &[[f32; D]]) -> Option<Cut> {
    if keys.is_empty() {
        return None;
    }
    let bins = Bins::new(keys);
    let mut counts = vec![[Counts::default(); D]; bins.n];
    for v in 0..graph.len() {
        let (mut low, mut high) = (keys[v], keys[v]);
        for &w in graph.neighbours(v) {
            for d in 0..D {
                low[d] = low[d].min(keys[w as usize][d]);
                high[d] = high[d].max(keys[w as usize][d]);
            }
        }
        for d in 0..D {
            let [low, own, high] = [low[d], keys[v][d], high[d]].map(|key| bins.of(d, key));
            counts[own][d].vertices += 1;
            // A vertex is on the left border of every cut from its own bin up to its highest
            // neighbour's, on the right border of those from its lowest neighbour's to its own.
            counts[own][d].left_border += 1;
            counts[high][d].left_border -= 1;
            counts[low][d].right_border += 1;
            counts[own][d].right_border -= 1;
        }
    }
    let best = cheapest(&counts, graph.len())?;
    let is_left = keys.iter().map(|k| bins.of(best.direction, k[best.direction]) <= best.bin).collect();
    Some(Cut { is_left, border: best.border, cost: best.cost })
}

/// The best cut between level sets of the distance from a far end.
pub(super) fn cut_by_levels(graph: &Subgraph) -> Option<Cut> {
    let (_, far) = levels(graph, 0);
    let (_, far) = levels(graph, far);
    let (keys, _) = levels(graph, far);
    cut_by_keys(graph, &keys)
}

/// Sides of all vertices: the border of one side without what does not touch that side's rest.
pub(super) fn sides(graph: &Subgraph, cut: &Cut) -> Vec<Side> {
    let side_of = |left: bool| if left { Side::Left } else { Side::Right };
    let giving = cut.border == Side::Left;
    let on_border = |v: usize| {
        cut.is_left[v] == giving && graph.neighbours(v).iter().any(|&w| cut.is_left[w as usize] != giving)
    };
    let border: Vec<usize> = (0..graph.len()).filter(|&v| on_border(v)).collect();
    let mut sides: Vec<Side> = cut.is_left.iter().map(|&left| side_of(left)).collect();
    for &v in &border {
        sides[v] = Side::Separator;
    }
    for v in border {
        if graph.neighbours(v).iter().all(|&w| sides[w as usize] != side_of(giving)) {
            sides[v] = side_of(!giving);
        }
    }
    sides
}

fn axis_scales(graph: &Graph, points: &[[f64; 3]]) -> [f64; 3] {
    let mut sum = [0.0; 3];
    let mut count = 0.0;
    for (v, p) in points.iter().enumerate() {
        for &w in graph.neighbours(v) {
            for a in 0..3 {
                sum[a] += (points[w as usize][a] - p[a]).abs();
            }
            count += 1.0;
        }
    }
    let largest = sum.iter().fold(0.0, |m: f64, &s| m.max(s));
    // An axis along which edges hardly extend (a flat cloth's height) keeps its true proportion.
    sum.map(|s| if largest > 0.0 { count / s.max(FLAT * largest) } else { 1.0 })
}

/// Mean extent of edges, relative to the longest axis's, below which an axis is not stretched.
const FLAT: f64 = 0.2;
/// Bins per key for `n` vertices: this times `sqrt(n)`, four to a lattice line of a square.
const BINS_PER_ROOT: f64 = 8.0;
/// Most bins; more would cost longer than they save.
const MAX_BINS: usize = 8192;

/// Equal intervals of every key.
struct Bins<const D: usize> {
    n: usize,
    low: [f32; D],
    scale: [f32; D],
}

impl<const D: usize> Bins<D> {
    fn new(keys: &[[f32; D]]) -> Self {
        let n = ((BINS_PER_ROOT * (keys.len() as f64).sqrt()) as usize + 8).min(MAX_BINS);
        let (mut low, mut high) = (keys[0], keys[0]);
        for key in keys {
            for d in 0..D {
                low[d] = low[d].min(key[d]);
                high[d] = high[d].max(key[d]);
            }
        }
        let scale = std::array::from_fn(|d| {
            let width = high[d] - low[d];
            if width > 0.0 { (n - 1) as f32 / width } else { 0.0 }
        });
        Self { n, low, scale }
    }

    fn of(&self, direction: usize, key: f32) -> usize {
        (((key - self.low[direction]) * self.scale[direction] + 0.5) as usize).min(self.n - 1)
    }
}

#[derive(Clone, Copy, Default)]
struct Counts {
    vertices: i32,
    left_border: i32,
    right_border: i32,
}

struct Threshold {
    direction: usize,
    bin: usize,
    border: Side,
    cost: f64,
}

fn cheapest<const D: usize>(counts: &[[Counts; D]], n: usize) -> Option<Threshold> {
    let mut best: Option<Threshold> = None;
    for direction in 0..D {
        let mut sum = Counts::default();
        for (bin, count) in counts.iter().enumerate() {
            let count = count[direction];
            sum.vertices += count.vertices;
            sum.left_border += count.left_border;
            sum.right_border += count.right_border;
            if count.vertices == 0 {
                continue;
            }
            let (left, right) = (sum.vertices, n as i32 - sum.vertices);
            for (border, size, left, right) in [
                (Side::Left, sum.left_border, left - sum.left_border, right),
                (Side::Right, sum.right_border, left, right - sum.right_border),
            ] {
                let cost = cost(size, left, right);
                if cost < best.as_ref().map_or(f64::INFINITY, |b| b.cost) {
                    best = Some(Threshold { direction, bin, border, cost });
                }
            }
        }
    }
    best
}

/// Largest share of a piece in an even cut.
const EVEN: f64 = 0.6;
/// Extra cost of a cut, relative to an exactly even one, per share of a piece beyond a half.
const UNEVEN_COST: f64 = 0.6;

/// Uneven cuts cost more than any even one: they are for graphs that have no other.
fn cost(separator: i32, left: i32, right: i32) -> f64 {
    if left <= 0 || right <= 0 {
        return f64::INFINITY;
    }
    let pieces = f64::from(left + right);
    let share = f64::from(left.max(right)) / pieces;
    let surcharge = if share <= EVEN { 0.0 } else { share * pieces };
    // The half keeps balance in the game where nothing needs to be cut.
    (f64::from(separator) + 0.5) * (1.0 + UNEVEN_COST * (share - 0.5)) + surcharge
}

/// Distance of every vertex from `root` in edges and the last vertex reached. Further components
/// follow one after the other, as if the first had gone on.
fn levels(graph: &Subgraph, root: usize) -> (Vec<[f32; 1]>, usize) {
    let n = graph.len();
    let mut level = vec![u32::MAX; n];
    let mut queue = Vec::with_capacity(n);
    let mut next_root = 0;
    level[root] = 0;
    queue.push(root as u32);
    let mut head = 0;
    let mut far = root;
    while queue.len() < n || head < n {
        if head == queue.len() {
            while level[next_root] != u32::MAX {
                next_root += 1;
            }
            level[next_root] = level[queue[head - 1] as usize] + 1;
            queue.push(next_root as u32);
        }
        let v = queue[head] as usize;
        head += 1;
        far = v;
        for &w in graph.neighbours(v) {
            if level[w as usize] == u32::MAX {
                level[w as usize] = level[v] + 1;
                queue.push(w);
            }
        }
    }
    (level.into_iter().map(|l| [l as f32]).collect(), far)
}
