//! Forces from outside: gravity, pushes, wind.

use serde::{Deserialize, Serialize};

use crate::geometry::Vec3;
use crate::geometry::pose::Pose;
use crate::model::select::Selection;

/// Everything that acts on the yarns from outside.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ForcesParams {
    /// Acceleration of gravity, m/s2.
    pub gravity: [f64; 3],
    /// The slope that the scene stands on, degrees: gravity turns about `y`, from down towards `x`.
    pub slope: f64,
    /// Moving air (default: none).
    pub wind: Option<WindParams>,
    /// Constant forces on chosen nodes.
    pub points: Vec<PointForceParams>,
}

impl Default for ForcesParams {
    fn default() -> Self {
        Self { gravity: [0.0, 0.0, -9.81], slope: 0.0, wind: None, points: Vec::new() }
    }
}

impl ForcesParams {
    /// The same forces with the slope in the direction of gravity.
    #[must_use]
    pub fn tilted(&self) -> Self {
        let turn = Pose::new(Vec3::zeros(), Vec3::new(0.0, -self.slope.to_radians(), 0.0));
        let gravity = if self.slope == 0.0 { self.gravity } else { turn.rotate(self.gravity.into()).into() };
        Self { gravity, slope: 0.0, ..self.clone() }
    }
}

/// A constant force shared equally by chosen nodes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PointForceParams {
    /// Which nodes.
    pub select: Selection,
    /// Total force, N.
    pub force: [f64; 3],
    /// When it starts, s.
    #[serde(default)]
    pub start: f64,
    /// When it ends, s (default: never).
    #[serde(default)]
    pub end: Option<f64>,
}

impl PointForceParams {
    /// A force, N, on what is selected, for good.
    pub fn on(select: Selection, force: [f64; 3]) -> Self {
        Self { select, force, start: 0.0, end: None }
    }

    /// Whether the force acts at a time, s.
    pub fn acts_at(&self, time: f64) -> bool {
        time >= self.start && self.end.is_none_or(|end| time < end)
    }
}

/// Moving air that drags on every yarn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WindParams {
    /// Mean velocity, m/s.
    pub velocity: [f64; 3],
    /// Density of the air, kg/m3.
    pub density: f64,
    /// Drag coefficient across a yarn.
    pub drag: f64,
    /// Drag along a yarn as a fraction of the drag across it.
    pub along: f64,
    /// Relative amplitude of gusts.
    pub gust: f64,
    /// Frequency of gusts, Hz.
    pub frequency: f64,
}

impl Default for WindParams {
    fn default() -> Self {
        Self { velocity: [0.0; 3], density: 1.2, drag: 1.2, along: 0.05, gust: 0.0, frequency: 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slope_leads_down_along_x() {
        let tilted = ForcesParams { slope: 30.0, ..ForcesParams::default() }.tilted();
        let [x, y, z] = tilted.gravity;
        assert!((x - 4.905).abs() < 1e-12 && y == 0.0 && (z + 9.81 * 0.75f64.sqrt()).abs() < 1e-12);
        assert_eq!(tilted.tilted(), tilted);
    }
}
