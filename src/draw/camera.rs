//! From where a picture is taken.

use super::V3;
use crate::frame::{Camera, Frame};
use crate::geometry::Vec3;

use super::solid::extent;

/// Horizontal direction from the cloth to an automatic camera and its height over it: three quarters from
/// above, the view of product photographs. No unit; normalised before use.
const AUTOMATIC_DIRECTION: [f64; 3] = [0.45, -0.8, 0.75];

/// Part of the picture's height and width that an automatic camera fills.
const FILL: f64 = 0.88;

/// Rounds of centring and backing off; the third moves the camera by less than a thousandth.
const FIT_ROUNDS: usize = 4;

/// The first frame's camera, or else one that sees all yarns of the frames from above and aside.
///
/// `aspect` is the picture's width over its height. To keep the camera still over a film, show all of its frames to a
/// [`Framing`].
pub fn fit(frames: &[&Frame], aspect: f64) -> Camera {
    let chosen = frames.first().and_then(|frame| frame.layout.camera);
    chosen.unwrap_or_else(|| fit_automatic(frames, aspect))
}

/// A camera that sees all yarns of the frames from above and aside, whatever their layouts say.
pub fn fit_automatic(frames: &[&Frame], aspect: f64) -> Camera {
    Framing::automatic(aspect).of(frames)
}

/// A camera that sees all yarns of the frames from a direction; from above, `y` is up.
pub fn fit_direction(frames: &[&Frame], aspect: f64, direction: [f64; 3]) -> Camera {
    Framing::from_direction(direction, aspect).of(frames)
}

/// A camera that sees points, m, from a direction, with another one up and a field of view, degrees.
pub fn fit_from(points: &[Vec3], aspect: f64, directions: (Vec3, Vec3, f64)) -> Camera {
    let mut framing = Framing::new(aspect, directions);
    framing.add_points(points);
    framing.camera()
}

/// A camera in the making: it will see all yarns of the frames that it is shown, one after the other.
#[derive(Debug, Clone)]
pub struct Framing {
    /// Unit vectors to the right, upward and from the target to the eye.
    axes: [Vec3; 3],
    up: Vec3,
    field_of_view: f64,
    /// Half of the width and of the height that may be filled, at a distance of one.
    half: [f64; 2],
    /// Those of the points so far that bound the picture, m.
    points: Vec<Vec3>,
}

impl Framing {
    /// From above and aside, for pictures of a width over height.
    pub fn automatic(aspect: f64) -> Self {
        Self::new(aspect, (Vec3::from(AUTOMATIC_DIRECTION), Vec3::z(), 35.0))
    }

    /// From a direction; from above, `y` is up.
    pub fn from_direction(direction: [f64; 3], aspect: f64) -> Self {
        let back = Vec3::from(direction);
        let up = if back.x == 0.0 && back.y == 0.0 { Vec3::y() } else { Vec3::z() };
        Self::new(aspect, (back, up, 35.0))
    }

    fn new(aspect: f64, (back, up, field_of_view): (Vec3, Vec3, f64)) -> Self {
        let back = back.try_normalize(0.0).unwrap_or_else(Vec3::z);
        let sideways = |up: Vec3| up.cross(&back).try_normalize(1e-6);
        let right = sideways(up).or_else(|| sideways(Vec3::y())).unwrap_or_else(Vec3::x);
        let axes = [right, back.cross(&right), back];
        let vertical = FILL * (field_of_view.to_radians() * 0.5).tan();
        Self { axes, up, field_of_view, half: [vertical * aspect, vertical], points: Vec::new() }
    }

    /// Shows it a frame, moved by a vector, m.
    pub fn add(&mut self, frame: &Frame, shift: Vec3) {
        let points: Vec<Vec3> = extent(frame).iter().map(|p| p + shift).collect();
        self.add_points(&points);
    }

