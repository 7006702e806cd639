//! The symbolic factorisation, which depends on the pattern alone.

use std::ops::Range;
use std::sync::Arc;

use crate::cholesky::supernodes::{Group, amalgamate, fundamental};
use crate::order::{Graph, nested_dissection};
use crate::pattern::BlockPattern;

/// Consecutive rows of a child's update that are consecutive in its parent's front too.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    pub(super) source: usize,
    pub(super) target: usize,
    pub(super) len: usize,
}

/// Where a block of the matrix goes in a front: its first row and column there.
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

/// A node of the assembly tree. Its front has `width + n_rows` rows: its columns, then the rows below. Its subtree
/// owns consecutive columns, the node's own last.
#[derive(Debug, Clone)]
pub(super) struct Supernode {
    /// First column.
    pub(super) first: usize,
    /// Number of columns.
    pub(super) width: usize,
    /// Number of rows below.
    pub(super) n_rows: usize,
    /// Nodes assembled into this one; their subtrees follow one another.
    pub(super) children: Vec<usize>,
    /// Where its rows below lie in the parent's front.
    pub(super) runs: Vec<Run>,
    /// Blocks of the matrix in its columns, as a range of [`Symbolic::entries`].
    pub(super) entries: Range<usize>,
    /// Columns of the subtree.
    pub(super) subtree_columns: usize,
    /// Values of the factor in the subtree.
    pub(super) subtree_values: usize,
    /// Floating-point operations of the subtree.
    pub(super) subtree_flops: f64,
}

impl Supernode {
    /// Rows of the front.
    pub(super) fn height(&self) -> usize {
        self.width + self.n_rows
    }

    /// Values of the factor that the node stores: a panel of `height` x `width`.
    pub(super) fn panel_values(&self) -> usize {
        self.height() * self.width
    }

    /// Multiplications and additions of eliminating `width` columns: the sum of the squared heights.
    pub(super) fn flops(&self) -> f64 {
        let (h, r) = (self.height() as f64, self.n_rows as f64);
        (h * (h + 0.5) * (h + 1.0) - r * (r + 0.5) * (r + 1.0)) / 3.0
    }
}

/// The assembly tree of a pattern: children before parents. Rows and columns are unknowns, in the order of
/// elimination; those of a block follow one another.
#[derive(Debug)]
pub(super) struct Symbolic {
    /// Unknowns of the matrix in their order of elimination.
    pub(super) order: Vec<u32>,
    /// Which unknowns of every block of the matrix take part.
    pub(super) kept: Vec<Kept>,
    pub(super) nodes: Vec<Supernode>,
    pub(super) roots: Vec<usize>,
    pub(super) entries: Vec<Entry>,
}

impl Symbolic {
    /// Orders the blocks and lays out the factor of the unknowns that are kept.
    pub(super) fn new(
        pattern: &Arc<BlockPattern>,
        coordinates: Option<&[[f64; 3]]>,
        kept: Vec<Kept>,
    ) -> Self {
        let graph = Graph::new(pattern);
        let dissection = nested_dissection(pattern, coordinates);
        let (mut groups, roots) = fundamental(&graph, &dissection);
        let sizes: Vec<usize> = dissection.iter().map(|&b| kept[b as usize].len()).collect();
        amalgamate(&mut groups, &sizes);
        let sequence = postorder(&groups, &roots);
        let layout = Layout::new(&groups, &sequence, &dissection, &kept);
        let nodes = layout.nodes(&groups, &sequence);
        let roots = roots.iter().map(|&r| layout.node_of[r as usize]).collect();
        let mut symbolic = Self { order: Vec::new(), kept, nodes, roots, entries: Vec::new() };
        symbolic.place(pattern, &graph, &layout);
        symbolic
    }

    /// Values of the factor, panels stored whole.
    pub(super) fn n_values(&self) -> usize {
        self.nodes.iter().map(Supernode::panel_values).sum()
    }

    /// Finds where matrix blocks and children's rows lie in every front.
    fn place(&mut self, pattern: &BlockPattern, graph: &Graph, layout: &Layout) {
        let mut places = Places::new(pattern, graph, layout);
        self.entries.reserve(pattern.n_slots());
        for (node, (columns, rows_below)) in layout.columns.iter().zip(&layout.rows).enumerate() {
            places.enter(columns.clone(), rows_below);
            let begin = self.entries.len();
            for &block in &layout.order[columns.clone()] {
                self.entries.extend(places.column(block));
            }
            self.nodes[node].entries = begin..self.entries.len();
            for child in self.nodes[node].children.clone() {
                self.nodes[child].runs = places.runs(&layout.rows[child]);
            }
        }
        let unknowns = |&b: &u32| self.kept[b as usize].of_block(b as usize);
        self.order = layout.order.iter().flat_map(unknowns).collect();
    }
}

/// Which unknowns of a block of `B` a factor deals with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kept {
    mask: u32,
    block: u8,
}

impl Kept {
    /// Those of a block's unknowns that are active.
    pub(super) fn new(active: &[bool]) -> Self {
        let mask = active.iter().enumerate().fold(0, |mask, (k, &on)| mask | u32::from(on) << k);
        Self { mask, block: active.len() as u8 }
    }

    /// How many there are.
    pub(super) fn len(self) -> usize {
        self.mask.count_ones() as usize
    }

