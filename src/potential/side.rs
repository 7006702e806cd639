//! Yarns of layers after contact removal: the repulsion that keeps each on its side of the other.

use std::f64::consts::FRAC_PI_2;

use crate::geometry::Vec3;
use crate::geometry::segments::Lines;

/// Two segments `a0 a1` and `b0 b1` of which one stays above the other where they cross.
///
/// ```text
/// V = k f^2/2,  f = c_a c_b g  where g < 0
/// c_a = sin(pi/2 r(s)) sin(pi/2 r(1 - s)),  r(s) = 1/2 + s/(2 delta), between 0 and 1
/// ```
/// | symbol | meaning | unit |
/// |---|---|---|
/// | `g` | height of the one that was above over the other, along the common normal of their lines | m |
/// | `s`, `t` | where the lines are closest, 0 and 1 at the ends of the segments | - |
/// | `delta` | half the way along a yarn on which one segment hands over to the next, over its length | - |
///
/// The squares of `c` of consecutive segments add up to one, so that what is pressed slides from segment to segment,
/// and off an end, without a jump. It has one derivative where `g` = 0. The Hessian leaves out the curvature of `f`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Side {
    /// `1` where the first is above, along its direction times the second's, `-1` where it is below.
    pub(crate) sign: i8,
    /// `delta` of both.
    pub(crate) ramps: [f64; 2],
}

/// Squared sine of the angle below which yarns do not cross.
const PARALLEL: f64 = 1e-6;

/// One yarn pressed through another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pressed {
    /// `-f`, m, positive.
    pub(crate) depth: f64,
    /// Parts of the four points in the offset from the second yarn to the first.
    pub(crate) parts: [f64; 4],
    /// From the second yarn to the first where it should be.
    pub(crate) normal: Vec3,
    /// From the second yarn to the first where it is, m.
    offset: Vec3,
    /// `g`.
    height: f64,
    /// `c` of both with their derivatives.
    shares: [[f64; 2]; 2],
    along: [Vec3; 2],
    lines: Lines,
}

impl Side {
    /// How far a segment is pressed through the other; none where it is on its side or where they do not cross.
    pub(crate) fn pressed(&self, x: &[Vec3; 4]) -> Option<Pressed> {
        let (a, b, r) = (x[1] - x[0], x[3] - x[2], x[0] - x[2]);
        let lines = Lines::new([a, b], 0.0);
        if !lines.cross(PARALLEL) {
            return None;
        }
        let [s, t] = lines.solve([a.dot(&r), b.dot(&r)]);
        let normal = a.cross(&b).normalize() * f64::from(self.sign);
        let offset = r + a * s - b * t;
        let height = offset.dot(&normal);
        if height >= 0.0 {
            return None;
        }
        let shares = [window(s, self.ramps[0]), window(t, self.ramps[1])];
        let depth = -shares[0][0] * shares[1][0] * height;
        let parts = [1.0 - s, s, t - 1.0, -t];
        (depth != 0.0).then_some(Pressed {
            depth,
            parts,
            normal,
            offset,
            height,
            shares,
            along: [a, b],
            lines,
        })
    }
}

impl Pressed {
    /// Gradient of `f`.
    ///
    /// The offset `o` is across both lines, `a . o = b . o = 0`. A point that moves changes it by its part, and the
    /// line that it ends; `s` and `t` follow.
    pub(crate) fn gradient(&self) -> [f64; 12] {
        let ([a, b], [[c_a, slope_a], [c_b, slope_b]]) = (self.along, self.shares);
        std::array::from_fn(|i| {
            let (point, axis) = (i / 3, i % 3);
            let end = if point % 2 == 1 { self.offset[axis] } else { -self.offset[axis] };
            let [on_a, on_b] = if point < 2 { [end, 0.0] } else { [0.0, end] };
            let part = self.parts[point];
            let [ds, dt] = self.lines.solve([a[axis] * part + on_a, b[axis] * part + on_b]);
            c_a * c_b * part * self.normal[axis] + self.height * (slope_a * c_b * ds + c_a * slope_b * dt)
        })
    }
}

/// `c` with its derivative.
fn window(s: f64, ramp: f64) -> [f64; 2] {
    let rise = |s: f64| {
        let r = 0.5 + 0.5 * s / ramp;
        let (sin, cos) = (FRAC_PI_2 * r.clamp(0.0, 1.0)).sin_cos();
        [sin, if (0.0..1.0).contains(&r) { FRAC_PI_2 * cos * 0.5 / ramp } else { 0.0 }]
    };
    let ([up, du], [down, dd]) = (rise(s), rise(1.0 - s));
    [up * down, du * down - up * dd]
}