    /// Keeps the points that are farthest along the normals of the picture's sides, because these alone say how far the
    /// eye must be: a side of slope `s` is met first by the point of the largest `p.(right + s back)`. Those farthest
    /// along the axes, of the picture and of space, say where the middle is.
    fn add_points(&mut self, points: &[Vec3]) {
        let ([right, upward, back], [horizontal, vertical]) = (self.axes, self.half);
        let sides = [(right, horizontal), (upward, vertical)].map(|(s, h)| [s + back * h, -s + back * h]);
        let axes = [right, upward, Vec3::x(), Vec3::y(), Vec3::z()].map(|axis| [axis, -axis]);
        let farthest = |n: &Vec3| points.iter().max_by(|p, q| p.dot(n).total_cmp(&q.dot(n))).copied();
        self.points.extend(sides.iter().chain(&axes).flatten().filter_map(farthest));
    }

    fn of(mut self, frames: &[&Frame]) -> Camera {
        frames.iter().for_each(|frame| self.add(frame, Vec3::zeros()));
        self.camera()
    }

    /// The camera that sees all of it.
    pub fn camera(&self) -> Camera {
        let ([right, upward, back], [horizontal, vertical]) = (self.axes, self.half);
        let (low, high) = bounds(&self.points);
        let mut target = (low + high) * 0.5;
        let mut distance = 0.0;
        for _ in 0..FIT_ROUNDS {
            distance = self.points.iter().fold(1e-6, |d: f64, p| {
                let q = p - target;
                let needed = (q.dot(&right).abs() / horizontal).max(q.dot(&upward).abs() / vertical);
                d.max(needed + q.dot(&back))
            });
            target += centring(&self.points, self.axes, target, distance);
        }
        let (eye, up, field_of_view) = (target + back * distance, self.up.into(), self.field_of_view);
        Camera { eye: eye.into(), target: target.into(), up, field_of_view }
    }
}

/// Directions from which everything is seen, with their names: from the middle to the eye.
pub const VIEWS: [(&str, [f64; 3]); 7] = [
    ("front", [0.0, -1.0, 0.0]),
    ("back", [0.0, 1.0, 0.0]),
    ("left", [-1.0, 0.0, 0.0]),
    ("right", [1.0, 0.0, 0.0]),
    ("top", [0.0, 0.0, 1.0]),
    ("bottom", [0.0, 0.0, -1.0]),
    ("iso", [1.0, -1.0, 1.0]),
];

/// The camera carried around its target about its upward direction, rad.
pub fn orbit(camera: &Camera, angle_rad: f64) -> Camera {
    let axis = nalgebra::Unit::new_normalize(Vec3::from(camera.up));
    let arm = Vec3::from(camera.eye) - Vec3::from(camera.target);
    let turned = nalgebra::UnitQuaternion::from_axis_angle(&axis, angle_rad) * arm;
    Camera { eye: (Vec3::from(camera.target) + turned).into(), ..*camera }
}

/// The camera carried to `1 / factor` of its distance: a factor above one shows more closely.
pub fn zoom(camera: &Camera, factor: f64) -> Camera {
    let arm = Vec3::from(camera.eye) - Vec3::from(camera.target);
    Camera { eye: (Vec3::from(camera.target) + arm / factor).into(), ..*camera }
}

/// The camera moved without turning so that it looks at a point, m.
pub fn look_at(camera: &Camera, target: Vec3) -> Camera {
    let shift = target - Vec3::from(camera.target);
    Camera { eye: (Vec3::from(camera.eye) + shift).into(), target: target.into(), ..*camera }
}

/// The middle of the box around a frame's cloth, m.
pub fn middle(frame: &Frame) -> Vec3 {
    let points: Vec<Vec3> = frame.places().map(|&x| V3::from(x).cast()).collect();
    let (low, high) = bounds(&points);
    (low + high) * 0.5
}

