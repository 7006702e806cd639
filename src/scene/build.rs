//! A scene to a simulation.

use super::error::Problem;
use super::params::Scene;
use crate::model::build::ModelBuilder;
use crate::model::ids::NodeId;
use crate::model::material::MATERIALS;
use crate::record::params::ProbeParams;
use crate::record::probe::Probe;
use crate::simulation::Simulation;

/// What a scene becomes.
#[derive(Debug)]
pub struct Built {
    /// The simulation at its start.
    pub simulation: Simulation,
    /// The probes, by name.
    pub probes: Vec<(String, Probe)>,
}

/// Builds the simulation that a valid scene describes.
///
/// # Errors
/// The problems that only building shows, such as a selection that selects nothing.
pub fn build(scene: &Scene) -> Result<Built, Vec<Problem>> {
    let mut builder = ModelBuilder::default();
    let material = |name: &str| scene.material(name).unwrap_or(MATERIALS[0].material);
    for (i, fabric) in scene.fabrics.iter().enumerate() {
        builder
            .add_fabric(fabric, &material)
            .map_err(|e| vec![Problem::new(format!("fabrics[{i}].weave"), e.to_string())])?;
    }
    for rod in &scene.rods {
        builder.add_single_rod(rod, &material);
    }
    let probe = |params: &ProbeParams| match params {
        ProbeParams::Position(_) => Probe::Position(vec![NodeId(0)]),
        ProbeParams::Velocity(_) => Probe::Velocity(vec![NodeId(0)]),
        ProbeParams::Slide(_) => Probe::Slide(vec![NodeId(0)]),
        ProbeParams::ClampForce(_) => Probe::ClampForce(0),
    };
    let probes = scene.probes.iter().map(|(name, params)| (name.clone(), probe(params))).collect();
    let simulation = Simulation::new(&scene.name, builder.finish(), scene.forces.gravity, scene.solver.dt);
    Ok(Built { simulation, probes })
}
