//! How far a run is, on a terminal and without one.

use std::cell::Cell;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::terminal::{is_quiet, remark};
use crate::simulation::report::StepReport;

/// Shows how far a run is.
pub(super) struct Meter {
    display: Display,
    until: f64,
    lagrangian: u64,
    /// When and where this process started, s.
    start: (Instant, f64),
}

enum Display {
    Nothing,
    Bar(ProgressBar),
    Lines { last: Cell<Instant> },
}

/// Positions of the bar.
const BAR_STEPS: u64 = 1000;

/// Without a terminal, a line no more often than this.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

impl Meter {
    /// For a run that goes from one time to another, s, with a number of Lagrangian nodes.
    pub(super) fn new(time: f64, until: f64, lagrangian: u64) -> Self {
        let display = if is_quiet() {
            Display::Nothing
        } else if std::io::stderr().is_terminal() {
            Display::Bar(bar())
        } else {
            Display::Lines { last: Cell::new(Instant::now()) }
        };
        Self { display, until, lagrangian, start: (Instant::now(), time) }
    }

    /// Shows nothing.
    pub(super) fn silent() -> Self {
        Self { display: Display::Nothing, until: 0.0, lagrangian: 0, start: (Instant::now(), 0.0) }
    }

    /// Shows an accepted step.
    pub(super) fn step(&self, report: &StepReport) {
        match &self.display {
            Display::Nothing => {}
            Display::Bar(bar) => {
                bar.set_position((BAR_STEPS as f64 * (report.time / self.until).min(1.0)) as u64);
                bar.set_message(self.text(report));
            }
            Display::Lines { last } if last.get().elapsed() >= BETWEEN_LINES => {
                last.set(Instant::now());
                remark(self.text(report));
            }
            Display::Lines { .. } => {}
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        if let Display::Bar(bar) = &self.display {
            bar.finish_and_clear();
        }
    }

    fn text(&self, report: &StepReport) -> String {
        format!(
            "t {:.4} of {} s, step {}, Newton {}, nodes {} L {} EoL {} EIL, {} left",
            report.time,
            self.until,
            report.step,
            report.newton_iterations,
            self.lagrangian,
            report.eol,
            report.eil,
            self.left(report.time)
        )
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

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:24} {percent:>3} %  {msg}");
    ProgressBar::new(BAR_STEPS).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
