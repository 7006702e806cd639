//! Saying which nodes a clamp, a force or a probe means.

use serde::{Deserialize, Serialize};

/// Which set of a weave's yarns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ThreadSet {
    /// Yarns along the fabric's first direction.
    Warp,
    /// Yarns along the fabric's second direction.
    Weft,
}

/// One of a rod's ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum End {
    /// Arc coordinate zero.
    Start,
    /// The rod's full length.
    End,
}

/// A set of nodes. Indices count from zero; negative ones from the end, `-1` being the last.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Selection {
    /// Everything.
    All,
    /// All nodes of a fabric, by its name.
    Fabric(String),
    /// One crossing of a fabric.
    Crossing {
        /// The fabric's name.
        fabric: String,
        /// Index of the warp yarn.
        warp: i64,
        /// Index of the weft yarn.
        weft: i64,
    },
    /// All nodes of one yarn of a fabric, its ends included.
    Yarn {
        /// The fabric's name.
        fabric: String,
        /// Warp or weft.
        set: ThreadSet,
        /// Index of the yarn.
        index: i64,
    },
    /// One end of one yarn of a fabric.
    YarnEnd {
        /// The fabric's name.
        fabric: String,
        /// Warp or weft.
        set: ThreadSet,
        /// Index of the yarn.
        index: i64,
        /// Which end.
        end: End,
    },
    /// One end of a single rod.
    RodEnd {
        /// The rod's name.
        rod: String,
        /// Which end.
        end: End,
    },
    /// One node of a single rod.
    RodNode {
        /// The rod's name.
        rod: String,
        /// Index of the node.
        index: i64,
    },
    /// Nodes that start inside an axis-aligned box, m.
    Box {
        /// Lower corner, m.
        min: [f64; 3],
        /// Upper corner, m.
        max: [f64; 3],
    },
    /// Nodes that start inside a ball, m.
    Ball {
        /// Centre, m.
        center: [f64; 3],
        /// Radius, m.
        radius: f64,
    },
    /// Nodes in any of several selections.
    Any(Vec<Selection>),
}
