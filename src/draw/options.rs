//! How a picture is drawn.

use super::colour::ColourMode;
use super::overlay::Overlay;
use crate::frame::Camera;

/// What a picture shows and how finely.
#[derive(Debug, Clone, PartialEq)]
pub struct RenderOptions {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// The camera; without one, the layout's, and without that one that sees all yarns.
    pub camera: Option<Camera>,
    /// What the colours mean.
    pub colour: ColourMode,
    /// Values at the ends of the colours, in the mode's unit; without them, those of the frame.
    pub range: Option<[f32; 2]>,
    /// What is shown beside the yarns.
    pub overlays: Vec<Overlay>,
    /// Whether a colour bar is drawn for the modes that have one.
    pub legend: bool,
    /// Samples along an edge of a pixel (1: jagged, 2: smooth, 3: for prints). Where yarns are about as thin
    /// as a pixel, twice as many are taken, unless this is 1.
    pub supersampling: u32,
    /// Whether things throw shadows.
    pub shadows: bool,
    /// Whether yarns show their plies where they are large enough.
    pub plies: bool,
    /// How finely yarns are cut.
    pub detail: Detail,
}

/// How finely yarns are cut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Detail {
    /// As finely as shows: to within a part of a sample.
    Tolerance(f32),
    /// The same everywhere.
    Fixed {
        /// Pieces between two nodes.
        pieces: usize,
        /// Sides of a tube.
        sides: usize,
    },
}

impl Default for RenderOptions {
    fn default() -> Self {
        Self {
            width: 1280,
            height: 720,
            camera: None,
            colour: ColourMode::Yarn,
            range: None,
            overlays: Vec::new(),
            legend: true,
            supersampling: 2,
            shadows: true,
            plies: true,
            detail: Detail::Tolerance(0.35),
        }
    }
}
