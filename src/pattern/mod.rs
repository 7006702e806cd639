//! Who crosses whom: drafts to a topology.

pub mod weave;
