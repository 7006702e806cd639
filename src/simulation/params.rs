//! How a scene is stepped.

use serde::{Deserialize, Serialize};

/// The time scheme and the solver's settings.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SolverParams {
    /// Time scheme.
    pub scheme: hebra_solver::time::Scheme,
    /// Largest (and first) time step, s.
    pub dt: f64,
    /// Smallest step before the run gives up, s (default: `dt / 1024`).
    pub dt_min: Option<f64>,
    /// Direct, iterative, or chosen as it goes.
    pub linear: hebra_solver::linear::LinearMethod,
    /// Newton iterations at most.
    pub max_iterations: usize,
    /// Stop after one Newton iteration a step, as real-time methods do; not in scenes with contact, which it does not
    /// resolve.
    pub single_iteration: bool,
    /// Residual force at which a step has converged, N (default: a hundredth of the heaviest node's weight).
    pub residual: Option<f64>,
    /// Newton correction at which a step has converged, m (default: a thousandth of the shortest segment).
    pub correction: Option<f64>,
    /// Estimated position error at which a step has converged, m, while the residual is below a twentieth of the mean
    /// contact force (default: a hundredth of the way that gravity moves a free node in the step; 0, none, where `residual`
    /// is given).
    pub error: Option<f64>,
    /// Whether the convective forces of sliding nodes are kept.
    pub convective: bool,
    /// What saves Newton iterations: no part of a scene, but of measurements.
    #[serde(skip)]
    pub accelerators: hebra_solver::newton::Accelerators,
}

/// What becomes of contacts as yarns slide.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ContactsParams {
    /// Whether contacts become degenerate (EIL) where they come too close to another node of their yarn. Without it the
    /// simulation fails as soon as two of them pass each other.
    pub degenerate: bool,
    /// Gap, in radii of its yarns, at which a contact between fabrics that pulls is removed; `None`: never.
    pub separate_at: Option<f64>,
    /// Time after which yarns of layers that press on one another get a contact, s; `None`: they collide for good.
    pub join_after: Option<f64>,
}

impl Default for ContactsParams {
    fn default() -> Self {
        Self { degenerate: true, separate_at: Some(SEPARATE_AT), join_after: None }
    }
}

/// Radii. A layer that hangs by its contacts is let go after 11 ms with yarns of 2.25 mm, after 2.4 ms with cotton of
/// 0.11 mm. Of three thick cloths that bend over a table's rim 48 of 1,316 contacts go in the first 20 ms, at a tenth
/// (and with forces less evened out) 151; a patch that slides down a slope loses none.
const SEPARATE_AT: f64 = 0.25;

/// When a relaxation is at rest, and what it leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RelaxParams {
    /// It is at rest when the largest force is this part of the heaviest node's weight.
    pub force: f64,
    /// Steps at most.
    pub max_steps: u64,
    /// Whether friction holds; without it yarns slide until nothing pulls, as in a wash.
    pub friction: bool,
}

impl Default for RelaxParams {
    fn default() -> Self {
        Self { force: 0.1, max_steps: 500, friction: true }
    }
}

impl Default for SolverParams {
    fn default() -> Self {
        Self {
            scheme: hebra_solver::time::Scheme::BackwardEuler,
            dt: 1e-3,
            dt_min: None,
            linear: hebra_solver::linear::LinearMethod::Auto,
            max_iterations: 50,
            single_iteration: false,
            residual: None,
            correction: None,
            error: None,
            convective: true,
            accelerators: Default::default(),
        }
    }
}
