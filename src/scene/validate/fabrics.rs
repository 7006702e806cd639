//! Woven fabrics.

use std::f64::consts::TAU;

use crate::model::fabric::{Crimp, FabricParams, Form, Threads};
use crate::pattern::crimp::CrimpError;
use crate::pattern::weave::{Weave, WeaveError};

use super::checker::Checker;

pub(super) fn check(checker: &mut Checker<'_>) {
    let scene = checker.scene;
    let yarns = !(scene.fabrics.is_empty() && scene.knits.is_empty() && scene.rods.is_empty());
    if !yarns && scene.sheets.is_empty() {
        checker.report("", "the scene has no cloth: give it `fabrics`, `knits`, `rods` or `sheets`");
    }
    checker.distinct("fabrics", scene.fabrics.iter().map(|f| &f.name));
    for (i, fabric) in scene.fabrics.iter().enumerate() {
        check_fabric(checker, &format!("fabrics[{i}]"), fabric);
    }
}

fn check_fabric(checker: &mut Checker<'_>, path: &str, fabric: &FabricParams) {
    check_threads(checker, &format!("{path}.warp"), &fabric.warp);
    check_threads(checker, &format!("{path}.weft"), &fabric.weft);
    if let Err(error) = fabric.weave.draft() {
        let place = match &error {
            WeaveError::Ragged { row, .. } | WeaveError::UnknownCell { row, .. } => {
                format!("{path}.weave[{row}]")
            }
            _ => format!("{path}.weave"),
        };
        checker.report(place, error.to_string());
    }
    if let Some(crimp) = fabric.crimp {
        check_crimp(checker, path, fabric, crimp);
    }
    if fabric.prestretch <= -1.0 {
        checker.report(
            format!("{path}.prestretch"),
            format!("{}; it must be greater than -1, at which a yarn has no length", fabric.prestretch),
        );
    }
    if let Form::Tube { taper } = fabric.form {
        check_tube(checker, path, fabric, taper);
    }
    for (k, size) in fabric.cut.iter().flat_map(|c| c.size).enumerate() {
        checker.positive(format!("{path}.cut.size[{k}]"), size, "m");
    }
}

fn check_crimp(checker: &mut Checker<'_>, path: &str, fabric: &FabricParams, crimp: Crimp) {
    if !(0.0..=1.0).contains(&crimp.set) {
        checker.report(format!("{path}.crimp.set"), format!("{}; it must lie between 0 and 1", crimp.set));
    }
    let radius = |name: &str| checker.scene.material(name).map_or(0.0, |m| m.radius);
    let is_thick = |threads: &Threads| threads.materials.iter().any(|name| radius(name) > 0.0);
    let are_lengths = [&fabric.warp, &fabric.weft].iter().all(|t| t.spacing > 0.0 && is_thick(t));
    match are_lengths.then(|| fabric.waves(&radius)) {
        Some(Err(WeaveError::Crimp(error @ CrimpError::OutOfRange { .. }))) => {
            checker.report(format!("{path}.crimp.warp"), error.to_string());
        }
        Some(Err(WeaveError::Crimp(error))) => checker.report(format!("{path}.crimp"), error.to_string()),
        _ => {}
    }
    if let Some(layers) = checker.scene.layers.iter().position(|l| l.fabrics.contains(&fabric.name)) {
        let message = format!("yarns of layers[{layers}] cannot wave yet; leave out `crimp`");
        checker.report(format!("{path}.crimp"), message);
    }
}

fn check_tube(checker: &mut Checker<'_>, path: &str, fabric: &FabricParams, taper: f64) {
    let FabricParams { warp, weft, .. } = fabric;
    if warp.count < 3 {
        checker.report(
            format!("{path}.warp.count"),
            format!("{}; a tube has at least 3 warp yarns", warp.count),
        );
    }
    if fabric.cut.is_some() {
        checker.report(format!("{path}.cut"), "a tube cannot be cut; leave out `cut` or `form`");
    }
    let circumference = warp.count as f64 * warp.spacing;
    let slant = (taper - 1.0).abs() * circumference / TAU / (weft.count as f64 - 1.0).max(1.0);
    let place = format!("{path}.form.taper");
    checker.positive(place.as_str(), taper, "");
    if slant >= weft.spacing {
        let radii = format!("neighbouring weft yarns differ in radius by {} m", significant(slant));
        checker.report(place, format!("{taper}; {radii}, and lie only weft.spacing apart"));
    }
    if let Some(layers) = checker.scene.layers.iter().position(|l| l.fabrics.contains(&fabric.name)) {
        checker.report(format!("{path}.form"), format!("the fabric lies flat in layers[{layers}]"));
    }
}

fn check_threads(checker: &mut Checker<'_>, path: &str, threads: &Threads) {
    checker.at_least_one(format!("{path}.count"), threads.count, "yarns");
    checker.positive(format!("{path}.spacing"), threads.spacing, "m");
    checker.at_least_one(format!("{path}.materials"), threads.materials.len(), "materials");
    for (k, name) in threads.materials.iter().enumerate() {
        checker.material(format!("{path}.materials[{k}]"), name);
    }
    for (k, &colour) in threads.colours.iter().enumerate() {
        checker.colour(&format!("{path}.colours[{k}]"), colour);
    }
    if let Some(tail) = threads.tail {
        checker.not_negative(format!("{path}.tail"), tail, "m");
    }
    check_spacing(checker, path, threads);
}

/// Neighbouring yarns must not overlap: `spacing >= r_i + r_{i + 1}` all along the repeated sequence.
/// Charts whose yarns fall apart.
pub(super) fn warn(checker: &mut Checker<'_>) {
    for (i, fabric) in checker.scene.fabrics.iter().enumerate() {
        let Weave::Chart(_) = &fabric.weave else { continue };
        if let Some([warps, wefts]) = fabric.weave.draft().ok().and_then(|draft| draft.loose()) {
            let on_top: Vec<String> =
                [listed("warp", &warps), listed("weft", &wefts)].into_iter().flatten().collect();
            let message = format!(
                "the chart does not interlace: {} of its repeat, counted from 0, can be lifted off all other yarns",
                on_top.join(" and ")
            );
            checker.report(format!("fabrics[{i}].weave"), message);
        }
    }
}

/// The yarns of a set in words; nothing of an empty one.
fn listed(set: &str, yarns: &[usize]) -> Option<String> {
    let numbers: Vec<String> = yarns.iter().map(usize::to_string).collect();
    let plural = if yarns.len() > 1 { "s" } else { "" };
    (!yarns.is_empty()).then(|| format!("{set}{plural} {}", numbers.join(", ")))
}

fn check_spacing(checker: &mut Checker<'_>, path: &str, threads: &Threads) {
    let names = &threads.materials;
    let radius = |k: usize| checker.scene.material(&names[k % names.len()]).map(|m| m.radius);
    let pairs = if names.is_empty() { 0 } else { threads.count.saturating_sub(1).min(names.len()) };
    let sums = (0..pairs).filter_map(|k| Some((k, radius(k)? + radius(k + 1)?)));
    let widest = sums.max_by(|a, b| a.1.total_cmp(&b.1));
    if let Some((k, sum)) = widest.filter(|&(_, sum)| threads.spacing > 0.0 && threads.spacing < sum) {
        checker.report(
            format!("{path}.spacing"),
            format!(
                "{} m; yarns {k} and {} overlap: their radii add up to {} m",
                threads.spacing,
                k + 1,
                significant(sum)
            ),
        );
    }
}

/// Six significant digits, without the noise of the sum's last bits.
fn significant(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}
