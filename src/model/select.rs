//! Saying which nodes a clamp, a force or a probe means.

use serde::{Deserialize, Serialize};

use super::ids::{NodeId, RodId};
use super::yarns::{Model, NodeKind};
use crate::geometry::Vec3;

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

/// A set of nodes: yarns' ends and crossings of weaves; contacts between fabrics, which belong to neither,
/// are never meant. Indices count from zero; negative ones from the end, `-1` being the last.
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

/// Why a selection cannot be resolved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SelectError {
    /// There is no fabric or rod of that name.
    #[error("there is no {what} named `{name}`{hint}")]
    UnknownName {
        /// `fabric` or `rod`.
        what: &'static str,
        /// The name.
        name: String,
        /// `; did you mean ...?`, or nothing.
        hint: String,
    },
    /// An index beyond what there is.
    #[error("index {index} is out of range: there are {count} {what}")]
    OutOfRange {
        /// The index.
        index: i64,
        /// What is counted.
        what: &'static str,
        /// How many there are.
        count: usize,
    },
    /// No node is meant.
    #[error("the selection holds no node")]
    Nothing,
}

impl Selection {
    /// The nodes that are meant, in ascending order.
    ///
    /// # Errors
    /// If a name or an index does not exist, or nothing is selected.
    pub fn resolve(&self, model: &Model, q: &[f64]) -> Result<Vec<NodeId>, SelectError> {
        let mut nodes = self.nodes(model, q)?;
        nodes.retain(|&n| model.node(n).kind != NodeKind::EolInter);
        nodes.sort_unstable();
        nodes.dedup();
        if nodes.is_empty() { Err(SelectError::Nothing) } else { Ok(nodes) }
    }

    fn nodes(&self, model: &Model, q: &[f64]) -> Result<Vec<NodeId>, SelectError> {
        let where_node = |f: &dyn Fn(NodeId) -> bool| -> Vec<NodeId> {
            (0..model.nodes.len() as u32).map(NodeId).filter(|&n| f(n)).collect()
        };
        match self {
            Self::All => Ok(where_node(&|_| true)),
            Self::Fabric(name) => {
                let fabric = fabric_index(model, name)?;
                Ok(where_node(&|n| model.rod_of(n).thread.is_some_and(|t| t.fabric == fabric)))
            }
            Self::Crossing { fabric, warp, weft } => {
                let warp = yarn(model, fabric, (ThreadSet::Warp, *warp))?;
                let weft = yarn(model, fabric, (ThreadSet::Weft, *weft))?;
                let partner = |n: NodeId| {
                    let contact = &model.contacts[model.node(n).contact?.index()];
                    Some(model.node(contact.nodes[1]).rod)
                };
                Ok(model.rod_nodes(warp).filter(|&n| partner(n) == Some(weft)).collect())
            }
            Self::Yarn { fabric, set, index } => {
                Ok(model.rod_nodes(yarn(model, fabric, (*set, *index))?).collect())
            }
            Self::YarnEnd { fabric, set, index, end } => {
                Ok(rod_end(model, yarn(model, fabric, (*set, *index))?, *end))
            }
            Self::RodEnd { rod, end } => Ok(rod_end(model, single_rod(model, rod)?, *end)),
            Self::RodNode { rod, index } => {
                let rod = single_rod(model, rod)?;
                let count = model.rod_nodes(rod).len();
                let k = wrap(*index, count).ok_or(SelectError::OutOfRange {
                    index: *index,
                    what: "nodes",
                    count,
                })?;
                Ok(model.rod_nodes(rod).skip(k).take(1).collect())
            }
            Self::Box { min, max } => Ok(where_node(&|n| {
                let x = model.position(q, n);
                (0..3).all(|k| x[k] >= min[k] && x[k] <= max[k])
            })),
            Self::Ball { center, radius } => {
                Ok(where_node(&|n| (model.position(q, n) - Vec3::from(*center)).norm() <= *radius))
            }
            Self::Any(parts) => {
                let lists: Result<Vec<_>, _> = parts.iter().map(|s| s.nodes(model, q)).collect();
                Ok(lists?.concat())
            }
        }
    }
}

fn rod_end(model: &Model, rod: RodId, end: End) -> Vec<NodeId> {
    let mut nodes = model.rod_nodes(rod);
    let node = match end {
        End::Start => nodes.next(),
        End::End => nodes.next_back(),
    };
    node.into_iter().collect()
}

fn fabric_index(model: &Model, name: &str) -> Result<u32, SelectError> {
    let found = model.fabrics.iter().position(|f| f == name);
    found.map(|k| k as u32).ok_or_else(|| unknown("fabric", name, model.fabrics.iter().map(String::as_str)))
}

fn single_rod(model: &Model, name: &str) -> Result<RodId, SelectError> {
    let found = model.single_rods.iter().find(|(n, _)| n == name);
    found
        .map(|(_, rod)| *rod)
        .ok_or_else(|| unknown("rod", name, model.single_rods.iter().map(|(n, _)| n.as_str())))
}

fn yarn(model: &Model, fabric: &str, (set, index): (ThreadSet, i64)) -> Result<RodId, SelectError> {
    let fabric = fabric_index(model, fabric)?;
    let yarns: Vec<RodId> = (0..model.rods.len() as u32)
        .map(RodId)
        .filter(|r| model.rods[r.index()].thread.is_some_and(|t| t.fabric == fabric && t.set == set))
        .collect();
    let what = if set == ThreadSet::Warp { "warp yarns" } else { "weft yarns" };
    wrap(index, yarns.len()).map(|k| yarns[k]).ok_or(SelectError::OutOfRange {
        index,
        what,
        count: yarns.len(),
    })
}

fn wrap(index: i64, count: usize) -> Option<usize> {
    let k = if index < 0 { index + count as i64 } else { index };
    usize::try_from(k).ok().filter(|&k| k < count)
}

fn unknown<'a>(what: &'static str, name: &str, known: impl Iterator<Item = &'a str>) -> SelectError {
    let nearest =
        known.max_by(|a, b| strsim::jaro_winkler(a, name).total_cmp(&strsim::jaro_winkler(b, name)));
    let hint =
        nearest.map_or_else(|| format!("; the scene has no {what}s"), |n| format!("; did you mean `{n}`?"));
    SelectError::UnknownName { what, name: name.into(), hint }
}
