//! Pairs of pieces of cloth with four points together, and motions in which they do not pass through each other.

use super::Vec3;
use super::segments::closest_points;
use super::triangle::closest_on_triangle;

/// Which pieces four points are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pair {
    /// Two segments of two points each.
    Segments,
    /// A point and a triangle.
    PointTriangle,
}

/// Where a pair is nearest.
#[derive(Debug, Clone, Copy)]
pub struct Nearest {
    /// Parts of the four points in the offset.
    pub parts: [f64; 4],
    /// From the point on the second piece to that on the first, m.
    pub offset: Vec3,
    /// The minimum, m2: for segments with what their blur adds.
    pub squared_distance: f64,
}

impl Pair {
    /// The nearest points; `blur` (m2) is that of [`closest_points`] and without effect on a triangle, to which a
    /// distance has a gradient everywhere outside.
    pub fn nearest(self, x: &[Vec3; 4], blur: f64) -> Nearest {
        match self {
            Self::Segments => {
                let c = closest_points([x[0], x[1]], [x[2], x[3]], blur);
                let parts = [1.0 - c.s, c.s, c.t - 1.0, -c.t];
                Nearest { parts, offset: c.offset, squared_distance: c.squared_distance }
            }
            Self::PointTriangle => {
                let [a, b, c] = closest_on_triangle(x[0], [x[1], x[2], x[3]]);
                let offset = x[0] - (x[1] * a + x[2] * b + x[3] * c);
                Nearest { parts: [1.0, -a, -b, -c], offset, squared_distance: offset.norm_squared() }
            }
        }
    }

    fn distance(self, points: &[Vec3; 4], motion: &[Vec3; 4], t: f64) -> f64 {
        let moved = std::array::from_fn(|k| points[k] + motion[k] * t);
        self.nearest(&moved, 0.0).squared_distance.sqrt()
    }

    /// The largest `t` in `[0, 1]` known to leave a pair, that moves by `t` times `motion`, a tenth of the distance
    /// that it has now: its pieces do not pass through each other. Pieces that touch already may move.
    ///
    /// The distance falls no faster than the fastest points approach, so it is advanced by what is safe until that is
    /// too little. Source: Li, Kaufman and Jiang, *Codimensional incremental potential contact*, 2021, section 6
    /// (additive continuous detection).
    pub fn safe_motion(self, points: &[Vec3; 4], motion: &[Vec3; 4]) -> f64 {
        let speed = self.fastest_approach(motion);
        let start = self.distance(points, motion, 0.0);
        if start == 0.0 || speed <= (1.0 - KEPT) * start {
            return 1.0;
        }
        let (mut t, mut d) = (0.0, start);
        for _ in 0..MAX_ADVANCES {
            let next = t + (1.0 - KEPT) * d / speed;
            if next >= 1.0 {
                return 1.0;
            }
            d = self.distance(points, motion, next);
            // The first advance leaves that much by itself, but for rounding.
            if d < KEPT * start && t > 0.0 {
                return t;
            }
            t = next;
        }
        t
    }

    /// Whether a pair touches on a straight way: comes nearer than a tenth of its distances at the start and at the
    /// end.
    pub fn touch_between(self, points: &[Vec3; 4], motion: &[Vec3; 4]) -> bool {
        let speed = self.fastest_approach(motion);
        let mut d = self.distance(points, motion, 0.0);
        let least = KEPT * d.min(self.distance(points, motion, 1.0));
        let mut t = 0.0;
        for _ in 0..MAX_ADVANCES {
            t += (d - 0.5 * least) / speed;
            if t.is_nan() || t >= 1.0 {
                return false;
            }
            d = self.distance(points, motion, t);
            if d < least {
                return true;
            }
        }
        false
    }

    /// The largest difference, m, of the motions of a point of the one piece and a point of the other.
    pub fn fastest_approach(self, motion: &[Vec3; 4]) -> f64 {
        let (first, second) = motion.split_at(self.points_of_the_first());
        let pairs = first.iter().flat_map(|a| second.iter().map(move |b| (a - b).norm()));
        pairs.fold(0.0, f64::max)
    }

    fn points_of_the_first(self) -> usize {
        match self {
            Self::Segments => 2,
            Self::PointTriangle => 1,
        }
    }
}

/// Part of the distance that a motion leaves.
const KEPT: f64 = 0.1;

/// Each advance takes nine tenths of the way to a possible touch: two to five do, but for pieces that slide
/// along each other by many times their distance.
const MAX_ADVANCES: usize = 500;

#[cfg(test)]
mod tests {
    use super::*;

    fn v(x: f64, y: f64, z: f64) -> Vec3 {
        Vec3::new(x, y, z)
    }

    fn stops_short_of_a_touch_and_only_there(pair: Pair, x: [Vec3; 4], moving: usize) {
        let down = |d: f64| std::array::from_fn(|k| if k < moving { v(0.0, 0.0, -d) } else { Vec3::zeros() });
        for d in [0.1, 0.4] {
            assert_eq!(pair.safe_motion(&x, &down(d)), 1.0);
        }
        for d in [0.6, 3.0, 1e4] {
            let left = 0.5 - d * pair.safe_motion(&x, &down(d));
            assert!((0.04..0.3).contains(&left), "{d}: {left}");
        }
        for (d, touch) in [(0.1, false), (0.45, false), (0.499, false), (0.501, true), (3.0, true)] {
            assert_eq!(pair.touch_between(&x, &down(d)), touch, "{d}");
        }
        // Past the end, and side by side.
        let beside = down(3.0).map(|m: Vec3| m + v(9.0, 0.0, 0.0) * f64::from(m.z < 0.0));
        assert_eq!(pair.safe_motion(&x, &beside), 1.0);
        assert!(!pair.touch_between(&x, &beside) && !pair.touch_between(&x, &[Vec3::zeros(); 4]));
        assert_eq!(pair.safe_motion(&x, &[v(40.0, 0.0, 0.0); 4]), 1.0);
    }

    #[test]
    fn motions_stop_short_of_a_touch_and_only_there() {
        let cross = [v(-1.0, 0.0, 0.5), v(1.0, 0.0, 0.5), v(0.0, -1.0, 0.0), v(0.0, 1.0, 0.0)];
        stops_short_of_a_touch_and_only_there(Pair::Segments, cross, 2);
        let above = [v(0.1, 0.1, 0.5), v(-1.0, -1.0, 0.0), v(1.0, -1.0, 0.0), v(0.0, 2.0, 0.0)];
        stops_short_of_a_touch_and_only_there(Pair::PointTriangle, above, 1);
    }
}
