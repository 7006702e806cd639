//! Cloth of triangles that meets cloth: nothing passes, friction holds.

use crate::common::scenes::*;
use hebra::geometry::Vec3;
use hebra::model::build::ModelBuilder;
use hebra::model::select::Selection;
use hebra::model::sheets::{SheetMaterial, SheetParams, SheetShape};
use hebra::simulation::Simulation;
use hebra::simulation::setup::Setup;

const THICKNESS: f64 = 2e-3;

fn sheet(name: &str, shape: SheetShape, at: [f64; 3], rotation: [f64; 3]) -> SheetParams {
    let material = SheetMaterial { thickness: THICKNESS, friction: 0.5, ..SheetMaterial::default() };
    SheetParams { name: name.into(), shape, at, rotation, velocity: [0.0; 3], material, colour: None }
}

fn square(size: f64, cells: usize) -> SheetShape {
    SheetShape::Rectangle { size: [size; 2], cells: [cells; 2] }
}

fn scene(sheets: &[SheetParams]) -> Setup {
    let mut builder = ModelBuilder::default();
    sheets.iter().for_each(|s| builder.add_sheet(s).unwrap());
    let (model, state) = builder.finish();
    let mut setup = Setup { model, state, ..Default::default() };
    setup.forces.gravity = [0.0, 0.0, -G];
    setup.collision = Some(Default::default());
    setup.solver.dt = 2e-3;
    setup
}

/// Positions of a sheet's vertices.
fn vertices(simulation: &Simulation, sheet: usize) -> Vec<Vec3> {
    let sheets = &simulation.model().sheets;
    let range = sheets.list[sheet].vertices.clone();
    range.map(|v| simulation.block_position(sheets.vertices[v as usize].block)).collect()
}

/// A square thrown down upon a held one, whose vertices do not lie over its own.
fn thrown(speed: f64) -> Setup {
    let lower = sheet("lower", square(0.1, 7), [0.0; 3], [0.0; 3]);
    let mut upper = sheet("upper", square(0.08, 6), [3e-3, 2e-3, 8e-3], [4.0, -3.0, 20.0]);
    upper.velocity = [0.0, 0.0, -speed];
    let mut setup = scene(&[lower, upper]);
    clamp(&mut setup, Selection::Sheet("lower".into()));
    setup
}

#[test]
fn nothing_passes_however_fast_it_comes() {
    for speed in [0.1, 3.0] {
        let mut simulation = Simulation::new(thrown(speed));
        let mut deepest: f64 = 0.0;
        for _ in 0..60 {
            simulation.step().unwrap();
            let lowest = vertices(&simulation, 1).iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
            assert!(lowest > 0.0, "{speed} m/s: a vertex is at {lowest}");
            deepest = deepest.max(simulation.deepest_collision());
        }
        println!("{speed} m/s: pressed in by {deepest:.3} of the thickness");
        assert!(deepest > 0.05, "{deepest}: it was never touched");
    }
    let mut apart = thrown(3.0);
    apart.collision = None;
    let mut simulation = Simulation::new(apart);
    (0..10).for_each(|_| _ = simulation.step().unwrap());
    assert!(vertices(&simulation, 1).iter().any(|x| x.z < 0.0), "without collision it passes");
}

#[test]
fn a_sheet_stays_on_a_slope_below_the_angle_of_friction_and_slides_above_it() {
    // A coefficient of 0.5 holds up to 26.6 degrees.
    let way = |degrees: f64| {
        let lower = sheet("lower", square(0.1, 6), [0.0; 3], [0.0; 3]);
        let upper = sheet("upper", square(0.05, 4), [3e-3, 2e-3, 0.97 * THICKNESS], [0.0, 0.0, 10.0]);
        let mut setup = scene(&[lower, upper]);
        clamp(&mut setup, Selection::Sheet("lower".into()));
        let (sine, cosine) = degrees.to_radians().sin_cos();
        setup.forces.gravity = [G * sine, 0.0, -G * cosine];
        let mut simulation = Simulation::new(setup);
        let middle = |s: &Simulation| vertices(s, 1).iter().map(|x| x.x).sum::<f64>() / 25.0;
        let start = middle(&simulation);
        (0..50).for_each(|_| _ = simulation.step().unwrap());
        let free = 0.5 * G * (sine - 0.5 * cosine) * 0.1 * 0.1;
        (middle(&simulation) - start, free)
    };
    let (still, _) = way(22.0);
    let (slid, free) = way(40.0);
    println!("slope: {still:.2e} m at 22 degrees, {slid:.2e} of {free:.2e} m at 40 degrees");
    assert!(still.abs() < 2e-4, "{still}");
    assert!((slid / free - 1.0).abs() < 0.15, "{slid} {free}");
}

#[test]
fn a_strip_that_folds_upon_itself_does_not_pass_through_itself() {
    // Held by one end, the other end falls and swings back under it.
    let shape = SheetShape::Rectangle { size: [0.2, 0.03], cells: [40, 6] };
    let strip = sheet("strip", shape, [0.0, 0.0, 0.1], [0.0, 80.0, 0.0]);
    let mut setup = scene(&[strip]);
    let ground = hebra::model::obstacle::ObstacleParams {
        stiffness: Some(1e6),
        ..hebra::model::obstacle::ObstacleParams::of(hebra::model::obstacle::Shape::Plane)
    };
    setup.obstacles.push(hebra::model::obstacle::Obstacle::read(ground).unwrap());
    let mut simulation = Simulation::new(setup);
    let (mut deepest, mut pairs): (f64, usize) = (0.0, 0);
    for _ in 0..150 {
        simulation.step().unwrap();
        deepest = deepest.max(simulation.deepest_collision());
        pairs = pairs.max(simulation.n_collision_pairs());
    }
    let heights: Vec<f64> = vertices(&simulation, 0).iter().map(|x| x.z).collect();
    let highest = heights.iter().copied().fold(0.0, f64::max);
    println!("fold: pressed in by {deepest:.3}, {pairs} pairs, {highest:.4} m high");
    assert!(deepest > 0.05 && deepest < 0.9, "{deepest}");
    assert!(heights.iter().all(|z| *z > 0.0), "on the ground");
}
