//! Comma-separated values, one row a node or vertex.

use std::io::{self, Write};

use super::{Format, Shot};
use crate::draw::colour::{ColourMode, values};
use crate::draw::fields::sheet_values;
use crate::frame::Frame;
use crate::model::yarns::NodeKind;

/// Comma-separated values.
pub(super) const FORMAT: Format = Format {
    name: "csv",
    about: "tables: the nodes and vertices as simulated, a row each; a .csv a frame",
    features: &[],
    open: |target| Ok(Box::new(target.each("csv", write))),
};

fn write(shot: &Shot<'_>, out: &mut dyn Write) -> io::Result<()> {
    let frame = shot.frame;
    let stretch = values(frame, ColourMode::Stretch);
    writeln!(out, "step,time,rod,node,arc,x,y,z,kind,speed,normal_force,slide,stretch")?;
    for (rod, ends) in frame.layout.rod_start.windows(2).enumerate() {
        for (node, i) in (ends[0] as usize..ends[1] as usize).enumerate() {
            let ([x, y, z], kind) = (frame.position[i], kind_name(frame.kind[i]));
            let (arc, speed, force) = (frame.arc[i], frame.speed[i], frame.normal_force[i]);
            let (slide, stretch) = (frame.slide[i], stretch[i]);
            let (step, time) = (frame.step, frame.time);
            write!(out, "{step},{time},{rod},{node},{arc},{x},{y},{z},{kind},")?;
            writeln!(out, "{speed},{force},{slide},{stretch}")?;
        }
    }
    write_sheets(frame, out)
}

/// The vertices of sheets, which are counted on from the rods; columns that only nodes have are empty.
fn write_sheets(frame: &Frame, out: &mut dyn Write) -> io::Result<()> {
    let (step, time) = (frame.step, frame.time);
    for (sheet, info) in (frame.layout.rods.len()..).zip(&frame.layout.sheets) {
        let stretch = sheet_values(frame, info, ColourMode::Stretch).unwrap_or_default();
        for ((vertex, i), stretch) in info.vertices.clone().enumerate().zip(stretch) {
            let ([x, y, z], speed) = (frame.vertices[i as usize], frame.vertex_speed[i as usize]);
            writeln!(out, "{step},{time},{sheet},{vertex},,{x},{y},{z},vertex,{speed},,,{stretch}")?;
        }
    }
    Ok(())
}

fn kind_name(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Lagrangian => "lagrangian",
        NodeKind::EolIntra => "eol_intra",
        NodeKind::EolInter => "eol_inter",
        NodeKind::Eil => "eil",
    }
}
