//! The nodes of a coarse grid and the shares that blocks have in them.

use std::collections::BTreeMap;

use crate::pattern::BlockPattern;

/// Nodes of a cell.
pub(super) const CORNERS: usize = 4;

/// Side of a cell over the distance between neighbouring blocks. On woven cotton cells of 6 take a quarter
/// fewer iterations than cells of 8; cells of 5 save another tenth and cost twice the coarse factor.
pub(crate) const CELL_SIDE: f64 = 6.0;

/// Blocks per coarse node below which a coarse level is not worth it.
const FEWEST_BLOCKS_PER_NODE: usize = 4;

/// Blocks in the square cells of grids, one grid for each value of the third coordinate.
#[derive(Debug, Clone)]
pub(super) struct Grid {
    cell_of: Vec<u32>,
    weights: Vec<[f32; CORNERS]>,
    cells: Vec<[u32; CORNERS]>,
    positions: Vec<[f64; 3]>,
}

impl Grid {
    /// The grid under the blocks; none without coordinates or with nearly as many nodes as blocks.
    pub(super) fn new(pattern: &BlockPattern, coordinates: &[[f64; 3]]) -> Option<Self> {
        if coordinates.len() != pattern.n_blocks() {
            return None;
        }
        let side = CELL_SIDE * mean_distance(pattern, coordinates)?;
        let n = coordinates.len();
        let mut grid = Self {
            cell_of: Vec::with_capacity(n),
            weights: Vec::with_capacity(n),
            cells: Vec::new(),
            positions: Vec::new(),
        };
        let (mut cells, mut nodes) = (BTreeMap::new(), BTreeMap::new());
        for x in coordinates {
            let [s, t] = [x[0] / side, x[1] / side];
            let key = ([s.floor() as i64, t.floor() as i64], x[2].to_bits());
            let cell = *cells.entry(key).or_insert_with(|| grid.add_cell(key.0, x[2], &mut nodes));
            grid.cell_of.push(cell);
            let [s, t] = [s - s.floor(), t - t.floor()];
            // (1 - s) (1 - t), s (1 - t), (1 - s) t, s t
            let weights = [(1.0 - s) * (1.0 - t), s * (1.0 - t), (1.0 - s) * t, s * t];
            grid.weights.push(weights.map(|w| w as f32));
        }
        (FEWEST_BLOCKS_PER_NODE * grid.n_nodes() <= n).then_some(grid)
    }

    /// Number of nodes.
    pub(super) fn n_nodes(&self) -> usize {
        self.positions.len()
    }

    /// Positions of the nodes, in sides of a cell.
    pub(super) fn positions(&self) -> &[[f64; 3]] {
        &self.positions
    }

    /// The cell that a block is in.
    pub(super) fn cell_of(&self, block: usize) -> u32 {
        self.cell_of[block]
    }

    /// The nodes of a cell.
    pub(super) fn corners(&self, cell: u32) -> &[u32; CORNERS] {
        &self.cells[cell as usize]
    }

    /// What the corners of its cell contribute to a block.
    pub(super) fn weights(&self, block: usize) -> &[f32; CORNERS] {
        &self.weights[block]
    }

    fn add_cell(
        &mut self,
        [column, row]: [i64; 2],
        height: f64,
        nodes: &mut BTreeMap<([i64; 2], u64), u32>,
    ) -> u32 {
        let corners = [[0, 0], [1, 0], [0, 1], [1, 1]].map(|[dx, dy]| {
            let [x, y] = [column + dx, row + dy];
            *nodes.entry(([x, y], height.to_bits())).or_insert_with(|| {
                self.positions.push([x as f64, y as f64, height]);
                self.positions.len() as u32 - 1
            })
        });
        self.cells.push(corners);
        self.cells.len() as u32 - 1
    }
}

/// Mean over the blocks of the distance to the nearest coupled block elsewhere.
fn mean_distance(pattern: &BlockPattern, coordinates: &[[f64; 3]]) -> Option<f64> {
    let mut nearest = vec![f64::INFINITY; coordinates.len()];
    for i in 0..pattern.n_blocks() {
        for &j in pattern.columns(i) {
            let (x, y) = (coordinates[i], coordinates[j as usize]);
            let distance = (x[0] - y[0]).hypot(x[1] - y[1]);
            if distance > 0.0 {
                nearest[i] = nearest[i].min(distance);
                nearest[j as usize] = nearest[j as usize].min(distance);
            }
        }
    }
    let (sum, n) =
        nearest.iter().filter(|d| d.is_finite()).fold((0.0, 0.0), |(sum, n), d| (sum + d, n + 1.0));
    (n > 0.0).then(|| sum / n)
}
