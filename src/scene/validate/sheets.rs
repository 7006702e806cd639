//! Cloth of triangles.

use crate::model::sheets::{Plane, SheetMaterial, SheetParams, SheetShape};

use super::super::words::counted;
use super::checker::Checker;

pub(super) fn check(checker: &mut Checker<'_>) {
    let scene = checker.scene;
    checker.distinct("sheets", scene.sheets.iter().map(|s| &s.name));
    for (i, sheet) in scene.sheets.iter().enumerate() {
        check_sheet(checker, &format!("sheets[{i}]"), sheet);
    }
}

fn check_sheet(checker: &mut Checker<'_>, path: &str, sheet: &SheetParams) {
    check_shape(checker, &format!("{path}.shape"), &sheet.shape);
    check_material(checker, &format!("{path}.material"), &sheet.material);
    if let Some(colour) = sheet.colour {
        checker.colour(&format!("{path}.colour"), colour);
    }
}

fn check_shape(checker: &mut Checker<'_>, path: &str, shape: &SheetShape) {
    let cells = |checker: &mut Checker<'_>, cells: [usize; 2], least: [usize; 2]| {
        for (k, (n, least)) in cells.into_iter().zip(least).enumerate() {
            if n < least {
                checker.report(
                    format!("{path}.cells[{k}]"),
                    format!("{}; there must be at least {least}", counted(n as u64, "square")),
                );
            }
        }
    };
    match shape {
        SheetShape::Rectangle { size, cells: n } => {
            (0..2).for_each(|k| checker.positive(format!("{path}.size[{k}]"), size[k], "m"));
            cells(checker, *n, [1, 1]);
        }
        SheetShape::Tube { radii, height, cells: n } => {
            (0..2).for_each(|k| checker.positive(format!("{path}.radii[{k}]"), radii[k], "m"));
            checker.positive(format!("{path}.height"), *height, "m");
            cells(checker, *n, [3, 1]);
        }
        SheetShape::File { scale, .. } => checker.positive(format!("{path}.scale"), *scale, ""),
    }
}

fn check_material(checker: &mut Checker<'_>, path: &str, m: &SheetMaterial) {
    checker.positive(format!("{path}.density"), m.density, "kg/m2");
    checker.not_negative(format!("{path}.thickness"), m.thickness, "m");
    check_plane(checker, &format!("{path}.membrane"), "N/m", &m.membrane);
    if let Some(viscosity) = &m.viscosity {
        check_plane(checker, &format!("{path}.viscosity"), "N s/m", viscosity);
    }
    let not_negative = [
        ("bending", m.bending, "N m"),
        ("friction", m.friction, ""),
        ("membrane_damping", m.membrane_damping, "s"),
        ("bending_damping", m.bending_damping, "s"),
    ];
    for (key, value, unit) in not_negative {
        checker.not_negative(format!("{path}.{key}"), value, unit);
    }
    if m.grain == [0.0; 3] {
        checker.report(format!("{path}.grain"), "it has no direction");
    }
}

/// The matrix must not be indefinite.
fn check_plane(checker: &mut Checker<'_>, path: &str, unit: &str, plane: &Plane) {
    match *plane {
        Plane::Isotropic { lambda, mu } => {
            checker.not_negative(format!("{path}.mu"), mu, unit);
            if lambda + mu < 0.0 {
                checker.report(format!("{path}.lambda"), format!("{lambda} {unit}; it must be at least -mu"));
            }
        }
        Plane::Orthotropic { warp, weft, coupling, shear } => {
            let terms = [("warp", warp), ("weft", weft), ("shear", shear)];
            terms.into_iter().for_each(|(key, v)| checker.not_negative(format!("{path}.{key}"), v, unit));
            if coupling * coupling > warp * weft {
                checker.report(
                    format!("{path}.coupling"),
                    format!("{coupling} {unit}; its square must not exceed warp times weft"),
                );
            }
        }
    }
}
