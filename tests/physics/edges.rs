//! Rods over the edge of a table.

use crate::common::scenes::*;
use hebra::model::arrangement::Role;
use hebra::model::build::ModelBuilder;
use hebra::model::ids::NodeId;
use hebra::model::motion::{Keyframe, Motion};
use hebra::model::obstacle::{Obstacle, ObstacleParams, Shape};
use hebra::simulation::Simulation;
use hebra::simulation::setup::Setup;

/// kg/m
const DENSITY: f64 = 1.0;

/// m
const LENGTH: f64 = 1.0;

/// A limp rod of which `hanging` metres hang over the edge of a table, along which it is turned by some degrees.
fn over_an_edge(hanging: f64, friction: f64, turn: f64) -> Setup {
    let r = cotton().radius;
    let at = |s: f64| if s < 0.0 { [s, 0.0, r] } else { [r, 0.0, r - s] };
    let (sine, cosine) = turn.to_radians().sin_cos();
    let points = [at(hanging - LENGTH), at(0.0), at(hanging)];
    let turned =
        points.map(|[x, y, z]| if x < 0.0 { [r + (x - r) * cosine, (x - r) * sine, z] } else { [x, y, z] });
    let limp = hebra::model::material::Material { friction, stick: 1e5, ..material(DENSITY, 1e5, 0.0) };
    let mut builder = ModelBuilder::default();
    builder.add_rod(&rod(&turned, 21), limp);
    builder.add_edge_nodes();
    let (model, state) = builder.finish();
    let table = ObstacleParams {
        at: [-2.0, 0.0, -2.0],
        friction: Some(friction),
        stiffness: Some(1e10),
        edges: true,
        ..ObstacleParams::of(Shape::Box { size: [4.0; 3] })
    };
    let obstacles = vec![Obstacle::read(table).unwrap()];
    let mut setup = Setup { model, state, obstacles, ..Default::default() };
    setup.damping.kind = hebra::potential::damping::DampingKind::None;
    setup.solver.residual = Some(1e-4);
    setup.solver.correction = Some(1e-9);
    setup
}

/// How far the end hangs down, m.
fn hanging(simulation: &Simulation) -> f64 {
    cotton().radius - simulation.position(node(simulation, &rod_node(-1))).z
}

fn nodes_on_edges(simulation: &Simulation) -> Vec<NodeId> {
    let model = simulation.model();
    let is_on = |n: &NodeId| model.is_for_edges(*n) && simulation.arrangement().role(*n) != Role::Removed;
    (0..model.nodes.len() as u32).map(NodeId).filter(is_on).collect()
}

fn on_edges(simulation: &Simulation) -> usize {
    nodes_on_edges(simulation).len()
}

/// Without friction the part that hangs over the edge draws the rest after it:
///
/// ```text
/// rho l d'' = rho g d,  d(t) = d0 cosh(t sqrt(g/l))
/// ```
fn sliding_error(dt: f64) -> f64 {
    let (d0, time) = (0.3, 0.4);
    let mut setup = over_an_edge(d0, 0.0, 0.0);
    setup.solver.dt = dt;
    let mut simulation = Simulation::new(setup);
    run(&mut simulation, time, dt);
    assert_eq!(on_edges(&simulation), 1);
    hanging(&simulation) / (d0 * (time * (G / LENGTH).sqrt()).cosh()) - 1.0
}

#[test]
fn a_rod_slides_off_a_table() {
    let (coarse, fine) = (sliding_error(2e-3), sliding_error(1e-3));
    println!("edge: {coarse:.3e} {fine:.3e}");
    assert!(fine.abs() < 5e-3, "{fine}");
}

/// With friction `mu` on the table and its edge it stays until, with `T1` on the table and `T2` hanging,
///
/// ```text
/// T2 - T1 > mu sqrt(T1^2 + T2^2),  T1 = mu rho g (l - d),  T2 = rho g d
/// ```
/// the cone of a single node at which the rod turns by a right angle, whose force is the sum of both tensions. For
/// `mu = 0.3` that is `d = 0.3181 l`. Round an edge of any radius it would be `T2 = T1 e^(mu pi/2)`, `d = 0.3246 l`.
#[test]
fn friction_holds_a_rod_on_an_edge_up_to_its_cone() {
    let mu: f64 = 0.3;
    // The threshold's b/a solves (1 - mu^2) x^2 - 2 mu x + mu^2 (1 - mu^2) = 0.
    let (square, constant) = (1.0 - mu * mu, mu * mu * (1.0 - mu * mu));
    let ratio = (mu + (mu * mu - square * constant).sqrt()) / square;
    let threshold = LENGTH * ratio / (1.0 + ratio);
    assert!((threshold - 0.3181).abs() < 1e-4, "{threshold}");
    let moved = |part: f64| {
        let d0 = part * threshold;
        let mut simulation = Simulation::new(over_an_edge(d0, mu, 0.0));
        run(&mut simulation, 0.3, 1e-3);
        hanging(&simulation) - d0
    };
    let (below, above) = (moved(0.97), moved(1.03));
    println!("below {below:.3e}, above {above:.3e} m");
    assert!(below.abs() < 1e-3 && above > 5e-3, "{below} {above} m");
}

