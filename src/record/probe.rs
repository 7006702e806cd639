//! Values followed step by step.

use serde::{Deserialize, Serialize};

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
