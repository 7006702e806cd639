//! Prescribed rigid motion along smooth keyframes, shared by clamps and obstacles.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::geometry::Vec3;
use crate::geometry::pose::Pose;

/// A moment of a prescribed motion, relative to where the body starts.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Keyframe {
    /// Time, s; keyframes stand in ascending order.
    pub time: f64,
    /// Translation from the start, m.
    pub translation: [f64; 3],
    /// Rotation about the body's pivot: axis times angle, degrees.
    pub rotation: [f64; 3],
}

/// Keyframes in ascending time, joined by quintic smoothsteps (velocity and acceleration are zero at
/// each key); held before the first and after the last. Empty: at rest.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Motion(pub Vec<Keyframe>);

impl Motion {
    /// A translation, m, within a time, s.
    pub fn translation(by: [f64; 3], within: Range<f64>) -> Self {
        Self::between(within, Keyframe { translation: by, ..Keyframe::default() })
    }

    /// A rotation about the body's pivot, rotation vector in degrees, within a time, s.
    pub fn rotation(by: [f64; 3], within: Range<f64>) -> Self {
        Self::between(within, Keyframe { rotation: by, ..Keyframe::default() })
    }

    fn between(Range { start, end }: Range<f64>, last: Keyframe) -> Self {
        Self(vec![Keyframe { time: start, ..Keyframe::default() }, Keyframe { time: end, ..last }])
    }

    /// Whether nothing ever moves.
    pub fn is_still(&self) -> bool {
        self.0.iter().all(|k| k.translation == [0.0; 3] && k.rotation == [0.0; 3])
    }

    /// When the last keyframe is reached, s; zero without any.
    pub fn end(&self) -> f64 {
        self.0.last().map_or(0.0, |k| k.time)
    }

    /// The displacement at a time: translation and rotation about the pivot.
    pub fn at(&self, time: f64) -> Pose {
        let after = self.0.partition_point(|k| k.time <= time);
        let blend = |k: &Keyframe| (Vec3::from(k.translation), Vec3::from(k.rotation));
        let (translation, degrees) = match (after.checked_sub(1).map(|i| &self.0[i]), self.0.get(after)) {
            (None, None) => return Pose::IDENTITY,
            (Some(k), None) | (None, Some(k)) => blend(k),
            (Some(a), Some(b)) => {
                let s = smoothstep((time - a.time) / (b.time - a.time));
                let ((ta, ra), (tb, rb)) = (blend(a), blend(b));
                (ta + (tb - ta) * s, ra + (rb - ra) * s)
            }
        };
        Pose::new(translation, degrees.map(f64::to_radians))
    }
}

/// `6 t^5 - 15 t^4 + 10 t^3`.
fn smoothstep(t: f64) -> f64 {
    t * t * t * (t * (6.0 * t - 15.0) + 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn motion_passes_through_its_keys_and_is_smooth_between_them() {
        let key = |time, x, r| Keyframe { time, translation: [x, 0.0, 0.0], rotation: [0.0, 0.0, r] };
        let m = Motion(vec![key(1.0, 0.0, 0.0), key(2.0, 4.0, 90.0)]);
        assert_eq!(m.at(0.0).translation[0], 0.0);
        assert_eq!(m.at(5.0).translation[0], 4.0);
        assert!((m.at(1.5).translation[0] - 2.0).abs() < 1e-12);
        let turned = m.at(3.0).rotate(Vec3::x());
        assert!((turned - Vec3::y()).norm() < 1e-12);
        let h = 1e-4;
        assert!((m.at(1.0 + h).translation[0]).abs() / h < 1e-5, "velocity at a key is zero");
    }
}
