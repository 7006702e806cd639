//! Wavefront OBJ, one poly-line a yarn.

use std::io::{self, Write};

use super::Format;
use crate::frame::Frame;

/// Wavefront OBJ.
pub(super) const FORMAT: Format = Format {
    name: "obj",
    about: "one object with one poly-line a yarn through its nodes (m, z is up)",
    write,
};

fn write(frame: &Frame, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "# {}, step {}, {} s, lengths in m, z is up", frame.layout.scene, frame.step, frame.time)?;
    for (rod, ends) in frame.layout.rod_start.windows(2).enumerate() {
        writeln!(out, "o yarn_{rod}")?;
        for i in ends[0]..ends[1] {
            let [x, y, z] = frame.position[i as usize];
            writeln!(out, "v {x} {y} {z}")?;
        }
        // Vertices count from one, over all objects.
        write!(out, "l")?;
        for i in ends[0]..ends[1] {
            write!(out, " {}", i + 1)?;
        }
        writeln!(out)?;
    }
    Ok(())
}
