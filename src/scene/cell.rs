//! Fabrics without borders: one repeat among copies of itself.

use std::ops::Range;

use super::params::Scene;
use super::relaxed::by_itself;
use crate::model::fabric::{FabricParams, Form, Threads};
use crate::model::knit::{KnitParams, KnitStart};
use crate::simulation::cell::CellRelaxation;
use crate::simulation::setup::Setup;
use crate::simulation::{Simulation, SimulationError};

/// A repeat at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CellReport {
    /// What repeats along `y` and along `x`: rows of the chart and wales of a knit, warps and wefts of a weave.
    pub repeat: [usize; 2],
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
    /// Relaxation steps that it took.
    pub steps: u64,
}

/// Loops around the repeat of a knit in the patch that stands for it: enough for the longest slipped loops to end among
/// them.
const LOOPS_AROUND: usize = 8;

/// Crossings around the repeat of a weave: as far as a bend reaches, and as much again.
const CROSSINGS_AROUND: usize = 4;

/// A patch with the repeat in its middle.
struct Patch {
    setup: Setup,
    /// Places of the repeat along `y` and `x`.
    middle: [Range<usize>; 2],
    /// What the repeat is counted in along `y` and `x`.
    counted: [usize; 2],
}

/// Brings a repeat of a knit to rest, stretched by parts of its size at rest along courses and along wales; where none is
/// given nothing pulls. Flat, without friction and weight.
///
/// # Errors
/// If the knit does not come to rest.
pub fn knit_cell(scene: &Scene, knit: &KnitParams, stretch: [Option<f64>; 2]) -> Result<CellReport, String> {
    let repeat = knit.pattern.repeat(&knit.feeds).map_err(|e| e.to_string())?;
    let size = [
        repeat.rows * (1 + 2 * LOOPS_AROUND.div_ceil(repeat.courses)),
        repeat.wales * (1 + 2 * LOOPS_AROUND.div_ceil(repeat.wales)),
    ];
    let [at, rotation] = [[0.0; 3]; 2];
    let [courses, wales] = size;
    let knit = KnitParams {
        courses,
        wales,
        at,
        rotation,
        bind_off: true,
        start: KnitStart::Machine,
        ..knit.clone()
    };
    let courses = knit.pattern.courses(&knit.extent()).map_err(|e| e.to_string())?.len() + 2;
    let middle = [middle(courses, repeat.courses), middle(wales, repeat.wales)];
    let setup = by_itself(scene, Scene::default().with_knit(knit))?;
    cell(Patch { setup, middle, counted: [repeat.rows, repeat.wales] }, stretch)
}

/// Brings a repeat of a weave to rest, stretched by parts of its size at rest along warp and along weft; where none is given
/// nothing pulls. Flat, without friction and weight; of yarns of the first materials.
///
/// # Errors
/// If the weave does not come to rest.
pub fn weave_cell(
    scene: &Scene,
    fabric: &FabricParams,
    stretch: [Option<f64>; 2],
) -> Result<CellReport, String> {
    let (wefts, warps) = fabric.weave.draft().map_err(|e| e.to_string())?.size();
    let around = |repeat: usize| repeat * (1 + 2 * CROSSINGS_AROUND.div_ceil(repeat));
    let threads = |t: &Threads, repeat: usize| Threads { count: around(repeat), ..t.clone() };
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
    cell(Patch { setup, middle, counted: [warps, wefts] }, stretch)
}

fn middle(whole: usize, part: usize) -> Range<usize> {
    let first = (whole - part) / 2;
    first..first + part
}

fn cell(patch: Patch, stretch: [Option<f64>; 2]) -> Result<CellReport, String> {
    let [of_y, of_x] = patch.counted;
    let is_woven = patch.setup.model.nodes.iter().all(|n| n.stitch.is_none());
    let mut repeats = CellRelaxation::new(Simulation::new(patch.setup), &patch.middle);
    let tension = stretched(&mut repeats, stretch).map_err(|e| e.to_string())?;
    let [x, y] = repeats.periods();
    Ok(CellReport {
        repeat: patch.counted,
        spacing: [x / of_x as f64, y / of_y as f64],
        tension: [tension[0] / y, tension[1] / x],
        moment: repeats.moments().map(|m| m / (x * y)),
        crimp: is_woven.then(|| repeats.crimp()),
        thickness: repeats.thickness(),
        energy: repeats.energy() / (of_x * of_y) as f64,
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
