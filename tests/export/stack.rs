//! Layers of plain weave on one another, as a simulation of sliding layers leaves them: all in one surface,
//! with a contact wherever yarns of neighbouring layers cross.

use std::collections::HashMap;
use std::sync::Arc;

use hebra::frame::{Frame, Layout, RodInfo};
use hebra::model::yarns::NodeKind;

/// A layer of the stack: how it is moved, m, and turned, rad, in the common plane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layer {
    pub(crate) shift: [f64; 2],
    pub(crate) turn: f64,
    /// Whether its yarns are listed the other way round, which turns its normals over.
    pub(crate) reversed: bool,
}

/// Square layers from the lowest to the highest.
pub(crate) struct Stack {
    pub(crate) layers: Vec<Layer>,
    pub(crate) yarns: usize,
    /// m
    pub(crate) pitch: f64,
    /// m
    pub(crate) radius: f64,
}

/// A contact of two rods, or an end of one.
struct Event {
    arc: f64,
    contact: Option<usize>,
    /// `1` above the other rod in space, `-1` below.
    height: i8,
    kind: NodeKind,
}

struct Line {
    from: [f64; 2],
    along: [f64; 2],
}

impl Stack {
    fn length(&self) -> f64 {
        self.yarns as f64 * self.pitch
    }

    /// The yarns of a layer: first those along its first axis, or along its second if it is reversed.
    fn lines(&self, layer: &Layer) -> Vec<Line> {
        let (s, c) = layer.turn.sin_cos();
        let turn = |x: f64, y: f64| [c * x - s * y, s * x + c * y];
        let half = 0.5 * self.length();
        let line = |rod: usize| {
            let across = ((rod % self.yarns) as f64 + 0.5) * self.pitch - half;
            let is_first = (rod < self.yarns) != layer.reversed;
            let (x, y, along) =
                if is_first { (-half, across, [1.0, 0.0]) } else { (across, -half, [0.0, 1.0]) };
            let [x, y] = turn(x, y);
            Line { from: [x + layer.shift[0], y + layer.shift[1]], along: turn(along[0], along[1]) }
        };
        (0..2 * self.yarns).map(line).collect()
    }

    /// The frame with the common surface where `shape` takes the plane.
    pub(crate) fn frame(&self, shape: impl Fn(f64, f64) -> [f64; 3]) -> Frame {
        let lines: Vec<Vec<Line>> = self.layers.iter().map(|l| self.lines(l)).collect();
        let per_layer = 2 * self.yarns;
        let mut events: Vec<Vec<Event>> = (0..per_layer * lines.len()).map(|_| self.ends()).collect();
        let mut contacts = 0;
        let mut join = |a: usize, b: usize, kind: NodeKind, is_above: bool| {
            let (p, q) = (&lines[a / per_layer][a % per_layer], &lines[b / per_layer][b % per_layer]);
            let Some([s, t]) =
                crossing(p, q).filter(|arcs| arcs.iter().all(|s| *s > 0.0 && *s < self.length()))
            else {
                return;
            };
            let height = if is_above { 1 } else { -1 };
            events[a].push(Event { arc: s, contact: Some(contacts), height, kind });
            events[b].push(Event { arc: t, contact: Some(contacts), height: -height, kind });
            contacts += 1;
        };
        for layer in 0..lines.len() {
            let first = layer * per_layer;
            for (i, j) in (0..self.yarns).flat_map(|i| (0..self.yarns).map(move |j| (i, j))) {
                join(first + i, first + self.yarns + j, NodeKind::EolIntra, (i + j) % 2 == 0);
            }
            if layer + 1 < lines.len() {
                let next = first + per_layer;
                (first..next).for_each(|a| {
                    (next..next + per_layer).for_each(|b| join(a, b, NodeKind::EolInter, false));
                });
            }
        }
        self.assemble(&lines, events, shape)
    }

    fn ends(&self) -> Vec<Event> {
        let end = |arc| Event { arc, contact: None, height: 0, kind: NodeKind::Lagrangian };
        vec![end(0.0), end(self.length())]
    }

