//! Selections of nodes and vertices for clamps, forces and probes.

use serde::{Deserialize, Serialize};

use super::ids::{BlockId, NodeId, RodId, VertexId};
use super::yarns::{Model, NodeKind, Rod, block_position};
use crate::geometry::Vec3;

/// Which set of a weave's yarns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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

/// Nodes of yarns and vertices of sheets. Contacts between fabrics belong to neither and are never selected. Indices
/// count from zero, negative ones from the end: `-1` is the last.
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
    /// One stitch of a knit.
    Stitch {
        /// The knit's name.
        fabric: String,
        /// Index of its course; the cast-on is the first.
        course: i64,
        /// Index of its wale.
        wale: i64,
    },
    /// All stitches of a course of a knit.
    Course {
        /// The knit's name.
        fabric: String,
        /// Index of the course; the cast-on is the first.
        index: i64,
    },
    /// All stitches of a wale of a knit.
    Wale {
        /// The knit's name.
        fabric: String,
        /// Index of the wale.
        index: i64,
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
    /// All vertices of a sheet, by its name.
    Sheet(String),
    /// One vertex of a sheet, by its number in the sheet's mesh.
    Vertex {
        /// The sheet's name.
        sheet: String,
        /// Index of the vertex.
        index: i64,
    },
    /// Nodes and vertices that start inside an axis-aligned box, m.
    Box {
        /// Lower corner, m.
        min: [f64; 3],
        /// Upper corner, m.
        max: [f64; 3],
    },
    /// Nodes and vertices that start inside a ball, m.
    Ball {
        /// Centre, m.
        center: [f64; 3],
        /// Radius, m.
        radius: f64,
    },
    /// The union of several selections.
    Any(Vec<Selection>),
}

/// Why a selection cannot be resolved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SelectError {
    /// There is no fabric or rod of that name.
    #[error("there is no {what} named `{name}`{hint}")]
    UnknownName {
        /// `fabric`, `rod` or `sheet`.
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
    /// Nothing is meant.
    #[error("the selection holds no node and no vertex")]
    Nothing,
}

/// The nodes of rods and the vertices of sheets that a selection means, each in ascending order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selected {
    /// Nodes of rods.
    pub nodes: Vec<NodeId>,
    /// Vertices of sheets.
    pub vertices: Vec<VertexId>,
}

impl Selected {
    /// Where their positions are stored, each block once, ascending.
    pub fn blocks(&self, model: &Model) -> Vec<BlockId> {
        let nodes = self.nodes.iter().map(|&n| model.node(n).block);
        let mut blocks: Vec<BlockId> =
            nodes.chain(self.vertices.iter().map(|&v| model.sheets.vertex(v).block)).collect();
        blocks.sort_unstable();
        blocks.dedup();
        blocks
    }

    fn sorted(mut self, model: &Model) -> Self {
        self.nodes.retain(|&n| model.node(n).kind != NodeKind::EolInter);
        self.nodes.sort_unstable();
        self.nodes.dedup();
        self.vertices.sort_unstable();
        self.vertices.dedup();
        self
    }
}

impl From<Vec<NodeId>> for Selected {
    fn from(nodes: Vec<NodeId>) -> Self {
        Self { nodes, vertices: Vec::new() }
    }
}

impl Selection {
    /// One crossing of a woven fabric.
    pub fn crossing(fabric: &str, warp: i64, weft: i64) -> Self {
        Self::Crossing { fabric: fabric.into(), warp, weft }
    }

    /// A warp yarn of a fabric.
    pub fn warp(fabric: &str, index: i64) -> Self {
        Self::Yarn { fabric: fabric.into(), set: ThreadSet::Warp, index }
    }

    /// A weft yarn of a fabric.
    pub fn weft(fabric: &str, index: i64) -> Self {
        Self::Yarn { fabric: fabric.into(), set: ThreadSet::Weft, index }
    }

