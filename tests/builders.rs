//! Scenes put together in code are those of their text, and say as well what is wrong with them.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;

use hebra::potential::family::{Family, Stencils};
use hebra::potential::push::Push as PushElement;
use hebra::potential::term::EnergyKind;
use hebra::prelude::*;
use hebra::scene::parse::parse;
use hebra::scene::source::Source;

fn parsed(text: &str) -> Scene {
    parse(&Source::new(Path::new("scene.ron"), text.into())).unwrap()
}

#[test]
fn cloth_is_that_of_its_text() {
    let built = Scene::default()
        .with_fabric(
            Fabric::plain(20, 30, 5e-4)
                .named("cloth")
                .of("wool")
                .woven(Weave::Twill { over: 2, under: 1 })
                .at([0.0, 0.0, 0.1])
                .rotated([0.0, 0.0, 45.0]),
        )
        .with_fabric(Fabric {
            warp: Threads::new(8, 1e-3).of(&["silk", "cotton"]),
            form: Form::Tube { taper: 1.0 },
            ..Fabric::plain(8, 9, 5e-4)
        })
        .with_knit(Knit::jersey(10, 12).of("wool").knitted(KnitPattern::Rib { knit: 1, purl: 1 }))
        .with_knit(Knit::jersey(4, 5).starting(KnitStart::Relaxed))
        .with_layers(Layers::of(&["cloth", "fabric1"]))
        .with_seam(Seam::of(["cloth", "fabric1"], SeamLine::Edge(FabricEdge::Left)))
        .with_rod(Rod::line([0.0; 3], [1.0, 0.0, 0.0], 10).named("line").of("thick"))
        .with_rod(Rod::through(vec![[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]], 4))
        .with_sheet(Sheet::rectangle([0.2, 0.1], [8, 4]).at([0.0, 0.0, 0.3]))
        .with_material("thick", YarnMaterial { radius: Some(1e-3), ..YarnMaterial::default() })
        .with_names();
    let text = r#"(
        fabrics: [
            (
                name: "cloth",
                weave: Twill(over: 2, under: 1),
                warp: (count: 20, spacing: 5e-4, materials: ["wool"]),
                weft: (count: 30, spacing: 5e-4, materials: ["wool"]),
                at: (0, 0, 0.1),
                rotation: (0, 0, 45),
            ),
            (
                warp: (count: 8, spacing: 1e-3, materials: ["silk", "cotton"]),
                weft: (count: 9, spacing: 5e-4),
                form: Tube(),
            ),
        ],
        knits: [
            (pattern: Rib(knit: 1, purl: 1), courses: 10, wales: 12, yarns: [(material: "wool")]),
            (courses: 4, wales: 5, start: Relaxed),
        ],
        layers: [(fabrics: ["cloth", "fabric1"])],
        seams: [(fabrics: ("cloth", "fabric1"), along: Edge(Left))],
        rods: [
            (name: "line", points: [(0, 0, 0), (1, 0, 0)], segments: 10, material: "thick"),
            (points: [(0, 0, 0), (1, 0, 0), (1, 1, 0)], segments: 4),
        ],
        sheets: [(shape: Rectangle(size: (0.2, 0.1), cells: (8, 4)), at: (0, 0, 0.3))],
        materials: {"thick": (radius: 1e-3)},
    )"#;
    assert_eq!(built, parsed(text));
}

#[test]
fn what_is_around_cloth_is_that_of_its_text() {
    let mut built = Scene { until: 0.2, collision: Some(Collision::default()), ..Scene::default() }
        .with_obstacle(
            Obstacle::of(Shape::Sphere { radius: 0.1 })
                .named("ball")
                .at([0.0, 0.0, -0.1])
                .rotated([90.0, 0.0, 0.0])
                .moving(Motion::translation([0.0, 0.0, 0.05], 0.0..1.0)),
        )
        .with_clamp(
            Clamp::of(Selection::crossing("cloth", -1, 0))
                .led(Motion::rotation([0.0, 0.0, 90.0], 0.5..1.5))
                .sliding()
                .released_at(2.0),
        )
        .with_clamp(Clamp::of(Selection::Any(vec![
            Selection::warp("cloth", 0),
            Selection::weft("cloth", -1),
        ])))
        .with_clamp(Clamp::of(Selection::Any(vec![Selection::course("knit", 0), Selection::wale("knit", 1)])))
        .with_clamp(Clamp::of(Selection::Any(vec![Selection::rod_start("line"), Selection::vertex("s", 3)])))
        .with_push(Push::on(Selection::rod_end("line"), [0.0, 1e-3, 0.0]))
        .with_probe("end", Probe::Position(Selection::rod_end("line")))
        .with_names();
    built.solver.dt = 5e-4;
    let text = r#"(
        obstacles: [(
            name: "ball",
            shape: Sphere(radius: 0.1),
            at: (0, 0, -0.1),
            rotation: (90, 0, 0),
            motion: [(time: 0), (time: 1, translation: (0, 0, 0.05))],
        )],
        clamps: [
            (
                select: Crossing(fabric: "cloth", warp: -1, weft: 0),
                motion: [(time: 0.5), (time: 1.5, rotation: (0, 0, 90))],
                slide: true,
                release: 2,
            ),
            (select: Any([Yarn(fabric: "cloth", set: Warp, index: 0), Yarn(fabric: "cloth", set: Weft, index: -1)])),
            (select: Any([Course(fabric: "knit", index: 0), Wale(fabric: "knit", index: 1)])),
            (select: Any([RodEnd(rod: "line", end: Start), Vertex(sheet: "s", index: 3)])),
        ],
        forces: (points: [(select: RodEnd(rod: "line", end: End), force: (0, 1e-3, 0))]),
        probes: {"end": Position(RodEnd(rod: "line", end: End))},
        collision: (),
        solver: (dt: 5e-4),
        until: 0.2,
    )"#;
    assert_eq!(built, parsed(text));
}

