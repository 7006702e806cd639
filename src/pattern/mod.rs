//! Who crosses whom: drafts to a topology.

pub mod knit;
pub mod weave;
