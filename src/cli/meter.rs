//! How far a run is, on a terminal and without one.

use std::cell::Cell;
use std::time::Instant;

use super::display::Display;
use crate::simulation::relax::Relaxation;
use crate::simulation::report::StepReport;

/// Shows how far a run is.
pub(super) struct Meter {
    display: Display,
    until: f64,
    lagrangian: u64,
    /// When and where this process started, s.
    start: (Instant, f64),
    /// Largest force that a relaxation has had left, N.
    worst: Cell<f64>,
}

/// A bar on a terminal.
const TEMPLATE: &str = "{bar:24} {percent:>3} %  {msg}";

impl Meter {
    /// For a run that goes from one time to another, s, with a number of Lagrangian nodes.
    pub(super) fn new(time: f64, until: f64, lagrangian: u64) -> Self {
        let start = (Instant::now(), time);
        Self { display: Display::new(TEMPLATE), until, lagrangian, start, worst: Cell::new(0.0) }
    }

    /// Shows nothing.
    pub(super) fn silent() -> Self {
        let start = (Instant::now(), 0.0);
        Self { display: Display::Nothing, until: 0.0, lagrangian: 0, start, worst: Cell::new(0.0) }
    }

    /// Shows an accepted step, in time or of a relaxation.
    pub(super) fn step(&self, report: &StepReport, relaxation: Option<&Relaxation>) {
        let (part, text) = match relaxation {
            None => (Some(report.time / self.until), self.in_time(report)),
            Some(r) => self.to_rest(report, [r.force(), r.tolerance()]),
        };
        self.display.show(part, || text);
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.display.finish();
    }

    fn in_time(&self, report: &StepReport) -> String {
        format!(
            "t {:.4} of {} s, step {}, Newton {}, {}, {} left",
            report.time,
            self.until,
            report.step,
            report.newton_iterations,
            self.nodes(report),
            self.left(report.time)
        )
    }

    /// How much of the way to rest is gone, by the number of digits, and in words; none while clamps lead, because forces
    /// say nothing then.
    fn to_rest(&self, report: &StepReport, [force, enough]: [f64; 2]) -> (Option<f64>, String) {
        let rest = format!("step {}, {}", report.step, self.nodes(report));
        if !force.is_finite() {
            return (None, format!("clamps led to {:.4} s, {rest}", report.time));
        }
        self.worst.set(self.worst.get().max(force));
        let part = (self.worst.get() / force).ln() / (self.worst.get() / enough).ln();
        (Some(part), format!("force {force:.2e} N, at rest below {enough:.2e} N, {rest}"))
    }

    fn nodes(&self, report: &StepReport) -> String {
        format!("nodes {} L {} EoL {} EIL", self.lagrangian, report.eol, report.eil)
    }

    /// `elapsed (until - t) / (t - t_start)`.
    fn left(&self, time: f64) -> String {
        let (begun, from) = self.start;
        let seconds = begun.elapsed().as_secs_f64() * (self.until - time).max(0.0) / (time - from);
        match seconds {
            s if !s.is_finite() => "? s".into(),
            s if s < 120.0 => format!("{s:.0} s"),
            s if s < 7200.0 => format!("{:.0} min", s / 60.0),
            s => format!("{:.1} h", s / 3600.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::scene::build::build;
    use crate::scene::parse::parse;
    use crate::scene::source::Source;

    #[test]
    fn a_relaxation_shows_its_way_by_force() {
        let text = "(rods: [(points: [(0, 0, 0), (0.1, 0, 0)], segments: 4)],
            clamps: [(select: RodEnd(rod: \"rod0\", end: Start))])";
        let scene = parse(&Source::new(Path::new("a.ron"), text.into())).unwrap();
        let mut simulation = build(&scene).map_err(|p| p[0].message.clone()).unwrap().simulation;
        let report = Relaxation::new(&mut simulation, scene.relax).step(&mut simulation).unwrap();
        let meter = Meter::silent();
        let at = |force: f64| meter.to_rest(&report, [force, 1e-6]);
        assert_eq!(at(1e-2).0, Some(0.0));
        let (part, text) = at(1e-4);
        assert!((part.unwrap() - 0.5).abs() < 1e-12, "two of four digits: {part:?}");
        assert!(text.starts_with("force 1.00e-4 N, at rest below 1.00e-6 N, step 1, nodes 0 L"), "{text}");
        let (part, text) = at(f64::INFINITY);
        assert!(
            part.is_none() && text.starts_with("clamps led to 0.0000 s") && !text.contains("inf"),
            "{text}"
        );
    }
}
