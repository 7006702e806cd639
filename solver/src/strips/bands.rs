//! Cholesky factors of several banded matrices at once, one in each SIMD lane.

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

    /// Entries of a vector to solve for, those past the end included.
    pub(super) fn padded_len(&self) -> usize {
        self.n + self.width - 1
    }

    /// Entries per column, the diagonal included.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Makes all of them the identity.
    pub(super) fn set_identity(&mut self) {
        self.values.fill([0.0; LANES]);
        for column in self.values.chunks_exact_mut(self.width).take(self.n) {
            column[0] = [1.0; LANES];
        }
    }

    /// Sets `A[row][column]` of one matrix, `row >= column`.
    #[inline]
    pub(super) fn set(&mut self, row: usize, column: usize, lane: usize, value: f32) {
        self.values[column * self.width + row - column][lane] = value;
    }

    /// Factors in place, `A = L L'`, the diagonal of `L` stored inverted. Returns, lane by lane, whether
    /// all pivots were positive; the factor of another lane is useless.
    pub(super) fn factor(&mut self) -> [bool; LANES] {
        let Self { n, width, values } = self;
        let smallest = Arch::new().dispatch(
            #[inline(always)]
            || factor_kernel(values, *width, *n),
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
