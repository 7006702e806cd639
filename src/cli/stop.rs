//! Ctrl-C, and what else asks the program to end.

use std::process::{ExitCode, exit};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hebra_solver::interrupt::Interrupt;

use super::error::CliError;

/// Exit status of what the user ended.
const INTERRUPTED: u8 = 130;

/// What becomes of a command that is asked to end: it does so at once while there is nothing to keep, and at the second
/// time in any case.
#[derive(Clone, Default)]
pub(super) struct Stop {
    interrupt: Interrupt,
    keeps: Arc<AtomicBool>,
}

impl Stop {
    /// Listens to Ctrl-C, SIGTERM and SIGHUP from now on.
    pub(super) fn listen() -> Result<Self, CliError> {
        let stop = Self::default();
        let Self { interrupt, keeps } = stop.clone();
        ctrlc::set_handler(move || {
            if interrupt.is_raised() || !keeps.load(Ordering::Relaxed) {
                exit(INTERRUPTED.into());
            }
            interrupt.raise();
        })
        .map_err(|e| CliError::Usage(format!("cannot listen for Ctrl-C: {e}")))?;
        Ok(stop)
    }

    /// From now on there is something to keep: the first time only raises the flag.
    pub(super) fn keep(&self) {
        self.keeps.store(true, Ordering::Relaxed);
    }

    /// What is raised.
    pub(super) fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    /// The exit status of what was interrupted.
    pub(super) fn status() -> ExitCode {
        ExitCode::from(INTERRUPTED)
    }
}
