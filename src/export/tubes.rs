//! Yarns as tubes, and meshes without double corners.

use std::collections::HashMap;
use std::hash::Hash;

use super::Shot;
use super::strand::{Place, Strand, strands};
use crate::draw::V3;
use crate::draw::mesh::{Mesh, Vertex};
use crate::draw::tube::{AxisPoint, tube};

/// The closed tubes of the yarns of a shot, in the layout's order.
pub(super) fn tubes(shot: &Shot<'_>) -> impl Iterator<Item = Mesh> {
    let rods = shot.frame.layout.rods.clone().into_iter();
    let sides = shot.options.sides.max(3);
    strands(shot.frame, shot.options.pieces())
        .into_iter()
        .zip(rods)
        .map(move |(strand, rod)| tube(&axis(&strand, rod.colour), rod.radius, sides))
}

fn axis(strand: &Strand, colour: [f32; 3]) -> Vec<AxisPoint> {
    let point = |p: &Place| AxisPoint { position: p.position, tangent: p.tangent, colour };
    strand.places.iter().map(point).collect()
}

/// Things that are kept once, and for each corner of a mesh which of them it has.
pub(super) struct Unique<T> {
    /// Each once, in the order of their first appearance.
    pub(super) items: Vec<T>,
    /// By corner.
    pub(super) of: Vec<u32>,
}

/// Vectors of the corners, equal ones once.
pub(super) fn unique_vectors(mesh: &Mesh, of: impl Fn(&Vertex) -> V3) -> Unique<V3> {
    unique(mesh, &of, |v| bits(of(v)))
}

/// Positions and normals of the corners, equal ones once.
pub(super) fn unique_corners(mesh: &Mesh) -> Unique<(V3, V3)> {
    unique(mesh, |v| (v.position, v.normal), |v| (bits(v.position), bits(v.normal)))
}

fn unique<T, K: Eq + Hash>(
    mesh: &Mesh,
    item: impl Fn(&Vertex) -> T,
    key: impl Fn(&Vertex) -> K,
) -> Unique<T> {
    let (mut items, mut known) = (Vec::new(), HashMap::new());
    let of = mesh.vertices.iter().map(|v| {
        *known.entry(key(v)).or_insert_with(|| {
            items.push(item(v));
            items.len() as u32 - 1
        })
    });
    let of = of.collect();
    Unique { items, of }
}

/// Equal for equal vectors; adding zero takes the sign from a zero.
fn bits(v: V3) -> [u32; 3] {
    [v.x, v.y, v.z].map(|x| (x + 0.0).to_bits())
}
