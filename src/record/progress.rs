//! How far a run is, and what is due next.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::params::{Interval, RecordParams};
use crate::simulation::report::StepReport;

/// How far a run is; it goes on across `--resume`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Progress {
    /// Accepted steps.
    pub step: u64,
    /// Simulated time, s.
    pub time: f64,
    /// Attempts at steps that were rejected.
    pub rejected: u64,
    /// Wall-clock time of the steps, s.
    pub seconds: f64,
    /// Where it went before the last resumption, s.
    pub phases: BTreeMap<String, f64>,
    /// Most EIL nodes of any step.
    pub eil_max: u64,
    /// How far cloth was pressed into obstacles at most, over half its thickness.
    pub pressed_in_max: f64,
    /// The step of the last frame written.
    pub last_frame: Option<u64>,
    /// The next frame is due at this many times `every`.
    next_frame: u64,
    /// The last checkpoint was due at this many times its interval, if that is a time.
    last_checkpoint: u64,
}

/// A moment is reached when the time is short of it by no more than this part of the interval: sums of
/// steps end some rounding errors before it, and steps are far longer than a millionth of an interval.
const ROUNDING: f64 = 1e-6;

impl Progress {
    /// Takes an accepted step into account.
    pub(super) fn step(&mut self, report: &StepReport) {
        self.step = report.step;
        self.time = report.time;
        self.rejected += u64::from(report.rejected);
        self.seconds += report.seconds;
        self.eil_max = self.eil_max.max(report.eil);
        self.pressed_in_max = self.pressed_in_max.max(report.pressed_in);
    }

    /// Whether a frame is due.
    pub(super) fn is_frame_due(&self, params: &RecordParams) -> bool {
        intervals(self.time, params.every) >= self.next_frame
    }

    /// Takes a frame into account.
    pub(super) fn frame_written(&mut self, params: &RecordParams) {
        self.last_frame = Some(self.step);
        self.next_frame = intervals(self.time, params.every) + 1;
    }

    /// Whether a checkpoint is due.
    pub(super) fn is_checkpoint_due(&self, params: &RecordParams) -> bool {
        match params.checkpoint_every {
            Interval::Seconds(every) => intervals(self.time, every) > self.last_checkpoint,
            Interval::Steps(every) => self.step.is_multiple_of(every),
        }
    }

    /// Takes a checkpoint into account.
    pub(super) fn checkpoint_written(&mut self, params: &RecordParams) {
        if let Interval::Seconds(every) = params.checkpoint_every {
            self.last_checkpoint = intervals(self.time, every);
        }
    }
}

/// Whole intervals that have gone by.
fn intervals(time: f64, every: f64) -> u64 {
    (time / every + ROUNDING) as u64
}
