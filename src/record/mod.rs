//! What is kept of a run.

pub mod frame;
pub mod export;
