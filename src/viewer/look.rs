//! What is shown of the frames.

use crate::draw::{ColourMode, Overlay};
use crate::frame::Layout;

use super::ViewOptions;

/// What is shown.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Look {
    /// What the colours mean.
    pub(super) colour: ColourMode,
    /// Values at the ends of the colours; without them, those of the frames shown so far.
    pub(super) range: Option<[f32; 2]>,
    /// Which fabrics are hidden; behind them, whether single yarns are.
    pub(super) hidden: Vec<bool>,
    /// Whether obstacles are shown.
    pub(super) obstacles: bool,
    /// What is shown beside the yarns.
    pub(super) overlays: Vec<Overlay>,
}

impl Look {
    /// All yarns and obstacles of frames, as a window is asked to show them.
    pub(super) fn new(layout: &Layout, options: &ViewOptions) -> Self {
        Self {
            colour: options.colour,
            range: options.range,
            hidden: vec![false; layout.fabrics.len() + 1],
            obstacles: true,
            overlays: options.overlays.clone(),
        }
    }

    /// Whether a fabric of an index is hidden; single yarns have one beyond the last.
    pub(super) fn hides(&self, fabric: u32) -> bool {
        let singles = self.hidden.len() - 1;
        self.hidden[(fabric as usize).min(singles)]
    }

    /// Shows something beside the yarns, or hides it.
    pub(super) fn toggle(&mut self, overlay: Overlay) {
        if self.overlays.contains(&overlay) {
            self.overlays.retain(|shown| *shown != overlay);
        } else {
            self.overlays.push(overlay);
        }
    }

    /// The next meaning of the colours, or an earlier one.
    pub(super) fn turn_colour(&mut self, by: i32) {
        let modes = ColourMode::ALL;
        let at = modes.iter().position(|(_, mode)| *mode == self.colour).unwrap_or_default() as i32;
        self.colour = modes[(at + by).rem_euclid(modes.len() as i32) as usize].1;
    }
}
