//! What is marked over the yarns: the one that is held.

use kiss3d::egui::{Color32, Context, LayerId, Order, Stroke, pos2};

/// A line over the picture.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(in crate::viewer) struct Marks {
    /// From the node that is held to the mouse, points of the window.
    pub(in crate::viewer) pull: Option<[[f32; 2]; 2]>,
}

impl Marks {
    /// Paints the marks.
    pub(super) fn paint(&self, ctx: &Context) {
        let Some([node, mouse]) = self.pull else { return };
        let painter = ctx.layer_painter(LayerId::new(Order::Background, "marks".into()));
        let [a, b] = [node, mouse].map(|[x, y]| pos2(x, y));
        painter.line_segment([a, b], Stroke::new(2.0, Color32::from_rgb(200, 40, 30)));
        painter.circle_filled(a, 4.0, Color32::from_rgb(200, 40, 30));
    }
}
