//! Everything that is a value of the scene as a whole.

use crate::geometry::Vec3;
use crate::potential::damping::{DampingKind, DampingLaw};
use crate::potential::forces::WindParams;
use crate::record::params::{Interval, ProbeParams};

use super::super::build::path_in;
use super::checker::Checker;
use super::selections::{check_known, check_selection};

pub(super) fn check_name(checker: &mut Checker<'_>) {
    let name = &checker.scene.name;
    let is_folder = !name.starts_with('.') && !name.contains(['/', '\\', ':', '\0']);
    if !is_folder {
        checker.report(
            "name",
            format!("`{name}` cannot name a folder: leave out `/`, `\\`, `:` and a leading `.`"),
        );
    }
}

pub(super) fn check_forces(checker: &mut Checker<'_>) {
    let forces = &checker.scene.forces;
    if let Some(wind) = &forces.wind {
        check_wind(checker, wind);
    }
    for (i, push) in forces.points.iter().enumerate() {
        let path = format!("forces.points[{i}]");
        check_selection(checker, &format!("{path}.select"), &push.select);
        if let Some(end) = push.end.filter(|&end| end <= push.start) {
            checker
                .report(format!("{path}.end"), format!("{end} s; the force starts only at {} s", push.start));
        }
    }
}

fn check_wind(checker: &mut Checker<'_>, wind: &WindParams) {
    checker.not_negative("forces.wind.density", wind.density, "kg/m3");
    checker.not_negative("forces.wind.drag", wind.drag, "");
    checker.not_negative("forces.wind.along", wind.along, "");
    checker.not_negative("forces.wind.gust", wind.gust, "");
    checker.not_negative("forces.wind.frequency", wind.frequency, "Hz");
}

pub(super) fn check_damping(checker: &mut Checker<'_>) {
    let damping = checker.scene.damping;
    checker.not_negative("damping.mass", damping.mass, "1/s");
    if damping.mass > 0.0 && damping.kind != DampingKind::Rayleigh {
        checker.report("damping.mass", format!("{} 1/s; only `kind: Rayleigh` damps by mass", damping.mass));
    }
    if let DampingLaw::Power { exponent, rate } = damping.law {
        checker.not_negative("damping.law.exponent", exponent, "");
        checker.positive("damping.law.rate", rate, "1/s");
        if damping.kind != DampingKind::StrainRate {
            checker.report("damping.law", "only `kind: StrainRate` has a law");
        }
    }
    let terms = [
        ("stretch", damping.stretch),
        ("bending", damping.bending),
        ("shear", damping.shear),
        ("contact", damping.contact),
    ];
    for (key, value) in terms {
        value.into_iter().for_each(|v| checker.not_negative(format!("damping.{key}"), v, "s"));
    }
}

pub(super) fn check_collision(checker: &mut Checker<'_>) {
    let Some(collision) = checker.scene.collision else { return };
    checker.positive("collision.stiffness", collision.stiffness, "Pa");
    collision.friction.into_iter().for_each(|v| checker.not_negative("collision.friction", v, ""));
}

pub(super) fn check_solver(checker: &mut Checker<'_>) {
    let solver = checker.scene.solver;
    checker.positive("solver.dt", solver.dt, "s");
    if let Some(dt_min) = solver.dt_min {
        checker.positive("solver.dt_min", dt_min, "s");
        if dt_min > solver.dt && solver.dt > 0.0 {
            checker.report("solver.dt_min", format!("{dt_min} s; it is longer than `dt`, {} s", solver.dt));
        }
    }
    checker.at_least_one("solver.max_iterations", solver.max_iterations, "Newton iterations");
    solver.residual.into_iter().for_each(|v| checker.positive("solver.residual", v, "N"));
    solver.correction.into_iter().for_each(|v| checker.positive("solver.correction", v, "m"));
    solver.error.into_iter().for_each(|v| checker.not_negative("solver.error", v, "m"));
    let scene = checker.scene;
    let contact = [
        ("obstacles", !scene.obstacles.is_empty()),
        ("collision", scene.collision.is_some()),
        ("layers", !scene.layers.is_empty()),
    ];
    if let Some((key, _)) = contact.into_iter().find(|(_, is_there)| solver.single_iteration && *is_there) {
        let rule = "one iteration a step does not see what is met in the step";
        checker.report("solver.single_iteration", format!("{rule}: leave it out, or leave out `{key}`"));
    }
}

pub(super) fn check_relax(checker: &mut Checker<'_>) {
    let relax = checker.scene.relax;
    checker.positive("relax.force", relax.force, "");
    checker.at_least_one("relax.max_steps", relax.max_steps as usize, "steps");
}

pub(super) fn check_record(checker: &mut Checker<'_>) {
    checker.positive("until", checker.scene.until, "s");
    checker.positive("record.every", checker.scene.record.every, "s");
    match checker.scene.record.checkpoint_every {
        Interval::Seconds(seconds) => checker.positive("record.checkpoint_every", seconds, "s"),
        Interval::Steps(steps) => checker.at_least_one("record.checkpoint_every", steps as usize, "steps"),
    }
}

pub(super) fn check_probes(checker: &mut Checker<'_>) {
    let scene = checker.scene;
    for (name, probe) in &scene.probes {
        let path = path_in("probes", name);
        if name.is_empty()
            || name.contains([',', '"', '\n', '\r'])
            || ["step", "time"].contains(&name.as_str())
        {
            let rule = "no comma, quotation mark or line break, not `step`, not `time`";
            checker.report(path.as_str(), format!("`{name}` cannot name a column: {rule}"));
        }
        match probe {
            ProbeParams::Position(s)
            | ProbeParams::Velocity(s)
            | ProbeParams::Slide(s)
            | ProbeParams::Curvature(s) => {
                check_selection(checker, &path, s);
            }
            ProbeParams::Folds { around, depth } => {
                check_selection(checker, &path, around);
                checker.positive(path, *depth, "m");
            }
            ProbeParams::ClampForce(clamp) => {
                let known: Vec<&str> = scene.clamps.iter().map(|c| c.name.as_str()).collect();
                check_known(checker, &path, "clamp", clamp, &known);
            }
        }
    }
}

pub(super) fn check_camera(checker: &mut Checker<'_>) {
    let Some(camera) = &checker.scene.camera else { return };
    let view = Vec3::from(camera.target) - Vec3::from(camera.eye);
    if view.norm() == 0.0 {
        checker.report("camera.target", "it is where the eye is");
    } else if view.cross(&Vec3::from(camera.up)).norm() <= 1e-9 * view.norm() {
        checker.report("camera.up", "it must not be zero nor point along the view");
    }
    if !(camera.field_of_view > 0.0 && camera.field_of_view < 180.0) {
        checker.report(
            "camera.field_of_view",
            format!("{} degrees; it must lie between 0 and 180", camera.field_of_view),
        );
    }
}
