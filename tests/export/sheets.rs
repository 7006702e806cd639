//! Cloth of triangles and animated bodies in exports.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::common::woven::Patch;
use hebra::export::{Options, Target, find};
use hebra::frame::{Frame, ObstacleInfo, SheetInfo};
use hebra::geometry::Vec3;
use hebra::geometry::pose::Pose;
use hebra::geometry::triangle::RestTriangle;
use hebra::model::obstacle::{MeshSequence, Shape};
use hebra::pattern::weave::Weave;

/// Two frames of a patch, of a sheet of two triangles that rises, and of a tetrahedron that grows.
fn frames() -> [Frame; 2] {
    [0.0f32, 1.0].map(|time| {
        let mut frame = Patch::new(Weave::Plain, 2).frame(|x, y| [x, y, 0.0]);
        let layout = Arc::make_mut(&mut frame.layout);
        layout.sheets = vec![SheetInfo {
            name: "a smock".into(),
            thickness: 0.01,
            colour: [0.25, 0.5, 0.75],
            vertices: 0..4,
            triangles: vec![[0, 1, 2], [0, 2, 3]],
            rest: [[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]], [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0]]]
                .map(|corners| RestTriangle::new(corners).unwrap())
                .to_vec(),
        }];
        let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let larger = corners.map(|x: [f64; 3]| x.map(|c| 2.0 * c)).to_vec();
        layout.obstacles = vec![ObstacleInfo {
            name: "body".into(),
            shape: Shape::Mesh { files: Vec::new(), every: 1.0, scale: 1.0 },
            mesh: Some(MeshSequence {
                triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
                frames: vec![corners.to_vec(), larger],
                every: 1.0,
            }),
        }];
        frame.vertices =
            vec![[0.0, 0.0, 5.0 + time], [1.0, 0.0, 5.0], [1.0, 1.0, 5.0 + time], [0.0, 1.0, 5.0]];
        frame.vertex_speed = vec![0.0, 0.5, 2.0, 0.5];
        frame.poses = vec![Pose::new(Vec3::zeros(), Vec3::zeros())];
        frame.time = f64::from(time);
        frame
    })
}

fn export(format: &str, options: Options) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let target = Target { folder: folder.path().into(), times: vec![0.0, 1.0], options };
    let mut exporter = find(format).unwrap().open(target).unwrap();
    for (index, frame) in frames().iter().enumerate() {
        exporter.frame(index, frame).unwrap();
    }
    exporter.finish().unwrap();
    folder
}

fn text(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join(file)).unwrap()
}

fn with_obstacles() -> Options {
    Options { obstacles: true, ..Options::default() }
}

#[test]
fn obj_has_sheets_and_bodies_as_they_are_in_the_frame() {
    let folder = export("obj", Options { tubes: true, ..with_obstacles() });
    let second = text(folder.path(), "frame_00001.obj");
    let sheet = second.split("o sheet_0_a_smock\n").nth(1).unwrap();
    assert!(sheet.contains("\nv 0 0 6\nv 1 0 5\nv 1 1 6\nv 0 1 5\n"), "{sheet}");
    let colour = sheet.lines().next().unwrap().strip_prefix("usemtl ").unwrap();
    assert!(text(folder.path(), "yarns.mtl").contains(&format!("newmtl {colour}\nKd 0.25 0.5 0.75\n")));
    let body = second.split("o obstacle_0_body\n").nth(1).unwrap();
    assert!(body.contains("v 2 0 0\n") && !body.contains("v 1 0 0\n"), "{body}");
    assert_eq!(body.lines().filter(|l| l.starts_with("f ")).count(), 4);
}

#[test]
fn csv_has_the_vertices_after_the_nodes() {
    let folder = export("csv", Options::default());
    let table = text(folder.path(), "frame_00001.csv");
    let (rods, columns) = (frames()[1].layout.rods.len(), table.lines().next().unwrap().split(',').count());
    let vertices: Vec<&str> = table.lines().filter(|row| row.contains(",vertex,")).collect();
    assert_eq!(vertices.len(), 4);
    // It rises by one over a length of one along both sides: stretched by root 3 down the slope.
    let (known, stretch) = vertices[2].rsplit_once(',').unwrap();
    assert!(known.ends_with(&format!(",1,{rods},2,,1,1,6,vertex,2,,")), "{known}");
    assert!((stretch.parse::<f32>().unwrap() - (3f32.sqrt() - 1.0)).abs() < 1e-6, "{stretch}");
    assert!(table.lines().all(|row| row.split(',').count() == columns), "{table}");
    assert_eq!(table.lines().count(), 1 + frames()[1].position.len() + 4);
}

#[test]
fn usd_has_a_sample_a_frame() {
    let folder = export("usda", with_obstacles());
    let usd = text(folder.path(), "frames.usda");
    let sheet = usd.split("def Mesh \"sheet_0_a_smock\"").nth(1).unwrap();
    assert!(sheet.contains("int[] faceVertexIndices = [0, 1, 2, 0, 2, 3]"), "{sheet}");
    assert!(sheet.contains("0: [(0, 0, 5), (1, 0, 5), (1, 1, 5), (0, 1, 5)],"), "{sheet}");
    assert!(sheet.contains("1: [(0, 0, 6), (1, 0, 5), (1, 1, 6), (0, 1, 5)],"), "{sheet}");
    let body = usd.split("def Mesh \"obstacle_0_body\"").nth(1).unwrap();
    assert!(body.contains("1: [(0, 0, 0), (2, 0, 0), (0, 2, 0), (0, 0, 2)],"), "{body}");
    assert!(!text(export("usda", Options::default()).path(), "frames.usda").contains("obstacle_0"));
}

#[test]
fn gltf_and_vtk_have_the_sheet() {
    let folder = export("gltf", Options::default());
    let bytes = fs::read(folder.path().join("frame_00001.glb")).unwrap();
    let gltf = String::from_utf8_lossy(&bytes);
    assert!(gltf.contains("\"sheet_0_a_smock\"") && gltf.contains("[0.25,0.5,0.75,1.0]"));
    let folder = export("vtk", with_obstacles());
    let files = text(folder.path(), "frames.pvd");
    for file in ["sheets_00001.vtp", "obstacles_00001.vtp"] {
        assert!(files.contains(&format!("file=\"{file}\"")), "{files}");
    }
    let bytes = fs::read(folder.path().join("sheets_00001.vtp")).unwrap();
    let vtp = String::from_utf8_lossy(&bytes);
    assert!(vtp.contains("NumberOfPoints=\"4\"") && vtp.contains("NumberOfPolys=\"2\""));
    let corner: Vec<u8> = [0.0f32, 0.0, 6.0, 1.0, 0.0, 5.0].into_iter().flat_map(f32::to_le_bytes).collect();
    assert!(bytes.windows(corner.len()).any(|w| w == corner), "the positions of the second frame");
}
