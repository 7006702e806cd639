//! Exports as USD.

use std::fs;
use std::sync::Arc;

use crate::exports::{bent, drawn, export, smooth, text, two_yarns};
use hebra::draw::V3;
use hebra::export::Options;
use hebra::frame::Frame;

/// The two yarns, and half a second later the second of them with one node fewer.
fn changing() -> [Frame; 2] {
    let first = two_yarns();
    let mut second = Frame { time: 0.75, ..first.clone() };
    let layout = Arc::make_mut(&mut second.layout);
    layout.rod_start[2] = 5;
    layout.partner.truncate(5);
    layout.side.truncate(5);
    second.position.truncate(5);
    second.kind.truncate(5);
    for array in [&mut second.arc, &mut second.speed, &mut second.normal_force, &mut second.slide] {
        array.truncate(5);
    }
    [first, second]
}

#[test]
fn usd_has_a_sample_a_frame_and_follows_changes_of_the_nodes() {
    let folder = export(&changing(), "usda", smooth(1));
    let usda = fs::read_to_string(folder.path().join("frames.usda")).unwrap();
    let head = r#"#usda 1.0
(
    defaultPrim = "Cloth"
    metersPerUnit = 1
    upAxis = "Z"
    timeCodesPerSecond = 2
    startTimeCode = 0.5
    endTimeCode = 1.5
)

def Xform "Cloth"
{
    def BasisCurves "Yarns"
    {
        uniform token type = "linear"
        uniform token basis = "bezier"
        uniform token wrap = "nonperiodic"
        point3f[] points.timeSamples = {
            0.5: [(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 0.5, 0), (0, 0.5, -1), (0, 0.5, -4)],
            1.5: [(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 0.5, 0), (0, 0.5, -1)],
        }
        int[] curveVertexCounts
        int[] curveVertexCounts.timeSamples = {
            0.5: [3, 3],
            1.5: [3, 2],
        }
        float[] widths (
            interpolation = "vertex"
        )
        float[] widths.timeSamples = {
            0.5: [0.00025, 0.00025, 0.00025, 0.00025, 0.00025, 0.00025],
            1.5: [0.00025, 0.00025, 0.00025, 0.00025, 0.00025],
        }
"#;
    let found: String = usda.lines().take(head.lines().count()).map(|l| format!("{l}\n")).collect();
    assert_eq!(found, head);
    let colours = "color3f[] primvars:displayColor = [(0.035, 0.11, 0.33), (0.72, 0.66, 0.55)] (\n";
    assert!(usda.contains(colours) && usda.contains("int[] primvars:fabric = [0, 0] (\n"), "{usda}");
    assert!(usda.ends_with("        )\n    }\n}\n"));
}

#[test]
fn usd_has_the_exact_curves() {
    let frame = bent();
    let usda = text(&frame, "usda", Options::default(), "frames.usda");
    assert!(usda.contains("uniform token type = \"cubic\"\n"));
    let attribute = |name: &str| {
        let line = usda.lines().find(|l| l.trim().starts_with(name)).unwrap();
        let list = line.split_once(" = ").unwrap().1;
        list.split(['[', ']', '(', ')', ',', ' ']).filter_map(|n| n.parse::<f32>().ok()).collect::<Vec<_>>()
    };
    let points: Vec<V3> = attribute("point3f[] points").chunks_exact(3).map(V3::from_column_slice).collect();
    let counts = attribute("int[] curveVertexCounts");
    let (drawn, mut first) = (drawn(&frame, 2), 0);
    assert_eq!(counts.len(), drawn.len());
    for (curve, count) in drawn.iter().zip(counts) {
        let spans = &points[first..first + count as usize];
        assert_eq!(spans.len() % 3, 1);
        for (k, span) in spans.windows(4).step_by(3).enumerate() {
            assert!(span[0] == curve[2 * k] && span[3] == curve[2 * k + 2]);
            let middle = (span[0] + (span[1] + span[2]) * 3.0 + span[3]) / 8.0;
            assert!((middle - curve[2 * k + 1]).norm() < 1e-9);
        }
        first += count as usize;
    }
    assert_eq!(first, points.len());
}
