//! The numeric factorisation: fronts assembled and eliminated from the leaves to the roots (multifrontal
//! method, Duff and Reid 1983; Liu 1992).

use std::ops::Range;

use faer::prelude::{Reborrow, ReborrowMut};
use faer::{Accum, MatMut};
use pulp::Arch;
use rayon::prelude::*;

use crate::cholesky::dense::{factor_panel, subtract_square};
use crate::cholesky::pool::Pool;
use crate::cholesky::scalar::Scalar;
use crate::cholesky::symbolic::{Supernode, Symbolic};
use crate::interrupt::Interrupt;
use crate::matrix::BlockMatrix;

/// Subtrees of more operations are tasks of their own.
const PARALLEL_FLOPS: f64 = 5e6;
/// Columns of a front that a task assembles.
const ASSEMBLY_COLUMNS: usize = 160;

/// One factorisation of `S A S + shift I`, where `S` is diagonal.
pub(super) struct Factorisation<'a, const B: usize, T> {
    pub(super) symbolic: &'a Symbolic,
    pub(super) matrix: &'a BlockMatrix<B>,
    /// The diagonal of `S`, in the matrix's own numbering.
    pub(super) scale: &'a [f64],
    pub(super) shift: f64,
    pub(super) pool: &'a Pool<T>,
    pub(super) interrupt: &'a Interrupt,
}