/// A rod that is drawn back on the table leaves the edge behind.
#[test]
fn an_edge_is_left_behind() {
    let mut setup = over_an_edge(0.2, 0.0, 0.0);
    let key = |time, x: f64| Keyframe { time, translation: [x, 0.0, 0.0], rotation: [0.0; 3] };
    clamp(&mut setup, rod_node(0)).motion = Motion(vec![key(0.0, 0.0), key(0.5, -0.3)]);
    let mut simulation = Simulation::new(setup);
    simulation.step().unwrap();
    assert_eq!(on_edges(&simulation), 1);
    let mut most = 0;
    while simulation.time() < 0.5 {
        simulation.step().unwrap();
        most = most.max(on_edges(&simulation));
    }
    assert_eq!((most, on_edges(&simulation)), (1, 0));
    let end = simulation.position(node(&simulation, &rod_node(-1)));
    assert!(end.x < -0.05 && end.z.abs() < 1e-3, "{end:?}");
}

/// A rod that lies askew over the edge slides along it, until it hangs straight across.
#[test]
fn a_node_slides_along_its_edge() {
    let mut simulation = Simulation::new(over_an_edge(0.3, 0.0, 40.0));
    simulation.step().unwrap();
    let spare = |s: &Simulation| nodes_on_edges(s).into_iter().map(|n| s.position(n)).collect::<Vec<_>>();
    let start = spare(&simulation);
    run(&mut simulation, 0.15, 1e-3);
    let end = spare(&simulation);
    assert_eq!([start.len(), end.len()], [1, 1]);
    let r = cotton().radius;
    assert!((end[0].x - r).abs() < 1e-4 && (end[0].z - r).abs() < 1e-4, "{end:?}");
    assert!(end[0].y < start[0].y - 0.01, "{start:?} {end:?}");
}

/// A round table turns below a rod that hangs over its rim and is held on top: its node goes from side to side of the rim
/// without leaving it.
#[test]
fn a_node_goes_on_round_a_rim() {
    let (radius, sides, cotton) = (0.5, 24, cotton().radius);
    let half_turn = 180.0 / f64::from(sides);
    let apothem = radius * half_turn.to_radians().cos();
    let mut setup = over_an_edge(0.3, 0.0, 0.0);
    let key = |time, turn: f64| Keyframe { time, translation: [0.0; 3], rotation: [0.0, 0.0, turn] };
    let table = ObstacleParams {
        at: [-apothem, 0.0, -2.0],
        rotation: [0.0, 0.0, -half_turn],
        motion: Motion(vec![key(0.0, 0.0), key(0.6, 50.0)]),
        stiffness: Some(1e10),
        friction: Some(0.0),
        edges: true,
        ..ObstacleParams::of(Shape::Prism { radius, height: 4.0, sides })
    };
    setup.obstacles = vec![Obstacle::read(table).unwrap()];
    clamp(&mut setup, rod_node(0));
    let mut simulation = Simulation::new(setup);
    simulation.step().unwrap();
    let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
    while simulation.time() < 0.6 {
        let nodes = nodes_on_edges(&simulation);
        assert_eq!(nodes.len(), 1, "at {} s", simulation.time());
        let x = simulation.position(nodes[0]);
        assert!((x.z - cotton).abs() < 1e-4, "{x:?}");
        let from_axis = (x.x + apothem).hypot(x.y);
        (least, most) = (least.min(from_axis), most.max(from_axis));
        simulation.step().unwrap();
    }
    println!("rim: {least:.6} to {most:.6} m");
    // Over the middles of sides and over the corners between them.
    let [middle, corner] = [apothem + cotton, radius + cotton / half_turn.to_radians().cos()];
    assert!(
        (least - middle).abs() < 1e-4 && (most - corner).abs() < 2e-4,
        "{least} {most} {middle} {corner}"
    );
}

/// A yarn over a bar, stretched by a hundredth by a force at each end, is pressed into the bar by less than a tenth of its
/// radius, however finely it is divided.
#[test]
fn a_yarn_under_tension_lies_on_a_bar() {
    let (bar, radius) = (5e-3, cotton().radius);
    for segments in [20, 40, 80] {
        let z = bar + radius;
        let mut setup = rod_scene(&rod(&[[-0.02, 0.0, z], [0.02, 0.0, z]], segments), cotton());
        let lying = ObstacleParams {
            rotation: [90.0, 0.0, 0.0],
            ..ObstacleParams::of(Shape::Capsule { radius: bar, length: 0.02 })
        };
        setup.obstacles.push(Obstacle::read(lying).unwrap());
        setup.damping.kind = hebra::potential::damping::DampingKind::StrainRate;
        let force = 0.01 * cotton().stretch_stiffness();
        [0, -1].into_iter().for_each(|end| push(&mut setup, rod_node(end), [0.0, 0.0, -force]));
        let mut simulation = Simulation::new(setup);
        let mut deepest = 0.0f64;
        while simulation.time() < 0.05 {
            deepest = deepest.max(simulation.step().unwrap().pressed_in);
        }
        println!("bar, {segments} segments: pressed in by {deepest:.3} of the radius");
        assert!(deepest > 0.0 && deepest < 0.1, "{segments} segments: {deepest}");
    }
}
