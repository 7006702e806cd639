//! The scene's own materials.

use crate::model::material::{MATERIALS, MaterialParams, named_material};

use super::super::build::path_in;
use super::super::parse::hint;
use super::checker::Checker;

pub(super) fn check(checker: &mut Checker<'_>) {
    for (name, material) in &checker.scene.materials {
        check_material(checker, &path_in("materials", name), material);
    }
}

fn check_material(checker: &mut Checker<'_>, path: &str, m: &MaterialParams) {
    if let Some(base) = m.base.as_deref().filter(|b| named_material(b).is_none()) {
        let built_in = MATERIALS.iter().map(|m| m.name);
        checker.report(format!("{path}.base"), format!("unknown material `{base}`{}", hint(base, built_in)));
    }
    let positive = [
        ("density", m.density, "kg/m3"),
        ("radius", m.radius, "m"),
        ("stretch", m.stretch, "Pa"),
        ("collision_thickness", m.collision_thickness, "m"),
    ];
    for (key, value, unit) in positive {
        value.into_iter().for_each(|v| checker.positive(format!("{path}.{key}"), v, unit));
    }
    let not_negative = [
        ("bending", m.bending, "N m2"),
        ("shear", m.shear, "J/rad2"),
        ("contact", m.contact, "N/m"),
        ("friction", m.friction, ""),
        ("stick", m.stick, "N/m"),
        ("preload", m.preload, "N"),
        ("stretch_damping", m.stretch_damping, "s"),
        ("bending_damping", m.bending_damping, "s"),
        ("shear_damping", m.shear_damping, "s"),
        ("contact_damping", m.contact_damping, "s"),
    ];
    for (key, value, unit) in not_negative {
        value.into_iter().for_each(|v| checker.not_negative(format!("{path}.{key}"), v, unit));
    }
}