impl<const B: usize, T: Scalar> Factorisation<'_, B, T> {
    /// Fills `values`, the panels of all nodes one after the other. On failure returns the column (in
    /// elimination order) whose pivot was not positive. Where it is interrupted it soon returns anything.
    pub(super) fn run(&self, values: &mut [T]) -> Result<(), usize> {
        let updates = self.factor_all(&self.symbolic.roots, values, true)?;
        updates.into_iter().for_each(|update| self.pool.give(update));
        Ok(())
    }

    /// Factors subtrees that lie one after the other in `values`; returns what each owes its parent.
    fn factor_all(&self, nodes: &[usize], values: &mut [T], parallel: bool) -> Result<Vec<Vec<T>>, usize> {
        let mut rest = values;
        let mut parts = Vec::with_capacity(nodes.len());
        for &node in nodes {
            let (part, others) = rest.split_at_mut(self.symbolic.nodes[node].subtree_values);
            parts.push((node, part));
            rest = others;
        }
        let factor = |(node, part)| self.factor(node, part);
        // Both ways every subtree is tried, so the failure reported is the same.
        let updates: Vec<Result<Vec<T>, usize>> = if parallel {
            parts.into_par_iter().map(factor).collect()
        } else {
            parts.into_iter().map(factor).collect()
        };
        updates.into_iter().collect()
    }

    /// Factors a subtree; returns its update matrix, `-L21 L21^T` plus what its children sent up.
    fn factor(&self, index: usize, values: &mut [T]) -> Result<Vec<T>, usize> {
        let node = &self.symbolic.nodes[index];
        let (below, panel) = values.split_at_mut(values.len() - node.panel_values());
        let updates = self.factor_all(&node.children, below, node.subtree_flops > PARALLEL_FLOPS)?;
        if self.interrupt.is_raised() {
            return Err(node.first);
        }
        let (height, width, rows) = (node.height(), node.width, node.n_rows);
        self.assemble_panel(node, &updates, panel);
        let mut panel = MatMut::from_column_major_slice_mut(panel, height, width);
        factor_panel(panel.rb_mut(), self.interrupt).map_err(|k| node.first + k)?;
        let mut update = self.pool.take(rows * rows);
        if rows > 0 {
            let (_, l21) = panel.rb().split_at_row(width);
            let target = MatMut::from_column_major_slice_mut(&mut update, rows, rows);
            subtract_square(target, l21, (Accum::Replace, self.interrupt));
            self.add_to_update(node, &updates, &mut update);
        }
        updates.into_iter().for_each(|u| self.pool.give(u));
        Ok(update)
    }

    fn assemble_panel(&self, node: &Supernode, updates: &[Vec<T>], panel: &mut [T]) {
        let height = node.height();
        panel.par_chunks_mut((height * ASSEMBLY_COLUMNS).max(1)).enumerate().for_each(|(chunk, values)| {
            values.fill(T::default());
            let mut columns = Columns { values, first: chunk * ASSEMBLY_COLUMNS, top: 0, height };
            self.add_matrix(node, &mut columns);
            self.add_updates(node, updates, &mut columns);
        });
    }

    fn add_to_update(&self, node: &Supernode, updates: &[Vec<T>], update: &mut [T]) {
        let height = node.n_rows;
        update.par_chunks_mut(height * ASSEMBLY_COLUMNS).enumerate().for_each(|(chunk, values)| {
            let first = node.width + chunk * ASSEMBLY_COLUMNS;
            self.add_updates(node, updates, &mut Columns { values, first, top: node.width, height });
        });
    }

    fn add_updates(&self, node: &Supernode, updates: &[Vec<T>], columns: &mut Columns<'_, T>) {
        for (&child, update) in node.children.iter().zip(updates) {
            let child = &self.symbolic.nodes[child];
            Arch::new().dispatch(|| columns.extend_add(child, update));
        }
    }

    /// `S A S + shift I`, lower triangle.
    fn add_matrix(&self, node: &Supernode, columns: &mut Columns<'_, T>) {
        let range = columns.range();
        let entries = &self.symbolic.entries[node.entries.clone()];
        let begin = entries.partition_point(|e| e.column as usize + B <= range.start);
        for entry in entries[begin..].iter().take_while(|e| (e.column as usize) < range.end) {
            let block = &self.matrix.values()[entry.slot as usize];
            let [row_scale, column_scale] = entry.blocks.map(|b| &self.scale[B * b as usize..][..B]);
            let [rows, block_columns] = entry.blocks.map(|b| self.symbolic.kept[b as usize]);
            for (column, x) in (entry.column as usize..).zip(block_columns.places()) {
                if !range.contains(&column) {
                    continue;
                }
                let to = &mut columns.values[(column - range.start) * columns.height + entry.row as usize..];
                for (to, y) in to.iter_mut().zip(rows.places()) {
                    let value = if entry.transposed { block[x][y] } else { block[y][x] };
                    let shift = if entry.row == entry.column && x == y { self.shift } else { 0.0 };
                    *to = T::from_f64(value * row_scale[y] * column_scale[x] + shift);
                }
            }
        }
    }
}

/// The part of a front that a task assembles: columns from `first` on, rows from `top` on.
struct Columns<'a, T> {
    values: &'a mut [T],
    first: usize,
    top: usize,
    height: usize,
}

impl<T: Scalar> Columns<'_, T> {
    fn range(&self) -> Range<usize> {
        self.first..self.first + self.values.len() / self.height
    }

    /// Adds the lower triangle of a child's update matrix where its rows and columns lie in this part.
    #[inline(always)]
    fn extend_add(&mut self, child: &Supernode, update: &[T]) {
        let range = self.range();
        for (k, run) in child.runs.iter().enumerate() {
            let begin = run.target.max(range.start);
            let end = (run.target + run.len).min(range.end);
            for target in begin..end {
                let source = target + run.source - run.target;
                let from = &update[source * child.n_rows..(source + 1) * child.n_rows];
                let to = &mut self.values[(target - range.start) * self.height..][..self.height];
                let n = run.source + run.len - source;
                add(&mut to[target - self.top..][..n], &from[source..][..n]);
                for later in &child.runs[k + 1..] {
                    add(&mut to[later.target - self.top..][..later.len], &from[later.source..][..later.len]);
                }
            }
        }
    }
}

#[inline(always)]
fn add<T: Scalar>(to: &mut [T], from: &[T]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += *from;
    }
}
