//! Exports of woven patches, read back and compared with what pictures show.

use std::collections::HashMap;
use std::f32::consts::PI;
use std::fs;

use crate::common::woven::Patch;
use crate::exports::*;
use hebra::draw::V3;
use hebra::export::{FORMATS, Options, find};
use hebra::geometry::pose::Pose;
use hebra::model::obstacle::Shape;
use hebra::pattern::weave::Weave;

/// Numbers from the front of some bytes.
fn take<const N: usize, T>(bytes: &mut &[u8], read: fn([u8; N]) -> T) -> T {
    let (head, tail) = bytes.split_first_chunk::<N>().unwrap();
    *bytes = tail;
    read(*head)
}

fn take_vector(bytes: &mut &[u8]) -> V3 {
    V3::from(std::array::from_fn(|_| take(bytes, f32::from_le_bytes)))
}

/// The numbers of a line behind its first word.
fn numbers(line: &str) -> V3 {
    V3::from_iterator(line.split(' ').skip(1).map(|n| n.parse::<f32>().unwrap()))
}

#[test]
fn tables_have_a_row_for_each_node() {
    let frame = Patch::new(Weave::Plain, 3).frame(|x, y| [x, y, 0.0]);
    let csv = text(&frame, "csv", Options::default(), "frame_00000.csv");
    assert_eq!(csv.lines().count(), 1 + frame.position.len());
    let header = "step,time,rod,node,arc,x,y,z,kind,speed,normal_force,slide,stretch";
    assert_eq!(csv.lines().next(), Some(header));
    assert!(csv.lines().nth(2).unwrap().starts_with("7,0.25,0,1,"));
    assert!(csv.lines().all(|row| row.split(',').count() == 13));
}

#[test]
fn binary_curve_collections_are_exact() {
    let mut expected: Vec<u8> = Vec::new();
    expected.extend(b"BCC\x44C0\x03\x02");
    expected.extend(b"\x02\0\0\0\0\0\0\0\x06\0\0\0\0\0\0\0");
    expected.extend(b"hebra, m, step 7, 0.25 s\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    let [zero, one, two] = [b"\0\0\0\0", b"\0\0\x80\x3f", b"\0\0\0\x40"];
    let [half, minus_one, minus_four] = [b"\0\0\0\x3f", b"\0\0\x80\xbf", b"\0\0\x80\xc0"];
    let three = b"\x03\0\0\0";
    expected.extend([three, zero, zero, zero, one, zero, zero, two, zero, zero].into_iter().flatten());
    expected.extend(
        [three, zero, half, zero, zero, half, minus_one, zero, half, minus_four].into_iter().flatten(),
    );
    assert_eq!(bytes(&two_yarns(), "bcc", smooth(1), "frame_00000.bcc"), expected);
}

#[test]
fn binary_curve_collections_hold_the_drawn_curves() {
    let frame = bent();
    let file = bytes(&frame, "bcc", smooth(3), "frame_00000.bcc");
    let expected = drawn(&frame, 3);
    let (header, mut data) = file.split_at(64);
    assert_eq!(u64::from_le_bytes(header[8..16].try_into().unwrap()), 12);
    let n_points = expected.iter().map(Vec::len).sum::<usize>() as u64;
    assert_eq!(u64::from_le_bytes(header[16..24].try_into().unwrap()), n_points);
    for curve in &expected {
        assert_eq!(take(&mut data, i32::from_le_bytes), curve.len() as i32);
        for p in curve {
            assert_eq!(take_vector(&mut data), *p);
        }
    }
    assert!(data.is_empty());
}

#[test]
fn poly_lines_are_objects_with_the_drawn_curves() {
    let frame = bent();
    let obj = text(&frame, "obj", smooth(2), "frame_00000.obj");
    let expected = drawn(&frame, 2);
    let found: Vec<V3> = obj.lines().filter(|l| l.starts_with("v ")).map(numbers).collect();
    assert_eq!(found, expected.concat());
    let objects: Vec<_> = obj.lines().filter(|l| l.starts_with("o ")).collect();
    assert_eq!((objects.len(), objects[11]), (12, "o patch_yarn_11"));
    let mut first = 1;
    for (line, curve) in obj.lines().filter(|l| l.starts_with("l ")).zip(&expected) {
        let indices: Vec<usize> = line.split(' ').skip(1).map(|i| i.parse().unwrap()).collect();
        assert_eq!(indices, (first..first + curve.len()).collect::<Vec<_>>());
        first += curve.len();
    }
}

/// The volume within triangles; every edge must have two, in opposite directions.
fn volume(points: &[V3], triangles: &[[usize; 3]]) -> f32 {
    let mut edges = HashMap::new();
    for [a, b, c] in triangles {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            *edges.entry((from, to)).or_insert(0) += 1;
        }
    }
    for ((from, to), count) in &edges {
        assert_eq!((*count, edges.get(&(*to, *from))), (1, Some(&1)), "edge {from} to {to}");
    }
    let middle = points.iter().sum::<V3>() / points.len() as f32;
    let corner = |i: usize| points[i] - middle;
    triangles.iter().map(|t| corner(t[0]).cross(&corner(t[1])).dot(&corner(t[2])) / 6.0).sum()
}