/// The corners of the box around points, or a box of a millimetre without any.
pub(crate) fn bounds(points: &[Vec3]) -> (Vec3, Vec3) {
    let Some(first) = points.first() else { return (Vec3::zeros(), Vec3::repeat(1e-3)) };
    points.iter().fold((*first, *first), |(low, high), p| (low.inf(p), high.sup(p)))
}

/// How far the target must move for the points' picture to be in the middle.
fn centring(points: &[Vec3], [right, up, back]: [Vec3; 3], target: Vec3, distance: f64) -> Vec3 {
    let screen = points.iter().map(|p| {
        let q = p - target;
        let depth = (distance - q.dot(&back)).max(1e-9);
        Vec3::new(q.dot(&right) / depth, q.dot(&up) / depth, 0.0)
    });
    let (low, high) = bounds(&screen.collect::<Vec<_>>());
    let middle = (low + high) * (0.5 * distance);
    if points.is_empty() { Vec3::zeros() } else { right * middle.x + up * middle.y }
}

/// A pinhole camera with its picture's size, in samples.
#[derive(Debug, Clone, Copy)]
pub struct View {
    /// The eye, m.
    pub eye: V3,
    /// Unit vectors to the right, upward and forward.
    pub axes: [V3; 3],
    /// Samples across a length of one at a distance of one.
    pub focal: f32,
    /// Width and height, samples.
    pub size: [usize; 2],
    /// Nearest distance drawn, m.
    pub near: f32,
}

impl View {
    /// The view of a camera on a picture of a size, samples.
    pub fn new(camera: &Camera, size: [usize; 2]) -> Self {
        let (eye, target) = (Vec3::from(camera.eye), Vec3::from(camera.target));
        let arm = target - eye;
        let forward = arm.try_normalize(0.0).unwrap_or_else(Vec3::y);
        let sideways = |up: Vec3| forward.cross(&up).try_normalize(1e-6);
        let right = sideways(Vec3::from(camera.up)).or_else(|| sideways(Vec3::y())).unwrap_or_else(Vec3::x);
        let up = right.cross(&forward);
        let focal = 0.5 * size[1] as f64 / (camera.field_of_view.to_radians() * 0.5).tan();
        Self {
            eye: eye.cast(),
            axes: [right, up, forward].map(|v| v.cast()),
            focal: focal as f32,
            size,
            near: (1e-3 * arm.norm()).max(1e-7) as f32,
        }
    }

    /// Distance of a point along the view, m.
    pub fn depth(&self, point: V3) -> f32 {
        (point - self.eye).dot(&self.axes[2])
    }

    /// Column, row (samples, from the upper left) and inverse distance (1/m) of a point before the eye.
    pub fn project(&self, point: V3) -> [f32; 3] {
        let q = point - self.eye;
        let inverse = 1.0 / q.dot(&self.axes[2]);
        let scale = self.focal * inverse;
        let [w, h] = self.size.map(|n| 0.5 * n as f32);
        [w + scale * q.dot(&self.axes[0]), h - scale * q.dot(&self.axes[1]), inverse]
    }

    /// The point, m, at a column, row and inverse distance: the inverse of [`Self::project`].
    pub fn unproject(&self, [x, y, inverse]: [f32; 3]) -> V3 {
        let [w, h] = self.size.map(|n| 0.5 * n as f32);
        let [right, up, forward] = self.axes;
        self.eye + (right * ((x - w) / self.focal) + up * ((h - y) / self.focal) + forward) / inverse
    }

    /// Whether a ball about a point, m, may be in the picture.
    pub fn sees(&self, point: V3, radius: f32) -> bool {
        let depth = self.depth(point);
        if depth < self.near - radius {
            return false;
        }
        let [x, y, inverse] =
            self.project(self.eye + (point - self.eye) + self.axes[2] * (self.near - depth).max(0.0));
        let margin = radius * self.focal * inverse;
        let [w, h] = self.size.map(|n| n as f32);
        x > -margin && x < w + margin && y > -margin && y < h + margin
    }
}
