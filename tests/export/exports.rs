//! Exports of a few yarns, shared by the tests of the formats.

use std::fs;
use std::sync::Arc;

use hebra::draw::V3;
use hebra::draw::curve::curves;
use hebra::export::{Options, Target, find};
use hebra::frame::Frame;
use hebra::pattern::weave::Weave;

use crate::common::woven::Patch;

/// A folder with an export of some frames.
pub(crate) fn export(frames: &[Frame], format: &str, options: Options) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let times = frames.iter().map(|f| f.time).collect();
    let target = Target { folder: folder.path().into(), times, options };
    let mut exporter = find(format).unwrap().open(target).unwrap();
    for (index, frame) in frames.iter().enumerate() {
        exporter.frame(index, frame).unwrap();
    }
    exporter.finish().unwrap();
    folder
}

/// The bytes of a file of an export of one frame.
pub(crate) fn bytes(frame: &Frame, format: &str, options: Options, file: &str) -> Vec<u8> {
    fs::read(export(std::slice::from_ref(frame), format, options).path().join(file)).unwrap()
}

/// The text of a file of an export of one frame.
pub(crate) fn text(frame: &Frame, format: &str, options: Options, file: &str) -> String {
    String::from_utf8(bytes(frame, format, options, file)).unwrap()
}

/// So many pieces from node to node.
pub(crate) fn smooth(pieces: usize) -> Options {
    Options { smooth: Some(pieces), ..Options::default() }
}

/// A patch bent over a ridge.
pub(crate) fn bent() -> Frame {
    Patch::new(Weave::Twill { over: 1, under: 2 }, 6).frame(|x, y| [x, y, -40.0 * x * x])
}

/// Two yarns of three nodes each that do not touch: what is drawn is what was simulated.
pub(crate) fn two_yarns() -> Frame {
    let mut frame = Patch::new(Weave::Plain, 1).frame(|x, y| [x, y, 0.0]);
    let layout = Arc::make_mut(&mut frame.layout);
    layout.partner.fill(u32::MAX);
    layout.side.fill(0);
    frame.position = vec![
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [2.0, 0.0, 0.0],
        [0.0, 0.5, 0.0],
        [0.0, 0.5, -1.0],
        [0.0, 0.5, -4.0],
    ];
    frame
}

/// Points of the drawn curves of all yarns, in some pieces from node to node.
pub(crate) fn drawn(frame: &Frame, pieces: usize) -> Vec<Vec<V3>> {
    let points = |curve: &hebra::draw::curve::Curve| {
        let at = |k: usize| {
            curve.at((k / pieces).min(curve.n_segments() - 1), (k % pieces) as f32 / pieces as f32).0
        };
        let mut points: Vec<V3> = (0..pieces * curve.n_segments()).map(at).collect();
        points.push(*curve.points.last().unwrap());
        points
    };
    curves(frame).iter().map(points).collect()
}
