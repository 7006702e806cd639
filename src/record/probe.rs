//! Values followed step by step.

use serde::{Deserialize, Serialize};

use crate::geometry::Vec3;
use crate::measure::curvature::{Bends, curvature};
use crate::measure::folds::{Ring, folds};
use crate::model::ids::{BlockId, NodeId};
use crate::model::select::Selected;
use crate::simulation::Simulation;

/// A value to follow, its nodes found.
#[derive(Debug, Clone, PartialEq)]
pub enum Probe {
    /// Mean position of nodes and vertices, m.
    Position(Selected),
    /// Mean velocity of nodes and vertices, m/s.
    Velocity(Selected),
    /// Mean arc length by which the yarns slid through nodes' contacts, m.
    Slide(Vec<NodeId>),
    /// Root mean square curvature, 1/m.
    Curvature(Bends),
    /// Number of folds.
    Folds(Ring),
    /// Force that a clamp, by its index in the scene, exerts on the yarns, N.
    ClampForce(usize),
}

/// The value of a probe at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ProbeValue {
    /// One number.
    Scalar(f64),
    /// Along x, y and z.
    Vector([f64; 3]),
}

/// A named value.
pub type NamedValue = (String, ProbeValue);

impl Probe {
    /// Its value now.
    pub fn value(&self, simulation: &Simulation) -> ProbeValue {
        let mean = |selected: &Selected, node: &dyn Fn(NodeId) -> Vec3, block: &dyn Fn(BlockId) -> Vec3| {
            let sheets = &simulation.model().sheets;
            let vertices = selected.vertices.iter().map(|&v| block(sheets.vertex(v).block));
            let sum: Vec3 = selected.nodes.iter().map(|&n| node(n)).chain(vertices).sum();
            let count = selected.nodes.len() + selected.vertices.len();
            ProbeValue::Vector((sum / count as f64).into())
        };
        match self {
            Self::Position(s) => mean(s, &|n| simulation.position(n), &|b| simulation.block_position(b)),
            Self::Velocity(s) => mean(s, &|n| simulation.velocity(n), &|b| simulation.block_velocity(b)),
            Self::Slide(nodes) => {
                let sum: f64 = nodes.iter().map(|&n| simulation.slide(n)).sum();
                ProbeValue::Scalar(sum / nodes.len() as f64)
            }
            Self::Curvature(bends) => ProbeValue::Scalar(curvature(simulation, bends)),
            Self::Folds(ring) => ProbeValue::Scalar(folds(simulation, ring) as f64),
            Self::ClampForce(clamp) => ProbeValue::Vector(simulation.clamp_force(*clamp).into()),
        }
    }
}

impl ProbeValue {
    /// The names of its columns.
    pub(super) fn columns(self, name: &str) -> Vec<String> {
        match self {
            Self::Scalar(_) => vec![name.to_string()],
            Self::Vector(_) => ["x", "y", "z"].map(|axis| format!("{name}.{axis}")).to_vec(),
        }
    }

    /// Its numbers.
    pub(super) fn numbers(&self) -> &[f64] {
        match self {
            Self::Scalar(value) => std::slice::from_ref(value),
            Self::Vector(values) => values,
        }
    }
}
