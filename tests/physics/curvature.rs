//! Probes of shape against shapes that are known: the curvature of cylinders and circles, the folds of a fluted tube.

use std::f64::consts::TAU;

use crate::common::scenes::*;
use hebra::measure::curvature::{self, Bends};
use hebra::measure::folds::Ring;
use hebra::model::build::ModelBuilder;
use hebra::model::select::{Selected, Selection};
use hebra::model::sheets::{SheetMaterial, SheetParams, SheetShape};
use hebra::simulation::Simulation;
use hebra::simulation::setup::Setup;

const AROUND: usize = 96;

fn tube(radius: f64) -> Simulation {
    let shape = SheetShape::Tube { radii: [radius; 2], height: 0.4, cells: [AROUND, 48] };
    let material = SheetMaterial::default();
    let (at, rotation) = ([0.3, -0.1, 0.2], [20.0, 30.0, 0.0]);
    let sheet =
        SheetParams { name: "tube".into(), shape, at, rotation, velocity: [0.0; 3], material, colour: None };
    let mut builder = ModelBuilder::default();
    builder.add_sheet(&sheet).unwrap();
    let (model, state) = builder.finish();
    Simulation::new(Setup { model, state, ..Default::default() })
}

fn everything(simulation: &Simulation) -> Selected {
    Selection::All.resolve_all(simulation.model(), &simulation.state().q).unwrap()
}

fn curvature(simulation: &Simulation) -> f64 {
    curvature::curvature(simulation, &Bends::among(simulation.model(), everything(simulation)))
}

#[test]
fn a_cylinder_is_curved_by_one_over_its_radius() {
    for radius in [0.05, 0.2] {
        let measured = curvature(&tube(radius)) * radius;
        println!("cylinder of {radius} m: curvature times radius {measured:.4}");
        assert!((measured - 1.0).abs() < 0.01, "{measured}");
    }
}

#[test]
fn a_circle_of_yarn_is_curved_by_one_over_its_radius() {
    for radius in [0.02, 0.1] {
        let circle: Vec<[f64; 3]> = (0..=200)
            .map(|k| TAU * f64::from(k) / 200.0)
            .map(|t| [radius * t.cos(), 0.6 * radius * t.sin(), 0.8 * radius * t.sin()])
            .collect();
        let simulation = Simulation::new(rod_scene(&rod(&circle, 200), cotton()));
        let measured = curvature(&simulation) * radius;
        println!("circle of {radius} m: curvature times radius {measured:.4}");
        assert!((measured - 1.0).abs() < 0.01, "{measured}");
    }
}

#[test]
fn flutes_of_a_tube_are_folds() {
    let plain = tube(0.2);
    let places = Selected { vertices: everything(&plain).vertices[..AROUND].to_vec(), ..Default::default() };
    let folds = |simulation: &Simulation, depth| {
        hebra::measure::folds::folds(simulation, &Ring { places: places.clone(), depth })
    };
    assert_eq!(folds(&plain, 1e-3), 0);
    for (flutes, height) in [(7, 0.01), (12, 0.004)] {
        let mut simulation = tube(0.2);
        let mut state = simulation.state().clone();
        let sheets = &simulation.model().sheets;
        let blocks: Vec<_> = places.vertices.iter().map(|&v| sheets.vertex(v).block).collect();
        let centre: Vec<f64> = (0..3)
            .map(|k| blocks.iter().map(|b| state.q[b.dof(k) as usize]).sum::<f64>() / AROUND as f64)
            .collect();
        for (k, block) in blocks.iter().enumerate() {
            let scale = 1.0 + height / 0.2 * (TAU * flutes as f64 * k as f64 / AROUND as f64).sin();
            for (axis, c) in centre.iter().enumerate() {
                let x = &mut state.q[block.dof(axis) as usize];
                *x = c + (*x - c) * scale;
            }
        }
        simulation.set_state(state);
        assert_eq!(folds(&simulation, height), flutes);
        assert_eq!(folds(&simulation, 2.5 * height), 0, "flutes are twice as deep as they are high");
    }
}
