//! A window that plays frames, and pictures of frames by the graphics driver (kiss3d).
//!
//! ```text
//! Frames -> Player -> Frame -> Stage -> window
//! source    player            stage     app, rig, panel, keys, hand
//! ```
//!
//! The viewer only looks: it never steps a simulation, but may ask one that runs in a thread of its own to
//! do so ([`Live`]). Windows open on the main thread only.
//!
//! Gravity, wind, stiffness, damping and friction are turned while a simulation runs, clamps are released, and yarns
//! are pulled at with shift and the mouse. Saving a camera writes `camera: (...)` into the scene's file and leaves all
//! else in it as it is. Key `?` lists the keys ([`help`]).

mod app;
mod display;
mod hand;
mod keys;
mod look;
mod material;
mod mouse;
mod panel;
mod player;
mod rig;
mod source;
mod stage;
mod times;

use std::path::PathBuf;
use std::time::Instant;

use kiss3d::prelude::{CanvasSetup, NumSamples, Window};
use thiserror::Error;

use crate::draw::image::Image;
use crate::draw::{ColourMode, Overlay};
use crate::frame::{Camera, Frame};

use look::Look;
use rig::Rig;
use stage::Stage;

pub use app::view;
pub use keys::help;
pub use source::{Command, Frames, Live, Pull};
pub use times::Times;

/// A viewer that cannot show anything.
#[derive(Debug, Error)]
pub enum ViewerError {
    /// No screen.
    #[error(
        "there is no display (DISPLAY and WAYLAND_DISPLAY are not set): run in a desktop session or under \
         `xvfb-run -a`, or write pictures with `hebra render`, which needs none"
    )]
    NoDisplay,
    /// A screen that does not answer.
    #[error("the display {display} does not answer ({reason}): see whether it runs and lets you in")]
    NoAnswer {
        /// Its name.
        display: String,
        /// What the system says.
        reason: String,
    },
    /// No driver.
    #[error(
        "no graphics driver was found ({0}): install one (`mesa-vulkan-drivers` draws without a graphics card), \
         or write pictures with `hebra render`, which needs none"
    )]
    NoDriver(String),
    /// Nothing to show.
    #[error("there are no frames to show")]
    NoFrames,
    /// A frame that cannot be had.
    #[error("frame {index} of {count} cannot be read: {reason}")]
    Frame {
        /// From zero.
        index: usize,
        /// Number of frames.
        count: usize,
        /// What its source says.
        reason: String,
    },
}

/// What a window shows.
#[derive(Debug, Clone, PartialEq)]
pub struct ViewOptions {
    /// Width and height, pixels.
    pub size: [u32; 2],
    /// The camera at the start; without one, the layout's or one that sees all yarns.
    pub camera: Option<Camera>,
    /// What the colours mean.
    pub colour: ColourMode,
    /// Values at the ends of the colours, in the mode's unit; without them, those of the frames shown so far.
    pub range: Option<[f32; 2]>,
    /// What is shown beside the yarns.
    pub overlays: Vec<Overlay>,
    /// Frames played in a second.
    pub frames_per_second: f64,
    /// Folder of the pictures that are saved.
    pub pictures: PathBuf,
}

impl Default for ViewOptions {
    fn default() -> Self {
        Self {
            size: [1280, 720],
            camera: None,
            colour: ColourMode::Yarn,
            range: None,
            overlays: Vec::new(),
            frames_per_second: 30.0,
            pictures: PathBuf::new(),
        }
    }
}

/// A picture of a frame by the graphics driver, without a display.
///
/// # Errors
/// [`ViewerError::NoDriver`] if no driver answers.
pub fn snapshot_headless(frame: &Frame, options: &ViewOptions) -> Result<Image, ViewerError> {
    let (picture, _) = draw_headless(std::slice::from_ref(frame), options)?;
    Ok(picture)
}

/// Draws frames one after the other without a display: a picture of the last one, and the mean times of all
/// but the first, which also makes what the others use again.
///
/// # Errors
/// [`ViewerError::NoDriver`] if no driver answers, [`ViewerError::NoFrames`] without frames.
pub fn draw_headless(frames: &[Frame], options: &ViewOptions) -> Result<(Image, Times), ViewerError> {
    // What a window leaves behind in kiss3d's thread breaks the next one there: each has a thread of its own.
    std::thread::scope(|scope| {
        let drawing = scope.spawn(|| pollster::block_on(draw_all(frames, options)));
        drawing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

async fn draw_all(frames: &[Frame], options: &ViewOptions) -> Result<(Image, Times), ViewerError> {
    let first = frames.first().ok_or(ViewerError::NoFrames)?;
    let [width, height] = options.size;
    check_driver().await?;
    let mut window = Window::new_headless_with_setup(width, height, setup()).await;
    let (mut stage, mut rig) = (Stage::new(&mut window), Rig::new(first, options));
    let look = Look::new(&first.layout, options);
    let (view, mut sum) = (rig.view(options.size), Times::default());
    for (k, frame) in frames.iter().enumerate() {
        let shown = stage.show(frame, &look, &view);
        let begun = Instant::now();
        window.render_3d(&mut stage.scene, &mut rig.orbit).await;
        // The driver may draw later: a pixel is known when all are.
        window.snap_rect(&mut Vec::new(), 0, 0, 1, 1);
        if k > 0 {
            sum.mesh += shown.mesh;
            sum.upload += shown.upload;
            sum.draw += begun.elapsed().as_secs_f64();
        }
    }
    let n = frames.len().saturating_sub(1).max(1) as f64;
    let times = Times { read: 0.0, mesh: sum.mesh / n, upload: sum.upload / n, draw: sum.draw / n };
    let picture = window.snap_image();
    Ok((Image { width: picture.width(), height: picture.height(), rgb: picture.into_raw() }, times))
}

/// Whether a window can be opened.
///
/// # Errors
/// [`ViewerError`] without a display or a driver.
pub fn check() -> Result<(), ViewerError> {
    display::ask()?;
    pollster::block_on(check_driver())
}

/// Neither waiting for the screen nor several samples a pixel: software drivers turn black with the latter.
fn setup() -> CanvasSetup {
    CanvasSetup { vsync: false, samples: NumSamples::One, ..CanvasSetup::default() }
}

/// Asks for a driver, because kiss3d ends the program where there is none.
async fn check_driver() -> Result<(), ViewerError> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = instance.request_adapter(&wgpu::RequestAdapterOptions::default()).await;
    adapter.map(|_| ()).map_err(|error| ViewerError::NoDriver(error.to_string()))
}
