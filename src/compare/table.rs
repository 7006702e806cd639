//! What the runs came to, as a table.

use super::case::{Case, KINETIC};
use super::chart::short;

/// Part of the peak of the kinetic energy down to which the decay is timed.
const DECAYED: f64 = 0.1;

/// The heads of the columns.
pub(super) fn heads(cases: &[Case]) -> Vec<String> {
    let fixed = [
        "run",
        "ended",
        "peak of kinetic energy, J",
        "time from there down to a tenth, s",
        "steps",
        "halved",
        "Newton iterations a step",
        "seconds",
        "ms a step",
    ];
    fixed
        .map(str::to_owned)
        .into_iter()
        .chain(
            differences(cases)
                .map(|name| format!("largest difference from the first run, % of its peak: {name}")),
        )
        .chain(last_values(cases).map(|name| format!("last {name}")))
        .collect()
}

/// The row of a case.
pub(super) fn row(cases: &[Case], case: &Case) -> Vec<String> {
    let s = &case.summary;
    let values = |name: &str| case.curve(name).map_or(&[][..], |c| &c.values);
    let newton = values("Newton iterations");
    let seconds_a_step = s.seconds / (s.steps.max(1) as f64);
    let fixed = [
        case.label.clone(),
        s.stopped_because.clone(),
        short(values(KINETIC).iter().copied().fold(0.0, f64::max)),
        case.decay_time(DECAYED).map_or_else(|| "not within the run".into(), short),
        s.steps.to_string(),
        s.rejected_steps.to_string(),
        short(newton.iter().sum::<f64>() / newton.len().max(1) as f64),
        short(s.seconds),
        short(1e3 * seconds_a_step),
    ];
    let last = |name: &str| values(name).last().map_or_else(String::new, |v| short(*v));
    let difference = |name: &str| {
        let part = cases.first().and_then(|first| case.difference(first, name));
        part.map_or_else(String::new, |part| short(100.0 * part))
    };
    fixed.into_iter().chain(differences(cases).map(difference)).chain(last_values(cases).map(last)).collect()
}

/// The energies of which the table has the largest differences: those that are not zero in all of the first run.
fn differences(cases: &[Case]) -> impl Iterator<Item = &str> {
    let curves = cases.first().map_or(&[][..], |c| &c.curves).iter();
    curves.filter(|c| c.name.ends_with(", J") && c.values.iter().any(|v| *v != 0.0)).map(|c| c.name.as_str())
}

/// The curves whose last values are in the table: energies and probes that are not zero everywhere.
fn last_values(cases: &[Case]) -> impl Iterator<Item = &str> {
    let curves = cases.first().map_or(&[][..], |c| &c.curves);
    let names = curves.iter().map(|c| c.name.as_str());
    let is_shown = |name: &&str| name.ends_with(", J") || name.starts_with("probe ");
    names.filter(is_shown).filter(move |name| {
        cases.iter().filter_map(|c| c.curve(name)).any(|c| c.values.last().is_some_and(|v| *v != 0.0))
    })
}
