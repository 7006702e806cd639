//! When a step counts as converged.

use hebra_solver::linear::LinearOptions;
use hebra_solver::newton::NewtonOptions;

use super::setup::Setup;
use crate::model::ids::NodeId;
use crate::model::yarns::Model;

/// A step has converged when the largest force left is this part of the heaviest node's weight.
const RESIDUAL_OF_WEIGHT: f64 = 1e-2;

/// And the last correction this part of the shortest segment.
const CORRECTION_OF_SEGMENT: f64 = 1e-3;

/// m/s2; scales forces in scenes without gravity too.
const STANDARD_GRAVITY: f64 = 9.81;

/// The minimiser's options for a scene.
pub(super) fn newton_options(setup: &Setup) -> NewtonOptions {
    let (model, q, solver) = (&setup.model, &setup.state.q, &setup.solver);
    let segments = model.segments().map(|[a, b]| model.arc(q, b) - model.arc(q, a));
    let edges = model.sheets.hinges.iter().map(|h| h.rest.length);
    let shortest = segments.chain(edges).fold(f64::INFINITY, f64::min);
    NewtonOptions {
        residual_tolerance: solver.residual.unwrap_or(RESIDUAL_OF_WEIGHT * heaviest_node(model, q)),
        correction_tolerance: solver.correction.unwrap_or(CORRECTION_OF_SEGMENT * shortest),
        max_iterations: solver.max_iterations,
        single_iteration: solver.single_iteration,
        linear: LinearOptions { method: solver.linear, ..Default::default() },
        ..Default::default()
    }
}

/// Weight of the heaviest node or vertex, N.
pub(super) fn heaviest_node(model: &Model, q: &[f64]) -> f64 {
    let lengths = model.dual_lengths(q);
    let mass = |nodes: &[Option<NodeId>; 2]| -> f64 {
        nodes.iter().flatten().map(|&n| lengths[n.index()] * model.rod_of(n).material.line_density()).sum()
    };
    let vertices = model.sheets.vertices.iter().map(|v| model.sheets.mass(v));
    STANDARD_GRAVITY * model.block_nodes.iter().map(mass).chain(vertices).fold(0.0, f64::max)
}
