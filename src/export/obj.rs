//! Wavefront OBJ: one object a yarn; tubes have their colours in `yarns.mtl`.
//!
//! Poly-lines have none: VTK's reader makes invalid data of lines with materials.

use std::io::{self, Write};

use super::strand::{Strand, palette, strands, yarn_name};
use super::target::{Each, Target};
use super::tubes::{tubes, unique_vectors};
use super::{ExportError, Exporter, Feature, Format, Shot};
use crate::draw::mesh::Mesh;
use crate::draw::solid::GREY;
use crate::frame::{Frame, Layout};

/// Wavefront OBJ.
pub(super) const FORMAT: Format = Format {
    name: "obj",
    about: "poly-lines, or closed tubes by --tubes, an object a yarn; an .obj a frame",
    features: &[Feature::Smooth, Feature::Tubes, Feature::Obstacles],
    open: |target| Ok(Box::new(Obj { files: target.clone().each("obj", write), target, has_colours: false })),
};

const COLOURS: &str = "yarns.mtl";

struct Obj {
    target: Target,
    files: Each,
    has_colours: bool,
}

impl Exporter for Obj {
    fn frame(&mut self, index: usize, frame: &Frame) -> Result<(), ExportError> {
        if self.target.options.tubes && !self.has_colours {
            self.target.write(COLOURS, |out| write_colours(&frame.layout, out))?;
            self.has_colours = true;
        }
        self.files.frame(index, frame)
    }
}

fn write_colours(layout: &Layout, out: &mut dyn Write) -> io::Result<()> {
    let colours = palette(layout).0.into_iter().enumerate().map(|(i, c)| (format!("colour_{i}"), c));
    for (name, [r, g, b]) in colours.chain([("obstacle".to_owned(), GREY)]) {
        writeln!(out, "newmtl {name}\nKd {r} {g} {b}")?;
    }
    Ok(())
}

fn write(shot: &Shot<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (frame, layout) = (shot.frame, &shot.frame.layout);
    writeln!(out, "# {}, step {}, {} s, lengths in m, z is up", layout.scene, frame.step, frame.time)?;
    let mut written = [0, 0];
    if shot.options.tubes {
        writeln!(out, "mtllib {COLOURS}")?;
        let (_, colour) = palette(layout);
        for (rod, mesh) in tubes(shot).enumerate() {
            writeln!(out, "o {}\nusemtl colour_{}", yarn_name(layout, rod), colour[rod])?;
            write_mesh(&mesh, &mut written, out)?;
        }
    } else {
        for (rod, strand) in strands(frame, shot.options.pieces()).iter().enumerate() {
            writeln!(out, "o {}", yarn_name(layout, rod))?;
            write_line(strand, &mut written, out)?;
        }
    }
    let (_, colour) = palette(layout);
    let sheets = shot.sheets.iter().zip(&colour[layout.rods.len()..]);
    let coloured = sheets.map(|(sheet, k)| (sheet, format!("colour_{k}")));
    for ((name, mesh), material) in coloured.chain(shot.solids.iter().map(|s| (s, "obstacle".to_owned()))) {
        let material = if shot.options.tubes { format!("\nusemtl {material}") } else { String::new() };
        writeln!(out, "o {name}{material}")?;
        write_mesh(mesh, &mut written, out)?;
    }
    Ok(())
}

/// Writes a poly-line behind a number of positions, which count from one over all objects.
fn write_line(strand: &Strand, written: &mut [usize; 2], out: &mut dyn Write) -> io::Result<()> {
    for p in &strand.places {
        writeln!(out, "v {} {} {}", p.position.x, p.position.y, p.position.z)?;
    }
    write!(out, "l")?;
    for k in 0..strand.places.len() {
        write!(out, " {}", written[0] + k + 1)?;
    }
    written[0] += strand.places.len();
    writeln!(out)
}

/// Writes a mesh behind a number of positions and normals.
fn write_mesh(mesh: &Mesh, written: &mut [usize; 2], out: &mut dyn Write) -> io::Result<()> {
    let (positions, normals) = (unique_vectors(mesh, |v| v.position), unique_vectors(mesh, |v| v.normal));
    for p in &positions.items {
        writeln!(out, "v {} {} {}", p.x, p.y, p.z)?;
    }
    for n in &normals.items {
        writeln!(out, "vn {} {} {}", n.x, n.y, n.z)?;
    }
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|i| {
            let [v, n] = [positions.of[i as usize] as usize, normals.of[i as usize] as usize];
            format!("{}//{}", v + written[0] + 1, n + written[1] + 1)
        });
        writeln!(out, "f {a} {b} {c}")?;
    }
    *written = [written[0] + positions.items.len(), written[1] + normals.items.len()];
    Ok(())
}
