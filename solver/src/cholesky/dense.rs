//! Dense kernels on one front. Large fronts are cut into tiles of fixed size that rayon shares out, so
//! the rounding is the same on any number of threads.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{LltError, cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::matmul::{matmul, triangular};
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::prelude::{Reborrow, ReborrowMut};
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;
use triangular::BlockStructure::{Rectangular, TriangularLower};

use crate::cholesky::scalar::Scalar;
use crate::interrupt::Interrupt;

/// Columns factored at a time, and columns per tile of an update, in scalars.
const TILE: usize = 256;

/// Overwrites the panel's lower trapezoid `[A11; A21]` by `[L11; A21 L11^-T]` with `A11 = L11 L11^T`.
/// On failure returns the column whose pivot was not positive, where it is interrupted any.
pub(super) fn factor_panel<T: Scalar>(mut panel: MatMut<'_, T>, interrupt: &Interrupt) -> Result<(), usize> {
    let width = panel.ncols();
    let mut column = 0;
    while column < width {
        if interrupt.is_raised() {
            return Err(column);
        }
        let tile = TILE.min(width - column);
        let (_, rest) = panel.rb_mut().split_at_row_mut(column);
        let (_, rest) = rest.split_at_col_mut(column);
        let (current, trailing) = rest.split_at_col_mut(tile);
        let (mut diagonal, mut below) = current.split_at_row_mut(tile);
        factor_diagonal(diagonal.rb_mut()).map_err(|k| column + k)?;
        solve_rows(diagonal.rb(), below.rb_mut());
        let (_, trailing) = trailing.split_at_row_mut(tile);
        subtract_square(trailing, below.rb(), (Accum::Add, interrupt));
        column += tile;
    }
    Ok(())
}

/// The lower trapezoid of `C - L L^T`, or of `-L L^T` with [`Accum::Replace`]: `C` has as many rows as
/// `L` and no more columns. Where it is interrupted tiles are left as they are.
pub(super) fn subtract_square<T: Scalar>(
    mut c: MatMut<'_, T>,
    l: MatRef<'_, T>,
    (accum, interrupt): (Accum, &Interrupt),
) {
    let mut tiles = Vec::with_capacity(c.ncols().div_ceil(TILE));
    let mut first = 0;
    while c.ncols() > 0 {
        let width = TILE.min(c.ncols());
        let (tile, rest) = c.split_at_col_mut(width);
        let (_, below) = tile.split_at_row_mut(first);
        tiles.push((first, below));
        first += width;
        c = rest;
    }
    tiles.into_par_iter().filter(|_| !interrupt.is_raised()).for_each(|(first, tile)| {
        subtract_tile(tile, l.split_at_row(first).1, accum);
    });
}

fn subtract_tile<T: Scalar>(tile: MatMut<'_, T>, l: MatRef<'_, T>, accum: Accum) {
    let width = tile.ncols();
    let minus = T::from_f64(-1.0);
    let (square, below) = tile.split_at_row_mut(width);
    let (own, others) = l.split_at_row(width);
    let shapes = (TriangularLower, Rectangular, Rectangular);
    triangular::matmul(square, shapes.0, accum, own, shapes.1, own.transpose(), shapes.2, minus, Par::Seq);
    if below.nrows() > 0 {
        matmul(below, accum, others, own.transpose(), minus, Par::Seq);
    }
}

fn factor_diagonal<T: Scalar>(a: MatMut<'_, T>) -> Result<(), usize> {
    let mut memory = MemBuffer::new(cholesky_in_place_scratch::<T>(a.nrows(), Par::Seq, Default::default()));
    let stack = MemStack::new(&mut memory);
    match cholesky_in_place(a, Default::default(), Par::Seq, stack, Default::default()) {
        Ok(_) => Ok(()),
        Err(LltError::NonPositivePivot { index }) => Err(index),
    }
}

/// `X := X L^-T`, tiles of rows side by side.
fn solve_rows<T: Scalar>(l: MatRef<'_, T>, mut x: MatMut<'_, T>) {
    let mut tiles = Vec::with_capacity(x.nrows().div_ceil(TILE));
    while x.nrows() > 0 {
        let height = TILE.min(x.nrows());
        let (tile, rest) = x.split_at_row_mut(height);
        tiles.push(tile);
        x = rest;
    }
    tiles.into_par_iter().for_each(|tile| solve_lower_triangular_in_place(l, tile.transpose_mut(), Par::Seq));
}
