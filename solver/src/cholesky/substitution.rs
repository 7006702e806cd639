//! Forward and backward substitution with the panels of the factor.

use pulp::Arch;
use rayon::prelude::*;

use crate::cholesky::scalar::Scalar;
use crate::cholesky::symbolic::{Supernode, Symbolic};

/// Subtrees of more values are tasks of their own.
const PARALLEL_VALUES: usize = 250_000;
/// Columns that one sweep over the rows below them deals with.
const SWEEP: usize = 4;

/// A factor to solve with.
pub(super) struct Substitution<'a, T> {
    pub(super) symbolic: &'a Symbolic,
    /// Panels of all nodes one after the other.
    pub(super) values: &'a [T],
}

/// A subtree with its part of the factor and of the unknowns.
struct Part<'a, T> {
    node: &'a Supernode,
    values: &'a [T],
    x: &'a mut [T],
}

impl<T: Scalar> Substitution<'_, T> {
    /// `x := L^-T L^-1 x`, unknowns in elimination order.
    pub(super) fn solve(&self, x: &mut [T]) {
        let parts = self.parts(&self.symbolic.roots, self.values, x);
        parts.into_par_iter().for_each(|part| drop(self.forward(part)));
        let parts = self.parts(&self.symbolic.roots, self.values, x);
        parts.into_par_iter().for_each(|part| self.backward(part, &[]));
    }

    fn parts<'b>(&'b self, nodes: &[usize], mut values: &'b [T], mut x: &'b mut [T]) -> Vec<Part<'b, T>> {
        let mut parts = Vec::with_capacity(nodes.len());
        for &node in nodes {
            let node = &self.symbolic.nodes[node];
            let (own_values, other_values) = values.split_at(node.subtree_values);
            let (own_x, other_x) = x.split_at_mut(node.subtree_columns);
            parts.push(Part { node, values: own_values, x: own_x });
            (values, x) = (other_values, other_x);
        }
        parts
    }

    /// `x := L^-1 x` in a subtree; returns what is to be added to the rows below.
    fn forward(&self, part: Part<'_, T>) -> Vec<T> {
        let Part { node, values, x } = part;
        let (below, panel) = values.split_at(values.len() - node.panel_values());
        let (x_below, own) = x.split_at_mut(x.len() - node.width);
        let parts = self.parts(&node.children, below, x_below);
        let forward = |part| self.forward(part);
        let updates: Vec<Vec<T>> = if node.subtree_values > PARALLEL_VALUES {
            parts.into_par_iter().map(forward).collect()
        } else {
            parts.into_iter().map(forward).collect()
        };
        let mut front = vec![T::default(); node.height()];
        front[..own.len()].copy_from_slice(own);
        for (&child, update) in node.children.iter().zip(&updates) {
            for run in &self.symbolic.nodes[child].runs {
                let to = &mut front[run.target..run.target + run.len];
                for (to, from) in to.iter_mut().zip(&update[run.source..]) {
                    *to += *from;
                }
            }
        }
        Arch::new().dispatch(|| forward_panel(panel, &mut front, own.len()));
        own.copy_from_slice(&front[..own.len()]);
        front.drain(..own.len());
        front
    }

    /// `x := L^-T x` in a subtree, given the solution in the parent's front.
    fn backward(&self, part: Part<'_, T>, parent: &[T]) {
        let Part { node, values, x } = part;
        let (below, panel) = values.split_at(values.len() - node.panel_values());
        let (x_below, own) = x.split_at_mut(x.len() - node.width);
        let mut front = Vec::with_capacity(node.height());
        front.extend_from_slice(own);
        for run in &node.runs {
            front.extend_from_slice(&parent[run.target..run.target + run.len]);
        }
        Arch::new().dispatch(|| backward_panel(panel, &mut front, own.len()));
        own.copy_from_slice(&front[..own.len()]);
        let parts = self.parts(&node.children, below, x_below);
        if node.subtree_values > PARALLEL_VALUES {
            parts.into_par_iter().for_each(|part| self.backward(part, &front));
        } else {
            parts.into_iter().for_each(|part| self.backward(part, &front));
        }
    }
}

/// `front[..width] := L11^-1 front[..width]`, then `front[width..] -= L21 front[..width]`.
#[inline(always)]
fn forward_panel<T: Scalar>(panel: &[T], front: &mut [T], width: usize) {
    let height = front.len();
    let mut first = 0;
    while first < width {
        let n = SWEEP.min(width - first);
        let columns: [&[T]; SWEEP] =
            std::array::from_fn(|k| &panel[(first + k.min(n - 1)) * height..][..height]);
        let mut x = [T::default(); SWEEP];
        for k in 0..n {
            let mut sum = front[first + k];
            for m in 0..k {
                sum -= columns[m][first + k] * x[m];
            }
            x[k] = sum / columns[k][first + k];
            front[first + k] = x[k];
        }
        // Columns past the last have x = 0.
        let [c0, c1, c2, c3] = columns.map(|c| &c[first + n..]);
        let rest = front[first + n..].iter_mut().zip(c0.iter().zip(c1).zip(c2.iter().zip(c3)));
        for (to, ((c0, c1), (c2, c3))) in rest {
            *to -= *c0 * x[0] + *c1 * x[1] + (*c2 * x[2] + *c3 * x[3]);
        }
        first += n;
    }
}

/// `front[..width] := L11^-T (front[..width] - L21^T front[width..])`.
#[inline(always)]
fn backward_panel<T: Scalar>(panel: &[T], front: &mut [T], width: usize) {
    let height = front.len();
    let mut end = width;
    while end > 0 {
        let n = (end - 1) % SWEEP + 1;
        let first = end - n;
        let columns: [&[T]; SWEEP] =
            std::array::from_fn(|k| &panel[(first + k.min(n - 1)) * height..][..height]);
        let sums = dot(columns.map(|c| &c[end..]), &front[end..]);
        for k in (0..n).rev() {
            let mut sum = front[first + k] - sums[k];
            for m in k + 1..n {
                sum -= columns[k][first + m] * front[first + m];
            }
            front[first + k] = sum / columns[k][first + k];
        }
        end = first;
    }
}

/// Partial sums kept side by side, for the vector units.
const LANES: usize = 16;

/// Scalar products of four columns with one.
#[inline(always)]
fn dot<T: Scalar>(columns: [&[T]; SWEEP], x: &[T]) -> [T; SWEEP] {
    let whole = x.len() / LANES * LANES;
    let mut partial = [[T::default(); LANES]; SWEEP];
    for at in (0..whole).step_by(LANES) {
        let x = &x[at..at + LANES];
        for (partial, column) in partial.iter_mut().zip(columns) {
            let column = &column[at..at + LANES];
            for lane in 0..LANES {
                partial[lane] += column[lane] * x[lane];
            }
        }
    }
    std::array::from_fn(|k| {
        let mut sum = T::default();
        partial[k].iter().for_each(|p| sum += *p);
        for i in whole..x.len() {
            sum += columns[k][i] * x[i];
        }
        sum
    })
}
