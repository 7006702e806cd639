//! Damping of a strain whose gradient has no direction at zero.
//!
//! The bend of a rod is the length of a vector strain `kappa`. A turn of the vector is, as far as three nodes without
//! twist can tell, a turn of the body, and must cost nothing: damping acts on the length. Of a bend that passes
//! through zero within a step, however, the length has a cusp, and the forces on either side of it are such that no
//! step of Newton's method brings them together. There it is the vector that changes, and the length of its change is
//! smooth:
//!
//! ```text
//! V_d = h w_n [(1 - s) Psi_d((eps - eps_n)/h) + s Psi_d(|kappa - kappa_n|/h)]
//! s   = S(|kappa - kappa_n|^2/|kappa_n|^2),  S rises from 0 at 0.1^2 to 1 at 0.3^2
//! ```
//! A turn by less than 0.1 rad a step is free, 100 rad/s at steps of 1 ms. A change of length alone costs the same by
//! either, and whatever changes by 0.3 of itself, as all must that comes near zero, goes by the vector.
//! The ratio knows neither how finely a rod is divided nor how straight it is. Of a rod that is as good as straight
//! where the step begins any change is large, so that it has the vector from there on: stacked layers lie flat, and the
//! bends of most of their yarns, of microradians, change by a tenth of themselves within every step. While `s` went up and
//! down with them, published tablecloths took 4 iterations of Newton's method a step where they take 3.5.
//!
//! That the vector takes over so early keeps the potential nearly convex. Of a length that shrinks to `r` times its own
//! it is cheaper to turn than to shrink, and the potential has the stiffness `1 - 1/r` across, of that along: -1 at a
//! half. Yarns of stacked layers, which unbend by that much in a step when they fall on one another, took 10 to 40
//! iterations of Newton's method with a free turn up to 0.9, and take 4 to 11 with these numbers.

use nalgebra::Matrix3;

use super::strain::Density;
use crate::geometry::Vec3;

/// Squared change of a vector strain over its square at the start up to which damping acts on its length only, and
/// from which it acts on the vector only.
const PASSING: [f64; 2] = [0.01, 0.09];

/// The vector strain's part in one element's dissipation potential.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Across<const M: usize> {
    /// `s`, above 0.
    pub(crate) share: f64,
    /// First and second derivative of `s` by the square of the change.
    slopes: [f64; 2],
    /// `kappa`.
    pub(crate) vector: Vec3,
    /// `kappa - kappa_n`.
    change: Vec3,
    dt: f64,
    /// `Psi_d(|kappa - kappa_n|/h)`.
    density: Density<M>,
}

impl<const M: usize> Across<M> {
    /// At a vector strain, from what it was `dt` seconds before, whose square counts as `squared`; none where it takes
    /// no part.
    pub(crate) fn new(
        [before, vector]: [Vec3; 2],
        squared: f64,
        dt: f64,
        density: impl FnOnce(&[f64; M]) -> Density<M>,
    ) -> Option<Self> {
        let change = vector - before;
        let (share, slopes) = share(change.norm_squared(), squared);
        if share == 0.0 {
            return None;
        }
        let mut rate = [0.0; M];
        rate[0] = change.norm() / dt;
        Some(Self { share, slopes, vector, change, dt, density: density(&rate) })
    }

    /// The density of both parts, from that of the scalar strain's.
    pub(crate) fn value(&self, along: f64) -> f64 {
        (1.0 - self.share) * along + self.share * self.density.value
    }

    /// `h` times the derivative of [`Self::value`] by the vector strain, but for that of the scalar strain.
    pub(crate) fn stress(&self, along: f64) -> Vec3 {
        let passing = 2.0 * self.dt * self.slopes[0] * (self.density.value - along);
        self.change * (self.share * self.secant() / self.dt + passing)
    }

    /// `h` times the second derivative of [`Self::value`] by the vector strain, the scalar strain being its length.
    pub(crate) fn stiffness(&self, along: &Density<M>) -> Matrix3<f64> {
        let (d, [s1, s2]) = (self.change, self.slopes);
        let (length, size) = (self.vector.norm(), d.norm());
        let radial = self.vector / length;
        let (out, over) = (radial * radial.transpose(), d * d.transpose());
        let across = Matrix3::identity() - out;
        let scalar = out * (along.stiffness[0][0] / self.dt) + across * (along.stress[0] / length);
        let bend = (self.density.stiffness[0][0] - self.secant()) / (size * size);
        let vector = (Matrix3::identity() * self.secant() + over * bend) / self.dt;
        let turn = d * (d * (self.secant() / self.dt) - radial * along.stress[0]).transpose() * (2.0 * s1);
        let shift = Matrix3::identity() * (2.0 * s1) + over * (4.0 * s2);
        scalar * (1.0 - self.share)
            + vector * self.share
            + turn
            + turn.transpose()
            + shift * (self.dt * (self.density.value - along.value))
    }

    /// What is lost per second of the step and unit of weight, from the scalar strain's value and power.
    pub(crate) fn power(&self, along: f64, power: f64) -> f64 {
        (1.0 - self.share) * power + self.stress(along).dot(&self.change) / self.dt
    }

    /// Stress over rate.
    pub(crate) fn secant(&self) -> f64 {
        let rate = self.change.norm() / self.dt;
        if rate > 0.0 { self.density.stress[0] / rate } else { self.density.stiffness[0][0] }
    }
}

/// `s` with its first two derivatives by the square of the change.
fn share(change: f64, before: f64) -> (f64, [f64; 2]) {
    let [none, all] = PASSING.map(|x| x * before);
    if change >= all {
        return (1.0, [0.0; 2]);
    }
    let (t, width) = (((change - none) / (all - none)).max(0.0), all - none);
    (t * t * (3.0 - 2.0 * t), [6.0 * t * (1.0 - t) / width, (6.0 - 12.0 * t) / (width * width)])
}
