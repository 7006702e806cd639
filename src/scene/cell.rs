//! Fabrics without borders: one repeat among copies of itself.

use std::ops::Range;

use super::params::Scene;
use super::relaxed::{alone, by_itself};
use crate::model::fabric::{FabricParams, Form, Threads};
use crate::model::knit::KnitParams;
use crate::simulation::cell::CellRelaxation;
use crate::simulation::setup::Setup;
use crate::simulation::{Simulation, SimulationError};

/// A repeat at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CellReport {
    /// Part of its size at rest by which it is stretched, along `x` and along `y`.
    pub stretch: [f64; 2],
    /// Distances along `x` and along `y`: between wales and between rows, or between wefts and between warps, m.
    pub spacing: [f64; 2],
    /// Force across a line through the fabric over its length, along `x` and along `y`, N/m.
    pub tension: [f64; 2],
    /// Moment across a line through the fabric over its length that holds it flat, along `x` and along `y`, N: positive
    /// where its edges would roll to the back.
    pub moment: [f64; 2],
    /// Crimp of warps and wefts; none of a knit.
    pub crimp: Option<[f64; 2]>,
    /// From its lowest yarn's lower side to its highest's upper side, m.
    pub thickness: f64,
    /// What a stitch or a crossing stores, J.
    pub energy: f64,
    /// Relaxation steps that it took so far.
    pub steps: u64,
}

/// Loops around the repeat of a knit in the patch that stands for it: enough for the longest slipped loops to end among
/// them.
const LOOPS_AROUND: usize = 8;

/// Crossings around the repeat of a weave: as far as a bend reaches, and as much again.
const CROSSINGS_AROUND: usize = 4;

/// A repeat that is stretched, flat, without friction and weight.
pub struct Specimen {
    repeats: CellRelaxation,
    repeat: [usize; 2],
    is_woven: bool,
    /// Periods along `x` and `y` at which nothing pulls, m.
    rest: Option<[f64; 2]>,
}

impl Specimen {
    /// Of a knit.
    ///
    /// # Errors
    /// If its chart has no repeat.
    pub fn of_knit(scene: &Scene, knit: &KnitParams) -> Result<Self, String> {
        let repeat = knit.pattern.repeat(&knit.feeds).map_err(|e| e.to_string())?;
        let [courses, wales] = [
            repeat.rows * (1 + 2 * LOOPS_AROUND.div_ceil(repeat.courses)),
            repeat.wales * (1 + 2 * LOOPS_AROUND.div_ceil(repeat.wales)),
        ];
        let knit = KnitParams { courses, wales, bind_off: true, ..knit.clone() };
        let setup = alone(scene, &knit, [courses, wales])?;
        let courses = knit.pattern.courses(&knit.extent()).map_err(|e| e.to_string())?.len() + 2;
        let middle = [middle(courses, repeat.courses), middle(wales, repeat.wales)];
        Ok(Self::new(setup, &middle, [repeat.rows, repeat.wales]))
    }

    /// Of a weave; all warps and all wefts are of their first material.
    ///
    /// # Errors
    /// If it is no weave.
    pub fn of_weave(scene: &Scene, fabric: &FabricParams) -> Result<Self, String> {
        let (wefts, warps) = fabric.weave.draft().map_err(|e| e.to_string())?.size();
        let around = |repeat: usize| repeat * (1 + 2 * CROSSINGS_AROUND.div_ceil(repeat));
        let threads = |t: &Threads, repeat: usize| Threads {
            count: around(repeat),
            materials: t.materials.iter().take(1).cloned().collect(),
            ..t.clone()
        };
        let fabric = FabricParams {
            warp: threads(&fabric.warp, warps),
            weft: threads(&fabric.weft, wefts),
            at: [0.0; 3],
            rotation: [0.0; 3],
            form: Form::Flat,
            cut: None,
            ..fabric.clone()
        };
        let middle = [middle(around(warps), warps), middle(around(wefts), wefts)];
        let setup = by_itself(scene, Scene::default().with_fabric(fabric))?;
        Ok(Self::new(setup, &middle, [warps, wefts]))
    }

    /// Of a patch with the repeat in its middle, in places along `y` and `x`.
    fn new(setup: Setup, middle: &[Range<usize>; 2], repeat: [usize; 2]) -> Self {
        let is_woven = setup.model.nodes.iter().all(|n| n.stitch.is_none());
        let repeats = CellRelaxation::new(Simulation::new(setup), middle);
        Self { repeats, repeat, is_woven, rest: None }
    }

    /// What repeats along `y` and along `x`: rows of the chart and wales of a knit, warps and wefts of a weave.
    pub fn repeat(&self) -> [usize; 2] {
        self.repeat
    }

    /// Brings it to rest, stretched by parts of its size at rest along `x` and along `y`, from where it was before; where
    /// none is given nothing pulls.
    ///
    /// # Errors
    /// If it does not come to rest.
    pub fn stretched(&mut self, stretch: [Option<f64>; 2]) -> Result<CellReport, String> {
        let [rest, pull] = self.pulled(stretch).map_err(|e| e.to_string())?;
        let Self { repeats, repeat: [of_y, of_x], is_woven, .. } = self;
        let [x, y] = repeats.periods();
        Ok(CellReport {
            stretch: [x / rest[0] - 1.0, y / rest[1] - 1.0],
            spacing: [x / *of_x as f64, y / *of_y as f64],
            tension: [pull[0] / y, pull[1] / x],
            moment: repeats.moments().map(|m| m / (x * y)),
            crimp: is_woven.then(|| repeats.crimp()),
            thickness: repeats.thickness(),
            energy: repeats.energy() / (*of_x * *of_y) as f64,
            steps: repeats.steps(),
        })
    }

    /// The periods at which nothing pulls, m, and what pulls at the sides, N.
    fn pulled(&mut self, stretch: [Option<f64>; 2]) -> Result<[[f64; 2]; 2], SimulationError> {
        let rest = match self.rest {
            Some(rest) => rest,
            None => {
                let pull = self.repeats.find([true; 2])?;
                let rest = *self.rest.insert(self.repeats.periods());
                if stretch.iter().all(Option::is_none) {
                    return Ok([rest, pull]);
                }
                rest
            }
        };
        let now = self.repeats.periods();
        let by = |axis: usize| stretch[axis].map_or(0.0, |part| rest[axis] * (1.0 + part) / now[axis] - 1.0);
        self.repeats.lead([0, 1].map(by))?;
        Ok([rest, self.repeats.find(stretch.map(|s| s.is_none()))?])
    }
}

fn middle(whole: usize, part: usize) -> Range<usize> {
    let first = (whole - part) / 2;
    first..first + part
}
