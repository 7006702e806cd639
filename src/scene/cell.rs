//! Knits without borders: one repeat among copies of itself.

use super::params::Scene;
use super::relaxed::alone;
use crate::model::knit::KnitParams;
use crate::simulation::cell::CellRelaxation;
use crate::simulation::{Simulation, SimulationError};

/// A repeat at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CellReport {
    /// Rows of the chart and wales that repeat.
    pub repeat: [usize; 2],
    /// Distances between wales and between rows, m.
    pub spacing: [f64; 2],
    /// Force across a line through the fabric over its length, along courses and along wales, N/m.
    pub tension: [f64; 2],
    /// Moment across a line through the fabric over its length that holds it flat, along courses and along wales, N:
    /// positive where its edges would roll to the back.
    pub moment: [f64; 2],
    /// What a stitch stores, J.
    pub energy: f64,
    /// Relaxation steps that it took.
    pub steps: u64,
}

/// Loops around the repeat in the patch that stands for it: enough for the longest slipped loops to end among them.
const AROUND: usize = 8;

/// Brings a repeat of a knit to rest, stretched by parts of its size at rest along courses and along wales; where none is
/// given nothing pulls. Flat, without friction and weight.
///
/// # Errors
/// If the knit does not come to rest.
pub fn cell(scene: &Scene, knit: &KnitParams, stretch: [Option<f64>; 2]) -> Result<CellReport, String> {
    let repeat = knit.pattern.repeat(&knit.feeds).map_err(|e| e.to_string())?;
    let size = [
        repeat.rows * (1 + 2 * AROUND.div_ceil(repeat.courses)),
        repeat.wales * (1 + 2 * AROUND.div_ceil(repeat.wales)),
    ];
    let knit = KnitParams { courses: size[0], wales: size[1], bind_off: true, ..knit.clone() };
    let courses = knit.pattern.courses(&knit.extent()).map_err(|e| e.to_string())?.len() + 2;
    let middle = |whole: usize, part: usize| (whole - part) / 2..(whole - part) / 2 + part;
    let setup = alone(scene, &knit, size)?;
    let ranges = [middle(courses, repeat.courses), middle(size[1], repeat.wales)];
    let mut repeats = CellRelaxation::new(Simulation::new(setup), &ranges);
    let tension = stretched(&mut repeats, stretch).map_err(|e| e.to_string())?;
    let [x, y] = repeats.periods();
    Ok(CellReport {
        repeat: [repeat.rows, repeat.wales],
        spacing: [x / repeat.wales as f64, y / repeat.rows as f64],
        tension: [tension[0] / y, tension[1] / x],
        moment: repeats.moments().map(|m| m / (x * y)),
        energy: repeats.energy() / (repeat.rows * repeat.wales) as f64,
        steps: repeats.steps(),
    })
}

/// Brings a repeat to rest, then stretches it; returns what pulls at its sides, N.
fn stretched(repeats: &mut CellRelaxation, stretch: [Option<f64>; 2]) -> Result<[f64; 2], SimulationError> {
    let pull = repeats.find([true; 2])?;
    if stretch.iter().all(Option::is_none) {
        return Ok(pull);
    }
    repeats.lead(stretch.map(|s| s.unwrap_or(0.0)))?;
    repeats.find(stretch.map(|s| s.is_none()))
}
