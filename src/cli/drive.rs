//! The loop of a run: step, record, go on until there is a reason to stop.

use hebra_solver::interrupt::Interrupt;

use super::meter::Meter;
use crate::record::error::RecordError;
use crate::record::probe::{NamedValue, Probe};
use crate::record::recorder::{Ending, Recorder, Totals};
use crate::scene::words::counted;
use crate::simulation::relax::Relaxation;
use crate::simulation::run::has_reached;
use crate::simulation::{Simulation, SimulationError};

/// Where a run is to stop.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits<'a> {
    /// Simulated time, s.
    pub(super) until: f64,
    /// Accepted steps since the start of the scene.
    pub(super) steps: Option<u64>,
    /// Raised when the user wants it to.
    pub(super) interrupt: &'a Interrupt,
}

/// Why a run stopped.
#[derive(Debug)]
pub(super) enum Outcome {
    /// It got to the time or to the number of steps.
    Finished(String),
    /// The user wanted it to.
    Interrupted,
    /// It could not go on.
    Failed(SimulationError),
}

/// A run in progress.
pub(super) struct Drive<'a> {
    pub(super) simulation: &'a mut Simulation,
    /// Whether it goes to rest instead of through time.
    pub(super) relaxation: Option<Relaxation>,
    pub(super) probes: &'a [(String, Probe)],
    pub(super) recorder: &'a mut Recorder,
    pub(super) meter: Meter,
}

impl Drive<'_> {
    /// Steps until there is a reason to stop; everything is on disk then.
    pub(super) fn run(&mut self, limits: &Limits<'_>) -> Result<Outcome, RecordError> {
        self.record_frame()?;
        let outcome = loop {
            if let Some(outcome) = self.reason_to_stop(limits) {
                break outcome;
            }
            match self.step()? {
                Ok(()) => {}
                Err(SimulationError::Interrupted) => break Outcome::Interrupted,
                Err(error) => break Outcome::Failed(error),
            }
        };
        self.meter.finish();
        let (totals, frame) = (totals(self.simulation), self.simulation.frame());
        self.recorder.finish(&self.simulation.checkpoint(), &frame, &totals, &outcome.ending())?;
        Ok(outcome)
    }

    fn step(&mut self) -> Result<Result<(), SimulationError>, RecordError> {
        let step = match &mut self.relaxation {
            Some(relaxation) => relaxation.step(self.simulation),
            None => self.simulation.step(),
        };
        let report = match step {
            Ok(report) => report,
            Err(error) => return Ok(Err(error)),
        };
        self.recorder.step(&report, values(self.probes, self.simulation))?;
        self.record_frame()?;
        if self.recorder.is_checkpoint_due() {
            self.recorder.checkpoint(&self.simulation.checkpoint(), &totals(self.simulation))?;
        }
        self.meter.step(&report, self.relaxation.as_ref());
        Ok(Ok(()))
    }

    /// Records a frame if one is due.
    pub(super) fn record_frame(&mut self) -> Result<(), RecordError> {
        if self.recorder.is_frame_due() {
            self.recorder.frame(&self.simulation.frame())?;
        }
        Ok(())
    }

    fn reason_to_stop(&self, limits: &Limits<'_>) -> Option<Outcome> {
        let (time, steps) = (self.simulation.time(), self.simulation.steps());
        if has_reached(time, limits.until) {
            return Some(Outcome::Finished(format!("reached {} s", limits.until)));
        }
        if let Some(r) = self.relaxation.filter(Relaxation::is_at_rest) {
            let (force, enough) = (r.force(), r.tolerance());
            return Some(Outcome::Finished(format!(
                "at rest: the largest force is {force:.2e} N, and {enough:.2e} N count as rest"
            )));
        }
        if let Some(n) = limits.steps.filter(|&n| steps >= n) {
            return Some(Outcome::Finished(format!("reached {}", counted(n, "step"))));
        }
        limits.interrupt.is_raised().then_some(Outcome::Interrupted)
    }
}

impl Outcome {
    fn ending(&self) -> Ending {
        match self {
            Self::Finished(because) => Ending { finished: true, because: because.clone() },
            Self::Interrupted => Ending { finished: false, because: "interrupted".into() },
            Self::Failed(error) => Ending { finished: false, because: error.to_string() },
        }
    }
}

/// The probes' values now.
pub(super) fn values(probes: &[(String, Probe)], simulation: &Simulation) -> Vec<NamedValue> {
    probes.iter().map(|(name, probe)| (name.clone(), probe.value(simulation))).collect()
}

fn totals(simulation: &Simulation) -> Totals {
    Totals { counts: simulation.counts(), phases: simulation.seconds_by_phase() }
}
