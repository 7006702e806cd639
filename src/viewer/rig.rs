//! The camera before the yarns: turned by the mouse, put in place by keys.

use kiss3d::prelude::{Camera3d, OrbitCamera3d, Vec3};

use crate::draw::camera::{View, fit_from};
use crate::draw::solid::extent;
use crate::draw::{RenderOptions, camera_of};
use crate::frame::{Camera, Frame};
use crate::geometry::Vec3 as Point;

use super::ViewOptions;

/// Distances drawn, in distances of the first camera from its target.
const DEPTHS: [f32; 2] = [1e-3, 50.0];

/// Nearer for every notch of the wheel, which kiss3d counts as ten: a tenth.
const ZOOM: f32 = 0.99;

/// Angle for every pixel of the mouse, rad: half a turn across 600.
const TURN: f32 = 0.005;

/// Lean of a view along the vertical, which kiss3d's camera cannot take, rad.
const LEAN: f64 = 0.02;

/// The camera of a window.
pub(super) struct Rig {
    /// As kiss3d has it.
    pub(super) orbit: OrbitCamera3d,
    start: Camera,
    up: Point,
    field_of_view: f64,
    /// The middle of the yarns as it was last followed.
    followed: Option<Point>,
}

impl Rig {
    /// Before a first frame.
    pub(super) fn new(first: &Frame, options: &ViewOptions) -> Self {
        let [width, height] = options.size;
        let fitted = RenderOptions { width, height, camera: options.camera, ..RenderOptions::default() };
        let start = camera_of(first, &fitted);
        let [eye, target, up] = [start.eye, start.target, start.up].map(|v| vec3(v.into()));
        let distance = (eye - target).length().max(f32::MIN_POSITIVE);
        let [near, far] = DEPTHS.map(|d| d * distance);
        let angle = start.field_of_view.to_radians() as f32;
        let mut orbit = OrbitCamera3d::new_with_frustum(angle, near, far, eye, target);
        orbit.set_up_axis(up);
        orbit.set_min_dist(2.0 * near);
        orbit.set_max_dist(0.5 * far);
        orbit.set_dist_step(ZOOM);
        orbit.rebind_rotate_button(None);
        orbit.rebind_drag_button(None);
        orbit.rebind_reset_key(None);
        orbit.look_at(eye, target);
        let (up, field_of_view) = (Point::from(start.up), start.field_of_view);
        Self { orbit, start, up, field_of_view, followed: None }
    }

    /// The camera now.
    pub(super) fn camera(&self) -> Camera {
        let [eye, target] = [self.orbit.eye(), self.orbit.at()].map(|v| v.to_array().map(f64::from));
        Camera { eye, target, up: self.up.into(), field_of_view: self.field_of_view }
    }

    /// The view of a window of a size, pixels.
    pub(super) fn view(&self, size: [u32; 2]) -> View {
        View::new(&self.camera(), size.map(|n| n.max(1) as usize))
    }

    /// Turns about the point looked at, by pixels of the mouse.
    pub(super) fn turn(&mut self, [x, y]: [f32; 2]) {
        self.orbit.set_yaw(self.orbit.yaw() + TURN * x);
        self.orbit.set_pitch(self.orbit.pitch() - TURN * y);
    }

    /// Moves with the mouse, by pixels of a window of a size.
    pub(super) fn shift(&mut self, [x, y]: [f32; 2], size: [u32; 2]) {
        let view = self.view(size);
        let pixel = self.orbit.dist() / view.focal;
        let shift = (view.axes[1] * y - view.axes[0] * x) * pixel;
        let shift = Vec3::new(shift.x, shift.y, shift.z);
        self.orbit.look_at(self.orbit.eye() + shift, self.orbit.at() + shift);
    }

    /// Looks as at the start.
    pub(super) fn look_as_at_start(&mut self) {
        self.place(&self.start.clone());
    }

    /// Looks from a direction, at all yarns of a frame.
    pub(super) fn look_from(&mut self, direction: [f64; 3], frame: &Frame, size: [u32; 2]) {
        let back = Point::from(direction).normalize();
        // A little from the front, so that up stays up.
        let is_upright = back.cross(&self.up).norm() < LEAN;
        let lean = if is_upright { Point::new(0.0, -LEAN, 0.0) } else { Point::zeros() };
        self.fit_along(back + lean, frame, size);
    }

    /// Goes near or far enough to see all yarns of a frame, without turning.
    pub(super) fn fit(&mut self, frame: &Frame, size: [u32; 2]) {
        let camera = self.camera();
        self.fit_along(Point::from(camera.eye) - Point::from(camera.target), frame, size);
    }

    /// Moves with the middle of the yarns from now on, or stays.
    pub(super) fn set_follow(&mut self, on: bool, frame: &Frame) {
        self.followed = on.then(|| middle(frame)).flatten();
    }

    /// Moves with the middle of the yarns if they are followed.
    pub(super) fn follow(&mut self, frame: &Frame) {
        let (Some(before), Some(now)) = (self.followed, middle(frame)) else { return };
        let shift = vec3(now - before);
        self.orbit.look_at(self.orbit.eye() + shift, self.orbit.at() + shift);
        self.followed = Some(now);
    }

    fn fit_along(&mut self, direction: Point, frame: &Frame, size: [u32; 2]) {
        let aspect = f64::from(size[0].max(1)) / f64::from(size[1].max(1));
        let directions = (direction, self.up, self.field_of_view);
        self.place(&fit_from(&extent(frame), aspect, directions));
        self.followed = self.followed.and_then(|_| middle(frame));
    }

    fn place(&mut self, camera: &Camera) {
        self.orbit.look_at(vec3(camera.eye.into()), vec3(camera.target.into()));
    }
}

/// The mean of all nodes and vertices that are somewhere.
fn middle(frame: &Frame) -> Option<Point> {
    let (sum, n) = frame
        .places()
        .fold((Point::zeros(), 0usize), |(sum, n), x| (sum + Point::from(x.map(f64::from)), n + 1));
    (n > 0).then(|| sum / n as f64)
}

fn vec3(v: Point) -> Vec3 {
    Vec3::new(v.x as f32, v.y as f32, v.z as f32)
}
