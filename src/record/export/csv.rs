//! Comma-separated values, one row a node.

use std::io::{self, Write};

use super::Format;
use crate::frame::Frame;
use crate::model::yarns::NodeKind;

/// Comma-separated values.
pub(super) const FORMAT: Format = Format {
    name: "csv",
    about: "one row a node: step, time (s), rod, node along it, arc (m), position (m), kind, speed (m/s), normal force (N)",
    write,
};

fn write(frame: &Frame, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "step,time,rod,node,arc,x,y,z,kind,speed,normal_force")?;
    for (rod, ends) in frame.layout.rod_start.windows(2).enumerate() {
        for (node, i) in (ends[0] as usize..ends[1] as usize).enumerate() {
            let ([x, y, z], kind) = (frame.position[i], kind_name(frame.kind[i]));
            let (arc, speed, force) = (frame.arc[i], frame.speed[i], frame.normal_force[i]);
            let (step, time) = (frame.step, frame.time);
            writeln!(out, "{step},{time},{rod},{node},{arc},{x},{y},{z},{kind},{speed},{force}")?;
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
