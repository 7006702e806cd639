//! Yarns of layers whose contact was removed: what keeps each on its side of the other.

use std::f64::consts::FRAC_PI_2;

use crate::geometry::Vec3;

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
pub struct Side {
    /// `1` where the first is above, along its direction times the second's, `-1` where it is below.
    pub sign: i8,
    /// `delta` of both.
    pub ramps: [f64; 2],
}

/// Where the lines of two segments are closest.
struct Lines {
    params: [f64; 2],
    /// Parts of the four points in the offset from the second to the first.
    parts: [f64; 4],
    offset: Vec3,
    along: [Vec3; 2],
    /// `|a|^2 |b|^2 - (a.b)^2`, m4.
    determinant: f64,
}

/// Squared sine of the angle below which yarns do not cross.
const PARALLEL: f64 = 1e-6;

impl Lines {
    fn of(x: &[Vec3; 4]) -> Option<Self> {
        let (a, b, r) = (x[1] - x[0], x[3] - x[2], x[0] - x[2]);
        let (aa, bb, ab) = (a.norm_squared(), b.norm_squared(), a.dot(&b));
        let determinant = aa * bb - ab * ab;
        if determinant <= PARALLEL * aa * bb {
            return None;
        }
        let (da, db) = (a.dot(&r), b.dot(&r));
        let (s, t) = ((ab * db - bb * da) / determinant, (aa * db - ab * da) / determinant);
        let parts = [1.0 - s, s, t - 1.0, -t];
        Some(Self { params: [s, t], parts, offset: r + a * s - b * t, along: [a, b], determinant })
    }

    /// Gradients of `s` and `t`: at them `a . o = b . o = 0`, where a point that moves changes the offset `o` by its
    /// part and the line that it ends.
    fn gradients(&self) -> [[f64; 12]; 2] {
        let ([a, b], o) = (self.along, self.offset);
        let (aa, bb, ab) = (a.norm_squared(), b.norm_squared(), a.dot(&b));
        let mut out = [[0.0; 12]; 2];
        for point in 0..4 {
            let end = if point % 2 == 1 { o } else { -o };
            let (on_a, on_b) = if point < 2 { (end, Vec3::zeros()) } else { (Vec3::zeros(), end) };
            let (da, db) = (a * self.parts[point] + on_a, b * self.parts[point] + on_b);
            let (s, t) = ((db * ab - da * bb) / self.determinant, (db * aa - da * ab) / self.determinant);
            for axis in 0..3 {
                out[0][3 * point + axis] = s[axis];
                out[1][3 * point + axis] = t[axis];
            }
        }
        out
    }
}

/// What one yarn is pressed through the other.
#[derive(Debug, Clone, Copy)]
pub struct Pressed {
    /// `-f`, m, positive.
    pub depth: f64,
    /// Parts of the four points in what slides.
    pub parts: [f64; 4],
    /// From the second yarn to the first where it should be.
    pub normal: Vec3,
    /// Gradient of `f`.
    pub gradient: [f64; 12],
}

impl Side {
    /// How far a segment is pressed through the other; none where it is on its side or where they do not cross.
    pub fn pressed(&self, x: &[Vec3; 4]) -> Option<Pressed> {
        let lines = Lines::of(x)?;
        let normal = lines.along[0].cross(&lines.along[1]).normalize() * f64::from(self.sign);
        let height = lines.offset.dot(&normal);
        if height >= 0.0 {
            return None;
        }
        let share = |k: usize| window(lines.params[k], self.ramps[k]);
        let ([a, da], [b, db]) = (share(0), share(1));
        let depth = -a * b * height;
        if depth == 0.0 {
            return None;
        }
        let [ds, dt] = lines.gradients();
        let gradient = std::array::from_fn(|i| {
            a * b * lines.parts[i / 3] * normal[i % 3] + height * (da * b * ds[i] + a * db * dt[i])
        });
        Some(Pressed { depth, parts: lines.parts, normal, gradient })
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