fn assert_volume_of_a_yarn(found: f32, curve: &[V3]) {
    let length: f32 = curve.windows(2).map(|p| (p[1] - p[0]).norm()).sum();
    let expected = PI * 0.125e-3_f32.powi(2) * length;
    assert!((found / expected - 1.0).abs() < 0.03, "{found} m3 and not {expected} m3");
}

#[test]
fn tubes_are_closed_and_as_thick_as_yarns() {
    let frame = bent();
    let folder = export(std::slice::from_ref(&frame), "obj", Options { tubes: true, ..smooth(6) });
    let obj = fs::read_to_string(folder.path().join("frame_00000.obj")).unwrap();
    let points: Vec<V3> = obj.lines().filter(|l| l.starts_with("v ")).map(numbers).collect();
    let normals: Vec<V3> = obj.lines().filter(|l| l.starts_with("vn ")).map(numbers).collect();
    let objects: Vec<&str> = obj.split("\no ").skip(1).collect();
    let drawn = drawn(&frame, 6);
    assert_eq!(objects.len(), drawn.len());
    for (object, curve) in objects.iter().zip(&drawn) {
        let corner =
            |c: &str| c.split_once("//").map(|(v, n)| [v, n].map(|i| i.parse::<usize>().unwrap() - 1));
        let faces: Vec<[[usize; 2]; 3]> = object
            .lines()
            .filter(|l| l.starts_with("f "))
            .map(|l| l.split(' ').skip(1).map(|c| corner(c).unwrap()).collect::<Vec<_>>().try_into().unwrap())
            .collect();
        assert_volume_of_a_yarn(
            volume(&points, &faces.iter().map(|f| f.map(|c| c[0])).collect::<Vec<_>>()),
            curve,
        );
        for face in &faces {
            let [a, b, c] = face.map(|c| points[c[0]]);
            let outward = (b - a).cross(&(c - a));
            assert!(face.iter().all(|c| outward.dot(&normals[c[1]]) > 0.0));
        }
    }
    let materials = fs::read_to_string(folder.path().join("yarns.mtl")).unwrap();
    assert!(materials.contains("newmtl colour_1\nKd 0.72 0.66 0.55\n"), "{materials}");
    assert!(objects[6].contains("\nusemtl colour_1\n"));
}

#[test]
fn gltf_has_a_closed_tube_of_its_colour_for_each_yarn() {
    let frame = bent();
    let file = gltf::Gltf::from_slice(&bytes(&frame, "gltf", smooth(6), "frame_00000.glb")).unwrap();
    let (blob, drawn) = (file.blob.clone().unwrap(), drawn(&frame, 6));
    let root = file.default_scene().unwrap().nodes().next().unwrap();
    let upright = V3::new(1.0, 2.0, 3.0);
    let turn = nalgebra::Matrix4::from(root.transform().matrix());
    assert!((turn.transform_vector(&upright) - V3::new(1.0, 3.0, -2.0)).norm() < 1e-6);
    let yarns: Vec<_> = root.children().collect();
    assert_eq!((yarns.len(), yarns[11].name()), (12, Some("patch_yarn_11")));
    for (rod, (node, curve)) in yarns.iter().zip(&drawn).enumerate() {
        let primitive = node.mesh().unwrap().primitives().next().unwrap();
        let [r, g, b] = frame.layout.rods[rod].colour;
        let colour = primitive.material().pbr_metallic_roughness().base_color_factor();
        assert_eq!(colour, [r, g, b, 1.0]);
        let reader = primitive.reader(|_| Some(&blob));
        let positions: Vec<V3> = reader.read_positions().unwrap().map(V3::from).collect();
        let normals: Vec<V3> = reader.read_normals().unwrap().map(V3::from).collect();
        assert!(normals.len() == positions.len() && normals.iter().all(|n| (n.norm() - 1.0).abs() < 1e-4));
        let indices: Vec<usize> = reader.read_indices().unwrap().into_u32().map(|i| i as usize).collect();
        // Ends have corners of their own, for the sake of their normals.
        let mut first = HashMap::new();
        let mut welded = |i: usize| *first.entry(positions[i].map(f32::to_bits)).or_insert(i);
        let triangles: Vec<_> =
            indices.chunks_exact(3).map(|t| [welded(t[0]), welded(t[1]), welded(t[2])]).collect();
        assert_volume_of_a_yarn(volume(&positions, &triangles), curve);
        let (low, high) = (primitive.bounding_box().min, primitive.bounding_box().max);
        assert!(positions.iter().all(|p| (0..3).all(|k| low[k] <= p[k] && p[k] <= high[k])));
    }
}