    /// A course of a knit.
    pub fn course(fabric: &str, index: i64) -> Self {
        Self::Course { fabric: fabric.into(), index }
    }

    /// A wale of a knit.
    pub fn wale(fabric: &str, index: i64) -> Self {
        Self::Wale { fabric: fabric.into(), index }
    }

    /// The first end of a single rod.
    pub fn rod_start(rod: &str) -> Self {
        Self::RodEnd { rod: rod.into(), end: End::Start }
    }

    /// The last end of a single rod.
    pub fn rod_end(rod: &str) -> Self {
        Self::RodEnd { rod: rod.into(), end: End::End }
    }

    /// A vertex of a sheet.
    pub fn vertex(sheet: &str, index: i64) -> Self {
        Self::Vertex { sheet: sheet.into(), index }
    }

    /// The nodes that are meant, in ascending order.
    ///
    /// # Errors
    /// If a name or an index does not exist, or no node is selected.
    pub fn resolve(&self, model: &Model, q: &[f64]) -> Result<Vec<NodeId>, SelectError> {
        let nodes = self.parts(model, q)?.sorted(model).nodes;
        if nodes.is_empty() { Err(SelectError::Nothing) } else { Ok(nodes) }
    }

    /// The nodes and vertices that are meant.
    ///
    /// # Errors
    /// If a name or an index does not exist, or nothing is selected.
    pub fn resolve_all(&self, model: &Model, q: &[f64]) -> Result<Selected, SelectError> {
        let selected = self.parts(model, q)?.sorted(model);
        if selected == Selected::default() { Err(SelectError::Nothing) } else { Ok(selected) }
    }

    fn parts(&self, model: &Model, q: &[f64]) -> Result<Selected, SelectError> {
        match self {
            Self::All => Ok(within(model, q, |_| true)),
            Self::Box { min, max } => {
                Ok(within(model, q, |x| (0..3).all(|k| x[k] >= min[k] && x[k] <= max[k])))
            }
            Self::Ball { center, radius } => {
                Ok(within(model, q, |x| (x - Vec3::from(*center)).norm() <= *radius))
            }
            Self::Sheet(name) => {
                let vertices = model.sheets.list[sheet_index(model, name)?].vertices.clone();
                Ok(Selected { nodes: Vec::new(), vertices: vertices.map(VertexId).collect() })
            }
            Self::Vertex { sheet, index } => {
                let vertices = model.sheets.list[sheet_index(model, sheet)?].vertices.clone();
                let (count, what) = (vertices.len(), "vertices");
                let k = wrap(*index, count).ok_or(SelectError::OutOfRange { index: *index, what, count })?;
                Ok(Selected { nodes: Vec::new(), vertices: vec![VertexId(vertices.start + k as u32)] })
            }
            Self::Any(parts) => {
                let mut out = Selected::default();
                for part in parts {
                    let found = part.parts(model, q)?;
                    out.nodes.extend(found.nodes);
                    out.vertices.extend(found.vertices);
                }
                Ok(out)
            }
            Self::Fabric(name) => {
                let fabric = fabric_index(model, name)?;
                let of = |r: &Rod| r.thread.is_some_and(|t| t.fabric == fabric);
                let rods = model.rods.iter().filter(|r| of(r));
                Ok(rods.flat_map(|r| r.nodes.clone().map(NodeId)).collect::<Vec<_>>().into())
            }
            Self::Crossing { fabric, warp, weft } => {
                let warp = yarn(model, fabric, ThreadSet::Warp, *warp)?;
                let weft = yarn(model, fabric, ThreadSet::Weft, *weft)?;
                let partner = |n: NodeId| {
                    let contact = &model.contacts[model.node(n).contact?.index()];
                    Some(model.node(contact.nodes[1]).rod)
                };
                let nodes = model.rod_nodes(warp).filter(|&n| partner(n) == Some(weft));
                Ok(nodes.collect::<Vec<_>>().into())
            }
            Self::Yarn { fabric, set, index } => {
                let nodes = model.rod_nodes(yarn(model, fabric, *set, *index)?);
                Ok(nodes.collect::<Vec<_>>().into())
            }
            Self::YarnEnd { fabric, set, index, end } => {
                Ok(rod_end(model, yarn(model, fabric, *set, *index)?, *end).into())
            }
            Self::Stitch { fabric, course, wale } => {
                Ok(stitches(model, fabric, [Some(*course), Some(*wale)])?.into())
            }
            Self::Course { fabric, index } => Ok(stitches(model, fabric, [Some(*index), None])?.into()),
            Self::Wale { fabric, index } => Ok(stitches(model, fabric, [None, Some(*index)])?.into()),
            Self::RodEnd { rod, end } => Ok(rod_end(model, single_rod(model, rod)?, *end).into()),
            Self::RodNode { rod, index } => {
                let rod = single_rod(model, rod)?;
                let (count, what) = (model.rod_nodes(rod).len(), "nodes");
                let k = wrap(*index, count).ok_or(SelectError::OutOfRange { index: *index, what, count })?;
                Ok(model.rod_nodes(rod).skip(k).take(1).collect::<Vec<_>>().into())
            }
        }
    }
}

