//! Meshes from OBJ, STL and OFF files.

use std::io::Cursor;
use std::path::Path;

use super::{Mesh, MeshError};
use crate::input::{MOST_MESH, read as read_bytes};

const NOT_FINITE: &str = "a vertex is not at a finite place";

/// Reads a mesh; the format follows from the file's ending: `.obj`, `.stl` (ASCII or binary) or `.off`.
/// Polygons are cut into triangles, and vertices at exactly the same place are made one.
///
/// # Errors
/// When the file cannot be read, is of an unknown kind, malformed, or holds no triangle.
pub fn read(file: &Path) -> Result<Mesh, MeshError> {
    let ending = file.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    let parse = match ending.as_str() {
        "obj" => obj,
        "stl" => stl,
        "off" => off,
        _ => return Err(MeshError::UnknownFormat { file: file.into() }),
    };
    let bytes = read_bytes(file, MOST_MESH)
        .map_err(|e| MeshError::Read { file: file.into(), reason: e.to_string() })?;
    let mesh =
        parse(&bytes).map_err(|(line, message)| MeshError::Malformed { file: file.into(), line, message })?;
    let malformed = |message: String| MeshError::Malformed { file: file.into(), line: None, message };
    if let Some(bad) = mesh.triangles.iter().flatten().find(|&&v| v as usize >= mesh.vertices.len()) {
        return Err(malformed(format!("a face names vertex {bad} of {}", mesh.vertices.len())));
    }
    if mesh.vertices.iter().flatten().any(|c| !c.is_finite()) {
        return Err(malformed(NOT_FINITE.into()));
    }
    if mesh.triangles.is_empty() { Err(malformed("no face in it".into())) } else { Ok(mesh.welded()) }
}

type Parsed = Result<Mesh, (Option<usize>, String)>;

fn obj(bytes: &[u8]) -> Parsed {
    if let Some(line) = bytes.split(|b| *b == b'\n').position(is_nowhere) {
        return Err((Some(line + 1), NOT_FINITE.into()));
    }
    load_obj(bytes).map_err(|why| (Some(refused_line(bytes)), format!("not an OBJ file: {why}")))
}

/// Whether a line of an OBJ file is a vertex that is not at a finite place.
fn is_nowhere(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line);
    let mut words = text.split_whitespace();
    words.next() == Some("v") && words.any(|w| w.parse::<f64>().is_ok_and(|c| !c.is_finite()))
}

/// The first line that makes an OBJ file unreadable; the library does not tell it.
fn refused_line(bytes: &[u8]) -> usize {
    let breaks = bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at + 1);
    let ends: Vec<usize> = breaks.collect();
    ends.partition_point(|&end| load_obj(&bytes[..end]).is_ok()) + 1
}

fn load_obj(bytes: &[u8]) -> Result<Mesh, String> {
    let options = tobj::LoadOptions {
        triangulate: true,
        ignore_points: true,
        ignore_lines: true,
        ..Default::default()
    };
    // Materials are of no interest: those that a file names count as empty.
    let loaded =
        tobj::load_obj_buf(&mut Cursor::new(bytes), &options, |_| Ok((Vec::new(), Default::default())));
    let (models, _) = loaded.map_err(|e| e.to_string())?;
    let mut mesh = Mesh::default();
    for model in models {
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend(model.mesh.positions.as_chunks::<3>().0);
        mesh.triangles.extend(model.mesh.indices.as_chunks::<3>().0.iter().map(|t| t.map(|v| v + first)));
    }
    Ok(mesh)
}

fn stl(bytes: &[u8]) -> Parsed {
    let read =
        stl_io::read_stl(&mut Cursor::new(bytes)).map_err(|e| (None, format!("not an STL file: {e}")))?;
    let vertices = read.vertices.iter().map(|v| [0, 1, 2].map(|k| f64::from(v[k]))).collect();
    let triangles = read.faces.iter().map(|f| f.vertices.map(|v| v as u32)).collect();
    Ok(Mesh { vertices, triangles })
}

/// The words of an OFF file with their lines, comments left out.
struct Words<'a> {
    words: std::vec::IntoIter<(usize, &'a str)>,
    line: usize,
}

impl<'a> Words<'a> {
    fn new(text: &'a str) -> Self {
        let words = (1..).zip(text.lines()).flat_map(|(number, line)| {
            let code = line.split('#').next().unwrap_or_default();
            code.split_whitespace().map(move |word| (number, word))
        });
        Self { words: words.collect::<Vec<_>>().into_iter(), line: 1 }
    }

    fn next<T: std::str::FromStr>(&mut self, what: &str) -> Result<T, (Option<usize>, String)> {
        let Some((line, word)) = self.words.next() else {
            return Err((Some(self.line), format!("the file ends where {what} is expected")));
        };
        self.line = line;
        word.parse().map_err(|_| (Some(line), format!("`{word}` is not {what}")))
    }

