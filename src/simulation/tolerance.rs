//! When a step counts as converged.

use hebra_solver::linear::LinearOptions;
use hebra_solver::newton::NewtonOptions;

use super::params::SolverParams;
use crate::model::ids::NodeId;
use crate::model::yarns::Model;

/// A step has converged when the largest force left is this part of the heaviest node's weight.
const RESIDUAL_OF_WEIGHT: f64 = 1e-2;

/// And the last correction this part of the shortest segment.
const CORRECTION_OF_SEGMENT: f64 = 1e-3;

/// Or when the error left is this part of the way that gravity moves a free node in the step, which is what the
/// residual's tolerance leaves there.
const ERROR_OF_FALL: f64 = RESIDUAL_OF_WEIGHT;

/// With a residual of up to this part of the mean pressure of contacts.
const RESIDUAL_OF_PRESSURE: f64 = 5e-2;

/// m/s2; scales forces in scenes without gravity too.
const STANDARD_GRAVITY: f64 = 9.81;

/// The minimiser's options for cloth that starts at `q`.
pub(super) fn newton_options(model: &Model, q: &[f64], solver: &SolverParams) -> NewtonOptions {
    let segments = model.segments().map(|[a, b]| model.arc(q, b) - model.arc(q, a));
    let edges = model.sheets.hinges.iter().map(|h| h.rest.length);
    let shortest = segments.chain(edges).fold(f64::INFINITY, f64::min);
    NewtonOptions {
        residual_tolerance: solver.residual.unwrap_or(RESIDUAL_OF_WEIGHT * heaviest_node(model, q)),
        correction_tolerance: solver.correction.unwrap_or(CORRECTION_OF_SEGMENT * shortest),
        max_iterations: solver.max_iterations,
        single_iteration: solver.single_iteration,
        accelerators: solver.accelerators,
        linear: LinearOptions { method: solver.linear, ..Default::default() },
        ..Default::default()
    }
}

/// Error at which a step of `dt` seconds has converged, m.
///
/// Forces that balance within stiff yarns are far larger than any weight: what is left of them may be as well, and move
/// nothing.
pub(super) fn error_tolerance(dt: f64) -> f64 {
    ERROR_OF_FALL * STANDARD_GRAVITY * dt * dt
}

/// Residual, root of the mean square, up to which it has, N: the next step's friction and the parting of layers go by how contacts press, which are
/// known to a part of their mean then. Contacts between fabrics press far less than a weave's own; those that do not press
/// have no friction.
pub(super) fn loose_residual(model: &Model, pressures: &[f64]) -> f64 {
    let mean = |is_between: bool| {
        let contacts = model.contacts.iter().zip(pressures);
        let pressed = contacts.filter(|(c, p)| c.kind.is_between_fabrics() == is_between && **p > 0.0);
        let (n, sum) = pressed.fold((0, 0.0), |(n, sum), (_, p)| (n + 1, sum + p));
        if n == 0 { f64::INFINITY } else { sum / f64::from(n) }
    };
    RESIDUAL_OF_PRESSURE * mean(false).min(mean(true))
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