/// The nodes and vertices whose positions are as wanted.
fn within(model: &Model, q: &[f64], wanted: impl Fn(Vec3) -> bool) -> Selected {
    let nodes = (0..model.nodes.len() as u32).map(NodeId);
    let vertices = (0..model.sheets.vertices.len() as u32).map(VertexId);
    Selected {
        nodes: nodes.filter(|&n| wanted(model.position(q, n))).collect(),
        vertices: vertices.filter(|&v| wanted(block_position(q, model.sheets.vertex(v).block))).collect(),
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

fn sheet_index(model: &Model, name: &str) -> Result<usize, SelectError> {
    let found = model.sheets.list.iter().position(|s| s.name == name);
    found.ok_or_else(|| unknown("sheet", name, model.sheets.list.iter().map(|s| s.name.as_str())))
}

fn single_rod(model: &Model, name: &str) -> Result<RodId, SelectError> {
    let found = model.single_rods.iter().find(|(n, _)| n == name);
    found
        .map(|(_, rod)| *rod)
        .ok_or_else(|| unknown("rod", name, model.single_rods.iter().map(|(n, _)| n.as_str())))
}

fn yarn(model: &Model, fabric: &str, set: ThreadSet, index: i64) -> Result<RodId, SelectError> {
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

/// The nodes of the stitches of a knit in a course, a wale, or where both cross.
fn stitches(model: &Model, fabric: &str, wanted: [Option<i64>; 2]) -> Result<Vec<NodeId>, SelectError> {
    let fabric = fabric_index(model, fabric)?;
    let all = (0..model.nodes.len() as u32).map(NodeId);
    let knitted: Vec<(NodeId, [u32; 2])> = all
        .filter(|&n| model.rod_of(n).thread.is_some_and(|t| t.fabric == fabric))
        .filter_map(|n| Some((n, model.node(n).stitch?)))
        .collect();
    let mut keep = vec![true; knitted.len()];
    for (axis, index) in wanted.into_iter().enumerate().filter_map(|(axis, i)| Some((axis, i?))) {
        let count = knitted.iter().map(|(_, s)| s[axis] as usize + 1).max().unwrap_or_default();
        let what = ["courses", "wales"][axis];
        let k = wrap(index, count).ok_or(SelectError::OutOfRange { index, what, count })?;
        keep.iter_mut().zip(&knitted).for_each(|(keep, (_, s))| *keep &= s[axis] as usize == k);
    }
    Ok(knitted.iter().zip(keep).filter(|(_, keep)| *keep).map(|((n, _), _)| *n).collect())
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
