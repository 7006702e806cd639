//! The only place that prints.

use std::fmt::Display;
use std::io::Write;
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
pub(super) fn say(text: impl Display) {
    if !is_quiet() {
        // Whoever has closed the other end of a pipe wants no more of it.
        let _ = writeln!(std::io::stdout(), "{}", printed(text));
    }
}

/// Prints a remark on how it goes.
pub(super) fn remark(text: impl Display) {
    if !is_quiet() {
        let _ = writeln!(std::io::stderr(), "{}", printed(text));
    }
}

/// Prints an error.
pub(super) fn complain(error: impl Display) {
    let _ = writeln!(std::io::stderr(), "{}", printed(error));
}
