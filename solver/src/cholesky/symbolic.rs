//! What of a factorisation depends on the pattern alone.

use std::ops::Range;
use std::sync::Arc;

use crate::cholesky::supernodes::{Group, amalgamate, fundamental};
use crate::order::{Graph, nested_dissection};
use crate::pattern::BlockPattern;

/// Consecutive rows of a child's update that are consecutive in its parent's front too, in blocks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    pub(super) source: usize,
    pub(super) target: usize,
    pub(super) len: usize,
}

/// Where a block of the matrix goes in a front (in blocks).
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) slot: u32,
    pub(super) row: u32,
    pub(super) column: u32,
    /// The block's row and column in the matrix's numbering.
    pub(super) blocks: [u32; 2],
    /// Whether the matrix stores the block at `(column, row)`.
    pub(super) transposed: bool,
}

/// A node of the assembly tree. Its front has `width + n_rows` block rows: its columns, then the rows
/// below. Its subtree owns consecutive columns, the node's own last.
#[derive(Debug, Clone)]
pub(super) struct Supernode {
    /// First column.
    pub(super) first: usize,
    /// Number of columns, in blocks.
    pub(super) width: usize,
    /// Number of rows below, in blocks.
    pub(super) n_rows: usize,
    /// Nodes assembled into this one; their subtrees follow one another.
    pub(super) children: Vec<usize>,
    /// Where its rows below lie in the parent's front.
    pub(super) runs: Vec<Run>,
    /// Blocks of the matrix in its columns, as a range of [`Symbolic::entries`].
    pub(super) entries: Range<usize>,
    /// Columns of the subtree, in blocks.
    pub(super) subtree_columns: usize,
    /// Values of the factor in the subtree, in units of a block's.
    pub(super) subtree_blocks: usize,
    /// Floating-point operations of the subtree, in units of a block's `B^3`.
    pub(super) subtree_flops: f64,
}

impl Supernode {
    /// Rows of the front, in blocks.
    pub(super) fn height(&self) -> usize {
        self.width + self.n_rows
    }

    /// Blocks of the factor that the node stores: a panel of `height` x `width`.
    pub(super) fn panel_blocks(&self) -> usize {
        self.height() * self.width
    }

    /// Multiplications and additions of eliminating `width` columns: the sum of the squared heights.
    pub(super) fn flops(&self) -> f64 {
        let (h, r) = (self.height() as f64, self.n_rows as f64);
        (h * (h + 0.5) * (h + 1.0) - r * (r + 0.5) * (r + 1.0)) / 3.0
    }
}

/// The assembly tree of a pattern: children before parents.
#[derive(Debug)]
pub(super) struct Symbolic {
    /// Elimination order, new to old.
    pub(super) order: Vec<u32>,
    pub(super) nodes: Vec<Supernode>,
    pub(super) roots: Vec<usize>,
    pub(super) entries: Vec<Entry>,
}

impl Symbolic {
    /// Orders the blocks and lays out the factor.
    pub(super) fn new(pattern: &Arc<BlockPattern>, coordinates: Option<&[[f64; 3]]>) -> Self {
        let graph = Graph::new(pattern);
        let dissection = nested_dissection(pattern, coordinates);
        let (mut groups, roots) = fundamental(&graph, &dissection);
        amalgamate(&mut groups);
        let sequence = postorder(&groups, &roots);
        let layout = Layout::new(&groups, &sequence, &dissection);
        let nodes = layout.nodes(&groups, &sequence);
        let roots = roots.iter().map(|&r| layout.node_of[r as usize]).collect();
        let mut symbolic = Self { order: layout.order, nodes, roots, entries: Vec::new() };
        symbolic.place(pattern, &graph, &layout.rows);
        symbolic
    }

    /// Blocks of the factor, panels stored whole.
    pub(super) fn n_blocks(&self) -> usize {
        self.nodes.iter().map(Supernode::panel_blocks).sum()
    }

    /// Finds where matrix blocks and children's rows lie in every front.
    fn place(&mut self, pattern: &BlockPattern, graph: &Graph, rows: &[Vec<u32>]) {
        let mut places = Places::new(pattern, graph, &self.order);
        self.entries.reserve(pattern.n_slots());
        for (node, rows_below) in rows.iter().enumerate() {
            places.enter(&self.nodes[node], rows_below);
            let begin = self.entries.len();
            let Supernode { first, width, .. } = self.nodes[node];
            for column in first..first + width {
                self.entries.extend(places.column(self.order[column], column - first));
            }
            self.nodes[node].entries = begin..self.entries.len();
            for child in self.nodes[node].children.clone() {
                self.nodes[child].runs = places.runs(&rows[child]);
            }
        }
    }
}

