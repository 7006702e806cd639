//! Yarns as poly-lines along their drawn curves.

use crate::draw::V3;
use crate::draw::curve::{Curve, curves};
use crate::frame::{Frame, Layout};

/// A yarn cut into straight pieces.
#[derive(Debug)]
pub(super) struct Strand {
    /// Its places in order.
    pub(super) places: Vec<Place>,
}

/// A place on a yarn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// m.
    pub(super) position: V3,
    /// Unit tangent.
    pub(super) tangent: V3,
    /// The node before it, or the node that it is.
    before: usize,
    /// The node behind it, or the node that it is.
    behind: usize,
    /// How far it is from the one to the other, 0 to 1.
    part: f32,
}

/// The yarns of a frame with a number of pieces between nodes, in the layout's order.
pub(super) fn strands(frame: &Frame, pieces: usize) -> Vec<Strand> {
    let curves = curves(frame).into_iter().zip(&frame.layout.rod_start);
    curves.map(|(curve, &first)| Strand::new(&curve, first as usize, pieces)).collect()
}

impl Strand {
    fn new(curve: &Curve, first: usize, pieces: usize) -> Self {
        let inner = (0..curve.n_segments()).flat_map(|segment| {
            (0..pieces).map(move |k| {
                let part = k as f32 / pieces as f32;
                let (position, tangent) = curve.at(segment, part);
                let before = first + segment;
                Place { position, tangent, before, behind: before + usize::from(k > 0), part }
            })
        });
        let node = first + curve.n_segments();
        let last = curve.points.last().zip(curve.tangents.last()).map(|(&position, &tangent)| Place {
            position,
            tangent,
            before: node,
            behind: node,
            part: 0.0,
        });
        Self { places: inner.chain(last).collect() }
    }
}

impl Place {
    /// Whether it is a node.
    pub(super) fn node(&self) -> Option<usize> {
        (self.before == self.behind).then_some(self.before)
    }

    /// The node that it is nearest to.
    pub(super) fn nearest(&self) -> usize {
        if self.part < 0.5 { self.before } else { self.behind }
    }

    /// A value that is known at the nodes.
    pub(super) fn value(&self, nodes: &[f32]) -> f32 {
        let (a, b) = (nodes[self.before], nodes[self.behind]);
        a + (b - a) * self.part
    }
}

/// The corners of the box around points: infinite, the wrong way round, without any.
pub(super) fn bounds(points: impl Iterator<Item = V3>) -> (V3, V3) {
    let none = (V3::repeat(f32::INFINITY), V3::repeat(f32::NEG_INFINITY));
    points.fold(none, |(low, high), p| (low.inf(&p), high.sup(&p)))
}

/// A name for each yarn: that of its fabric with its number in the scene.
pub(super) fn yarn_name(layout: &Layout, rod: usize) -> String {
    match layout.fabrics.get(layout.rods[rod].fabric as usize) {
        Some(fabric) => format!("{}_yarn_{rod}", plain_name(fabric)),
        None => format!("yarn_{rod}"),
    }
}

/// A name of nothing but ASCII letters, digits and underscores, which all formats allow.
pub(super) fn plain_name(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// The colours of the yarns and sheets, each once, and the colour of each yarn and then of each sheet.
pub(super) fn palette(layout: &Layout) -> (Vec<[f32; 3]>, Vec<usize>) {
    let mut colours: Vec<[f32; 3]> = Vec::new();
    let wanted = layout.rods.iter().map(|rod| rod.colour).chain(layout.sheets.iter().map(|s| s.colour));
    let of = wanted.map(|colour| {
        colours.iter().position(|c| *c == colour).unwrap_or_else(|| {
            colours.push(colour);
            colours.len() - 1
        })
    });
    let of = of.collect();
    (colours, of)
}
