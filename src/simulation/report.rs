//! What a step tells about itself.

use serde::{Deserialize, Serialize};

/// One accepted step.
#[derive(Debug, Clone, PartialEq)]
pub struct StepReport {
    /// Accepted steps so far, this one included.
    pub step: u64,
    /// Simulated time at its end, s.
    pub time: f64,
    /// Its length, s.
    pub dt: f64,
    /// Newton iterations.
    pub newton_iterations: u32,
    /// Infinity norm of the residual force at its end, N.
    pub residual: f64,
    /// Energies at its end.
    pub energies: Energies,
    /// EoL nodes.
    pub eol: u64,
    /// EIL nodes.
    pub eil: u64,
    /// Contacts removed since the start.
    pub removed: u64,
    /// Attempts at this step that were rejected.
    pub rejected: u32,
    /// Linear solver used.
    pub linear: &'static str,
    /// Iterations of the linear solver.
    pub linear_iterations: u32,
    /// Factorisations.
    pub factorisations: u32,
    /// Wall-clock time, s.
    pub seconds: f64,
}

/// Energies summed over the scene, J.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Energies {
    /// Of motion.
    pub kinetic: f64,
    /// Of strained yarns.
    pub elastic: f64,
    /// Of height.
    pub gravitational: f64,
    /// Of contacts.
    pub contact: f64,
    /// Dissipated since the start by the damping terms.
    pub dissipated: f64,
}

/// How much there is of everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Rods.
    pub rods: u64,
    /// Lagrangian nodes.
    pub lagrangian: u64,
    /// Sliding nodes inside fabrics.
    pub eol_intra: u64,
    /// Sliding nodes between fabrics.
    pub eol_inter: u64,
    /// Degenerate sliding nodes.
    pub eil: u64,
    /// Contacts.
    pub contacts: u64,
    /// Triangles of cloth.
    pub triangles: u64,
    /// Unknowns of the system of equations.
    pub unknowns: u64,
    /// Contacts removed since the start.
    pub removed: u64,
}
