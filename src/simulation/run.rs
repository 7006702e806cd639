//! Many steps in a row.

use std::ops::ControlFlow;

use super::params::RelaxParams;
use super::relax::Relaxation;
use super::report::StepReport;
use super::{Simulation, SimulationError};

/// A moment has come when less than this part of the time is left: a sum of a million steps is off by
/// about 1e-10 of itself.
const ROUNDING: f64 = 1e-9;

/// Whether a moment has come, s.
pub(crate) fn has_reached(time: f64, moment: f64) -> bool {
    time >= moment * (1.0 - ROUNDING)
}

impl Simulation {
    /// Steps until a moment, s, or until the observer breaks. The observer sees every accepted step.
    ///
    /// # Errors
    /// As of [`Self::step`]; all accepted steps stand.
    pub fn run_until(
        &mut self,
        moment: f64,
        mut observer: impl FnMut(&Self, &StepReport) -> ControlFlow<()>,
    ) -> Result<(), SimulationError> {
        while !has_reached(self.time(), moment) {
            let report = self.step()?;
            if observer(self, &report).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Goes to rest without going through the motion, or until the observer breaks; see [`Relaxation`]. Later steps in time
    /// start from there, without velocities.
    ///
    /// # Errors
    /// As of [`Relaxation::step`]; all accepted steps stand.
    pub fn relax(
        &mut self,
        params: RelaxParams,
        mut observer: impl FnMut(&Self, &StepReport) -> ControlFlow<()>,
    ) -> Result<(), SimulationError> {
        let mut relaxation = Relaxation::new(self, params);
        let result = loop {
            if relaxation.is_at_rest() {
                break Ok(());
            }
            match relaxation.step(self) {
                Ok(report) if observer(self, &report).is_continue() => {}
                Ok(_) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        self.rest = None;
        result
    }
}
