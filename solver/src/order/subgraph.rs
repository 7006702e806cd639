//! The graph being dissected: a piece of the block graph with its own numbering.

use crate::order::separator::{N_DIRECTIONS, Side, projections};
use crate::pattern::BlockPattern;

/// Neighbours of every block, both triangles of the pattern, without the diagonal, ascending.
#[derive(Debug)]
pub(crate) struct Graph {
    start: Vec<u32>,
    neighbours: Vec<u32>,
}

impl Graph {
    /// The graph of a pattern.
    pub(crate) fn new(pattern: &BlockPattern) -> Self {
        let n = pattern.n_blocks();
        let mut start = vec![0u32; n + 1];
        for i in 0..n {
            for &j in &pattern.columns(i)[1..] {
                start[i + 1] += 1;
                start[j as usize + 1] += 1;
            }
        }
        for i in 0..n {
            start[i + 1] += start[i];
        }
        let mut next = start.clone();
        let mut neighbours = vec![0; start[n] as usize];
        let mut push = |from: usize, to: u32| {
            neighbours[next[from] as usize] = to;
            next[from] += 1;
        };
        for i in 0..n {
            for &j in &pattern.columns(i)[1..] {
                push(i, j);
                push(j as usize, i as u32);
            }
        }
        Self { start, neighbours }
    }

    /// Number of blocks.
    pub(crate) fn len(&self) -> usize {
        self.start.len() - 1
    }

    /// The neighbours of a block.
    pub(crate) fn neighbours(&self, v: usize) -> &[u32] {
        &self.neighbours[self.start[v] as usize..self.start[v + 1] as usize]
    }
}

/// A piece of the graph, numbered from zero, with projected coordinates where they are known.
pub(super) struct Subgraph {
    graph: Graph,
    vertices: Vec<u32>,
    keys: Vec<[f32; N_DIRECTIONS]>,
}

impl Subgraph {
    pub(super) fn whole(graph: Graph, coordinates: Option<&[[f64; 3]]>) -> Self {
        let vertices = (0..graph.len() as u32).collect();
        let keys = coordinates.map_or_else(Vec::new, |points| projections(&graph, points));
        Self { graph, vertices, keys }
    }

    pub(super) fn len(&self) -> usize {
        self.vertices.len()
    }

    pub(super) fn neighbours(&self, v: usize) -> &[u32] {
        self.graph.neighbours(v)
    }

    /// Projected coordinates vertex by vertex; empty when they are not known.
    pub(super) fn keys(&self) -> &[[f32; N_DIRECTIONS]] {
        &self.keys
    }

    /// All vertices in the numbering of the whole graph, those with few neighbours first.
    pub(super) fn by_degree(&self) -> Vec<u32> {
        let mut local: Vec<usize> = (0..self.len()).collect();
        local.sort_by_key(|&v| self.neighbours(v).len());
        local.into_iter().map(|v| self.vertices[v]).collect()
    }

    /// The two pieces and the separator, the latter in the numbering of the whole graph and in order
    /// along its longest direction.
    pub(super) fn split(&self, sides: &[Side]) -> (Self, Self, Vec<u32>) {
        let mut local = vec![0u32; self.len()];
        let mut counts = [0u32; 2];
        let mut separator = Vec::new();
        for (v, side) in sides.iter().enumerate() {
            match side {
                Side::Separator => separator.push(v),
                side => {
                    local[v] = counts[*side as usize];
                    counts[*side as usize] += 1;
                }
            }
        }
        self.sort_along(&mut separator);
        let separator = separator.into_iter().map(|v| self.vertices[v]).collect();
        (self.part(sides, Side::Left, &local), self.part(sides, Side::Right, &local), separator)
    }

    fn part(&self, sides: &[Side], side: Side, local: &[u32]) -> Self {
        let members = || (0..self.len()).filter(|&v| sides[v] == side);
        let mut graph = Graph { start: vec![0], neighbours: Vec::new() };
        for v in members() {
            let inside = self.neighbours(v).iter().filter(|&&w| sides[w as usize] == side);
            graph.neighbours.extend(inside.map(|&w| local[w as usize]));
            graph.start.push(graph.neighbours.len() as u32);
        }
        let vertices = members().map(|v| self.vertices[v]).collect();
        let keys = if self.keys.is_empty() { Vec::new() } else { members().map(|v| self.keys[v]).collect() };
        Self { graph, vertices, keys }
    }

    fn sort_along(&self, vertices: &mut [usize]) {
        if self.keys.is_empty() {
            return;
        }
        let spread = |d: usize| {
            let keys = vertices.iter().map(|&v| self.keys[v][d]);
            keys.clone().fold(f32::MIN, f32::max) - keys.fold(f32::MAX, f32::min)
        };
        let along = (0..N_DIRECTIONS).max_by(|&a, &b| spread(a).total_cmp(&spread(b))).unwrap_or(0);
        vertices.sort_by(|&v, &w| self.keys[v][along].total_cmp(&self.keys[w][along]));
    }
}
