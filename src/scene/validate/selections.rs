//! Selections: names that exist, indices within their range.

use crate::model::fabric::FabricParams;
use crate::model::select::{Selection, ThreadSet};

use super::super::parse::hint;
use super::checker::Checker;

pub(super) fn check_selection(checker: &mut Checker<'_>, path: &str, selection: &Selection) {
    match selection {
        Selection::All => {}
        Selection::Fabric(name) => {
            find_fabric(checker, path, name);
        }
        Selection::Crossing { fabric, warp, weft } => {
            if let Some(found) = find_fabric(checker, &format!("{path}.fabric"), fabric) {
                check_index(checker, &format!("{path}.warp"), *warp, found.warp.count);
                check_index(checker, &format!("{path}.weft"), *weft, found.weft.count);
            }
        }
        Selection::Yarn { fabric, set, index } | Selection::YarnEnd { fabric, set, index, .. } => {
            if let Some(found) = find_fabric(checker, &format!("{path}.fabric"), fabric) {
                let threads = match set {
                    ThreadSet::Warp => &found.warp,
                    ThreadSet::Weft => &found.weft,
                };
                check_index(checker, &format!("{path}.index"), *index, threads.count);
            }
        }
        Selection::RodEnd { rod, .. } => {
            find_rod(checker, &format!("{path}.rod"), rod);
        }
        Selection::RodNode { rod, index } => {
            if let Some(segments) = find_rod(checker, &format!("{path}.rod"), rod) {
                check_index(checker, &format!("{path}.index"), *index, segments + 1);
            }
        }
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

fn find_fabric<'a>(checker: &mut Checker<'a>, path: &str, name: &str) -> Option<&'a FabricParams> {
    let fabrics = &checker.scene.fabrics;
    let found = fabrics.iter().find(|f| f.name == name);
    if found.is_none() {
        let hint = hint(name, fabrics.iter().map(|f| f.name.as_str()));
        checker.report(path, format!("unknown fabric `{name}`{hint}"));
    }
    found
}

/// The rod's number of segments.
fn find_rod(checker: &mut Checker<'_>, path: &str, name: &str) -> Option<usize> {
    let rods = &checker.scene.rods;
    let found = rods.iter().find(|r| r.name == name);
    if found.is_none() {
        let hint = hint(name, rods.iter().map(|r| r.name.as_str()));
        checker.report(path, format!("unknown rod `{name}`{hint}"));
    }
    found.map(|r| r.segments)
}

fn check_index(checker: &mut Checker<'_>, path: &str, index: i64, count: usize) {
    let n = count as i64;
    if index < -n || index >= n {
        let message =
            format!("{index}; there are {count}: indices go from 0 to {}, or from -{count} to -1", n - 1);
        checker.report(path, message);
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
