//! Fabrics laid on one another.

use thiserror::Error;

use super::crossings::{crossings, crossings_to_come};
use crate::geometry::Vec3;
use crate::geometry::pose::Pose;
use crate::model::build::ModelBuilder;
use crate::model::fabric::FabricParams;
use crate::model::ids::NodeId;
use crate::model::layers::{Crossing, LayersParams};
use crate::model::select::ThreadSet;
use crate::model::yarns::Model;

/// A layer that cannot lie where it is.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{problem}")]
pub struct StackError {
    /// Index of the layer.
    pub layer: usize,
    /// What is wrong with it.
    pub problem: StackProblem,
}

/// What can be wrong with a layer, seen from the one below.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum StackProblem {
    /// There is no such fabric.
    #[error("there is no fabric named `{0}`")]
    Unknown(String),
    /// It is turned out of the plane.
    #[error(
        "`{fabric}` is tilted by {degrees:.3} degrees against `{below}` and would pass through it; layers start flat on \
         one another: turn it about their common normal only"
    )]
    Tilted {
        /// The layer.
        fabric: String,
        /// The layer below.
        below: String,
        /// Angle between the planes, degrees.
        degrees: f64,
    },
    /// It lies on the wrong side.
    #[error(
        "`{fabric}` lies {distance:.3e} m below `{below}`; layers are listed in their order along the upper face \
         of the first"
    )]
    Below {
        /// The layer.
        fabric: String,
        /// The layer below.
        below: String,
        /// Distance of the planes, m.
        distance: f64,
    },
    /// It does not touch.
    #[error(
        "`{fabric}` lies {distance:.3e} m above `{below}`, on which it lies at {touching:.3e} m at most: give it the same \
         height, contacts have no thickness"
    )]
    Apart {
        /// The layer.
        fabric: String,
        /// The layer below.
        below: String,
        /// Distance of the planes, m.
        distance: f64,
        /// Distance at which the yarns touch, m.
        touching: f64,
    },
    /// It lies beside.
    #[error("`{fabric}` lies nowhere on `{below}`: no yarn of the one crosses a yarn of the other")]
    Beside {
        /// The layer.
        fabric: String,
        /// The layer below.
        below: String,
    },
}

/// Planes that are turned against one another by less, degrees, are flat on one another: rotation vectors
/// are written with four digits.
const FLAT: f64 = 0.05;

/// Lays fabrics of a builder flat on one another and joins the yarns of neighbouring layers where they
/// cross. `fabrics` are those of the builder, in its order. If `waits`, a contact is added besides for every two of
/// these yarns that do not cross yet, but would if they slid far enough.
///
/// # Errors
/// [`StackError`] for a layer that is tilted, on the wrong side, too far away, or beside the one below.
pub fn stack(
    builder: &mut ModelBuilder,
    fabrics: &[FabricParams],
    layers: &LayersParams,
    waits: bool,
) -> Result<(), StackError> {
    let ids = find(fabrics, layers)?;
    let Some(&first) = ids.first() else { return Ok(()) };
    let plane = plane_of(builder, first as u32, &fabrics[first].pose());
    for (layer, pair) in ids.windows(2).enumerate() {
        let thick = pair.iter().map(|&f| half_thickness(builder.yarns().0, f as u32)).sum();
        check_pair([&fabrics[pair[0]], &fabrics[pair[1]]], &plane, thick)
            .map_err(|problem| StackError { layer: layer + 1, problem })?;
    }
    let spacing = spacing(&fabrics[first]);
    let ids: Vec<u32> = ids.into_iter().map(|f| f as u32).collect();
    builder.lay(&ids, &plane, spacing);
    let min_angle = layers.min_angle.to_radians();
    let rough = |found: Vec<Crossing>| -> Vec<Crossing> {
        found.into_iter().map(|c| Crossing { friction: layers.friction, ..c }).collect()
    };
    for (layer, pair) in ids.windows(2).enumerate() {
        let ((model, q), pair) = (builder.yarns(), [pair[0], pair[1]]);
        let found = crossings(model, q, pair, &plane, min_angle);
        if found.is_empty() {
            let [below, fabric] = pair.map(|f| fabrics[f as usize].name.clone());
            return Err(StackError { layer: layer + 1, problem: StackProblem::Beside { fabric, below } });
        }
        let to_come = waits.then(|| crossings_to_come(model, q, pair, (&plane, min_angle), &found));
        builder.join_rods(&rough(found), &plane, spacing);
        builder.join_rods(&rough(to_come.unwrap_or_default()), &plane, spacing);
    }
    Ok(())
}

/// The fabrics that are layers.
fn find(fabrics: &[FabricParams], layers: &LayersParams) -> Result<Vec<usize>, StackError> {
    let find = |(layer, name): (usize, &String)| {
        let found = fabrics.iter().position(|f| &f.name == name);
        found.ok_or_else(|| StackError { layer, problem: StackProblem::Unknown(name.clone()) })
    };
    layers.fabrics.iter().enumerate().map(find).collect()
}

/// Spacings along the axes of a fabric, m.
fn spacing(fabric: &FabricParams) -> [f64; 2] {
    [fabric.weft.spacing, fabric.warp.spacing]
}

/// The plane that a fabric lies in: of its placement, unless it was laid on another since.
fn plane_of(builder: &ModelBuilder, fabric: u32, pose: &Pose) -> Pose {
    let (model, q) = builder.yarns();
    let is_in = |n: &NodeId| model.rod_of(*n).thread.is_some_and(|t| t.fabric == fabric);
    let node = (0..model.nodes.len() as u32).map(NodeId).find(is_in);
    let height = node.map_or(0.0, |n| pose.to_local(model.position(q, n)).z);
    Pose { translation: pose.to_world(Vec3::new(0.0, 0.0, height)).into(), ..*pose }
}

/// Half the thickness of a fabric: where its yarns cross the one of them reaches this far, m.
fn half_thickness(model: &Model, fabric: u32) -> f64 {
    let thickest = |set: ThreadSet| {
        let is_in =
            |r: &&crate::model::yarns::Rod| r.thread.is_some_and(|t| t.fabric == fabric && t.set == set);
        model.rods.iter().filter(is_in).map(|r| r.material.radius).fold(0.0, f64::max)
    };
    thickest(ThreadSet::Warp) + thickest(ThreadSet::Weft)
}

fn check_pair([lower, upper]: [&FabricParams; 2], plane: &Pose, touching: f64) -> Result<(), StackProblem> {
    let (fabric, below) = (upper.name.clone(), lower.name.clone());
    let up = plane.rotate(Vec3::z());
    let across = up.cross(&upper.pose().rotate(Vec3::z())).norm();
    let degrees = across.clamp(0.0, 1.0).asin().to_degrees();
    if degrees > FLAT {
        return Err(StackProblem::Tilted { fabric, below, degrees });
    }
    let distance = up.dot(&(Vec3::from(upper.at) - Vec3::from(lower.at)));
    let rounding = 1e-6 * touching;
    if distance < -rounding {
        return Err(StackProblem::Below { fabric, below, distance: -distance });
    }
    if distance > touching + rounding {
        return Err(StackProblem::Apart { fabric, below, distance, touching });
    }
    Ok(())
}
