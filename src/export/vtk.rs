//! VTK poly-data: a `.vtp` file a frame, and `frames.pvd`, which lists them with their times.
//!
//! Arrays stand behind the XML as raw bytes ("appended"), each behind its length as `u64`. Obstacles and sheets
//! are files of their own, the second and third part of each time.

use std::io::{self, Write};

use super::sheet::sheets;
use super::solid::Solids;
use super::strand::{Strand, strands};
use super::target::Target;
use super::tubes::{Unique, unique_corners};
use super::{ExportError, Exporter, Feature, Format};
use crate::draw::V3;
use crate::draw::colour::{ColourMode, values};
use crate::draw::mesh::Mesh;
use crate::frame::Frame;

/// VTK poly-data.
pub(super) const FORMAT: Format = Format {
    name: "vtk",
    about: "poly-lines with all that is known of them, for ParaView: frames.pvd and a .vtp a frame",
    features: &[Feature::Smooth, Feature::Obstacles],
    open: |target| {
        Ok(Box::new(Vtk { solids: Solids::new(target.options.obstacles), target, written: Vec::new() }))
    },
};

struct Vtk {
    target: Target,
    solids: Solids,
    written: Vec<Written>,
}

struct Written {
    time: f64,
    part: usize,
    file: String,
}

impl Exporter for Vtk {
    fn frame(&mut self, index: usize, frame: &Frame) -> Result<(), ExportError> {
        let strands = strands(frame, self.target.options.pieces());
        let written = |part: usize, name: &str| {
            let file = format!("{name}_{index:05}.vtp");
            Written { time: frame.time, part, file }
        };
        self.write(written(0, "frame"), &lines(frame, &strands))?;
        let solids = (self.solids.at(frame), "obstacle");
        let parts = [(1, "obstacles", solids), (2, "sheets", (sheets(frame), "sheet"))];
        for (part, name, (named, number)) in parts {
            if !named.is_empty() {
                let meshes: Vec<Mesh> = named.into_iter().map(|(_, mesh)| mesh).collect();
                self.write(written(part, name), &surfaces(&meshes, number))?;
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), ExportError> {
        self.target.write("frames.pvd", |out| {
            writeln!(out, r#"<VTKFile type="Collection" version="0.1" byte_order="LittleEndian">"#)?;
            writeln!(out, "<Collection>")?;
            for Written { time, part, file } in &self.written {
                writeln!(out, r#"<DataSet timestep="{time}" part="{part}" file="{file}"/>"#)?;
            }
            writeln!(out, "</Collection>\n</VTKFile>")
        })
    }
}

impl Vtk {
    fn write(&mut self, written: Written, data: &PolyData) -> Result<(), ExportError> {
        self.target.write(&written.file, |out| data.write(written.time, out))?;
        self.written.push(written);
        Ok(())
    }
}

/// Numbers with a name.
struct Array {
    name: &'static str,
    kind: &'static str,
    components: usize,
    bytes: Vec<u8>,
}

impl Array {
    fn floats(name: &'static str, values: impl IntoIterator<Item = f32>) -> Self {
        let bytes = values.into_iter().flat_map(f32::to_le_bytes).collect();
        Self { name, kind: "Float32", components: 1, bytes }
    }

    fn vectors(name: &'static str, values: impl IntoIterator<Item = V3>) -> Self {
        Self { components: 3, ..Self::floats(name, values.into_iter().flat_map(|v| v.data.0[0])) }
    }

    fn integers(name: &'static str, values: impl IntoIterator<Item = i64>) -> Self {
        let bytes = values.into_iter().flat_map(i64::to_le_bytes).collect();
        Self { name, kind: "Int64", components: 1, bytes }
    }
}

/// Points and the cells between them.
struct PolyData {
    n_points: usize,
    n_cells: usize,
    /// `Lines` or `Polys`.
    cells: &'static str,
    /// By section: of the points, of the cells, positions, connectivity and ends of the cells.
    arrays: [Vec<Array>; 4],
}

impl PolyData {
    fn write(&self, time: f64, out: &mut dyn Write) -> io::Result<()> {
        let of = |cells| if self.cells == cells { self.n_cells } else { 0 };
        let (n_points, n_lines, n_polys) = (self.n_points, of("Lines"), of("Polys"));
        writeln!(
            out,
            r#"<?xml version="1.0"?>
<VTKFile type="PolyData" version="1.0" byte_order="LittleEndian" header_type="UInt64">
<PolyData>
<FieldData>
<DataArray type="Float64" Name="TimeValue" NumberOfTuples="1" format="ascii">{time}</DataArray>
</FieldData>
<Piece NumberOfPoints="{n_points}" NumberOfVerts="0" NumberOfLines="{n_lines}" NumberOfStrips="0" NumberOfPolys="{n_polys}">"#
        )?;
        let mut offset = 0;
        for (section, arrays) in ["PointData", "CellData", "Points", self.cells].iter().zip(&self.arrays) {
            writeln!(out, "<{section}>")?;
            for Array { name, kind, components, bytes } in arrays {
                writeln!(
                    out,
                    r#"<DataArray type="{kind}" Name="{name}" NumberOfComponents="{components}" format="appended" offset="{offset}"/>"#
                )?;
                offset += size_of::<u64>() + bytes.len();
            }
            writeln!(out, "</{section}>")?;
        }
        write!(out, "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_")?;
        for Array { bytes, .. } in self.arrays.iter().flatten() {
            out.write_all(&(bytes.len() as u64).to_le_bytes())?;
            out.write_all(bytes)?;
        }
        writeln!(out, "\n</AppendedData>\n</VTKFile>")
    }
}

/// The yarns, a line each.
fn lines(frame: &Frame, strands: &[Strand]) -> PolyData {
    let places = || strands.iter().flat_map(|s| &s.places);
    let floats = |name, nodes: &[f32]| Array::floats(name, places().map(|p| p.value(nodes)));
    let rods = &frame.layout.rods;
    let radii = rods.iter().zip(strands).flat_map(|(rod, s)| s.places.iter().map(|_| rod.radius));
    let point_data = vec![
        Array::floats("radius", radii),
        floats("arc", &frame.arc),
        floats("speed", &frame.speed),
        floats("normal_force", &frame.normal_force),
        floats("slide", &frame.slide),
        floats("stretch", &values(frame, ColourMode::Stretch)),
        Array::integers("kind", places().map(|p| frame.kind[p.nearest()] as i64)),
        Array::integers("node", places().map(|p| p.node().map_or(-1, |node| node as i64))),
    ];
    // Single rods are of no fabric.
    let fabric = |f: u32| if f == u32::MAX { -1 } else { i64::from(f) };
    let cell_data = vec![
        Array::integers("rod", 0..strands.len() as i64),
        Array::integers("fabric", rods.iter().map(|rod| fabric(rod.fabric))),
        Array::vectors("colour", rods.iter().map(|rod| V3::from(rod.colour))),
    ];
    let n_points = places().count();
    let ends = strands.iter().scan(0, |end, strand| {
        *end += strand.places.len() as i64;
        Some(*end)
    });
    let cells = vec![Array::integers("connectivity", 0..n_points as i64), Array::integers("offsets", ends)];
    let positions = vec![Array::vectors("position", places().map(|p| p.position))];
    PolyData {
        n_points,
        n_cells: strands.len(),
        cells: "Lines",
        arrays: [point_data, cell_data, positions, cells],
    }
}

/// Meshes, their triangles numbered by mesh.
fn surfaces(meshes: &[Mesh], number: &'static str) -> PolyData {
    let corners: Vec<Unique<_>> = meshes.iter().map(unique_corners).collect();
    let vertices = || corners.iter().flat_map(|c| &c.items);
    let (mut first, mut connectivity, mut owner) = (0, Vec::new(), Vec::new());
    for (k, (mesh, unique)) in meshes.iter().zip(&corners).enumerate() {
        connectivity
            .extend(mesh.triangles.iter().flatten().map(|&i| first + i64::from(unique.of[i as usize])));
        owner.extend(mesh.triangles.iter().map(|_| k as i64));
        first += unique.items.len() as i64;
    }
    let n_cells = owner.len();
    let ends = (1..=n_cells as i64).map(|n| 3 * n);
    PolyData {
        n_points: first as usize,
        n_cells,
        cells: "Polys",
        arrays: [
            vec![Array::vectors("normal", vertices().map(|v| v.1))],
            vec![Array::integers(number, owner)],
            vec![Array::vectors("position", vertices().map(|v| v.0))],
            vec![Array::integers("connectivity", connectivity), Array::integers("offsets", ends)],
        ],
    }
}
