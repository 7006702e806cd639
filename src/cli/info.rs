//! `hebra info`.

use std::process::ExitCode;

use super::error::CliError;
use super::scene::SceneArgs;
use super::terminal::say;
use crate::model::fabric::{FabricParams, Threads};
use crate::scene::build::build_yarns;
use crate::scene::params::Scene;
use crate::simulation::report::Counts;

pub(super) fn info(args: &SceneArgs) -> Result<ExitCode, CliError> {
    let opened = args.open()?;
    let (model, _) = opened.located(build_yarns(&opened.scene))?;
    let counts = Counts::of(&model);
    say(format_args!("scene               {}", opened.scene.name));
    let rows = [
        ("rods", counts.rods),
        ("nodes", counts.lagrangian + counts.eol_intra + counts.eol_inter + counts.eil),
        ("  Lagrangian", counts.lagrangian),
        ("  EoL, in a fabric", counts.eol_intra),
        ("  EoL, between", counts.eol_inter),
        ("  EIL", counts.eil),
        ("contacts", counts.contacts),
        ("triangles", counts.triangles),
        ("unknowns", counts.unknowns),
    ];
    for (name, count) in rows {
        say(format_args!("{name:<18}  {count}"));
    }
    say(format_args!("estimated memory    {:.2} GB", memory(&counts) * 1e-9));
    for fabric in &opened.scene.fabrics {
        say(format_args!(
            "mass of {:<10}  {:.1} g/m2",
            fabric.name,
            1e3 * mass_per_area(&opened.scene, fabric)
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// Bytes per unknown of a run with the iterative solver: blocks of the matrix, strips, stencils, state.
const BYTES_PER_UNKNOWN: f64 = 2000.0;

/// Bytes of the program itself and its threads.
const BYTES_AT_LEAST: f64 = 1e7;

/// Memory of a run, bytes.
fn memory(counts: &Counts) -> f64 {
    BYTES_AT_LEAST + BYTES_PER_UNKNOWN * counts.unknowns as f64
}

/// `sum over both directions of (mean mass per length) / spacing`, kg/m2, of the fabric as woven.
fn mass_per_area(scene: &Scene, fabric: &FabricParams) -> f64 {
    let direction = |t: &Threads| {
        let densities = t.materials.iter().filter_map(|m| scene.material(m)).map(|m| m.line_density());
        densities.sum::<f64>() / (t.materials.len() as f64 * t.spacing)
    };
    (direction(&fabric.warp) + direction(&fabric.weft)) / (1.0 + fabric.prestretch)
}
