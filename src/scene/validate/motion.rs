//! Obstacles and clamps, and their keyframes.

use crate::model::motion::Motion;
use crate::model::obstacle::Shape;

use super::checker::Checker;
use super::selections::check_selection;

/// Every yarn looks for every rim.
const MOST_SIDES: u32 = 360;

pub(super) fn check_obstacles(checker: &mut Checker<'_>) {
    let scene = checker.scene;
    checker.distinct("obstacles", scene.obstacles.iter().map(|o| &o.name));
    for (i, obstacle) in scene.obstacles.iter().enumerate() {
        let path = format!("obstacles[{i}]");
        check_shape(checker, &format!("{path}.shape"), &obstacle.shape);
        check_motion(checker, &path, &obstacle.motion);
        if let Some(friction) = obstacle.friction {
            checker.not_negative(format!("{path}.friction"), friction, "");
        }
        checker.not_negative(format!("{path}.thickness"), obstacle.thickness, "m");
        if let Some(stiffness) = obstacle.stiffness {
            checker.positive(format!("{path}.stiffness"), stiffness, "N/m3");
        }
        if obstacle.edges && !obstacle.shape.has_edges() {
            checker
                .report(format!("{path}.edges"), "the shape has no sharp edges; a `Box` and a `Prism` have");
        }
    }
}

pub(super) fn check_clamps(checker: &mut Checker<'_>) {
    let scene = checker.scene;
    checker.distinct("clamps", scene.clamps.iter().map(|c| &c.name));
    for (i, clamp) in scene.clamps.iter().enumerate() {
        let path = format!("clamps[{i}]");
        check_selection(checker, &format!("{path}.select"), &clamp.select);
        check_motion(checker, &path, &clamp.motion);
        if clamp.axes == [false; 3] {
            checker.report(format!("{path}.axes"), "no axis is held: the clamp would do nothing");
        }
        if let Some(release) = clamp.release {
            checker.positive(format!("{path}.release"), release, "s");
        }
    }
}

fn check_shape(checker: &mut Checker<'_>, path: &str, shape: &Shape) {
    match shape {
        Shape::Plane => {}
        Shape::Box { size } => {
            for (k, edge) in size.iter().copied().enumerate() {
                checker.positive(format!("{path}.size[{k}]"), edge, "m");
            }
        }
        Shape::Sphere { radius } => checker.positive(format!("{path}.radius"), *radius, "m"),
        Shape::Capsule { radius, length } => {
            checker.positive(format!("{path}.radius"), *radius, "m");
            checker.not_negative(format!("{path}.length"), *length, "m");
        }
        Shape::Prism { radius, height, sides } => {
            checker.positive(format!("{path}.radius"), *radius, "m");
            checker.positive(format!("{path}.height"), *height, "m");
            if !(3..=MOST_SIDES).contains(sides) {
                checker.report(format!("{path}.sides"), format!("{sides}; a prism has 3 to {MOST_SIDES}"));
            }
        }
        Shape::Mesh { files, every, scale } => {
            checker.at_least_one(format!("{path}.files"), files.len(), "files");
            checker.positive(format!("{path}.every"), *every, "s");
            checker.positive(format!("{path}.scale"), *scale, "");
        }
    }
}

fn check_motion(checker: &mut Checker<'_>, path: &str, motion: &Motion) {
    for (k, pair) in motion.0.windows(2).enumerate() {
        if pair[1].time <= pair[0].time {
            checker.report(
                format!("{path}.motion[{}].time", k + 1),
                format!(
                    "{} s; keyframes go forward in time, the one before is at {} s",
                    pair[1].time, pair[0].time
                ),
            );
        }
    }
}
