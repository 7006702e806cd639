//! What is kept of a run.

mod append;
pub mod checkpoint;
pub(crate) mod chunk;
pub mod columns;
pub mod error;
pub mod frames;
pub(crate) mod lock;
pub mod params;
pub mod probe;
pub mod progress;
pub mod reader;
pub mod recorder;
pub mod steps;
pub mod summary;
pub mod table;
