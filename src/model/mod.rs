//! What moves: materials, yarns and their nodes, triangle cloth, obstacles, clamps, the state.

pub mod arrangement;
pub mod build;
pub mod cell;
pub(crate) mod centre_line;
pub mod clamp;
pub mod edges;
pub mod fabric;
pub mod ids;
pub mod knit;
pub mod layers;
pub mod material;
pub mod mesh;
pub mod motion;
pub mod obstacle;
pub mod part;
pub mod select;
pub mod sheets;
pub(crate) mod tile;
pub mod yarns;
