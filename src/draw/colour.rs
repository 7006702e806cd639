//! What the colours of the yarns mean.

use serde::{Deserialize, Serialize};

use super::V3;
use super::fields::sheet_values;
use super::image::from_srgb;
use super::nodes::{Nodes, rod_nodes};
use crate::frame::Frame;
use crate::model::yarns::NodeKind;

/// What the colour of a yarn shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum ColourMode {
    /// The yarn's own colour.
    #[default]
    Yarn,
    /// To which fabric it belongs.
    Fabric,
    /// Strain along the yarn, of a sheet the principal strain of the greatest size, no unit.
    Stretch,
    /// Curvature, 1/m.
    Bending,
    /// Speed, m/s.
    Speed,
    /// Normal force of the contacts, N.
    NormalForce,
    /// How far the yarn slid through its contacts since the start, m.
    Slide,
    /// Kind of the nodes, and of the nodes that they touch.
    Kind,
}

/// Colours of the first kinds and fabrics (Okabe and Ito, 2008: told apart by the colour-blind too).
const DISTINCT: [u32; 8] = [0x0072b2, 0xe69f00, 0x009e73, 0xd55e00, 0x56b4e9, 0xcc79a7, 0xf0e442, 0x505050];

/// Colours of the kinds of contacts after their names in [`ColourMode::names`]: from the third on white, pink and red as
/// contacts are drawn by Sanchez-Banderas et al., Robust Eulerian-on-Lagrangian rods, 2020, and green.
const KINDS: [u32; 6] = [0x8a8f98, 0x6fb1e0, 0xffffff, 0xf27fb2, 0xd81e1e, 0x009e73];

const KIND_NAMES: [&str; KINDS.len()] = [
    "no contact",
    "crossing in a fabric",
    "between fabrics",
    "one node degenerate",
    "both nodes degenerate",
    "sewn",
];

/// The kind of contacts of seams, degenerate or not.
const SEWN: usize = 5;

/// matplotlib's viridis at ten equal steps.
const VIRIDIS: [u32; 10] =
    [0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e, 0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725];

/// ColorBrewer's RdBu reversed, at eleven equal steps, without its darkest two, which hide the shading.
const BLUE_RED: [u32; 9] =
    [0x2166ac, 0x4393c3, 0x92c5de, 0xd1e5f0, 0xf7f7f7, 0xfddbc7, 0xf4a582, 0xd6604d, 0xb2182b];

/// Part of the values that the automatic range covers: a few extreme nodes must not darken all others.
const COVERED: f64 = 0.99;

impl ColourMode {
    /// All modes with the names that commands and menus give them.
    pub const ALL: [(&'static str, Self); 8] = [
        ("yarn", Self::Yarn),
        ("fabric", Self::Fabric),
        ("stretch", Self::Stretch),
        ("bending", Self::Bending),
        ("speed", Self::Speed),
        ("normal-force", Self::NormalForce),
        ("slide", Self::Slide),
        ("kind", Self::Kind),
    ];

    /// Name and unit of what is shown; nothing if the colours are no values.
    pub fn title(self) -> Option<&'static str> {
        match self {
            Self::Yarn | Self::Fabric | Self::Kind => None,
            Self::Stretch => Some("stretch, no unit"),
            Self::Bending => Some("curvature, 1/m"),
            Self::Speed => Some("speed, m/s"),
            Self::NormalForce => Some("normal force, N"),
            Self::Slide => Some("slide since the start, m"),
        }
    }

