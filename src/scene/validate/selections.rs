//! Selections: names that exist, shapes that hold something. Indices are known once yarns are built.

use crate::model::select::Selection;

use super::super::parse::hint;
use super::checker::Checker;

pub(super) fn check_selection(checker: &mut Checker<'_>, path: &str, selection: &Selection) {
    match selection {
        Selection::All => {}
        Selection::Fabric(name) => check_fabric(checker, path, name),
        Selection::Crossing { fabric, .. }
        | Selection::Yarn { fabric, .. }
        | Selection::YarnEnd { fabric, .. }
        | Selection::Stitch { fabric, .. }
        | Selection::Course { fabric, .. }
        | Selection::Wale { fabric, .. } => {
            check_fabric(checker, &format!("{path}.fabric"), fabric);
        }
        Selection::RodEnd { rod, .. } | Selection::RodNode { rod, .. } => {
            check_rod(checker, &format!("{path}.rod"), rod);
        }
        Selection::Sheet(name) => check_sheet(checker, path, name),
        Selection::Vertex { sheet, .. } => check_sheet(checker, &format!("{path}.sheet"), sheet),
        Selection::Box { min, max } => check_box(checker, path, min, max),
        Selection::Ball { radius, .. } => checker.positive(format!("{path}.radius"), *radius, "m"),
        Selection::Any(list) => {
            checker.at_least_one(path, list.len(), "selections");
            for (i, inner) in list.iter().enumerate() {
                check_selection(checker, &format!("{path}[{i}]"), inner);
            }
        }
    }
}

/// The name of a fabric that must be known.
pub(super) fn check_fabric(checker: &mut Checker<'_>, path: &str, name: &str) {
    let known: Vec<&str> = checker.scene.fabric_names().map(String::as_str).collect();
    check_known(checker, path, "fabric", name, &known);
}

/// The name of a woven fabric: yarns of layers lie straight between their own crossings, which loops do not.
pub(super) fn check_woven(checker: &mut Checker<'_>, path: &str, name: &str) {
    if checker.scene.knits.iter().any(|k| k.name == name) {
        let message = format!(
            "`{name}` is knitted, and only woven fabrics lie on one another with contacts; leave it out of `layers` and \
             `seams`, start it a little above or below, and add `collision: ()`, which holds it apart from the others"
        );
        return checker.report(path, message);
    }
    check_fabric(checker, path, name);
}

fn check_rod(checker: &mut Checker<'_>, path: &str, name: &str) {
    let known: Vec<&str> = checker.scene.rods.iter().map(|r| r.name.as_str()).collect();
    check_known(checker, path, "rod", name, &known);
}

fn check_sheet(checker: &mut Checker<'_>, path: &str, name: &str) {
    let known: Vec<&str> = checker.scene.sheets.iter().map(|s| s.name.as_str()).collect();
    check_known(checker, path, "sheet", name, &known);
}

/// The name of a part of the scene that must be known.
pub(super) fn check_known(checker: &mut Checker<'_>, path: &str, kind: &str, name: &str, known: &[&str]) {
    if !known.contains(&name) {
        checker.report(path, format!("unknown {kind} `{name}`{}", hint(name, known.iter().copied())));
    }
}

fn check_box(checker: &mut Checker<'_>, path: &str, min: &[f64; 3], max: &[f64; 3]) {
    for axis in 0..3 {
        if min[axis] > max[axis] {
            checker.report(
                format!("{path}.max[{axis}]"),
                format!("{} m; it lies below the lower corner's {} m", max[axis], min[axis]),
            );
        }
    }
}
