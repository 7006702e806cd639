//! Typed indices, so that a node is never taken for a rod.

use serde::{Deserialize, Serialize};

/// A rod (one yarn).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RodId(pub u32);

/// A node of one rod.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NodeId(pub u32);

/// A contact that joins two nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ContactId(pub u32);

/// A vertex of a sheet of triangles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct VertexId(pub u32);

/// A triangle of a sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TriangleId(pub u32);

/// A block of five unknowns `(x, y, z, u, v)`: a contact, a node by itself, or a
/// vertex of a sheet, which has a position only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BlockId(pub u32);

impl RodId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl NodeId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl ContactId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl VertexId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl TriangleId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl BlockId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The unknown of a component (0 to 2: position, 3: first arc, 4: second arc).
    pub fn dof(self, component: usize) -> u32 {
        BLOCK as u32 * self.0 + component as u32
    }
}

/// Unknowns of a block: a position and two arc coordinates.
pub const BLOCK: usize = 5;
