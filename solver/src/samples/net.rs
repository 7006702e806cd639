//! A net of elastic strings that hangs from its upper edge: a small problem that is truly non-linear.

use std::sync::Arc;

use crate::matrix::BlockMatrix;
use crate::objective::{HessianForm, Objective};
use crate::pattern::{BlockPattern, PatternBuilder};
use crate::stencil::Stencils;

/// `side` x `side` knots joined by strings, the first row fixed, under gravity.
///
/// ```text
/// E(q) = sum_strings k (|x1 - x0| - L)^2 / (2 L) + sum_knots ( m g z + p |x - x_start|^2 / 2 )
/// ```
/// with `k = 10 N`, `L = 0.1 m`, `m = 0.01 kg` and the proximal stiffness `p`, N/m, which is 0 at first.
#[derive(Debug, Clone)]
pub struct HangingNet {
    strings: Stencils<3, 6>,
    pattern: Arc<BlockPattern>,
    active: Vec<bool>,
    side: usize,
    start: Vec<f64>,
    /// Stiffness towards the start, N/m: mass over the square of a time step, for instance.
    pub proximal_stiffness: f64,
}

/// Stiffness of a string, N.
const STIFFNESS: f64 = 10.0;
/// Rest length of a string, m.
const LENGTH: f64 = 0.1;
/// Weight of a knot, N.
const WEIGHT: f64 = 0.0981;

impl HangingNet {
    /// A net of `side` x `side` knots.
    pub fn new(side: usize) -> Self {
        let knot = |r: usize, c: usize| (r * side + c) as u32;
        let along = (0..side).flat_map(|r| (1..side).map(move |c| [knot(r, c - 1), knot(r, c)]));
        let down = (1..side).flat_map(|r| (0..side).map(move |c| [knot(r - 1, c), knot(r, c)]));
        let dofs = along.chain(down).map(|[a, b]| [3 * a, 3 * a + 1, 3 * a + 2, 3 * b, 3 * b + 1, 3 * b + 2]);
        let mut strings = Stencils::new(dofs.collect(), [0, 0, 0, 1, 1, 1]);
        let mut pattern = PatternBuilder::new(side * side);
        strings.couple(&mut pattern);
        let pattern = Arc::new(pattern.build());
        strings.bind(&pattern);
        let active = (0..3 * side * side).map(|d| d >= 3 * side).collect();
        let mut net = Self { strings, pattern, active, side, start: Vec::new(), proximal_stiffness: 0.0 };
        net.start = net.sheet(1.05);
        net
    }

    /// Where the knots are at the start, m: `(x, y, z)` by rows, in a slanting sheet stretched by 5 %.
    pub fn start(&self) -> &[f64] {
        &self.start
    }

    /// Where the proximal stiffness pulls the knots, m: at first, where they start.
    pub fn start_mut(&mut self) -> &mut [f64] {
        &mut self.start
    }

    /// The same sheet stretched by another factor; below 1 its strings are slack.
    pub fn sheet(&self, stretch: f64) -> Vec<f64> {
        let l = stretch * LENGTH;
        let at = |i: usize| {
            let (r, c) = ((i / self.side) as f64, (i % self.side) as f64);
            [c * l, 0.6 * r * l, -0.8 * r * l]
        };
        (0..self.side * self.side).flat_map(at).collect()
    }

    /// Rest coordinates of the knots, m.
    pub fn coordinates(&self) -> Vec<[f64; 3]> {
        let at = |i: usize| [(i % self.side) as f64 * LENGTH, (i / self.side) as f64 * LENGTH, 0.0];
        (0..self.side * self.side).map(at).collect()
    }

    /// The rows of knots, then the columns.
    pub fn groups(&self) -> Vec<Vec<u32>> {
        let m = self.side as u32;
        let rows = (0..m).map(|r| (0..m).map(|c| r * m + c).collect());
        let columns = (0..m).map(|c| (0..m).map(|r| r * m + c).collect());
        rows.chain(columns).collect()
    }
}

impl Objective<3> for HangingNet {
    fn pattern(&self) -> &Arc<BlockPattern> {
        &self.pattern
    }

    fn active(&self) -> &[bool] {
        &self.active
    }

    fn value(&self, q: &[f64]) -> f64 {
        // V = k (l - L)^2 / (2 L)
        let elastic = self.strings.sum(q, |_, q| STIFFNESS * (length(q).1 - LENGTH).powi(2) / (2.0 * LENGTH));
        let weight: f64 = q.chunks_exact(3).map(|x| WEIGHT * x[2]).sum();
        let squared: f64 = q.iter().zip(&self.start).map(|(a, b)| (a - b) * (a - b)).sum();
        elastic + weight + 0.5 * self.proximal_stiffness * squared
    }

    fn gradient(&self, q: &[f64], out: &mut [f64]) {
        for (o, (a, b)) in out.iter_mut().zip(q.iter().zip(&self.start)) {
            *o = self.proximal_stiffness * (a - b);
        }
        out.chunks_exact_mut(3).for_each(|g| g[2] += WEIGHT);
        self.strings.add_gradient(&self.pattern, q, out, |_, q| {
            let (n, l) = length(q);
            // dV/dx1 = k (l - L) / L n
            let t = n.map(|n| STIFFNESS * (l - LENGTH) / LENGTH * n);
            Some([-t[0], -t[1], -t[2], t[0], t[1], t[2]])
        });
    }

    fn hessian(&self, q: &[f64], form: HessianForm, out: &mut BlockMatrix<3>) {
        out.set_zero();
        out.add_to_diagonal(&self.active, self.proximal_stiffness);
        self.strings.add_hessian(q, out, |_, q| {
            let (n, l) = length(q);
            let slack = 1.0 - LENGTH / l;
            let across = if form == HessianForm::Whole { slack } else { slack.max(0.0) };
            Some(std::array::from_fn(|a| {
                std::array::from_fn(|b| {
                    let (ka, kb) = (a % 3, b % 3);
                    let sign = if a / 3 == b / 3 { 1.0 } else { -1.0 };
                    let identity = if ka == kb { 1.0 } else { 0.0 };
                    // d2V/dx1^2 = k / L (n n' + (1 - L / l) (I - n n'))
                    let nn = n[ka] * n[kb];
                    sign * STIFFNESS / LENGTH * (nn + across * (identity - nn))
                })
            }))
        });
    }
}

/// Direction and length of a string.
fn length(q: &[f64; 6]) -> ([f64; 3], f64) {
    let d = [q[3] - q[0], q[4] - q[1], q[5] - q[2]];
    let l = d.iter().map(|x| x * x).sum::<f64>().sqrt();
    (d.map(|x| x / l), l)
}