    fn assemble(
        &self,
        lines: &[Vec<Line>],
        mut events: Vec<Vec<Event>>,
        shape: impl Fn(f64, f64) -> [f64; 3],
    ) -> Frame {
        let n: usize = events.iter().map(Vec::len).sum();
        let mut nodes: HashMap<usize, Vec<usize>> = HashMap::new();
        let (mut frame, mut rod_start) = (self.empty(), vec![0]);
        let (mut heights, mut directions) = (Vec::with_capacity(n), Vec::with_capacity(n));
        for (line, events) in lines.iter().flatten().zip(&mut events) {
            events.sort_by(|a, b| a.arc.total_cmp(&b.arc));
            mark_degenerate(events, 0.2 * self.pitch);
            for event in events {
                if let Some(contact) = event.contact {
                    nodes.entry(contact).or_default().push(frame.position.len());
                }
                let at = |k: usize| line.from[k] + event.arc * line.along[k];
                let is_degenerate = event.kind == NodeKind::Eil;
                let position = if is_degenerate { [f64::NAN; 3] } else { shape(at(0), at(1)) };
                frame.position.push(position.map(|c| c as f32));
                frame.arc.push(event.arc as f32);
                frame.kind.push(event.kind);
                heights.push(event.height);
                directions.push(line.along);
            }
            rod_start.push(frame.position.len() as u32);
        }
        let mut layout = Layout { rod_start, partner: vec![u32::MAX; n], side: vec![0; n], ..self.layout() };
        for pair in nodes.values() {
            let (a, b) = (pair[0].min(pair[1]), pair[0].max(pair[1]));
            (layout.partner[a], layout.partner[b]) = (b as u32, a as u32);
            let normal = directions[a][0] * directions[b][1] - directions[a][1] * directions[b][0];
            for i in [a, b] {
                layout.side[i] = if normal > 0.0 { heights[i] } else { -heights[i] };
            }
        }
        frame.layout = Arc::new(layout);
        for array in [&mut frame.speed, &mut frame.normal_force, &mut frame.slide] {
            array.resize(n, 0.0);
        }
        frame.held.resize(n, false);
        frame
    }

    fn layout(&self) -> Layout {
        let colours = [[0.035, 0.11, 0.33], [0.72, 0.66, 0.55], [0.4, 0.05, 0.04]];
        let rod = |fabric: usize| RodInfo {
            fabric: fabric as u32,
            radius: self.radius as f32,
            offset: 0.0,
            colour: colours[fabric % colours.len()],
        };
        let rods = (0..self.layers.len()).flat_map(|f| std::iter::repeat_n(f, 2 * self.yarns)).map(rod);
        let rods: Vec<RodInfo> = rods.collect();
        Layout {
            scene: "stack".into(),
            fabrics: (0..self.layers.len()).map(|f| format!("layer {f}")).collect(),
            length: vec![self.length() as f32; rods.len()],
            rods,
            rod_start: Vec::new(),
            partner: Vec::new(),
            side: Vec::new(),
            obstacles: Vec::new(),
            sheets: Vec::new(),
            camera: None,
        }
    }

    fn empty(&self) -> Frame {
        Frame {
            layout: Arc::new(self.layout()),
            step: 0,
            time: 0.0,
            position: Vec::new(),
            arc: Vec::new(),
            kind: Vec::new(),
            speed: Vec::new(),
            normal_force: Vec::new(),
            slide: Vec::new(),
            held: Vec::new(),
            sewn: Vec::new(),
            forces: Vec::new(),
            poses: Vec::new(),
            vertices: Vec::new(),
            vertex_speed: Vec::new(),
        }
    }
}

/// Every contact between layers that is nearer than `least` to the node before it, or to the next of the
/// weave, is degenerate.
fn mark_degenerate(events: &mut [Event], least: f64) {
    let fixed: Vec<f64> = events.iter().filter(|e| e.kind != NodeKind::EolInter).map(|e| e.arc).collect();
    let mut last = f64::NEG_INFINITY;
    for event in events {
        let near_fixed = fixed.iter().any(|s| (s - event.arc).abs() < least);
        if event.kind == NodeKind::EolInter && (near_fixed || event.arc - last < least) {
            event.kind = NodeKind::Eil;
        } else {
            last = event.arc;
        }
    }
}

/// Arcs at which two lines cross, m.
fn crossing(p: &Line, q: &Line) -> Option<[f64; 2]> {
    let cross = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
    let area = cross(p.along, q.along);
    let between = [q.from[0] - p.from[0], q.from[1] - p.from[1]];
    (area.abs() > 1e-9).then(|| [cross(between, q.along) / area, cross(between, p.along) / area])
}
