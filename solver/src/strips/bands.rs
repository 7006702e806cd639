//! Cholesky factors of several banded matrices at once, one in each SIMD lane.

use std::ops::Range;

use pulp::Arch;

/// Matrices side by side: one AVX-512 register or two AVX2 registers of f32.
pub(super) const LANES: usize = 16;

/// One number of each matrix.
pub(super) type Lanes = [f32; LANES];

/// Smallest pivot that counts as positive, for a matrix whose diagonal is 1: a few roundings of f32.
const PIVOT_FLOOR: f32 = 1e-6;

/// Lower halves of [`LANES`] symmetric banded matrices of the same size, or their Cholesky factors.
///
/// Entry `k` of column `c` is `A[c + k][c]`. There are `width - 1` more columns of zeros at the end, so
/// that the kernels need not look where the matrix ends.
#[derive(Debug, Clone)]
pub(super) struct Bands {
    n: usize,
    width: usize,
    values: Vec<Lanes>,
}

impl Bands {
    /// Zero matrices of `n` columns, each entry at most `width - 1` rows below the diagonal.
    pub(super) fn new(n: usize, width: usize) -> Self {
        Self { n, width, values: vec![[0.0; LANES]; (n + width - 1) * width] }
    }

    /// Whether they have this size.
    pub(super) fn is(&self, n: usize, width: usize) -> bool {
        (self.n, self.width) == (n, width)
    }

    /// Entries of a vector to solve for, those past the end included.
    pub(super) fn padded_len(&self) -> usize {
        self.n + self.width - 1
    }

    /// Entries per column, the diagonal included.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Gives all of them columns of the identity; a range past the end clears what is there.
    pub(super) fn set_identity(&mut self, columns: Range<usize>) {
        let end = if columns.end < self.n { columns.end * self.width } else { self.values.len() };
        let values = &mut self.values[columns.start.min(self.n) * self.width..end];
        values.fill([0.0; LANES]);
        for column in
            values.chunks_exact_mut(self.width).take(self.n.min(columns.end).saturating_sub(columns.start))
        {
            column[0] = [1.0; LANES];
        }
    }

    /// Sets the block of one matrix whose first entry is `A[row][column]`, `row >= column`; of a block on
    /// the diagonal, its lower half.
    #[inline]
    pub(super) fn set_block<const B: usize>(
        &mut self,
        (row, column): (usize, usize),
        lane: usize,
        block: &[[f32; B]; B],
    ) {
        for b in 0..B {
            let first = if row == column { b } else { 0 };
            let start = (column + b) * self.width + (row + first) - (column + b);
            for (value, a) in self.values[start..start + B - first].iter_mut().zip(first..B) {
                value[lane % LANES] = block[a][b];
            }
        }
    }

    /// Factors columns in place, `A = L L'`, the diagonal of `L` stored inverted; the columns before them
    /// must have been factored, the `width - 1` after them set. Returns, lane by lane, whether all pivots
    /// were positive; the factor of another lane is useless.
    pub(super) fn factor(&mut self, columns: Range<usize>) -> [bool; LANES] {
        let Self { n, width, values } = self;
        let (end, width) = (columns.end.min(*n), *width);
        let values = &mut values[columns.start * width..];
        let smallest = Arch::new().dispatch(
            #[inline(always)]
            || factor_kernel(values, width, end - columns.start),
        );
        smallest.map(|pivot| pivot > PIVOT_FLOOR)
    }

    /// Solves `L L' x = x` in place; `x` has [`Self::padded_len`] entries, zero past the end.
    pub(super) fn solve(&self, x: &mut [Lanes]) {
        Arch::new().dispatch(
            #[inline(always)]
            || solve_kernel(&self.values, self.width, self.n, x),
        );
    }
}

/// Right-looking: column by column, each updates the `width - 1` columns after it.
#[inline(always)]
fn factor_kernel(values: &mut [Lanes], width: usize, n: usize) -> Lanes {
    let mut smallest = [f32::MAX; LANES];
    for c in 0..n {
        let (column, rest) = values[c * width..].split_at_mut(width);
        let mut inverse = [0.0; LANES];
        for l in 0..LANES {
            let pivot = column[0][l];
            smallest[l] = if pivot < smallest[l] { pivot } else { smallest[l] };
            inverse[l] = 1.0 / pivot.max(PIVOT_FLOOR).sqrt();
        }
        column[0] = inverse;
        for entry in &mut column[1..] {
            for l in 0..LANES {
                entry[l] *= inverse[l];
            }
        }
        for j in 1..width {
            // A[c+k][c+j] -= L[c+k][c] L[c+j][c], k >= j
            let target = &mut rest[(j - 1) * width..j * width - j];
            let factor = column[j];
            for (t, entry) in target.iter_mut().zip(&column[j..]) {
                for l in 0..LANES {
                    t[l] -= entry[l] * factor[l];
                }
            }
        }
    }
    smallest
}

#[inline(always)]
fn solve_kernel(values: &[Lanes], width: usize, n: usize, x: &mut [Lanes]) {
    for (c, column) in values.chunks_exact(width).take(n).enumerate() {
        let (y, rest) = x[c..c + width].split_at_mut(1);
        for l in 0..LANES {
            y[0][l] *= column[0][l];
        }
        for (t, entry) in rest.iter_mut().zip(&column[1..]) {
            for l in 0..LANES {
                t[l] -= entry[l] * y[0][l];
            }
        }
    }
    for (c, column) in values.chunks_exact(width).take(n).enumerate().rev() {
        let (y, rest) = x[c..c + width].split_at_mut(1);
        let mut sum = y[0];
        for (t, entry) in rest.iter().zip(&column[1..]) {
            for l in 0..LANES {
                sum[l] -= entry[l] * t[l];
            }
        }
        for l in 0..LANES {
            y[0][l] = sum[l] * column[0][l];
        }
    }
}
