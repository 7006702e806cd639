//! `hebra materials`.

use std::process::ExitCode;

use super::error::CliError;
use super::terminal::say;
use crate::model::material::{MATERIALS, NamedMaterial};
use crate::scene::words::number;

/// Prints the built-in materials: a column each, a row for every key, and their sources.
pub(super) fn materials() -> Result<ExitCode, CliError> {
    row(["key", "unit"], MATERIALS.map(|m| m.name.to_owned()));
    for (k, (key, unit, _)) in MATERIALS[0].material.values().into_iter().enumerate() {
        row([key, unit], MATERIALS.map(|m| m.material.values()[k].2.map_or_else(|| "-".into(), number)));
    }
    row(["mass per length", "tex"], MATERIALS.map(|m| format!("{:.1}", 1e6 * m.material.line_density())));
    say("\nSources:");
    for NamedMaterial { name, source, .. } in MATERIALS {
        say(format_args!("{name:<12}{source}"));
    }
    say(
        "\n-: follows from the radius. A scene names materials or replaces some of their values; `materials` in \
         scenes/annotated.ron says how, and what each key means.",
    );
    Ok(ExitCode::SUCCESS)
}

fn row([key, unit]: [&str; 2], cells: [String; MATERIALS.len()]) {
    let cells = cells.map(|cell| format!("{cell:>12}")).concat();
    say(format_args!("{key:<20}{unit:<8}{cells}"));
}
