//! Sums of products of gradients, and projections onto them.

use super::family::add_square;
use super::strain::dot;

/// The part of a force that is at right angles to all of the strain's gradients (3.1).
pub(super) fn outside<const N: usize, const M: usize>(
    force: &[f64; N],
    gradients: [[f64; N]; M],
) -> [f64; N] {
    let mut left = *force;
    let mut basis: [[f64; N]; M] = [[0.0; N]; M];
    for (k, mut g) in gradients.into_iter().enumerate() {
        let size = dot(&g, &g);
        for b in &basis[..k] {
            remove(&mut g, b);
        }
        let rest = dot(&g, &g);
        // Components that depend on one another add nothing.
        if rest > 1e-20 * size {
            basis[k] = g.map(|x| x / rest.sqrt());
            remove(&mut left, &basis[k]);
        }
    }
    left
}

/// Takes the part along a unit vector away.
fn remove<const N: usize>(x: &mut [f64; N], unit: &[f64; N]) {
    let along = dot(x, unit);
    x.iter_mut().zip(unit).for_each(|(x, u)| *x -= along * u);
}

/// `h += sum_ij A_ij g_i g_j'`, `A` symmetric.
#[inline]
pub(super) fn add_form<const N: usize, const M: usize>(
    h: &mut [[f64; N]; N],
    a: &[[f64; M]; M],
    g: &[[f64; N]; M],
) {
    if M == 1 {
        add_square(h, a[0][0], &g[0]);
        return;
    }
    let ag: [[f64; N]; M] =
        a.map(|row| std::array::from_fn(|j| row.iter().zip(g).map(|(a, g)| a * g[j]).sum()));
    for i in 0..N {
        for k in 0..M {
            for j in 0..N {
                h[i][j] += g[k][i] * ag[k][j];
            }
        }
    }
}

/// `out += sum_k c_k g_k`.
#[inline]
pub(super) fn add_gradients<const N: usize, const M: usize>(
    out: &mut [f64; N],
    c: &[f64; M],
    g: &[[f64; N]; M],
) {
    for k in 0..M {
        for i in 0..N {
            out[i] += c[k] * g[k][i];
        }
    }
}

/// `A x`.
pub(super) fn times<const N: usize>(a: &[[f64; N]; N], x: &[f64; N]) -> [f64; N] {
    a.map(|row| dot(&row, x))
}