    /// Leaves out what is left on the line of the last word.
    fn end_line(&mut self) {
        while self.words.as_slice().first().is_some_and(|(line, _)| *line == self.line) {
            self.words.next();
        }
    }
}

fn off(bytes: &[u8]) -> Parsed {
    let text = std::str::from_utf8(bytes).map_err(|_| (None, "not a text; binary OFF is not read".into()))?;
    let mut words = Words::new(text);
    let keyword: String = words.next("`OFF`")?;
    if keyword != "OFF" {
        return Err((Some(words.line), format!("`{keyword}` where `OFF` is expected")));
    }
    let (n_vertices, n_faces) =
        (words.next::<usize>("the number of vertices")?, words.next::<usize>("the number of faces")?);
    let _edges: usize = words.next("the number of edges")?;
    let mut mesh = Mesh::default();
    for _ in 0..n_vertices {
        mesh.vertices.push([words.next("an x")?, words.next("a y")?, words.next("a z")?]);
        words.end_line();
    }
    for _ in 0..n_faces {
        let corners: usize = words.next("a number of corners")?;
        let mut face = Vec::with_capacity(corners.min(16));
        for _ in 0..corners {
            let v: u32 = words.next("a vertex")?;
            if v as usize >= n_vertices {
                return Err((
                    Some(words.line),
                    format!("vertex {v}; there are {n_vertices}, counted from 0"),
                ));
            }
            face.push(v);
        }
        words.end_line();
        mesh.triangles.extend(face.windows(2).skip(1).map(|w| [face[0], w[0], w[1]]));
    }
    Ok(mesh)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const OBJ: &str = "# a square and a roof\nmtllib none.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\n\
                       usemtl red\nf 1//1 2//1 3//1 4//1\no roof\nv 0.5 0.5 1\nf 1 2 5\n";
    const OFF: &str =
        "OFF # header\n5 2 0\n0 0 0\n1 0 0 255 0 0\n1 1 0\n0 1 0\n0.5 0.5 1\n4 0 1 2 3 0.5\n3 0 1 4\n";
    const STL: &str = "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nendloop\n\
                       endfacet\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 1 0\nvertex 0 1 0\nendloop\n\
                       endfacet\nendsolid s\n";

    fn read_text(name: &str, bytes: &[u8]) -> Result<Mesh, MeshError> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(name);
        fs::write(&file, bytes).unwrap();
        read(&file)
    }

    #[test]
    fn every_format_gives_the_same_square() {
        let obj = read_text("a.obj", OBJ.as_bytes()).unwrap();
        assert_eq!((obj.vertices.len(), obj.triangles.len()), (5, 3));
        assert_eq!(read_text("a.OFF", OFF.as_bytes()).unwrap(), obj);
        let ascii = read_text("a.stl", STL.as_bytes()).unwrap();
        assert_eq!((ascii.vertices.len(), &ascii.triangles[..]), (4, &obj.triangles[..2]));
        let mut binary = vec![0u8; 80];
        binary.extend(2u32.to_le_bytes());
        for t in &ascii.triangles {
            let corners = t.map(|v| ascii.vertices[v as usize]);
            let floats = [[0.0, 0.0, 1.0]].into_iter().chain(corners).flatten();
            binary.extend(floats.flat_map(|c| (c as f32).to_le_bytes()));
            binary.extend([0, 0]);
        }
        assert_eq!(read_text("b.stl", &binary).unwrap(), ascii);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let message = |name: &str, text: &str| read_text(name, text.as_bytes()).unwrap_err().to_string();
        assert!(
            message("a.off", &OFF.replace("3 0 1 4", "3 0 1 9"))
                .ends_with("a.off:9: vertex 9; there are 5, counted from 0")
        );
        assert!(message("a.off", &OFF.replace("1 1 0", "1 x 0")).contains(":5: `x` is not a y"));
        assert!(message("a.off", "OFF\n1 0 0\n0 0").contains("the file ends where a z is expected"));
        assert!(message("a.obj", "f 1 2 3\n").contains("a.obj:1: not an OBJ file"));
        let obj = [("f 1 2 5", "f 1 2 9", 12), ("v 1 1 0", "v 1 x 0", 5)];
        for (from, to, line) in obj {
            let found = message("a.obj", &OBJ.replace(from, to));
            assert!(found.contains(&format!("a.obj:{line}: not an OBJ file: ")), "{to}: {found}");
        }
        assert!(
            message("a.obj", &OBJ.replace("0.5 0.5 1", "0.5 nan 1")).contains("a.obj:11: a vertex is not at")
        );
        assert!(message("a.obj", "v 0 0 0\n").contains("no face in it"));
        assert!(message("a.stl", "solid s\nfacet\n").contains("not an STL file"));
        assert!(message("a.ply", "").contains("unknown kind of mesh"));
    }
}
