//! One of the runs that are compared.

use std::path::Path;

use crate::record::columns::Columns;
use crate::record::error::RecordError;
use crate::record::recorder::{PROBES_FILE, TERMS_FILE};
use crate::record::steps::STEPS_FILE;
use crate::record::summary::Summary;

/// A run, as it is compared with others.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The values that make it different from the others.
    pub label: String,
    /// The run in numbers.
    pub summary: Summary,
    /// Time at the end of every step, s.
    pub time: Vec<f64>,
    /// What is followed step by step.
    pub curves: Vec<Curve>,
    /// Pictures at equal times.
    pub pictures: Vec<Picture>,
}

/// A value followed over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// What it is, with its unit.
    pub name: String,
    /// A value for each step.
    pub values: Vec<f64>,
}

/// A picture of a moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// s.
    pub time: f64,
    /// A PNG file.
    pub png: Vec<u8>,
}

/// Name of the curve by which the decay is judged.
pub const KINETIC: &str = "kinetic energy, J";

impl Case {
    /// Reads the record of a run.
    ///
    /// # Errors
    /// [`RecordError`] when a table of it is missing or damaged.
    pub fn read(folder: &Path, label: String) -> Result<Self, RecordError> {
        let steps = Columns::read(&folder.join(STEPS_FILE))?;
        let column = |name: &str| steps.get(name).map(<[f64]>::to_vec).unwrap_or_default();
        let mut curves = vec![
            Curve { name: KINETIC.into(), values: column("kinetic") },
            Curve { name: "all stored and kinetic energy, J".into(), values: stored(&steps) },
            Curve { name: "dissipated energy, J".into(), values: column("dissipated") },
        ];
        for file in [TERMS_FILE, PROBES_FILE] {
            let path = folder.join(file);
            if path.is_file() {
                let table = Columns::read(&path)?;
                let followed = table.iter().filter(|(name, _)| !["step", "time"].contains(name));
                curves.extend(followed.map(|(n, v)| Curve { name: title(n), values: v.to_vec() }));
            }
        }
        curves.push(Curve { name: "length of the step, s".into(), values: column("dt") });
        curves.push(Curve { name: "Newton iterations".into(), values: column("newton_iterations") });
        let summary = Summary::read(folder)?;
        Ok(Self { label, summary, time: column("time"), curves, pictures: Vec::new() })
    }

    /// A curve by its name.
    pub fn curve(&self, name: &str) -> Option<&Curve> {
        self.curves.iter().find(|c| c.name == name)
    }

    /// How long after its peak the kinetic energy is above a part of it for the last time, s; none while it is at the
    /// end of the run.
    pub fn decay_time(&self, part: f64) -> Option<f64> {
        let kinetic = &self.curve(KINETIC)?.values;
        let peak = (0..kinetic.len()).max_by(|&a, &b| kinetic[a].total_cmp(&kinetic[b]))?;
        let last = kinetic.iter().rposition(|&k| k > part * kinetic[peak])?;
        (last + 1 < kinetic.len()).then(|| self.time[last] - self.time[peak])
    }

    /// The largest difference of a curve from that of another run at the same time, over the other's peak; none where one
    /// of them lacks the curve, or the other's is zero.
    pub fn difference(&self, other: &Self, name: &str) -> Option<f64> {
        let [mine, others] = [self, other].map(|case| case.curve(name).map(|c| &c.values));
        let (mine, others) = (mine?, others?);
        let peak = others.iter().fold(0.0, |largest: f64, v| largest.max(v.abs()));
        let apart =
            self.time.iter().zip(mine).filter_map(|(t, v)| Some((v - at(&other.time, others, *t)?).abs()));
        (peak > 0.0).then(|| apart.fold(0.0, f64::max) / peak)
    }
}

/// A value at a time, s, linear between steps; none before the first step and after the last.
fn at(time: &[f64], values: &[f64], t: f64) -> Option<f64> {
    let next = time.partition_point(|x| *x < t);
    if time.get(next) == Some(&t) {
        return values.get(next).copied();
    }
    let last = next.checked_sub(1)?;
    let [from, to] = [last, next].map(|k| Some((*time.get(k)?, *values.get(k)?)));
    let ((t0, a), (t1, b)) = (from?, to?);
    Some(a + (b - a) * (t - t0) / (t1 - t0))
}

/// Sum of what is there at each step, J.
fn stored(steps: &Columns) -> Vec<f64> {
    let parts: Vec<&[f64]> =
        ["kinetic", "elastic", "gravitational", "contact"].iter().filter_map(|n| steps.get(n)).collect();
    let n = parts.first().map_or(0, |p| p.len());
    (0..n).map(|k| parts.iter().map(|p| p[k]).sum()).collect()
}

/// What a column is.
fn title(column: &str) -> String {
    if let Some(axis) = column.strip_prefix("momentum.") {
        return format!("momentum along {axis}, kg m/s");
    }
    match column.split_once('.') {
        Some(("stored", term)) => format!("energy of {term}, J"),
        Some(("dissipated", term)) => format!("dissipated by {term}, J"),
        _ => format!("probe {column}"),
    }
}
