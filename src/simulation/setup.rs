//! What a simulation is made from.

use hebra_solver::interrupt::Interrupt;

use super::params::{ContactsParams, SolverParams};
use crate::frame::{Camera, Layout, ObstacleInfo, RodInfo, SheetInfo};
use crate::model::clamp::ClampParams;
use crate::model::ids::{BlockId, NodeId, TriangleId};
use crate::model::obstacle::Obstacle;
use crate::model::sheets::Sheet;
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
    pub obstacles: Vec<Obstacle>,
    /// Clamps with the blocks that they hold.
    pub clamps: Vec<(ClampParams, Vec<BlockId>)>,
    /// Forces from outside.
    pub forces: ForcesParams,
    /// The blocks of each point force.
    pub pushed: Vec<Vec<BlockId>>,
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
    /// What breaks off a step.
    pub interrupt: Interrupt,
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
            offset: r.offset as f32,
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
            obstacles: (self.obstacles.iter()).map(obstacle).collect(),
            sheets: model.sheets.list.iter().map(|s| sheet(model, s)).collect(),
            camera: self.camera,
        }
    }
}

fn sheet(model: &Model, sheet: &Sheet) -> SheetInfo {
    let triangles = || sheet.triangles.clone().map(|t| model.sheets.triangle(TriangleId(t)));
    SheetInfo {
        name: sheet.name.clone(),
        thickness: sheet.material.thickness as f32,
        colour: sheet.colour,
        vertices: sheet.vertices.clone(),
        triangles: triangles().map(|t| t.vertices.map(|v| v.0)).collect(),
        rest: triangles().map(|t| t.rest).collect(),
    }
}

fn obstacle(obstacle: &Obstacle) -> ObstacleInfo {
    ObstacleInfo {
        name: obstacle.params.name.clone(),
        shape: obstacle.params.shape.clone(),
        mesh: obstacle.mesh.as_deref().cloned(),
    }
}
