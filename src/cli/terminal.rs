//! The only place that prints.

use std::fmt::Display;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::scene::words::escaped;

static QUIET: AtomicBool = AtomicBool::new(false);

/// Silences everything but errors.
pub(super) fn set_quiet(quiet: bool) {
    QUIET.store(quiet, Ordering::Relaxed);
}

/// Whether nothing but errors is printed.
pub(super) fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// A text as it is printed: what others named their things must not steer the terminal.
fn printed(text: impl Display) -> String {
    text.to_string().split('\n').map(escaped).collect::<Vec<_>>().join("\n")
}

/// Prints a result.
#[allow(clippy::print_stdout, reason = "a command's results belong on the standard output")]
pub(super) fn say(text: impl Display) {
    if !is_quiet() {
        println!("{}", printed(text));
    }
}

/// Prints a remark on how it goes.
#[allow(clippy::print_stderr, reason = "remarks must not mix with results")]
pub(super) fn remark(text: impl Display) {
    if !is_quiet() {
        eprintln!("{}", printed(text));
    }
}

/// Prints an error.
#[allow(clippy::print_stderr, reason = "errors belong on the standard error output")]
pub(super) fn complain(error: impl Display) {
    eprintln!("{}", printed(error));
}
