//! `hebra info`.

use std::process::ExitCode;

use super::error::CliError;
use super::scene::SceneArgs;
use super::terminal::say;
use crate::geometry::Vec3;
use crate::geometry::pose::Pose;
use crate::model::fabric::{FabricParams, Threads};
use crate::model::ids::RodId;
use crate::model::yarns::{ContactKind, Model};
use crate::scene::build::build_yarns;
use crate::scene::params::Scene;
use crate::scene::size::{BYTES_PER_UNKNOWN, memory};
use crate::simulation::report::Counts;

pub(super) fn info(args: &SceneArgs) -> Result<ExitCode, CliError> {
    let opened = args.open()?;
    let (model, state) = opened.located(build_yarns(&opened.scene))?;
    let counts = Counts::of(&model);
    let joined = |kind| model.contacts.iter().filter(|c| c.kind == kind && !c.is_to_come).count() as u64;
    say(format_args!("scene               {}", opened.scene.name));
    let rows = [
        ("rods", counts.rods),
        ("nodes", counts.lagrangian + counts.eol_intra + counts.eol_inter + counts.eil),
        ("  Lagrangian", counts.lagrangian),
        ("  EoL, in a fabric", counts.eol_intra),
        ("  EoL, between", counts.eol_inter),
        ("  EIL", counts.eil),
        ("contacts", counts.contacts),
        ("  in a fabric", joined(ContactKind::Intra)),
        ("  hooks of loops", joined(ContactKind::Hook)),
        ("  between layers", joined(ContactKind::Inter)),
        ("  sewn", joined(ContactKind::Seam)),
        ("triangles", counts.triangles),
        ("unknowns", counts.unknowns),
    ];
    for (name, count) in rows {
        say(format_args!("{name:<18}  {count}"));
    }
    let [iterative, direct] = BYTES_PER_UNKNOWN.map(|bytes| 1e-9 * memory(counts.unknowns as f64, bytes));
    say(format_args!("estimated memory    {iterative:.2} GB, {direct:.2} GB with the direct solver"));
    for fabric in &opened.scene.fabrics {
        say(format_args!(
            "mass of {:<10}  {:.1} g/m2",
            fabric.name,
            1e3 * mass_per_area(&opened.scene, fabric)
        ));
    }
    for (fabric, knit) in (opened.scene.fabrics.len() as u32..).zip(&opened.scene.knits) {
        let ([width, height], mass) = measure(&model, &state.q, fabric, &knit.pose());
        let (name, per_area) = (&knit.name, 1e3 * mass / (width * height));
        say(format_args!("mass of {name:<10}  {:.5} g, {per_area:.1} g/m2 as on the machine", 1e3 * mass));
        say(format_args!(
            "size of {name:<10}  {:.2} x {:.2} mm (courses x wales) as on the machine; `hebra cell` brings it to rest",
            1e3 * width,
            1e3 * height
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// Lengths along courses and along wales, m, and mass, kg, of a knit as it starts.
fn measure(model: &Model, q: &[f64], fabric: u32, place: &Pose) -> ([f64; 2], f64) {
    let rods = (0..model.rods.len() as u32).map(RodId);
    let rods: Vec<RodId> =
        rods.filter(|r| model.rods[r.index()].thread.is_some_and(|t| t.fabric == fabric)).collect();
    let places = rods.iter().flat_map(|&r| model.rod_nodes(r)).map(|n| place.to_local(model.position(q, n)));
    let start = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    let (low, high) = places.fold(start, |(low, high), x| (low.inf(&x), high.sup(&x)));
    let mass =
        rods.iter().map(|r| &model.rods[r.index()]).map(|r| r.length * r.material.line_density()).sum();
    ([high.x - low.x, high.y - low.y], mass)
}

/// The most memory that a run may need, whichever solver it chooses, bytes.
pub(super) fn most_memory(counts: &Counts) -> f64 {
    memory(counts.unknowns as f64, BYTES_PER_UNKNOWN[1])
}

/// `sum over both directions of (mean mass per length) / spacing`, kg/m2, of the fabric as woven.
fn mass_per_area(scene: &Scene, fabric: &FabricParams) -> f64 {
    let direction = |t: &Threads| {
        let densities = t.materials.iter().filter_map(|m| scene.material(m)).map(|m| m.line_density());
        densities.sum::<f64>() / (t.materials.len() as f64 * t.spacing)
    };
    (direction(&fabric.warp) + direction(&fabric.weft)) / (1.0 + fabric.prestretch)
}