    /// Their places in the block.
    #[inline]
    pub(super) fn places(self) -> impl Iterator<Item = usize> {
        (0..self.block as usize).filter(move |k| self.mask >> k & 1 == 1)
    }

    /// Their numbers in the matrix.
    fn of_block(self, block: usize) -> impl Iterator<Item = u32> {
        self.places().map(move |k| (self.block as usize * block + k) as u32)
    }
}

/// Where the columns of the matrix lie in the front at hand.
struct Places<'a> {
    pattern: &'a BlockPattern,
    graph: &'a Graph,
    layout: &'a Layout,
    /// Position in the elimination order, by the matrix's numbering.
    position: Vec<u32>,
    /// First row in the front, by position; out of date for positions that are not in it.
    front: Vec<u32>,
}

impl<'a> Places<'a> {
    fn new(pattern: &'a BlockPattern, graph: &'a Graph, layout: &'a Layout) -> Self {
        let mut position = vec![0u32; layout.order.len()];
        for (new, &old) in layout.order.iter().enumerate() {
            position[old as usize] = new as u32;
        }
        Self { pattern, graph, layout, position, front: vec![0; layout.order.len()] }
    }

    fn enter(&mut self, columns: Range<usize>, rows_below: &[u32]) {
        let own = columns.start as u32..columns.end as u32;
        let mut local = 0;
        for row in own.chain(rows_below.iter().copied()) {
            self.front[row as usize] = local;
            local += self.layout.size(row) as u32;
        }
    }

    /// The blocks on and below the diagonal in the columns of block `old`.
    fn column(&self, old: u32) -> impl Iterator<Item = Entry> {
        let column = self.front[self.position[old as usize] as usize];
        let rows = std::iter::once(old).chain(self.graph.neighbours(old as usize).iter().copied());
        rows.filter(move |&row| self.position[row as usize] >= self.position[old as usize]).filter_map(
            move |row| {
                let slot = self.pattern.slot(old.min(row), old.max(row))? as u32;
                let front_row = self.front[self.position[row as usize] as usize];
                let blocks = [row, old];
                Some(Entry { slot, row: front_row, column, blocks, transposed: old < row })
            },
        )
    }

    fn runs(&self, rows: &[u32]) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        let mut source = 0;
        for &row in rows {
            let (target, len) = (self.front[row as usize] as usize, self.layout.size(row));
            match runs.last_mut() {
                Some(run) if run.target + run.len == target => run.len += len,
                _ => runs.push(Run { source, target, len }),
            }
            source += len;
        }
        runs
    }
}

/// Block columns and rows in the final numbering, in which every subtree owns consecutive columns.
struct Layout {
    /// Blocks of the matrix.
    order: Vec<u32>,
    /// First unknown of each block of the order, and their number.
    start: Vec<usize>,
    node_of: Vec<usize>,
    columns: Vec<Range<usize>>,
    rows: Vec<Vec<u32>>,
}

impl Layout {
    fn new(groups: &[Group], sequence: &[u32], dissection: &[u32], kept: &[Kept]) -> Self {
        let mut order = Vec::with_capacity(dissection.len());
        let mut renumbered = vec![0u32; dissection.len()];
        let mut node_of = vec![0; groups.len()];
        let mut columns = Vec::with_capacity(sequence.len());
        for (node, &group) in sequence.iter().enumerate() {
            node_of[group as usize] = node;
            let first = order.len();
            for &column in &groups[group as usize].columns {
                renumbered[column as usize] = order.len() as u32;
                order.push(dissection[column as usize]);
            }
            columns.push(first..order.len());
        }
        let mut start = vec![0];
        start.extend(order.iter().scan(0, |sum, &b| {
            *sum += kept[b as usize].len();
            Some(*sum)
        }));
        let rows = sequence.iter().map(|&group| {
            let mut rows: Vec<u32> =
                groups[group as usize].rows.iter().map(|&r| renumbered[r as usize]).collect();
            rows.sort_unstable();
            rows
        });
        let rows = rows.collect();
        Self { order, start, node_of, columns, rows }
    }

    /// Number of unknowns of a block of the order.
    fn size(&self, position: u32) -> usize {
        self.start[position as usize + 1] - self.start[position as usize]
    }

    fn nodes(&self, groups: &[Group], sequence: &[u32]) -> Vec<Supernode> {
        let mut nodes: Vec<Supernode> = Vec::with_capacity(sequence.len());
        for (k, &group) in sequence.iter().enumerate() {
            let group = &groups[group as usize];
            let columns = &self.columns[k];
            let mut node = Supernode {
                first: self.start[columns.start],
                width: self.start[columns.end] - self.start[columns.start],
                n_rows: self.rows[k].iter().map(|&r| self.size(r)).sum(),
                children: group.children.iter().map(|&c| self.node_of[c as usize]).collect(),
                runs: Vec::new(),
                entries: 0..0,
                subtree_columns: 0,
                subtree_values: 0,
                subtree_flops: 0.0,
            };
            let below = || node.children.iter().map(|&c| &nodes[c]);
            node.subtree_columns = node.width + below().map(|c| c.subtree_columns).sum::<usize>();
            node.subtree_values = node.panel_values() + below().map(|c| c.subtree_values).sum::<usize>();
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
