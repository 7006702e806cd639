//! Values followed step by step.

use serde::{Deserialize, Serialize};

use crate::geometry::Vec3;
use crate::model::ids::NodeId;
use crate::simulation::Simulation;

/// A value to follow, its nodes found.
#[derive(Debug, Clone, PartialEq)]
pub enum Probe {
    /// Mean position of nodes, m.
    Position(Vec<NodeId>),
    /// Mean velocity of nodes, m/s.
    Velocity(Vec<NodeId>),
    /// Mean arc length by which the yarns slid through nodes' contacts, m.
    Slide(Vec<NodeId>),
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
        let mean = |nodes: &[NodeId], value: &dyn Fn(NodeId) -> Vec3| {
            let sum: Vec3 = nodes.iter().map(|&n| value(n)).sum();
            ProbeValue::Vector((sum / nodes.len() as f64).into())
        };
        match self {
            Self::Position(nodes) => mean(nodes, &|n| simulation.position(n)),
            Self::Velocity(nodes) => mean(nodes, &|n| simulation.velocity(n)),
            Self::Slide(nodes) => {
                let sum: f64 = nodes.iter().map(|&n| simulation.slide(n)).sum();
                ProbeValue::Scalar(sum / nodes.len() as f64)
            }
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
