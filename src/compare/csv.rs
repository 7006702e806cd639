//! The curves and the table of compared runs for other programs.

use std::fmt::Write;

use super::case::Case;
use super::table::{heads, row};

/// Every step of every run: `run,time` and a column for each curve; empty where a run has none of a name.
pub fn curves(cases: &[Case]) -> String {
    let names = names(cases);
    let mut out = line(["run", "time, s"].into_iter().chain(names.iter().copied()));
    for case in cases {
        let columns: Vec<_> = names.iter().map(|name| case.curve(name)).collect();
        for (k, time) in case.time.iter().enumerate() {
            let _ = write!(out, "{},{time:?}", quoted(&case.label));
            for column in &columns {
                match column.and_then(|c| c.values.get(k)) {
                    Some(value) => _ = write!(out, ",{value:?}"),
                    None => out.push(','),
                }
            }
            out.push('\n');
        }
    }
    out
}

/// The table of the page.
pub fn table(cases: &[Case]) -> String {
    let rows = cases.iter().map(|case| row(cases, case));
    std::iter::once(heads(cases)).chain(rows).map(|r| line(r.iter().map(String::as_str))).collect()
}

/// The names of all curves, in the order of the first run that has them.
pub(super) fn names(cases: &[Case]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for curve in cases.iter().flat_map(|c| &c.curves) {
        if !names.contains(&curve.name.as_str()) {
            names.push(&curve.name);
        }
    }
    names
}

fn line<'a>(cells: impl Iterator<Item = &'a str>) -> String {
    let mut line = cells.map(quoted).collect::<Vec<_>>().join(",");
    line.push('\n');
    line
}

/// A cell after RFC 4180.
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.into() }
}
