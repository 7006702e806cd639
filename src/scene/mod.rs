//! A file to a scene, and back to a line and a column when something is wrong with it.

pub mod build;
pub mod cell;
mod compose;
pub mod error;
pub mod materials;
pub mod params;
pub mod parse;
pub mod path;
mod relaxed;
pub mod save;
pub mod scan;
pub mod size;
pub mod source;
pub mod validate;
pub mod watch;
pub(crate) mod words;
