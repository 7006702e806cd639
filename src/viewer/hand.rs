//! Pulling at a yarn with the mouse.

use crate::draw::V3;
use crate::draw::camera::View;
use crate::draw::nodes::rod_nodes;
use crate::frame::Frame;

use super::look::Look;
use super::source::Pull;

/// Pixels beside a yarn that still mean it.
const REACH: f32 = 10.0;

/// A place on a yarn that is held, in the plane before the eye that it was in when it was taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Hand {
    rod: usize,
    arc: f32,
    depth: f32,
}

impl Hand {
    /// Takes the yarn at a point of the window, pixels; none if there is none near it.
    pub(super) fn take(frame: &Frame, look: &Look, view: &View, at: [f32; 2]) -> Option<Self> {
        let (rod, node) = pick(frame, look, view, at)?;
        Some(Self { rod, arc: frame.arc[node], depth: view.depth(frame.position[node].into()) })
    }

    /// The node of a frame that is held: nodes come and go along a yarn.
    pub(super) fn node(&self, frame: &Frame) -> Option<usize> {
        let distance = |i: &usize| (frame.arc[*i] - self.arc).abs();
        rod_nodes(&frame.layout, self.rod).min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }

    /// The pull of the hand when the mouse is at a point of the window, pixels.
    pub(super) fn pull(&self, view: &View, at: [f32; 2], strength: f64) -> Pull {
        let (rod, arc) = (self.rod as u32, f64::from(self.arc));
        Pull { rod, arc, target: self.target(view, at), strength }
    }

    /// Where the hand is, m, when the mouse is at a point of the window, pixels.
    fn target(&self, view: &View, [x, y]: [f32; 2]) -> [f64; 3] {
        view.unproject([x, y, 1.0 / self.depth]).map(f64::from).into()
    }
}

/// The foremost yarn at a point of the window, pixels, or else the nearest one, and its node there.
fn pick(frame: &Frame, look: &Look, view: &View, at: [f32; 2]) -> Option<(usize, usize)> {
    // Not on a yarn, distance, depth: less is better.
    let mut best: Option<((bool, f32), (usize, usize))> = None;
    for (rod, info) in frame.layout.rods.iter().enumerate().filter(|(_, info)| !look.hides(info.fabric)) {
        let nodes = rod_nodes(&frame.layout, rod);
        for i in nodes.start..nodes.end.saturating_sub(1) {
            let ends = [i, i + 1].map(|k| V3::from(frame.position[k]));
            let Some((distance, t, depth)) = beside(ends, view, at) else { continue };
            let radius = info.radius * view.focal / depth;
            if distance > radius.max(REACH) {
                continue;
            }
            let is_off = distance > radius;
            let score = (is_off, if is_off { distance } else { depth });
            if best.is_none_or(|(found, _)| score < found) {
                best = Some((score, (rod, if t < 0.5 { i } else { i + 1 })));
            }
        }
    }
    best.map(|(_, found)| found)
}

/// Distance, pixels, from a point to a segment's picture, where along it, and how far from the eye, m.
fn beside(ends: [V3; 2], view: &View, at: [f32; 2]) -> Option<(f32, f32, f32)> {
    let depths = ends.map(|p| view.depth(p));
    // NaN is not before the eye either.
    if !depths.iter().all(|d| *d > view.near) {
        return None;
    }
    let [a, b] = ends.map(|p| view.project(p)).map(|[x, y, _]| nalgebra::Vector2::new(x, y));
    let (along, to) = (b - a, nalgebra::Vector2::from(at) - a);
    let t = (to.dot(&along) / along.norm_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
    Some(((to - along * t).norm(), t, depths[0] + (depths[1] - depths[0]) * t))
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use super::*;
    use crate::frame::Camera;
    use crate::scene::{build::build, parse::parse, source::Source};
    use crate::viewer::ViewOptions;

    const SCENE: &str = "(rods: [
        (points: [(-0.2, 0, 0), (0.2, 0, 0)], segments: 2),
        (points: [(-0.2, 0, -0.1), (0.2, 0, -0.1)], segments: 2),
    ])";

    /// Two yarns along `x`, the second one `0.1` m below the first, seen from above at a metre.
    fn scene() -> (Frame, Look, View) {
        let scene = parse(&Source::new(Path::new("two.ron"), SCENE.into())).unwrap();
        let mut frame = build(&scene).map_err(|problems| problems.len()).unwrap().simulation.frame();
        let layout = Arc::make_mut(&mut frame.layout);
        layout.fabrics = vec!["upper".into()];
        layout.rods[0].fabric = 0;
        layout.rods.iter_mut().for_each(|rod| rod.radius = 0.02);
        let look = Look::new(layout, &ViewOptions::default());
        let camera =
            Camera { eye: [0.0, 0.0, 1.0], target: [0.0; 3], up: [0.0, 1.0, 0.0], field_of_view: 53.13 };
        (frame, look, View::new(&camera, [400, 400]))
    }

    #[test]
    fn the_foremost_yarn_under_the_mouse_is_taken_at_its_nearest_node() {
        let (frame, mut look, view) = scene();
        let take = |look: &Look, at| Hand::take(&frame, look, &view, at).and_then(|hand| hand.node(&frame));
        assert_eq!(take(&look, [200.0, 203.0]), Some(1));
        assert_eq!(take(&look, [270.0, 197.0]), Some(2));
        assert_eq!(take(&look, [200.0, 209.0]), Some(1), "a little beside it");
        assert_eq!(take(&look, [200.0, 240.0]), None);
        look.hidden[0] = true;
        assert_eq!(take(&look, [200.0, 200.0]), Some(4));
        look.hidden[1] = true;
        assert_eq!(take(&look, [200.0, 200.0]), None);
    }

    #[test]
    fn the_hand_moves_in_its_plane() {
        let (frame, look, view) = scene();
        let hand = Hand::take(&frame, &look, &view, [200.0, 200.0]).unwrap();
        // 200 pixels are half a metre at a distance of one.
        let target = hand.target(&view, [280.0, 160.0]);
        for (found, expected) in target.into_iter().zip([0.2, 0.1, 0.0]) {
            assert!((found - expected).abs() < 1e-3, "{target:?}");
        }
    }
}
