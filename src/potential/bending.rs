//! Bending of a rod at a node.

use super::strain::{Density, Measure, Strain, add_angle_curvature};
use crate::geometry::Vec3;
use crate::geometry::angle::{Angle, SMALLEST_SINE, curvature_binormal, curvature_binormal_pull_back};

/// Bending strain at the middle of three nodes `(x0, u0, x1, u1, x2, u2)`.
///
/// ```text
/// w = u2 - u0      e = theta - t(kappa0 w),  theta the angle between the segments      V = kb e^2/w
/// t(x) = x  up to a = 5/2,  a + (1 - exp(-(x - a)/b)) b  beyond,  b = 1/2
/// ```
/// As `V = k e^2/(2 w)` with `k = 2 kb`, and `kb = EI` of a continuous rod. `kappa0`, 1/m, is the curvature that
/// the yarn has at rest: none in a flat weave, what it was set to in a knit; in whichever plane it bends. Where a set yarn has
/// thickness and crosses another, [`Turned`](super::turned::Turned) gives it the plane too. A turn by more than
/// half a circle, which a yarn set in a loop makes once enough of it lies between the nodes, three nodes cannot show:
/// they would be drawn into the fold at `theta = pi`, where the angle has no gradient.
///
/// The gradient of `theta` has no direction when the segments are aligned. Damping takes the vector strain
/// `2 tan(theta/2) n/w` of a bend that passes through zero within the step, see [`super::through_zero`], or is as good
/// as straight where the step begins, and the angle of every other and of every yarn with a curvature at rest: the
/// vector turns with the rod and would damp rigid rotation. The published method, Sanchez-Banderas et al. 2018,
/// equations (3.20) to (3.24), takes the vector below a fixed angle instead; then a rod that is finely divided loses energy as it spins, whatever its curvature. What the
/// angle leaves free is what three nodes without twist cannot tell from a rigid rotation: a turn of the plane of
/// bending about the rod.
///
/// A yarn that is bent more sharply than `theta/w = s` stiffens, in proportion to the excess: with
/// `x = ((eps + kappa0)/s - 1)+`
///
/// ```text
/// psi = eps^2/2 + c s^2 x^3/6      psi'' = 1 + c x,   c = 10
/// ```
/// The fibres on the inside of a bend have no length left where its radius is the yarn's own, which is where `s` is for
/// knitted yarns. How much they stiffen is a choice.
///
/// Source: Sanchez-Banderas et al. 2020, equation (4.8). Fails when a segment has no length.
#[derive(Debug, Clone, Default)]
pub struct Bending {
    /// `kappa0` of every element, 1/m.
    pub rest: Vec<f64>,
    /// `s` of every element, 1/m, no less than `kappa0`; infinite for yarns that do not stiffen.
    pub sharp: Vec<f64>,
    /// The curvature of every element, 1/m, below which it is as good as straight.
    pub straight: Vec<f64>,
}

/// `c`, by which a yarn is stiffer at twice the sharpest bend than at it.
const STIFFENING: f64 = 10.0;

/// Turns from which on three nodes show less than there is, and by how much more they show at most, rad.
const SHOWN: f64 = 2.5;
const MARGIN: f64 = 0.5;

/// `t` of a turn at rest, rad, and its first and second derivatives.
fn shown(turn: f64) -> [f64; 3] {
    if turn <= SHOWN {
        return [turn, 1.0, 0.0];
    }
    let left = ((SHOWN - turn) / MARGIN).exp();
    [SHOWN + (1.0 - left) * MARGIN, left, -left / MARGIN]
}

pub(super) fn edges(q: &[f64; 12]) -> (Vec3, Vec3) {
    (Vec3::new(q[4] - q[0], q[5] - q[1], q[6] - q[2]), Vec3::new(q[8] - q[4], q[9] - q[5], q[10] - q[6]))
}

/// A linear form on the two edges as one on the twelve unknowns.
pub(super) fn on_nodes([a, b]: [Vec3; 2]) -> [f64; 12] {
    let m = a - b;
    [-a.x, -a.y, -a.z, 0.0, m.x, m.y, m.z, 0.0, b.x, b.y, b.z, 0.0]
}

