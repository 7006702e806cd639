//! Shows how something goes: in place on a terminal, by a line now and then without one.

use std::cell::Cell;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::terminal::{is_quiet, remark};

/// Where it is shown how something goes.
pub(super) enum Display {
    /// Nowhere.
    Nothing,
    /// In place.
    Bar(ProgressBar),
    /// Line by line.
    Lines {
        /// When the last one was printed.
        last: Cell<Instant>,
    },
}

/// Positions of the bar.
const BAR_STEPS: u64 = 1000;

/// Without a terminal, a line no more often than this.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// On a terminal, how often what shows that something is going on at all moves.
const TICK: Duration = Duration::from_millis(200);

impl Display {
    /// A display that on a terminal has this template of `indicatif`.
    pub(super) fn new(template: &str) -> Self {
        if is_quiet() {
            return Self::Nothing;
        }
        if !std::io::stderr().is_terminal() {
            return Self::Lines { last: Cell::new(Instant::now()) };
        }
        let style = ProgressStyle::with_template(template);
        let bar =
            ProgressBar::new(BAR_STEPS).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.enable_steady_tick(TICK);
        Self::Bar(bar)
    }

    /// Shows a text, and which part of the way is gone if that is known.
    pub(super) fn show(&self, part: Option<f64>, text: impl FnOnce() -> String) {
        match self {
            Self::Nothing => {}
            Self::Bar(bar) => {
                part.iter().for_each(|p| bar.set_position((BAR_STEPS as f64 * p.clamp(0.0, 1.0)) as u64));
                bar.set_message(text());
            }
            Self::Lines { last } if last.get().elapsed() >= BETWEEN_LINES => {
                last.set(Instant::now());
                remark(text());
            }
            Self::Lines { .. } => {}
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
