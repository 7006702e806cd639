//! Corners and edges of obstacles between the vertices of large triangles: none pokes through.

use super::sheet_obstacle::{block, obstacle};
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

/// The side of a box, m.
const SIDE: f64 = 0.02;

fn moved(time: f64, translation: [f64; 3]) -> Keyframe {
    Keyframe { time, translation, ..Keyframe::default() }
}

fn cube(at: [f64; 3], rotation: [f64; 3], motion: Vec<Keyframe>) -> Obstacle {
    let shape = Shape::Box { size: [SIDE; 3] };
    let params = ObstacleParams { at, rotation, motion: Motion(motion), ..ObstacleParams::of(shape) };
    Obstacle::read(params).unwrap()
}

/// A sheet of 20 cm in the plane `z = 0`.
fn scene(cells: usize, friction: f64, obstacles: Vec<Obstacle>) -> Setup {
    let material = SheetMaterial { thickness: THICKNESS, friction, ..SheetMaterial::default() };
    let shape = SheetShape::Rectangle { size: [0.2; 2], cells: [cells; 2] };
    let mut builder = ModelBuilder::default();
    builder.add_sheet(&SheetParams { material, ..SheetParams::of(shape) }).unwrap();
    let (model, state) = builder.finish();
    let mut setup = Setup { model, state, obstacles, ..Default::default() };
    setup.forces.gravity = [0.0, 0.0, -G];
    setup.solver.dt = 4e-3;
    setup
}

/// As [`scene`], of triangles of 10 cm, held at two sides.
fn held(obstacle: &Obstacle) -> Setup {
    let mut setup = scene(2, 0.3, vec![obstacle.clone()]);
    for [left, right] in [[-0.2, -0.099], [0.099, 0.2]] {
        clamp(&mut setup, Selection::Box { min: [left, -1.0, -1.0], max: [right, 1.0, 1.0] });
    }
    setup
}

/// How deep the deepest of many places of the triangles is inside, m.
fn depth(simulation: &Simulation, obstacle: &Obstacle) -> f64 {
    let (surface, sheets) = (Surface::at(obstacle, simulation.time()), &simulation.model().sheets);
    let parts = if sheets.triangles.len() > 100 { 10 } else { 100 };
    let places = sheets.triangles.iter().flat_map(|t| {
        let corners = t.vertices.map(|v| simulation.block_position(sheets.vertex(v).block));
        let grid = (0..=parts).flat_map(move |i| (0..=parts - i).map(move |j| [i, j, parts - i - j]));
        grid.map(move |c: [u32; 3]| {
            (0..3).map(|k| corners[k] * f64::from(c[k])).sum::<Vec3>() / f64::from(parts)
        })
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

fn middle(simulation: &Simulation) -> Vec3 {
    let sheets = &simulation.model().sheets;
    let places = sheets.vertices.iter().map(|v| simulation.block_position(v.block));
    places.sum::<Vec3>() / sheets.vertices.len() as f64
}

#[test]
fn a_box_that_rises_under_large_triangles_lifts_them() {
    // On a face, on an edge and on a corner, with the height of its top.
    let turned = [
        ([0.0; 3], 0.5 * SIDE),
        ([45.0, 0.0, 20.0], 0.5f64.sqrt() * SIDE),
        ([45.0, 35.264, 0.0], 0.75f64.sqrt() * SIDE),
    ];
    let rise = vec![Keyframe::default(), moved(0.2, [0.0, 0.0, 0.02])];
    // Under a triangle, and under a side beside its middle.
    for [x, y] in [[0.05, 0.03], [0.012, 0.03]] {
        for (rotation, top) in turned {
            let cube = cube([x, y, -top - 1.5 * THICKNESS], rotation, rise.clone());
            let (deepest, iterations) = run(held(&cube), &cube, 0.3);
            println!(
                "({x}, {y}) turned {rotation:?}: inside by {:.3} mm, {iterations} iterations",
                deepest * 1e3
            );
            assert!(deepest < 0.05 * THICKNESS, "{deepest}");
        }
    }
}

#[test]
fn a_mesh_that_grows_under_large_triangles_lifts_them() {
    let (vertices, triangles) = block([SIDE; 3], 0.0);
    let grown = vertices.iter().map(|x| x.map(|c| 3.0 * c)).collect();
    let mut mesh = obstacle(vec![vertices, grown], triangles, 0.2, Vec::new());
    mesh.params.at = [0.04, 0.03, -0.5 * SIDE - 3.0 * THICKNESS];
    let (deepest, iterations) = run(held(&mesh), &mesh, 0.3);
    println!("mesh: inside by {:.3} mm, {iterations} iterations", deepest * 1e3);
    assert!(deepest < 0.05 * THICKNESS, "{deepest}");
}

#[test]
fn a_sheet_that_falls_on_a_box_lands_on_it() {
    for (cells, at) in [(2, [0.03, 0.01]), (1, [0.02, -0.02])] {
        let cube = cube([at[0], at[1], -SIDE], [0.0, 0.0, 10.0], Vec::new());
        let (deepest, iterations) = run(scene(cells, 0.3, vec![cube.clone()]), &cube, 0.2);
        println!("{cells} cells: inside by {:.3} mm, {iterations} iterations", deepest * 1e3);
        assert!(deepest < 0.05 * THICKNESS, "{deepest}");
    }
}

/// Two triangles, each on the corners of a box under its middle; both boxes move by 3 cm.
pub(crate) fn carried(friction: f64) -> Setup {
    let along = vec![moved(0.1, [0.0; 3]), moved(0.4, [0.03, 0.0, 0.0])];
    let height = -0.5 * SIDE - THICKNESS;
    let boxes = [0.034, -0.034].map(|x| cube([x, -x, height], [0.0; 3], along.clone()));
    scene(1, friction, boxes.to_vec())
}

#[test]
fn corners_carry_triangles_along_by_friction() {
    for (friction, least, most) in [(0.8, 0.027, 0.031), (0.0, -2e-3, 2e-3)] {
        let mut simulation = Simulation::new(carried(friction));
        let start = middle(&simulation).x;
        while simulation.time() < 0.4 {
            simulation.step().unwrap();
        }
        let gone = middle(&simulation).x - start;
        println!("friction {friction}: carried along by {:.1} mm", gone * 1e3);
        assert!((least..most).contains(&gone), "{gone}");
    }
}

/// Of triangles smaller than the box; without contact of its edges and corners it takes 510 and 699 iterations.
#[test]
fn a_drape_over_edges_takes_hardly_more_iterations() {
    for (rotation, at, most) in [([0.0, 0.0, 17.0], -0.027, 530), ([30.0, 20.0, 17.0], -0.062, 780)] {
        let shape = Shape::Box { size: [0.1, 0.1, 0.05] };
        let params = ObstacleParams { at: [0.003, 0.002, at], rotation, ..ObstacleParams::of(shape) };
        let table = Obstacle::read(params).unwrap();
        let (deepest, iterations) = run(scene(24, 0.3, vec![table.clone()]), &table, 0.4);
        println!("turned {rotation:?}: inside by {:.3} mm, {iterations} iterations", deepest * 1e3);
        assert!(deepest < 0.05 * THICKNESS && iterations < most, "{deepest} {iterations}");
    }
}
