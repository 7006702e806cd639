//! Woven patches that no simulation has touched, for pictures and exports.

use std::sync::Arc;

use hebra::frame::{Frame, Layout, ObstacleInfo, RodInfo};
use hebra::geometry::pose::Pose;
use hebra::model::obstacle::Shape;
use hebra::model::yarns::NodeKind;
use hebra::pattern::weave::Weave;

/// A square patch: as many warps as wefts.
pub(crate) struct Patch {
    pub(crate) weave: Weave,
    pub(crate) yarns: usize,
    /// m
    pub(crate) pitch: f64,
    /// m
    pub(crate) radius: f64,
    pub(crate) obstacles: Vec<(Shape, Pose)>,
}

impl Patch {
    pub(crate) fn new(weave: Weave, yarns: usize) -> Self {
        Self { weave, yarns, pitch: 0.5e-3, radius: 0.125e-3, obstacles: Vec::new() }
    }

    pub(crate) fn half_width(&self) -> f64 {
        0.5 * self.yarns as f64 * self.pitch
    }

    /// The frame of the patch with its middle surface where `shape` takes the plane.
    pub(crate) fn frame(&self, shape: impl Fn(f64, f64) -> [f64; 3]) -> Frame {
        let nodes = self.yarns + 2;
        let n = 2 * self.yarns * nodes;
        let mut frame = self.empty(n);
        for rod in 0..2 * self.yarns {
            for k in 0..nodes {
                let along = (k as f64 - 0.5).clamp(0.0, self.yarns as f64) * self.pitch;
                let across = ((rod % self.yarns) as f64 + 0.5) * self.pitch - self.half_width();
                let s = along - self.half_width();
                let (x, y) = if rod < self.yarns { (across, s) } else { (s, across) };
                let p = shape(x, y);
                frame.position.push(p.map(|v| v as f32));
                frame.arc.push(along as f32);
                frame.speed.push((p[2].abs() * 3.0) as f32);
                frame.normal_force.push((1e-3 * (x * x + y * y).sqrt() / self.half_width()) as f32);
                frame.slide.push((1e-5 * x / self.half_width()) as f32);
                let end = k == 0 || k + 1 == nodes;
                frame.kind.push(if end { NodeKind::Lagrangian } else { NodeKind::EolIntra });
            }
        }
        frame
    }

    fn empty(&self, n_nodes: usize) -> Frame {
        let (y, nodes) = (self.yarns, self.yarns + 2);
        let draft = self.weave.draft().unwrap();
        let mut partner = vec![u32::MAX; n_nodes];
        let mut side = vec![0; n_nodes];
        for (warp, weft) in (0..y).flat_map(|i| (0..y).map(move |j| (i, j))) {
            let (a, b) = (warp * nodes + weft + 1, (y + weft) * nodes + warp + 1);
            (partner[a], partner[b]) = (b as u32, a as u32);
            // Warps run along y and wefts along x: the contact's normal points down.
            let above = draft.warp_on_top(warp, weft);
            (side[a], side[b]) = if above { (-1, 1) } else { (1, -1) };
        }
        let rod = |r: usize| RodInfo {
            fabric: 0,
            radius: self.radius as f32,
            offset: 0.0,
            colour: if r < y { [0.035, 0.11, 0.33] } else { [0.72, 0.66, 0.55] },
        };
        let layout = Layout {
            scene: "patch".into(),
            fabrics: vec!["patch".into()],
            rods: (0..2 * y).map(rod).collect(),
            rod_start: (0..=2 * y).map(|r| (r * nodes) as u32).collect(),
            partner,
            side,
            length: vec![(y as f64 * self.pitch) as f32; 2 * y],
            sheets: Vec::new(),
            obstacles: self
                .obstacles
                .iter()
                .map(|(s, _)| ObstacleInfo { name: String::new(), shape: s.clone(), mesh: None })
                .collect(),
            camera: None,
        };
        let poses = self.obstacles.iter().map(|(_, p)| *p).collect();
        let empty = || Vec::with_capacity(n_nodes);
        Frame {
            layout: Arc::new(layout),
            step: 7,
            time: 0.25,
            position: Vec::with_capacity(n_nodes),
            arc: empty(),
            kind: Vec::with_capacity(n_nodes),
            speed: empty(),
            normal_force: empty(),
            slide: empty(),
            held: vec![false; n_nodes],
            sewn: vec![false; n_nodes],
            forces: Vec::new(),
            poses,
            vertices: Vec::new(),
            vertex_speed: Vec::new(),
        }
    }
}

/// A tablecloth over a ball of a radius whose top is at the origin: folds grow where it leaves the ball.
pub(crate) fn drape(radius: f64) -> impl Fn(f64, f64) -> [f64; 3] {
    move |x, y| {
        let (rho, phi) = ((x * x + y * y).sqrt(), y.atan2(x));
        let leave = 1.1 * radius;
        let angle = (rho / radius).min(leave / radius);
        let beyond = (rho - leave).max(0.0);
        let fold = 0.2 * beyond * (1.3 + (8.0 * phi).cos()) * (1.0 - (-3.0 * beyond / radius).exp());
        let out = radius * angle.sin() + beyond * angle.cos() * (-1.2 * beyond / radius).exp() + fold;
        let down =
            radius * (1.0 - angle.cos()) + beyond * (0.9 + 0.1 * (-beyond / radius).exp()) * angle.sin();
        [out * phi.cos(), out * phi.sin(), -down]
    }
}
