//! Forces from outside: gravity, pushes, wind.

use serde::{Deserialize, Serialize};

use crate::model::select::Selection;

/// Everything that acts on the yarns from outside.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ForcesParams {
    /// Acceleration of gravity, m/s2.
    pub gravity: [f64; 3],
    /// Wind (default: no air).
    pub wind: Option<WindParams>,
    /// Forces on chosen nodes.
    pub points: Vec<PointForceParams>,
}

impl Default for ForcesParams {
    fn default() -> Self {
        Self { gravity: [0.0, 0.0, -9.81], wind: None, points: Vec::new() }
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
    /// Gusts: relative amplitude of the velocity's variation.
    pub gust: f64,
    /// Gusts: frequency, Hz.
    pub frequency: f64,
}

impl Default for WindParams {
    fn default() -> Self {
        Self { velocity: [0.0; 3], density: 1.2, drag: 1.2, along: 0.05, gust: 0.0, frequency: 1.0 }
    }
}
