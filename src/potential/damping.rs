//! How motion is damped.

use serde::{Deserialize, Serialize};

/// The damping model of a scene. Coefficients left out are the materials' own.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DampingParams {
    /// The model.
    pub kind: DampingKind,
    /// Rayleigh's mass coefficient, 1/s (0 in the other models).
    pub mass: f64,
    /// Coefficient of stretch, s.
    pub stretch: Option<f64>,
    /// Coefficient of bending, s.
    pub bending: Option<f64>,
    /// Coefficient of shear, s.
    pub shear: Option<f64>,
    /// Coefficient of the contact of parallel yarns, s.
    pub contact: Option<f64>,
}

/// A damping model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum DampingKind {
    /// None at all.
    None,
    /// Dissipation potentials of the strain rate: rigid motion loses nothing.
    #[default]
    StrainRate,
    /// `-(alpha M + beta K) q'` with the full tangent stiffness.
    Rayleigh,
}

impl Default for DampingParams {
    fn default() -> Self {
        Self {
            kind: DampingKind::StrainRate,
            mass: 0.0,
            stretch: None,
            bending: None,
            shear: None,
            contact: None,
        }
    }
}
