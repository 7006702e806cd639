//! Who crosses whom: drafts to a topology.

pub mod crimp;
pub mod knit;
pub mod weave;