/// The bytes of an array of a VTK file.
fn array<'a>(file: &'a [u8], name: &str) -> &'a [u8] {
    let start = file.windows(15).position(|w| w == b"encoding=\"raw\">").unwrap();
    let (xml, raw) = (String::from_utf8_lossy(&file[..start]), &file[start + 17..]);
    let line = xml.lines().find(|l| l.contains(&format!("Name=\"{name}\""))).unwrap();
    let offset: usize = line.split("offset=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
    let length = u64::from_le_bytes(raw[offset..offset + 8].try_into().unwrap()) as usize;
    &raw[offset + 8..][..length]
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect()
}

fn integers(bytes: &[u8]) -> Vec<i64> {
    bytes.chunks_exact(8).map(|b| i64::from_le_bytes(b.try_into().unwrap())).collect()
}

#[test]
fn vtk_has_the_curves_with_what_is_known_of_them() {
    let frame = bent();
    let file = bytes(&frame, "vtk", smooth(2), "frame_00000.vtp");
    let expected = drawn(&frame, 2);
    let n = expected.concat().len();
    let points: Vec<V3> =
        floats(array(&file, "position")).chunks_exact(3).map(V3::from_column_slice).collect();
    assert_eq!(points, expected.concat());
    assert_eq!(integers(array(&file, "connectivity")), (0..n as i64).collect::<Vec<_>>());
    let ends = (1..=12).map(|k| (k * expected[0].len()) as i64).collect::<Vec<_>>();
    assert_eq!(integers(array(&file, "offsets")), ends);
    let (nodes, arcs, kinds) =
        (integers(array(&file, "node")), floats(array(&file, "arc")), integers(array(&file, "kind")));
    for k in (0..n).filter(|&k| nodes[k] >= 0) {
        let node = nodes[k] as usize;
        assert!(arcs[k] == frame.arc[node] && kinds[k] == frame.kind[node] as i64);
    }
    let of_nodes: Vec<i64> = nodes.iter().copied().filter(|node| *node >= 0).collect();
    assert_eq!(of_nodes, (0..frame.position.len() as i64).collect::<Vec<_>>());
    assert_eq!(arcs[1], 0.5 * (frame.arc[0] + frame.arc[1]));
    assert_eq!(integers(array(&file, "rod")), (0..12).collect::<Vec<_>>());
    assert!(floats(array(&file, "radius")).iter().all(|r| *r == 0.125e-3));
}

#[test]
fn obstacles_move_and_keep_their_shape() {
    let pose = |x: f64| Pose::new([x, 0.0, -0.01].into(), [0.0, 0.4, 0.0].into());
    let mut patch = Patch::new(Weave::Plain, 2);
    patch.obstacles = vec![(Shape::Sphere { radius: 0.01 }, pose(0.0)), (Shape::Plane, pose(0.0))];
    let first = patch.frame(|x, y| [x, y, 0.0]);
    // The yarns move too, so that the plane would be drawn larger.
    let mut second = patch.frame(|x, y| [x + 0.1, y, 0.0]);
    (second.time, second.poses) = (0.5, vec![pose(0.02), pose(0.02)]);
    let options = Options { obstacles: true, ..smooth(1) };
    let frames = [first, second];
    let folder = export(&frames, "vtk", options);
    let points = |file: &str| {
        let bytes = fs::read(folder.path().join(file)).unwrap();
        floats(array(&bytes, "position")).chunks_exact(3).map(V3::from_column_slice).collect::<Vec<_>>()
    };
    let (before, after) = (points("obstacles_00000.vtp"), points("obstacles_00001.vtp"));
    assert_eq!(before.len(), after.len());
    for (p, q) in before.iter().zip(&after) {
        assert!((q - p - V3::new(0.02, 0.0, 0.0)).norm() < 1e-6, "{p} to {q}");
    }
    let on_the_ball = |p: &&V3| ((*p - V3::new(0.0, 0.0, -0.01)).norm() - 0.01).abs() < 1e-6;
    assert!(before.iter().take_while(on_the_ball).count() > 1000);
    let index = fs::read_to_string(folder.path().join("frames.pvd")).unwrap();
    assert!(index.contains("<DataSet timestep=\"0.5\" part=\"1\" file=\"obstacles_00001.vtp\"/>"), "{index}");
    let usda = fs::read_to_string(export(&frames, "usda", options).path().join("frames.usda")).unwrap();
    assert_eq!(usda.matches("def Mesh \"obstacle_").count(), 2);
    assert!(usda.contains("            1: (0, 0, -0.01),\n            2: (0.02, 0, -0.01),\n"), "{usda}");
}

#[test]
fn formats_have_names_of_their_own_and_say_what_they_cannot() {
    let mut names: Vec<_> = FORMATS.iter().map(|f| f.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), FORMATS.len());
    let refused = find("vtk").unwrap().check(&Options { tubes: true, ..Options::default() }).unwrap_err();
    assert_eq!(refused.to_string(), "vtk has no tubes; these have: obj, gltf");
    assert!(find("fbx").is_none());
}