#[test]
fn all_problems_are_told_with_their_paths() {
    let scene = Scene::default()
        .with_fabric(Fabric::plain(4, 4, 1e-3).of("wol"))
        .with_clamp(Clamp::of(Selection::Fabric("fabric1".into())));
    let said = scene.build().err().unwrap().to_string();
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].starts_with("fabrics[0].warp.materials[0]: ") && lines[0].contains("`wool`"), "{said}");
    assert!(lines.iter().any(|l| l.starts_with("clamps[0].select: unknown fabric `fabric1`")), "{said}");
    let nowhere = Scene::default().with_fabric(Fabric::plain(4, 4, 1e-3).at([0.0, f64::NAN, 0.0]));
    assert_eq!(nowhere.build().err().unwrap().to_string(), "fabrics[0].at[1]: `NaN` is not a finite number");
}

/// A straight yarn of four segments in nothing.
fn floating() -> Scene {
    let mut scene = Scene::default().with_rod(Rod::line([0.0; 3], [0.04, 0.0, 0.0], 4));
    scene.forces.gravity = [0.0; 3];
    scene
}

#[test]
fn a_run_ends_at_its_time_or_when_the_observer_breaks() {
    let mut simulation = floating().build().unwrap();
    simulation.run_until(0.01, |_, _| ControlFlow::Continue(())).unwrap();
    assert_eq!(simulation.steps(), 10);
    let third = |_: &Simulation, report: &StepReport| match report.step {
        13 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    simulation.run_until(1.0, third).unwrap();
    assert_eq!(simulation.steps(), 13);
}

#[test]
fn a_potential_of_ones_own_pushes_as_one_of_the_scene() {
    let force = [0.0, 0.0, 1e-6];
    let mut pushed = floating().with_push(Push::on(Selection::rod_end("rod0"), force)).build().unwrap();
    let simulation = floating().build().unwrap();
    let [x, y, z, _] = simulation.model().nodes[4].dofs();
    let push = PushElement::new(force.into(), 0.0, f64::INFINITY);
    let own = Family::new("own", EnergyKind::External, Stencils::new(vec![[x, y, z]], [0; 3]), push);
    let mut simulation = simulation.with_potential(own);
    for s in [&mut pushed, &mut simulation] {
        s.run_until(0.01, |_, _| ControlFlow::Continue(())).unwrap();
    }
    assert_eq!(simulation.positions(), pushed.positions());
    assert_eq!(simulation.rod_positions(RodId(0)), simulation.positions());
    assert!(simulation.velocities()[4][2] > 0.0);
    assert!((simulation.forces()[4][2] - pushed.forces()[4][2]).abs() < 1e-18);
}

#[test]
fn a_yarn_that_is_pulled_comes_to_rest_and_moves_on_from_there() {
    let scene = floating().with_clamp(Clamp::of(Selection::rod_start("rod0")));
    let scene = scene.with_push(Push::on(Selection::rod_end("rod0"), [0.01, 0.0, 0.0]));
    let mut simulation = scene.to_relax().build().unwrap();
    simulation.relax(Relax { force: 1e-3, ..Relax::default() }, |_, _| ControlFlow::Continue(())).unwrap();
    let end = simulation.positions()[4][0];
    assert!(end > 0.04, "{end}");
    simulation.run_until(0.01, |_, _| ControlFlow::Continue(())).unwrap();
    assert!((simulation.positions()[4][0] - end).abs() < 1e-8);
}