    /// Names of the colours that stand for kinds.
    pub fn names(self, frame: &Frame) -> Vec<String> {
        match self {
            Self::Kind => {
                let shown = if frame.sewn.contains(&true) { KIND_NAMES.len() } else { SEWN };
                KIND_NAMES[..shown].iter().map(|&name| name.to_owned()).collect()
            }
            Self::Fabric => {
                let sheets = frame.layout.sheets.iter().map(|s| &s.name);
                frame.layout.fabrics.iter().chain(sheets).cloned().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Linear RGB of the name at an index of [`Self::names`].
    pub fn name_colour(self, index: usize) -> [f32; 3] {
        match self {
            Self::Kind => linear(KINDS[index % KINDS.len()]),
            _ => distinct(index),
        }
    }

    /// The range of colours for values up to a [`size`]: from zero, or about zero if they have signs.
    ///
    /// To keep colours comparable over a film, take the largest size of its frames.
    pub fn range(self, size: f32) -> [f32; 2] {
        let high = if size > 0.0 { size } else { 1.0 };
        [if self.is_signed() { -high } else { 0.0 }, high]
    }

    /// Whether negative values mean the opposite of positive ones.
    fn is_signed(self) -> bool {
        matches!(self, Self::Stretch | Self::Slide)
    }
}

/// The values of the nodes in a mode, in its unit; empty where the colours are no values.
pub fn values(frame: &Frame, mode: ColourMode) -> Vec<f32> {
    match mode {
        ColourMode::Yarn | ColourMode::Fabric | ColourMode::Kind => Vec::new(),
        ColourMode::Stretch => stretch(&Nodes::new(frame)),
        ColourMode::Bending => bending(&Nodes::new(frame)),
        ColourMode::Speed => frame.speed.clone(),
        ColourMode::NormalForce => frame.normal_force.clone(),
        ColourMode::Slide => frame.slide.clone(),
    }
}

/// The size that nearly all values of a frame stay below, without their signs; zero without values.
pub fn size(frame: &Frame, mode: ColourMode) -> f32 {
    let of_sheets = frame.layout.sheets.iter().filter_map(|info| sheet_values(frame, info, mode)).flatten();
    let mut sizes: Vec<f32> =
        values(frame, mode).into_iter().chain(of_sheets).map(f32::abs).filter(|v| v.is_finite()).collect();
    sizes.sort_by(f32::total_cmp);
    let index = (COVERED * sizes.len().saturating_sub(1) as f64).ceil() as usize;
    sizes.get(index).copied().unwrap_or(0.0)
}

/// Linear RGB of a place on a mode's colour bar, 0 to 1.
pub fn map(mode: ColourMode, place: f32) -> [f32; 3] {
    let table: &[u32] = if mode.is_signed() { &BLUE_RED } else { &VIRIDIS };
    let at = if place.is_nan() { 0.0 } else { place.clamp(0.0, 1.0) } * (table.len() - 1) as f32;
    let k = (at as usize).min(table.len() - 2);
    let (a, b, t) = (linear(table[k]), linear(table[k + 1]), at - k as f32);
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * t)
}

/// Linear RGB of a value in a mode's range.
pub(super) fn map_in(mode: ColourMode, [low, high]: [f32; 2], value: f32) -> [f32; 3] {
    map(mode, (value - low) / (high - low).max(f32::MIN_POSITIVE))
}

/// Linear RGB of the colours of things that are told apart by their index.
pub fn distinct(index: usize) -> [f32; 3] {
    linear(DISTINCT[index % DISTINCT.len()])
}

/// Linear RGB of all nodes.
pub(crate) fn node_colours(frame: &Frame, mode: ColourMode, range: [f32; 2]) -> Vec<[f32; 3]> {
    let values = values(frame, mode);
    let mut colours = Vec::with_capacity(frame.position.len());
    for (rod, info) in frame.layout.rods.iter().enumerate() {
        colours.extend(rod_nodes(&frame.layout, rod).map(|i| match mode {
            ColourMode::Yarn => info.colour,
            ColourMode::Fabric if info.fabric == u32::MAX => distinct(DISTINCT.len() - 1),
            ColourMode::Fabric => distinct(info.fabric as usize),
            ColourMode::Kind => kind_colour(frame, i),
            _ => map_in(mode, range, values[i]),
        }));
    }
    colours
}

/// Linear RGB of the contacts of seams.
pub(crate) fn seam_colour() -> [f32; 3] {
    ColourMode::Kind.name_colour(SEWN)
}

/// Linear RGB of what a node and the one that it touches are.
pub(crate) fn kind_colour(frame: &Frame, node: usize) -> [f32; 3] {
    if frame.sewn.get(node) == Some(&true) {
        return seam_colour();
    }
    let is_degenerate = |i: usize| frame.kind.get(i) == Some(&NodeKind::Eil);
    let partner = frame.layout.partner[node] as usize;
    let degenerate = usize::from(is_degenerate(node)) + usize::from(is_degenerate(partner));
    let kind = match (degenerate, frame.kind[node]) {
        (0, NodeKind::EolInter) => 2,
        (0, NodeKind::EolIntra) => 1,
        (0, _) => 0,
        (n, _) => 2 + n,
    };
    ColourMode::Kind.name_colour(kind)
}

/// Strain of the segments at each node, the mean of those before and after.
///
/// ```text
/// e = |x_1 - x_0| / |u_1 - u_0| - 1        x: on the centre line
/// ```
fn stretch(nodes: &Nodes<'_>) -> Vec<f32> {
    let (position, arc) = (centres(nodes), &nodes.frame.arc);
    at_nodes(nodes, |i, first, last| {
        let strain = |i: usize| {
            let rest = (arc[i + 1] - arc[i]).abs();
            let chord = (position[i + 1] - position[i]).norm();
            if rest > 0.0 { chord / rest - 1.0 } else { 0.0 }
        };
        0.5 * (strain(i.max(first + 1) - 1) + strain(i.min(last - 1)))
    })
}

/// Curvature at each node, 1/m: the angle between the segments over half their rest length.
///
/// ```text
/// k = 2 angle(x_1 - x_0, x_2 - x_1) / (u_2 - u_0)
/// ```
///
/// It is that of the centre line, of yarns without thickness that of the middle surface, without their wave about it; zero
/// at the ends.
fn bending(nodes: &Nodes<'_>) -> Vec<f32> {
    let (position, arc) = (centres(nodes), &nodes.frame.arc);
    at_nodes(nodes, |i, first, last| {
        if i == first || i == last {
            return 0.0;
        }
        let (before, after) = (position[i] - position[i - 1], position[i + 1] - position[i]);
        let angle = before.cross(&after).norm().atan2(before.dot(&after));
        let length = (arc[i + 1] - arc[i - 1]).abs();
        if length > 0.0 { 2.0 * angle / length } else { 0.0 }
    })
}

fn centres(nodes: &Nodes<'_>) -> Vec<V3> {
    (0..nodes.position.len()).map(|i| nodes.centre(i)).collect()
}

/// A value of each node from its index and those of its rod's ends; zero on rods of one node.
fn at_nodes(nodes: &Nodes<'_>, value: impl Fn(usize, usize, usize) -> f32) -> Vec<f32> {
    let mut out = vec![0.0; nodes.position.len()];
    for rod in 0..nodes.frame.layout.rods.len() {
        let range = rod_nodes(&nodes.frame.layout, rod);
        if range.len() > 1 {
            let (first, last) = (range.start, range.end - 1);
            range.for_each(|i| out[i] = value(i, first, last));
        }
    }
    out
}

fn linear(hex: u32) -> [f32; 3] {
    [16, 8, 0].map(|shift| from_srgb((hex >> shift & 255) as u8))
}