/// Where the columns of the matrix lie in the front at hand.
struct Places<'a> {
    pattern: &'a BlockPattern,
    graph: &'a Graph,
    /// Position in the elimination order, by the matrix's numbering.
    position: Vec<u32>,
    /// Row of the front, by position; out of date for positions that are not in it.
    front: Vec<u32>,
}

impl<'a> Places<'a> {
    fn new(pattern: &'a BlockPattern, graph: &'a Graph, order: &[u32]) -> Self {
        let mut position = vec![0u32; order.len()];
        for (new, &old) in order.iter().enumerate() {
            position[old as usize] = new as u32;
        }
        Self { pattern, graph, position, front: vec![0; order.len()] }
    }

    fn enter(&mut self, node: &Supernode, rows_below: &[u32]) {
        let own = node.first as u32..(node.first + node.width) as u32;
        for (local, row) in own.chain(rows_below.iter().copied()).enumerate() {
            self.front[row as usize] = local as u32;
        }
    }

    /// The blocks on and below the diagonal in column `old`, which is column `local` of the front.
    fn column(&self, old: u32, local: usize) -> impl Iterator<Item = Entry> {
        let rows = std::iter::once(old).chain(self.graph.neighbours(old as usize).iter().copied());
        rows.filter(move |&row| self.position[row as usize] >= self.position[old as usize]).filter_map(
            move |row| {
                let slot = self.pattern.slot(old.min(row), old.max(row))? as u32;
                let front_row = self.front[self.position[row as usize] as usize];
                let blocks = [row, old];
                Some(Entry { slot, row: front_row, column: local as u32, blocks, transposed: old < row })
            },
        )
    }

    fn runs(&self, rows: &[u32]) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for (source, &row) in rows.iter().enumerate() {
            let target = self.front[row as usize] as usize;
            match runs.last_mut() {
                Some(run) if run.target + run.len == target => run.len += 1,
                _ => runs.push(Run { source, target, len: 1 }),
            }
        }
        runs
    }
}

/// Columns and rows in the final numbering, in which every subtree owns consecutive columns.
struct Layout {
    order: Vec<u32>,
    node_of: Vec<usize>,
    first: Vec<usize>,
    rows: Vec<Vec<u32>>,
}

impl Layout {
    fn new(groups: &[Group], sequence: &[u32], dissection: &[u32]) -> Self {
        let mut order = Vec::with_capacity(dissection.len());
        let mut renumbered = vec![0u32; dissection.len()];
        let mut node_of = vec![0; groups.len()];
        let mut first = Vec::with_capacity(sequence.len());
        for (node, &group) in sequence.iter().enumerate() {
            node_of[group as usize] = node;
            first.push(order.len());
            for &column in &groups[group as usize].columns {
                renumbered[column as usize] = order.len() as u32;
                order.push(dissection[column as usize]);
            }
        }
        let rows = sequence.iter().map(|&group| {
            let mut rows: Vec<u32> =
                groups[group as usize].rows.iter().map(|&r| renumbered[r as usize]).collect();
            rows.sort_unstable();
            rows
        });
        let rows = rows.collect();
        Self { order, node_of, first, rows }
    }

    fn nodes(&self, groups: &[Group], sequence: &[u32]) -> Vec<Supernode> {
        let mut nodes: Vec<Supernode> = Vec::with_capacity(sequence.len());
        for (k, &group) in sequence.iter().enumerate() {
            let group = &groups[group as usize];
            let mut node = Supernode {
                first: self.first[k],
                width: group.columns.len(),
                n_rows: group.rows.len(),
                children: group.children.iter().map(|&c| self.node_of[c as usize]).collect(),
                runs: Vec::new(),
                entries: 0..0,
                subtree_columns: 0,
                subtree_blocks: 0,
                subtree_flops: 0.0,
            };
            let below = || node.children.iter().map(|&c| &nodes[c]);
            node.subtree_columns = node.width + below().map(|c| c.subtree_columns).sum::<usize>();
            node.subtree_blocks = node.panel_blocks() + below().map(|c| c.subtree_blocks).sum::<usize>();
            node.subtree_flops = node.flops() + below().map(|c| c.subtree_flops).sum::<f64>();
            nodes.push(node);
        }
        nodes
    }
}

/// The groups in the order of a depth-first walk, children first.
fn postorder(groups: &[Group], roots: &[u32]) -> Vec<u32> {
    let mut sequence = Vec::with_capacity(groups.len());
    let mut stack: Vec<(u32, usize)> = Vec::new();
    for &root in roots {
        stack.push((root, 0));
        while let Some((group, next)) = stack.last_mut() {
            match groups[*group as usize].children.get(*next) {
                Some(&child) => {
                    *next += 1;
                    stack.push((child, 0));
                }
                None => {
                    sequence.push(*group);
                    stack.pop();
                }
            }
        }
    }
    sequence
}
