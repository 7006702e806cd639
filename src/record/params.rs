//! What a run writes and how often.

use serde::{Deserialize, Serialize};

use crate::model::select::Selection;

/// How often a run writes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RecordParams {
    /// Simulated time between frames, s.
    pub every: f64,
    /// Time between states saved for `--resume`; the last state is always saved.
    pub checkpoint_every: Interval,
}

impl Default for RecordParams {
    fn default() -> Self {
        Self { every: 0.02, checkpoint_every: Interval::Seconds(0.1) }
    }
}

/// A time between two events of a run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Interval {
    /// Simulated time, s.
    Seconds(f64),
    /// Accepted steps.
    Steps(u64),
}

/// A value written into `probes.csv` at every step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum ProbeParams {
    /// Mean position, m.
    Position(Selection),
    /// Mean velocity, m/s.
    Velocity(Selection),
    /// Mean arc length by which the yarns slid through their contacts, m.
    Slide(Selection),
    /// Root mean square curvature, 1/m.
    Curvature(Selection),
    /// Number of folds of a ring of cloth.
    Folds {
        /// The ring: a yarn, or the vertices of a row, in their order.
        around: Selection,
        /// Least height of a fold above the valleys on either side, m.
        depth: f64,
    },
    /// Force that a clamp, by its name, exerts on the yarns, N.
    ClampForce(String),
}
