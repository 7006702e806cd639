//! What is read off a simulation, as a laboratory would.

pub mod curvature;
pub mod damping;
pub mod folds;
