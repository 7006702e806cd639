//! Knits without borders: one repeat among copies of itself.

use nalgebra::{Matrix2, Vector2};

use super::params::Scene;
use super::relaxed::alone;
use crate::model::cell::Cell;
use crate::model::knit::KnitParams;
use crate::simulation::Simulation;
use crate::simulation::cell::CellRelaxation;

/// A repeat at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CellReport {
    /// Rows of the chart and wales that repeat.
    pub repeat: [usize; 2],
    /// Distances between wales and between rows, m.
    pub spacing: [f64; 2],
    /// Force across a line through the fabric over its length, along courses and along wales, N/m.
    pub tension: [f64; 2],
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
    let cell = Cell::new(&setup.model, &[middle(courses, repeat.courses), middle(size[1], repeat.wales)]);
    let relaxation = CellRelaxation::new(Simulation::new(setup), cell);
    let mut periodic = Periodic { periods: relaxation.periods(), relaxation };
    let mut tension = periodic.find([true; 2])?;
    if stretch.iter().any(Option::is_some) {
        periodic.lead(stretch.map(|s| s.unwrap_or(0.0)))?;
        tension = periodic.find(stretch.map(|s| s.is_none()))?;
    }
    let [x, y] = periodic.periods;
    Ok(CellReport {
        repeat: [repeat.rows, repeat.wales],
        spacing: [x / repeat.wales as f64, y / repeat.rows as f64],
        tension: [tension[0] / y, tension[1] / x],
        energy: periodic.relaxation.energy() / (repeat.rows * repeat.wales) as f64,
        steps: periodic.relaxation.steps(),
    })
}

/// A repeat whose periods are looked for.
struct Periodic {
    relaxation: CellRelaxation,
    /// Along `x` and `y`, m.
    periods: [f64; 2],
}

/// Parts of a period: by how much periods change in the end, at most; by how much one is changed to see what follows, and
/// by how much it may change at once.
const FOUND: f64 = 1e-4;
const PROBE: f64 = 1e-3;
const STRIDE: f64 = 0.05;

/// Changes of the periods, at most.
const ROUNDS: usize = 100;

impl Periodic {
    /// What pulls at the sides of the repeat, N.
    fn pull(&mut self) -> Result<Vector2<f64>, String> {
        let [x, y] = self.periods;
        let [along, up] = self.relaxation.settle([x, y]).map_err(|e| e.to_string())?;
        Ok(Vector2::new(along / x, up / y))
    }

    /// Stretches the periods by parts of themselves, little by little.
    fn lead(&mut self, by: [f64; 2]) -> Result<(), String> {
        let strides = by.into_iter().fold(0.0, |most, part| f64::max(most, part.abs())) / STRIDE;
        let (from, n) = (self.periods, strides.ceil());
        for k in 1..=n as u32 {
            self.periods = [0, 1].map(|axis| from[axis] * (1.0 + by[axis] * f64::from(k) / n));
            self.pull()?;
        }
        Ok(())
    }

    /// Finds the periods that are free at which nothing pulls along them, by Newton's method; returns what pulls, N.
    fn find(&mut self, is_free: [bool; 2]) -> Result<Vector2<f64>, String> {
        let mut pull = self.pull()?;
        let free: Vec<usize> = (0..2).filter(|&axis| is_free[axis]).collect();
        if free.is_empty() {
            return Ok(pull);
        }
        for _ in 0..ROUNDS {
            let mut stiffness = Matrix2::identity();
            let mut residual = Vector2::zeros();
            for &axis in &free {
                let period = self.periods[axis];
                self.periods[axis] = period * (1.0 + PROBE);
                let slope = (self.pull()? - pull) / (PROBE * period);
                self.periods[axis] = period;
                free.iter().for_each(|&row| stiffness[(row, axis)] = slope[row]);
                residual[axis] = -pull[axis];
            }
            let change = stiffness.lu().solve(&residual).ok_or("nothing holds its shape")?;
            let part = (0..2).map(|k| change[k].abs() / self.periods[k]).fold(0.0, f64::max);
            let change = change * (STRIDE / part).min(1.0);
            (0..2).for_each(|axis| self.periods[axis] += change[axis]);
            pull = self.pull()?;
            if part < FOUND {
                return Ok(pull);
            }
        }
        Err(format!("no periods are found at which nothing pulls, in {ROUNDS} changes"))
    }
}
