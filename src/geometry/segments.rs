//! Closest points of two straight segments.

use super::Vec3;

/// Where two segments are closest: at `a0 + s (a1 - a0)` and `b0 + t (b1 - b0)`.
#[derive(Debug, Clone, Copy)]
pub struct Closest {
    /// Parameter on the first, in `[0, 1]`.
    pub s: f64,
    /// Parameter on the second, in `[0, 1]`.
    pub t: f64,
    /// From the point on the second to that on the first, m.
    pub offset: Vec3,
    /// The minimum, m2.
    pub squared_distance: f64,
}

/// The equations of the closest points of two lines along `a` and `b`:
///
/// ```text
/// aa s - ab t = -da,   bb t - ab s = db         aa = a.a + blur,  bb = b.b + blur,  ab = a.b
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Lines {
    aa: f64,
    bb: f64,
    ab: f64,
    determinant: f64,
}

impl Lines {
    /// Of lines in these directions; `blur` (m2) is that of [`closest_points`].
    pub fn new([a, b]: [Vec3; 2], blur: f64) -> Self {
        let (aa, bb, ab) = (a.norm_squared() + blur, b.norm_squared() + blur, a.dot(&b));
        Self { aa, bb, ab, determinant: aa * bb - ab * ab }
    }

    /// Whether the squared sine of the angle between them is above a bound.
    pub fn cross(&self, bound: f64) -> bool {
        self.determinant > bound * self.aa * self.bb
    }

    /// `s` and `t`, of lines that cross.
    pub fn solve(&self, [da, db]: [f64; 2]) -> [f64; 2] {
        let Self { aa, bb, ab, determinant } = self;
        [(ab * db - bb * da) / determinant, (aa * db - ab * da) / determinant]
    }
}

/// The minimum over the unit square of
///
/// ```text
/// |a(s) - b(t)|^2 + blur ((s - 1/2)^2 + (t - 1/2)^2)
/// ```
/// Without blur (m2) it is the squared distance of the segments, whose closest points jump from end to end
/// as parallel segments turn. With a small one they are unique and move steadily, and the distance has a
/// gradient everywhere; it grows by at most `blur / (4 d)`. The gradient is that at fixed `s` and `t`,
/// whose own changes do not change the minimum to first order.
pub fn closest_points([a0, a1]: [Vec3; 2], [b0, b1]: [Vec3; 2], blur: f64) -> Closest {
    let (along_a, along_b, r) = (a1 - a0, b1 - b0, a0 - b0);
    let lines = Lines::new([along_a, along_b], blur);
    let Lines { aa, bb, ab, .. } = lines;
    let (da, db) = (along_a.dot(&r) - 0.5 * blur, along_b.dot(&r) + 0.5 * blur);
    let at = |s: f64, t: f64| {
        let offset = r + along_a * s - along_b * t;
        let off_centre = (s - 0.5) * (s - 0.5) + (t - 0.5) * (t - 0.5);
        Closest { s, t, offset, squared_distance: offset.norm_squared() + blur * off_centre }
    };
    if lines.cross(PARALLEL) {
        let [s, t] = lines.solve([da, db]);
        if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
            return at(s, t);
        }
    }
    // The function is convex, so otherwise its minimum is on the border.
    let on_a = |t: f64| at(ratio(ab * t - da, aa), t);
    let on_b = |s: f64| at(s, ratio(db + ab * s, bb));
    let border = [on_b(0.0), on_b(1.0), on_a(0.0), on_a(1.0)];
    border.into_iter().fold(border[0], |m, c| if c.squared_distance < m.squared_distance { c } else { m })
}

/// Squared sine of the angle below which segments without blur count as parallel.
const PARALLEL: f64 = 1e-14;

/// `n / d` within `[0, 1]`; a segment without length has its one point anywhere.
fn ratio(n: f64, d: f64) -> f64 {
    if d > 0.0 { (n / d).clamp(0.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v(x: f64, y: f64, z: f64) -> Vec3 {
        Vec3::new(x, y, z)
    }

    #[test]
    fn every_case_is_the_least_of_a_fine_search() {
        let mut state = 7u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as f64 / (1u64 << 24) as f64 - 0.5
        };
        for k in 0..200 {
            let mut p: [Vec3; 4] = std::array::from_fn(|_| v(random(), random(), random()));
            match k % 4 {
                1 => p[3] = p[2] + (p[1] - p[0]) * 0.7,
                2 => p[1] = p[0],
                _ => {}
            }
            for blur in [0.0, 0.01] {
                let found = closest_points([p[0], p[1]], [p[2], p[3]], blur);
                let at = |s: f64, t: f64| {
                    let w = p[0] + (p[1] - p[0]) * s - p[2] - (p[3] - p[2]) * t;
                    w.norm_squared() + blur * ((s - 0.5).powi(2) + (t - 0.5).powi(2))
                };
                assert!((at(found.s, found.t) - found.squared_distance).abs() < 1e-14);
                let grid = |k: usize| k as f64 / 100.0;
                let least = (0..=100).flat_map(|i| (0..=100).map(move |j| (i, j)));
                let least = least.map(|(i, j)| at(grid(i), grid(j))).fold(f64::INFINITY, f64::min);
                assert!(found.squared_distance <= least + 1e-14, "{found:?} {least}");
            }
        }
    }

    #[test]
    fn a_blurred_distance_moves_steadily_through_parallel() {
        let at = |angle: f64| {
            let b = v(angle.cos(), 0.0, angle.sin()) * 0.5;
            closest_points([v(-0.5, 0.1, 0.0), v(0.5, 0.1, 0.0)], [-b, b], 2e-4)
        };
        let (before, after) = (at(-1e-6), at(1e-6));
        assert!((before.s - after.s).abs() < 1e-3 && (at(0.0).s - 0.5).abs() < 1e-12);
    }
}
