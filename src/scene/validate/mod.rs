//! Values that the parser takes and a simulation cannot: each with its path.

mod checker;
mod fabrics;
mod knits;
mod layers;
mod materials;
mod motion;
mod rods;
mod selections;
mod settings;
mod sheets;

use super::error::Problem;
use super::params::Scene;
use super::size::too_large;
use checker::Checker;

/// Everything that is wrong with a scene, in the order of its keys; empty when it can be built.
pub fn validate(scene: &Scene) -> Vec<Problem> {
    // To look into what is too large would take as much memory.
    if let Some(problem) = too_large(scene) {
        return vec![problem];
    }
    let mut checker = Checker::new(scene);
    settings::check_name(&mut checker);
    fabrics::check(&mut checker);
    knits::check(&mut checker);
    layers::check(&mut checker);
    layers::check_seams(&mut checker);
    layers::check_contacts(&mut checker);
    rods::check(&mut checker);
    sheets::check(&mut checker);
    materials::check(&mut checker);
    motion::check_obstacles(&mut checker);
    motion::check_clamps(&mut checker);
    settings::check_forces(&mut checker);
    settings::check_damping(&mut checker);
    settings::check_collision(&mut checker);
    settings::check_solver(&mut checker);
    settings::check_relax(&mut checker);
    settings::check_record(&mut checker);
    settings::check_probes(&mut checker);
    settings::check_camera(&mut checker);
    checker.problems
}

