//! What a configuration costs.

pub mod damping;
pub mod forces;
