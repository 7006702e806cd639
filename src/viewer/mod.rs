//! A window that plays frames, and pictures of frames by the graphics driver (kiss3d).
//!
//! The viewer only looks: it never steps a simulation. Windows open on the main thread only.

mod material;
mod playback;
mod stage;

use kiss3d::prelude::{CanvasSetup, NumSamples, Window};
use thiserror::Error;

use crate::draw::image::Image;
use crate::draw::{ColourMode, RenderOptions, camera_of};
use crate::frame::{Camera, Frame};

pub use playback::view;

/// A viewer that cannot show anything.
#[derive(Debug, Error)]
pub enum ViewerError {
    /// No screen.
    #[error(
        "there is no display (DISPLAY and WAYLAND_DISPLAY are not set): run in a desktop session or under \
         `xvfb-run -a`, or write pictures with `hebra render`, which needs none"
    )]
    NoDisplay,
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

/// Where frames come from.
pub trait Frames {
    /// Number of frames so far; it may grow.
    fn count(&self) -> usize;

    /// A frame.
    ///
    /// # Errors
    /// A text that says why it cannot be had.
    fn frame(&mut self, index: usize) -> Result<Frame, String>;
}

impl Frames for Vec<Frame> {
    fn count(&self) -> usize {
        self.len()
    }

    fn frame(&mut self, index: usize) -> Result<Frame, String> {
        self.get(index).cloned().ok_or_else(|| "there are fewer frames".to_owned())
    }
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
    /// Frames played in a second.
    pub frames_per_second: f64,
}

impl Default for ViewOptions {
    fn default() -> Self {
        let (size, colour) = ([1280, 720], ColourMode::Yarn);
        Self { size, camera: None, colour, range: None, frames_per_second: 30.0 }
    }
}

/// A picture of a frame by the graphics driver, without a display.
///
/// # Errors
/// [`ViewerError::NoDriver`] if no driver answers.
pub fn snapshot_headless(frame: &Frame, options: &ViewOptions) -> Result<Image, ViewerError> {
    let [width, height] = options.size;
    pollster::block_on(async {
        check_driver().await?;
        let mut window = Window::new_headless_with_setup(width, height, setup()).await;
        let mut stage = stage::Stage::new(&mut window, frame, options);
        stage.show(frame);
        stage.render(&mut window).await;
        let picture = window.snap_image();
        Ok(Image { width: picture.width(), height: picture.height(), rgb: picture.into_raw() })
    })
}

/// Whether a window can be opened.
///
/// # Errors
/// [`ViewerError`] without a display or a driver.
pub fn check() -> Result<(), ViewerError> {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if cfg!(target_os = "linux") && !set("DISPLAY") && !set("WAYLAND_DISPLAY") {
        return Err(ViewerError::NoDisplay);
    }
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

/// The camera that a window starts with.
fn first_camera(frame: &Frame, options: &ViewOptions) -> Camera {
    let [width, height] = options.size;
    camera_of(frame, &RenderOptions { width, height, camera: options.camera, ..RenderOptions::default() })
}
