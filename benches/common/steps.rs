//! Steps that are measured.

use hebra::simulation::Simulation;
use hebra::simulation::report::StepReport;

/// Steps that are run before the measured ones, and how many are measured.
const WARM_UP: usize = 5;
const MEASURED: usize = 20;

/// What steps took.
pub(crate) struct Steps {
    pub(crate) reports: Vec<StepReport>,
    /// Seconds of all of them, by phase.
    pub(crate) phases: Vec<(&'static str, f64)>,
}

impl Steps {
    /// The steps of a simulation after a few others.
    pub(crate) fn of(simulation: &mut Simulation) -> Self {
        (0..WARM_UP).for_each(|_| drop(simulation.step().expect("a step")));
        let before = simulation.seconds_by_phase();
        let reports = (0..MEASURED).map(|_| simulation.step().expect("a step")).collect();
        let after = simulation.seconds_by_phase();
        Self { reports, phases: after.iter().zip(&before).map(|(a, b)| (a.0, a.1 - b.1)).collect() }
    }

    /// A mean over the steps.
    pub(crate) fn mean(&self, of: impl Fn(&StepReport) -> f64) -> f64 {
        self.reports.iter().map(of).sum::<f64>() / MEASURED as f64
    }

    /// Seconds of a step in phases.
    pub(crate) fn seconds_in(&self, belongs: impl Fn(&str) -> bool) -> f64 {
        self.phases.iter().filter(|(name, _)| belongs(name)).map(|(_, s)| s).sum::<f64>() / MEASURED as f64
    }
}