impl Strain<12> for Bending {
    fn weight_and_elongation(&self, element: usize, q: &[f64; 12]) -> (f64, [f64; 1]) {
        let ((a, b), w) = (edges(q), q[11] - q[3]);
        let [turn, ..] = shown(self.rest[element] * w);
        (w, [a.cross(&b).norm().atan2(a.dot(&b)) - turn])
    }

    fn measure(&self, element: usize, q: &[f64; 12]) -> Measure<12> {
        let ((a, b), rest) = (edges(q), self.rest[element]);
        let angle = Angle::new(a, b);
        let weight = q[11] - q[3];
        let mut weight_gradient = [0.0; 12];
        (weight_gradient[3], weight_gradient[11]) = (-1.0, 1.0);
        let [turn, slope, _] = shown(rest * weight);
        let mut gradient = on_nodes(angle.gradient());
        gradient[3] += slope * rest;
        gradient[11] -= slope * rest;
        let elongation = [angle.theta - turn];
        Measure { weight, weight_gradient, elongation, elongation_gradient: [gradient] }
    }

    fn beside_cusp(&self, element: usize, m: &Measure<12>) -> [f64; 1] {
        let [turn, ..] = shown(self.rest[element] * m.weight);
        [m.elongation[0].max(SMALLEST_SINE - turn)]
    }

    fn add_curvature(
        &self,
        element: usize,
        q: &[f64; 12],
        (&[c], project): (&[f64; 1], bool),
        h: &mut [[f64; 12]; 12],
    ) {
        let ((a, b), rest) = (edges(q), self.rest[element]);
        add_angle_curvature(&Angle::new(a, b), c, project, on_nodes, h);
        let [.., curvature] = shown(rest * (q[11] - q[3]));
        let along = -c * curvature * rest * rest;
        if along > 0.0 || !project {
            for (i, j, sign) in [(3, 3, 1.0), (11, 11, 1.0), (3, 11, -1.0), (11, 3, -1.0)] {
                h[i][j] += sign * along;
            }
        }
    }

    fn density(&self, element: usize, &[eps]: &[f64; 1]) -> Density<1> {
        let sharp = self.sharp[element];
        let over = (eps + self.rest[element]) / sharp - 1.0;
        if over <= 0.0 {
            return Density::scalar([0.5 * eps * eps, eps, 1.0]);
        }
        let [value, first, second] = [sharp * sharp * over.powi(3) / 6.0, 0.5 * sharp * over * over, over];
        Density::scalar([
            0.5 * eps * eps + STIFFENING * value,
            eps + STIFFENING * first,
            1.0 + STIFFENING * second,
        ])
    }

    fn vector(&self, element: usize, q: &[f64; 12]) -> Option<Vec3> {
        let (a, b) = edges(q);
        (self.rest[element] == 0.0).then(|| curvature_binormal(a, b))
    }

    fn least_vector(&self, element: usize) -> f64 {
        self.straight[element]
    }

    fn vector_pull_back(&self, _: usize, q: &[f64; 12], d: Vec3) -> [f64; 12] {
        let (a, b) = edges(q);
        on_nodes(curvature_binormal_pull_back(a, b, d))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twice the sharpest bend takes the energy of a rod that stiffens in proportion to what is beyond it.
    #[test]
    fn yarn_stiffens_where_it_is_bent_more_sharply_than_its_radius() {
        let bending = Bending { rest: vec![0.0], sharp: vec![3.0], straight: vec![0.0] };
        let at = |eps: f64| bending.density(0, &[eps]);
        let n = 10_000;
        let bends = (0..n).map(|k| 6.0 * (f64::from(k) + 0.5) / f64::from(n));
        let stiffness = |eps: f64| if eps < 3.0 { 1.0 } else { 1.0 + 10.0 * (eps - 3.0) / 3.0 };
        let (mut moment, mut energy) = (0.0, 0.0);
        for eps in bends {
            let step = 6.0 / f64::from(n);
            energy += (moment + 0.5 * stiffness(eps) * step) * step;
            moment += stiffness(eps) * step;
        }
        assert!((at(6.0).stress[0] - moment).abs() < 1e-6 * moment, "{moment}");
        assert!((at(6.0).value - energy).abs() < 1e-6 * energy, "{energy}");
        assert_eq!(at(2.9).stiffness, [[1.0]]);
    }
}
