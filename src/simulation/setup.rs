//! What a simulation is made from.

use super::params::{ContactsParams, SolverParams};
use crate::frame::{Camera, Layout, ObstacleInfo, RodInfo};
use crate::model::clamp::ClampParams;
use crate::model::ids::NodeId;
use crate::model::obstacle::ObstacleParams;
use crate::model::yarns::{Model, State};
use crate::potential::collision::CollisionParams;
use crate::potential::damping::DampingParams;
use crate::potential::forces::ForcesParams;
use crate::potential::normal_force::side;

/// Everything that a simulation starts from.
#[derive(Debug, Clone, Default)]
pub struct Setup {
    /// Name of the scene.
    pub name: String,
    /// The yarns.
    pub model: Model,
    /// How they start.
    pub state: State,
    /// Obstacles.
    pub obstacles: Vec<ObstacleParams>,
    /// Clamps with the nodes that they hold.
    pub clamps: Vec<(ClampParams, Vec<NodeId>)>,
    /// Forces from outside.
    pub forces: ForcesParams,
    /// The nodes of each point force.
    pub pushed: Vec<Vec<NodeId>>,
    /// Damping.
    pub damping: DampingParams,
    /// Collision of yarns with one another.
    pub collision: Option<CollisionParams>,
    /// Time scheme and solver.
    pub solver: SolverParams,
    /// What becomes of contacts as yarns slide.
    pub contacts: ContactsParams,
    /// From where it is looked at.
    pub camera: Option<Camera>,
}

impl Setup {
    /// What frames of this scene have in common.
    pub fn layout(&self) -> Layout {
        let model = &self.model;
        let nodes = || (0..model.nodes.len() as u32).map(NodeId);
        let partner = |n: NodeId| {
            let pair = model.node(n).contact.map(|c| model.contacts[c.index()].nodes);
            pair.map_or(u32::MAX, |[a, b]| if a == n { b.0 } else { a.0 })
        };
        let rod = |r: &crate::model::yarns::Rod| RodInfo {
            fabric: r.thread.map_or(u32::MAX, |t| t.fabric),
            radius: r.material.radius as f32,
            colour: r.colour,
        };
        Layout {
            scene: self.name.clone(),
            fabrics: model.fabrics.clone(),
            rods: model.rods.iter().map(rod).collect(),
            rod_start: model.rods.iter().map(|r| r.nodes.start).chain([model.nodes.len() as u32]).collect(),
            partner: nodes().map(partner).collect(),
            side: nodes().map(|n| side(model, n) as i8).collect(),
            length: model.rods.iter().map(|r| r.length as f32).collect(),
            obstacles: (self.obstacles.iter())
                .map(|o| ObstacleInfo { name: o.name.clone(), shape: o.shape })
                .collect(),
            camera: self.camera,
        }
    }
}
