//! Cloth of triangles: the middle surface of each sheet as a mesh.

use super::strand::plain_name;
use crate::draw::cloth::face;
use crate::draw::mesh::Mesh;
use crate::frame::{Frame, SheetInfo};

/// The sheets of a frame with names that tell them apart, in the layout's order.
pub(super) fn sheets(frame: &Frame) -> Vec<(String, Mesh)> {
    let named = |(k, info): (usize, &SheetInfo)| {
        (format!("sheet_{k}_{}", plain_name(&info.name)), face(frame, info, 1.0, 0.0))
    };
    frame.layout.sheets.iter().enumerate().map(named).collect()
}
