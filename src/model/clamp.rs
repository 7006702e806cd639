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
