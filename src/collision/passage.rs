//! Tunnelling: whether a point passes through a moving solid body.

use super::surface::Surface;
use crate::geometry::Vec3;
use crate::model::obstacle::Obstacle;

/// An obstacle over a step.
#[derive(Debug, Clone)]
pub(crate) struct Sweep {
    /// At the start.
    pub(crate) before: Surface,
    /// At the end.
    pub(crate) after: Surface,
    /// When that is, s.
    times: [f64; 2],
    /// The largest way of a point of a mesh, m.
    largest_way: f64,
}

impl Sweep {
    /// Of an obstacle between two times, s.
    pub(crate) fn between(obstacle: &Obstacle, [start, end]: [f64; 2]) -> Self {
        let before = Surface::at(obstacle, start);
        let after = if end == start { before.clone() } else { Surface::at(obstacle, end) };
        Self { largest_way: before.largest_way(&after), before, after, times: [start, end] }
    }

    /// Goes on to other times, s, of the same obstacle: a surface that is known already is not made again.
    pub(crate) fn follow(&mut self, obstacle: &Obstacle, times: [f64; 2]) {
        if times == self.times {
            return;
        }
        let known = [(self.times[0], &self.before), (self.times[1], &self.after)];
        let at = |time: f64| {
            let found = known.iter().find(|(t, _)| *t == time || obstacle.is_still());
            found.map_or_else(|| Surface::at(obstacle, time), |(_, surface)| (*surface).clone())
        };
        let [before, after] = times.map(at);
        *self = Self { largest_way: before.largest_way(&after), before, after, times };
    }

    /// How much nearer to a point the obstacle comes at most, m.
    pub(crate) fn approach(&self, x: Vec3) -> f64 {
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
    pub(crate) fn is_passed(&self, [from, to]: [Vec3; 2]) -> bool {
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
    use std::sync::Arc;

    use super::*;
    use crate::model::motion::{Keyframe, Motion};
    use crate::model::obstacle::{MeshSequence, ObstacleParams, Shape};

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
    fn a_sweep_that_follows_is_where_a_new_one_is() {
        let mut params = ObstacleParams::of(Shape::Plane);
        let turned = Keyframe { time: 2.0, rotation: [0.0, 50.0, 0.0], ..Default::default() };
        params.motion = Motion(vec![Keyframe::default(), turned]);
        let slab = crate::model::mesh::Mesh {
            vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
        };
        let larger = slab.vertices.iter().map(|x| x.map(|c| 2.0 * c)).collect();
        let frames = vec![slab.vertices, larger];
        let sequence = MeshSequence { triangles: slab.triangles, frames, every: 1.0 };
        let moving = Obstacle { params, mesh: Some(Arc::new(sequence)) };
        let mut follower = Sweep::between(&moving, [0.0; 2]);
        // The first step, the same again, halved, the next one, and one after a gap.
        for times in [[0.0, 0.4], [0.0, 0.4], [0.0, 0.2], [0.2, 0.6], [0.9, 1.1]] {
            follower.follow(&moving, times);
            let new = Sweep::between(&moving, times);
            let x = v(0.5, 0.6, 0.7);
            for [one, other] in [[&follower.before, &new.before], [&follower.after, &new.after]] {
                assert_eq!(one.distance(x, 9.0), other.distance(x, 9.0), "{times:?}");
            }
            assert_eq!(follower.approach(x), new.approach(x));
            assert!(follower.approach(x) > 0.0);
        }
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
