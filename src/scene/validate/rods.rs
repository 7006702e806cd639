//! Single yarns.

use crate::geometry::Vec3;
use crate::model::fabric::RodParams;

use super::super::words::counted;
use super::checker::Checker;

pub(super) fn check(checker: &mut Checker<'_>) {
    let scene = checker.scene;
    checker.distinct("rods", scene.rods.iter().map(|r| &r.name));
    for (i, rod) in scene.rods.iter().enumerate() {
        check_rod(checker, &format!("rods[{i}]"), rod);
    }
}

fn check_rod(checker: &mut Checker<'_>, path: &str, rod: &RodParams) {
    checker.at_least_one(format!("{path}.segments"), rod.segments, "segments");
    checker.material(format!("{path}.material"), &rod.material);
    if let Some(colour) = rod.colour {
        checker.colour(&format!("{path}.colour"), colour);
    }
    if let Some(length) = rod.length {
        checker.positive(format!("{path}.length"), length, "m");
    }
    let drawn = check_points(checker, path, rod);
    check_eyelets(checker, path, rod, rod.length.unwrap_or(drawn));
}

/// The length of the poly-line, m.
fn check_points(checker: &mut Checker<'_>, path: &str, rod: &RodParams) -> f64 {
    if rod.points.len() < 2 {
        checker.report(
            format!("{path}.points"),
            format!("{}; a yarn needs at least two", counted(rod.points.len() as u64, "point")),
        );
    }
    let lengths = rod.points.windows(2).map(|p| (Vec3::from(p[1]) - Vec3::from(p[0])).norm());
    for (k, _) in lengths.clone().enumerate().filter(|&(_, l)| l == 0.0) {
        checker.report(
            format!("{path}.points[{}]", k + 1),
            format!("it is the same point as the one before, {k}"),
        );
    }
    lengths.sum()
}

fn check_eyelets(checker: &mut Checker<'_>, path: &str, rod: &RodParams, length: f64) {
    for (k, eyelet) in rod.eyelets.iter().enumerate() {
        if !(eyelet.arc > 0.0 && eyelet.arc < length) {
            checker.report(
                format!("{path}.eyelets[{k}].arc"),
                format!("{} m; it must lie between the yarn's ends, 0 and {length} m", eyelet.arc),
            );
        }
        checker.not_negative(format!("{path}.eyelets[{k}].friction"), eyelet.friction, "");
    }
}
