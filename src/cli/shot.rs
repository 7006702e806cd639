//! From where pictures are taken and what they show beside the yarns: options of `hebra render`.

use clap::Args;

use super::error::CliError;
use super::look::named;
use crate::draw::camera::{self, Framing};
use crate::frame::Camera;
use crate::geometry::Vec3;
use crate::record::reader::RecordReader;

/// From where, and with what.
#[derive(Debug, Clone, Args)]
pub(super) struct ShotArgs {
    /// Look from a side instead of by the scene's camera.
    #[arg(long, value_name = "SIDE", value_parser = named(&camera::VIEWS))]
    view: Option<[f64; 3]>,
    /// Go so many times nearer.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, allow_negative_numbers = true, value_parser = factor)]
    zoom: f64,
    /// Look at a point (m) instead of the middle.
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = point)]
    at: Option<[f64; 3]>,
    /// Follow the middle of the yarns from frame to frame.
    #[arg(long)]
    follow: bool,
}

/// A camera, and how it moves.
pub(super) struct Shot {
    camera: Camera,
    /// The middle of the yarns that the camera was set for, m, if it follows them.
    middle: Option<Vec3>,
}

impl ShotArgs {
    /// The camera of all pictures of a size, pixels: the scene's or the side asked for, the same over time, or following.
    pub(super) fn shot(&self, size: [u32; 2], record: &mut RecordReader) -> Result<Shot, CliError> {
        let middle = if self.follow { Some(camera::middle(&record.frame(0)?)) } else { None };
        let mut camera = camera(record, size, self.view, middle)?;
        if let Some(at) = self.at {
            camera = camera::look_at(&camera, at.into());
        }
        Ok(Shot { camera: camera::zoom(&camera, self.zoom), middle })
    }
}

/// The scene's camera, or else one that sees a whole record, from a side if one is asked for.
///
/// The yarns' middle is where it is in the first frame, if the camera follows it.
fn camera(
    record: &mut RecordReader,
    size: [u32; 2],
    view: Option<[f64; 3]>,
    middle: Option<Vec3>,
) -> Result<Camera, CliError> {
    let [width, height] = size.map(f64::from);
    let mut framing = match (view, record.frame(0)?.layout.camera) {
        (None, Some(chosen)) => return Ok(chosen),
        (None, None) => Framing::automatic(width / height),
        (Some(direction), _) => Framing::from_direction(direction, width / height),
    };
    for frame in record.all() {
        let frame = frame?;
        framing.add(&frame, middle.map_or_else(Vec3::zeros, |m| m - camera::middle(&frame)));
    }
    Ok(framing.camera())
}

impl Shot {
    /// The camera for a frame.
    pub(super) fn camera(&self, frame: &crate::frame::Frame) -> Camera {
        let Some(middle) = self.middle else { return self.camera };
        camera::look_at(&self.camera, Vec3::from(self.camera.target) + camera::middle(frame) - middle)
    }
}

fn factor(text: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|f: &f64| f.is_finite() && *f > 0.0);
    value.ok_or_else(|| "expected a number above 0, as in 4 or 0.5".into())
}

fn point(text: &str) -> Result<[f64; 3], String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    let point = numbers.ok().and_then(|n| <[f64; 3]>::try_from(n).ok());
    point
        .filter(|p| p.iter().all(|c| c.is_finite()))
        .ok_or_else(|| "expected three numbers, as in 0.01,0,-0.02 (m)".into())
}
