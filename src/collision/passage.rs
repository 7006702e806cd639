//! Whether a place goes through a solid body that moves too.

use super::surface::Surface;
use crate::geometry::Vec3;
use crate::model::obstacle::Obstacle;

/// An obstacle over a step.
#[derive(Debug, Clone)]
pub struct Sweep {
    /// At the start.
    pub before: Surface,
    /// At the end.
    pub after: Surface,
    /// The largest way of a point of a mesh, m.
    largest_way: f64,
}

impl Sweep {
    /// Of an obstacle between two times, s.
    pub fn between(obstacle: &Obstacle, [start, end]: [f64; 2]) -> Self {
        let [before, after] = [start, end].map(|t| Surface::at(obstacle, t));
        Self { largest_way: before.largest_way(&after), before, after }
    }

    /// How much nearer to a point the obstacle comes at most, m.
    pub fn approach(&self, x: Vec3) -> f64 {
        match (&self.before, &self.after) {
            (Surface::Rigid(_, from), Surface::Rigid(_, to)) => (to.to_world(from.to_local(x)) - x).norm(),
            _ => self.largest_way,
        }
    }

    /// Whether a place that goes straight from one point to another, as seen by the obstacle, goes in on one side and
    /// is nearest to another that faces the opposite way.
    ///
    /// Sliding along a surface or over an edge of less than a right angle does not count, however deep the chord is.
    /// What the obstacle sees is as if the place had been carried along by the part of the surface next to it.
    pub fn is_passed(&self, [from, to]: [Vec3; 2]) -> bool {
        let way = (to - from).norm() + self.approach(from);
        let Some((distance, side)) = self.before.distance(from, way).filter(|d| d.0 < way) else {
            return false;
        };
        let [start, side] = self.before.carry(&self.after, from, side);
        let is_opposite = self.after.distance(to, way).is_some_and(|(_, end)| end.dot(&side) < 0.0);
        is_opposite && goes_in(&self.after, distance.max(0.0), [start, to])
    }
}

/// Whether a straight way that starts at a distance from a surface, m, goes into it: the distance falls no faster
/// than the way grows.
fn goes_in(surface: &Surface, distance: f64, [start, end]: [Vec3; 2]) -> bool {
    let (way, mut gone) = ((end - start).norm(), distance);
    while gone < way {
        match surface.distance(start + (end - start) * (gone / way), way) {
            Some((distance, _)) if distance <= LEAST_PART * way => return true,
            Some((distance, _)) => gone += distance,
            None => return false,
        }
    }
    false
}

/// Of the way: nearer is inside.
const LEAST_PART: f64 = 1e-3;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::motion::{Keyframe, Motion};
    use crate::model::obstacle::{ObstacleParams, Shape};

    fn v(x: f64, y: f64, z: f64) -> Vec3 {
        Vec3::new(x, y, z)
    }

    #[test]
    fn only_what_comes_out_on_the_other_side_passes() {
        let cube = Obstacle::read(ObstacleParams::of(Shape::Box { size: [2.0; 3] })).unwrap();
        let still = Sweep::between(&cube, [0.0, 1.0]);
        let passes = |from, to| still.is_passed([from, to]);
        assert!(passes(v(0.0, 0.3, 2.0), v(0.0, 0.2, -2.0)), "right through");
        assert!(passes(v(0.0, 0.3, 2.0), v(0.0, 0.2, -0.9)), "to where it would be pushed out below");
        assert!(!passes(v(0.0, 0.3, 2.0), v(0.0, 0.2, 0.1)), "to where it is pushed back");
        assert!(!passes(v(0.0, 0.9, 1.1), v(0.0, 1.1, 0.9)), "over an edge");
        assert!(!passes(v(0.0, 3.0, 2.0), v(0.0, 3.0, -2.0)), "beside it");
        assert!(!passes(v(0.3, 0.2, 1.0), v(0.4, 0.2, 1.0)), "along it");
    }

    #[test]
    fn what_moves_along_with_a_fast_body_does_not_pass_and_what_is_run_over_does() {
        let mut params = ObstacleParams::of(Shape::Sphere { radius: 1.0 });
        let away = Keyframe { time: 1.0, translation: [9.0, 0.0, 0.0], ..Default::default() };
        params.motion = Motion(vec![Keyframe::default(), away]);
        let ball = Obstacle::read(params).unwrap();
        let fast = Sweep::between(&ball, [0.0, 1.0]);
        let at = v(1.1, 0.0, 0.0);
        assert!(!fast.is_passed([at, at + v(9.0, 0.1, 0.0)]));
        assert!(fast.is_passed([at, at]), "the ball is beyond it now");
        assert!(!fast.is_passed([v(1.1, 0.0, 2.0); 2]));
    }
}