/// What can be built, but is hardly meant.
pub fn warnings(scene: &Scene) -> Vec<Problem> {
    let mut checker = Checker::new(scene);
    fabrics::warn(&mut checker);
    checker.problems
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::parse::parse;
    use super::super::source::Source;
    use super::*;

    const WARP: &str = "warp: (count: 4, spacing: 1e-3), weft: (count: 4, spacing: 1e-3)";

    fn problems(text: &str) -> Vec<String> {
        let scene = parse(&Source::new(Path::new("a.ron"), text.into())).unwrap();
        validate(&scene).iter().map(|p| format!("{}: {}", p.path, p.message)).collect()
    }

    #[test]
    fn a_sound_scene_has_no_problems() {
        let text = format!("(fabrics: [({WARP})], probes: {{\"p\": Position(Fabric(\"fabric0\"))}})");
        assert_eq!(problems(&text), Vec::<String>::new());
    }

    #[test]
    fn each_problem_has_its_path() {
        let rod = "points: [(0, 0, 0), (1, 0, 0)], segments: 4";
        let cases = [
            ("()".into(), ": the scene has no cloth"),
            (format!("(fabrics: [({WARP})], until: 0)"), "until: 0 s"),
            (format!("(fabrics: [({WARP})], until: -1)"), "until: -1 s"),
            (format!("(fabrics: [({WARP})], name: \"a/b\")"), "name: `a/b`"),
            (format!("(fabrics: [({WARP})], solver: (dt: 0))"), "solver.dt: 0 s"),
            (format!("(fabrics: [({WARP})], solver: (dt_min: 1))"), "solver.dt_min: 1 s"),
            (
                format!("(fabrics: [({WARP})], layers: [(fabrics: [\"fabric0\", \"fabric1\"])])"),
                "layers[0].fabrics[1]: unknown fabric `fabric1`; did you mean `fabric0`?",
            ),
            (
                format!(
                    "(fabrics: [({WARP})], knits: [(name: \"k\", courses: 4, wales: 4)], layers: [(fabrics: \
                     [\"fabric0\", \"k\"])])"
                ),
                "layers[0].fabrics[1]: `k` is knitted, and only woven fabrics lie on one another",
            ),
            (
                format!("(fabrics: [({WARP})], layers: [(fabrics: [\"fabric0\", \"fabric0\"])])"),
                "layers[0].fabrics[1]: `fabric0` lies in these layers already",
            ),
            (format!("(fabrics: [({WARP})], layers: [(fabrics: [\"fabric0\"])])"), "layers[0].fabrics: "),
            (
                format!("(fabrics: [({WARP})], seams: [(fabrics: (\"fabric0\", \"x\"), along: Edge(Left))])"),
                "seams[0].fabrics[1]: unknown fabric `x`",
            ),
            (
                format!("(fabrics: [({WARP})], materials: {{\"m\": (radius: -1)}})"),
                "materials.m.radius: -1 m",
            ),
            (format!("(fabrics: [({WARP})], materials: {{\"m\": (base: \"coton\")}})"), "materials.m.base: "),
            (format!("(fabrics: [({WARP}), (name: \"fabric0\", {WARP})])"), "fabrics[1].name: "),
            (format!("(fabrics: [({WARP}, weave: Chart([\"#.\", \"#\"]))])"), "fabrics[0].weave[1]: row 1"),
            (format!("(fabrics: [({WARP}, weave: Twill(over: 0, under: 1))])"), "fabrics[0].weave: "),
            (format!("(rods: [({rod}, material: \"silkk\")])"), "rods[0].material: "),
            (format!("(rods: [({rod}, eyelets: [(arc: 2)])])"), "rods[0].eyelets[0].arc: "),
            (
                format!("(rods: [({rod})], clamps: [(select: RodEnd(rod: \"rod1\", end: End))])"),
                "clamps[0].select.rod: ",
            ),
            (
                format!("(rods: [({rod})], clamps: [(select: Any([All, Fabric(\"x\")]))])"),
                "clamps[0].select[1]: unknown fabric `x`",
            ),
            (
                format!("(rods: [({rod})], clamps: [(select: All, motion: [(time: 1), (time: 1)])])"),
                "clamps[0].motion[1].time: ",
            ),
            (
                format!("(rods: [({rod})], obstacles: [(shape: Sphere(radius: 0))])"),
                "obstacles[0].shape.radius: 0 m",
            ),
            (
                format!("(rods: [({rod})], probes: {{\"f\": ClampForce(\"top\")}})"),
                "probes.f: unknown clamp `top`",
            ),
            (format!("(rods: [({rod})], damping: (mass: 1))"), "damping.mass: "),
            (format!("(rods: [({rod})], collision: (stiffness: 0))"), "collision.stiffness: 0 Pa"),
            (format!("(rods: [({rod})], camera: (eye: (0, 0, 1), target: (0, 0, 0)))"), "camera.up: "),
        ];
        for (text, expected) in cases {
            let found = problems(&text);
            assert!(found.len() == 1 && found[0].starts_with(expected), "{text}\n{found:#?}");
        }
    }

    #[test]
    fn charts_that_do_not_interlace_are_warned_of() {
        let found = |rows: &str| {
            let text = format!("(fabrics: [({WARP}, weave: Chart([{rows}]))])");
            let scene = parse(&Source::new(Path::new("a.ron"), text)).unwrap();
            assert_eq!(validate(&scene), []);
            warnings(&scene).into_iter().map(|p| format!("{}: {}", p.path, p.message)).collect::<Vec<_>>()
        };
        assert_eq!(found("\"#.\", \".#\""), Vec::<String>::new());
        let loose = found("\"##.\", \"#.#\"");
        assert!(
            loose[0].starts_with("fabrics[0].weave: the chart does not interlace: warp 0 of"),
            "{loose:?}"
        );
    }

    #[test]
    fn yarns_that_touch_are_refused() {
        let fabric = |spacing: f64, sequence: &str| {
            let threads = format!("(count: 4, spacing: {spacing}, materials: {sequence})");
            problems(&format!("(fabrics: [(warp: {threads}, weft: (count: 4, spacing: 1e-3))])"))
        };
        assert_eq!(fabric(2.0e-4, "[\"cotton\"]"), Vec::<String>::new());
        let found = fabric(2.5e-4, "[\"cotton\", \"denim\"]");
        assert!(found[0].starts_with("fabrics[0].warp.spacing: "), "{found:?}");
        assert!(found[0].contains("0.000265 m"), "{found:?}");
        assert!(fabric(1e-3, "[]")[0].starts_with("fabrics[0].warp.materials: "));
        assert!(fabric(1e-3, "[\"wol\"]")[0].contains("did you mean `wool`?"));
    }
}
