//! Nodes that are held or led.

use serde::{Deserialize, Serialize};

use super::motion::Motion;
use super::select::Selection;

/// A clamp: nodes held where they start, or led along keyframes. It reports the force that it exerts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClampParams {
    /// Name, by which probes ask for the reaction force (default: `clamp` and its number).
    #[serde(default)]
    pub name: String,
    /// Which nodes.
    pub select: Selection,
    /// Motion relative to the start (default: at rest).
    #[serde(default)]
    pub motion: Motion,
    /// Centre of rotation, m (default: the mean of the clamped nodes).
    #[serde(default)]
    pub pivot: Option<[f64; 3]>,
    /// Which of x, y, z are held.
    #[serde(default = "all_axes")]
    pub axes: [bool; 3],
    /// Whether yarns may slide through the clamp.
    #[serde(default)]
    pub slide: bool,
    /// Time of release, s (default: never).
    #[serde(default)]
    pub release: Option<f64>,
}

fn all_axes() -> [bool; 3] {
    [true; 3]
}

impl ClampParams {
    /// Holds what is selected, for good.
    pub fn of(select: Selection) -> Self {
        Self {
            name: String::new(),
            select,
            motion: Motion::default(),
            pivot: None,
            axes: all_axes(),
            slide: false,
            release: None,
        }
    }

    /// The same clamp, led along a motion.
    #[must_use]
    pub fn led(self, motion: Motion) -> Self {
        Self { motion, ..self }
    }

    /// The same clamp, through which yarns slide.
    #[must_use]
    pub fn sliding(self) -> Self {
        Self { slide: true, ..self }
    }

    /// The same clamp, letting go at a time, s.
    #[must_use]
    pub fn released_at(self, time: f64) -> Self {
        Self { release: Some(time), ..self }
    }
}
