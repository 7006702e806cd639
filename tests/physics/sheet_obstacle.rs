//! Cloth of triangles that meets bodies of meshes that move: nothing passes, friction carries along.

use std::sync::Arc;

use crate::common::scenes::*;
use hebra::collision::surface::Surface;
use hebra::geometry::Vec3;
use hebra::model::build::ModelBuilder;
use hebra::model::ids::VertexId;
use hebra::model::motion::{Keyframe, Motion};
use hebra::model::obstacle::{MeshSequence, Obstacle, ObstacleParams, Shape};
use hebra::model::sheets::{SheetMaterial, SheetParams, SheetShape};
use hebra::simulation::Simulation;
use hebra::simulation::setup::Setup;

const THICKNESS: f64 = 1e-3;

/// A block with a ridge along its upper side: `size` about the origin, the ridge `ridge` higher.
pub(crate) fn block(size: [f64; 3], ridge: f64) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let [x, y, z] = size.map(|c| 0.5 * c);
    let section = [[-x, -z], [x, -z], [x, z], [0.0, z + ridge], [-x, z]];
    let vertices = [-y, y].iter().flat_map(|&y| section.map(|[x, z]| [x, y, z])).collect();
    let sides = (0..5u32).flat_map(|k| {
        let next = (k + 1) % 5;
        [[k, next + 5, next], [k, k + 5, next + 5]]
    });
    let caps = (1..4u32).flat_map(|k| [[0, k, k + 1], [5, k + 6, k + 5]]);
    (vertices, sides.chain(caps).collect())
}

pub(crate) fn obstacle(
    frames: Vec<Vec<[f64; 3]>>,
    triangles: Vec<[u32; 3]>,
    every: f64,
    motion: Vec<Keyframe>,
) -> Obstacle {
    let shape = Shape::Mesh { files: vec![], every, scale: 1.0 };
    let params = ObstacleParams { motion: Motion(motion), thickness: THICKNESS, ..ObstacleParams::of(shape) };
    Obstacle { params, mesh: Some(Arc::new(MeshSequence { triangles, frames, every })) }
}

fn scene(cells: usize, at: [f64; 3], rotation: [f64; 3], obstacle: Obstacle) -> Setup {
    let material = SheetMaterial { thickness: THICKNESS, friction: 0.8, ..SheetMaterial::default() };
    let shape = SheetShape::Rectangle { size: [0.2; 2], cells: [cells; 2] };
    let sheet =
        SheetParams { name: "cloth".into(), shape, at, rotation, velocity: [0.0; 3], material, colour: None };
    let mut builder = ModelBuilder::default();
    builder.add_sheet(&sheet).unwrap();
    let (model, state) = builder.finish();
    let mut setup = Setup { model, state, obstacles: vec![obstacle], ..Default::default() };
    setup.forces.gravity = [0.0, 0.0, -G];
    setup.solver.dt = 4e-3;
    setup
}

/// The vertices and the middles between them: what the cloth meets obstacles with.
fn places(simulation: &Simulation) -> Vec<Vec3> {
    let sheets = &simulation.model().sheets;
    let at = |v| simulation.block_position(sheets.vertex(v).block);
    let along =
        |([a, b], ..): ([VertexId; 2], f64, u32)| [0.0, 0.5, 1.0].map(|t| at(a) * (1.0 - t) + at(b) * t);
    sheets.edges().flat_map(along).collect()
}

/// How deep the deepest place is inside, m.
fn depth(simulation: &Simulation, obstacle: &Obstacle) -> f64 {
    let surface = Surface::at(obstacle, simulation.time());
    let inside = |x: Vec3| surface.distance(x, 1.0).map_or(0.0, |(distance, _)| -distance);
    places(simulation).into_iter().map(inside).fold(0.0, f64::max)
}

fn middle(simulation: &Simulation) -> Vec3 {
    let places = places(simulation);
    places.iter().sum::<Vec3>() / places.len() as f64
}

#[test]
fn a_sheet_on_a_ridge_that_turns_turns_with_it() {
    // By friction the sheet follows.
    let (vertices, triangles) = block([0.12, 0.16, 0.06], 0.02);
    let key = |time, degrees| Keyframe { time, rotation: [0.0, 0.0, degrees], ..Keyframe::default() };
    let ridge = obstacle(vec![vertices], triangles, 1.0, vec![key(0.05, 0.0), key(0.4, 45.0)]);
    let mut simulation = Simulation::new(scene(7, [3e-3, 2e-3, 0.0525], [0.0; 3], ridge.clone()));
    let side = |s: &Simulation| {
        let sheets = &s.model().sheets;
        let [a, b] = [27, 28].map(|v: usize| s.block_position(sheets.vertices[v].block));
        b - a
    };
    let (start, mut deepest) = (side(&simulation), 0.0f64);
    for _ in 0..120 {
        simulation.step().unwrap();
        deepest = deepest.max(depth(&simulation, &ridge));
    }
    let turned = start.xy().angle(&side(&simulation).xy()).to_degrees();
    println!("ridge: inside by {deepest:.1e} m, turned by {turned:.1} degrees");
    assert!(deepest < 0.5 * THICKNESS, "{deepest}");
    assert!((turned - 45.0).abs() < 4.0, "{turned}");
}

#[test]
fn a_fast_mesh_carries_cloth_away_and_never_goes_through_it() {
    // At 40 m/s the body, 10 cm thick, would be beyond the cloth after one step of 4 ms.
    for speed in [3.0, 10.0, 40.0] {
        let (vertices, triangles) = block([0.1, 0.12, 0.12], 0.0);
        // A sequence starts with half of its mean speed.
        let moved = vertices.iter().map(|x| [x[0] + 2.0 * speed, x[1], x[2]]).collect();
        let bullet = obstacle(vec![vertices, moved], triangles, 1.0, Vec::new());
        let mut simulation =
            Simulation::new(scene(8, [0.08, 0.01, 0.004], [0.0, 80.0, 10.0], bullet.clone()));
        let mut deepest = 0.0f64;
        while simulation.time() < 0.4 / speed {
            simulation.step().unwrap();
            deepest = deepest.max(depth(&simulation, &bullet));
        }
        let body = Surface::at(&bullet, simulation.time()).place(Vec3::zeros()).x;
        let ahead = middle(&simulation).x - body - 0.1;
        println!(
            "{speed} m/s: inside by {deepest:.1e} m, {ahead:.3} m ahead, {} steps halved",
            simulation.rejected_steps()
        );
        assert!(deepest < 2.0 * THICKNESS, "{deepest}");
        assert!(ahead > -0.04, "{ahead}");
    }
}
