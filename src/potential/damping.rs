//! How motion is damped.

use serde::{Deserialize, Serialize};

use super::dissipation::{Damping, PowerLaw, Quadratic};

/// The damping model and its coefficients, for all materials.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DampingParams {
    /// Damping model.
    pub kind: DampingKind,
    /// Rayleigh's mass coefficient `alpha`, 1/s; 0 in the other models.
    pub mass: f64,
    /// How the stress of strain-rate damping depends on the rate of strain.
    pub law: DampingLaw,
    /// Coefficient of stretch, s (default: the materials').
    pub stretch: Option<f64>,
    /// Coefficient of bending, s (default: the materials').
    pub bending: Option<f64>,
    /// Coefficient of shear, s (default: the materials').
    pub shear: Option<f64>,
    /// Coefficient of the contact of parallel yarns, s (default: the materials').
    pub contact: Option<f64>,
}

/// A damping model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum DampingKind {
    /// No damping.
    None,
    /// Dissipation potentials of the strain rate: rigid motion loses nothing.
    #[default]
    StrainRate,
    /// `-(alpha M + beta K) q'` with the full tangent stiffness.
    Rayleigh,
}

/// How the stress of strain-rate damping depends on the rate of strain.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum DampingLaw {
    /// In proportion.
    #[default]
    Linear,
    /// As a power of it.
    Power {
        /// The power far above `rate`.
        exponent: f64,
        /// The rate below which it is in proportion, 1/s times the strain's unit.
        rate: f64,
    },
}

impl DampingParams {
    /// The damping of a term by `beta` of every element, s, and its viscosity at small rates.
    pub fn of<const M: usize>(&self, beta: Vec<f64>, viscosity: Vec<[[f64; M]; M]>) -> Damping<M> {
        let none = viscosity.iter().all(|d| d.as_flattened().iter().all(|&x| x == 0.0));
        match (self.kind, self.law) {
            (DampingKind::Rayleigh, _) if beta.iter().any(|&b| b > 0.0) => Damping::Rayleigh(beta),
            (DampingKind::StrainRate, DampingLaw::Linear) if !none => {
                Damping::StrainRate(Box::new(Quadratic { viscosity }))
            }
            (DampingKind::StrainRate, DampingLaw::Power { exponent, rate }) if !none => {
                Damping::StrainRate(Box::new(PowerLaw { viscosity, exponent, rate }))
            }
            _ => Damping::None,
        }
    }
}

impl Default for DampingParams {
    fn default() -> Self {
        Self {
            kind: DampingKind::StrainRate,
            mass: 0.0,
            law: DampingLaw::Linear,
            stretch: None,
            bending: None,
            shear: None,
            contact: None,
        }
    }
}
