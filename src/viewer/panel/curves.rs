//! Small curves of the energies, and what the colours mean.

use egui_plot::{Line, Plot, PlotPoints, VLine};
use kiss3d::egui::{Align2, Color32, Context, FontId, LayerId, Order, Rect, RichText, Ui, pos2, vec2};

use crate::draw::ColourMode;
use crate::draw::colour::{distinct, map};
use crate::draw::image::to_srgb;
use crate::frame::Frame;
use crate::record::steps::StepRow;
use crate::simulation::report::Energies;

/// Points of a curve at most: two for each that the panel is wide.
const MOST_POINTS: usize = 500;

/// Height of the curves, points of the window.
const HEIGHT: f32 = 110.0;

/// Width of its numbers, points of the window.
const Y_AXIS: f32 = 44.0;

/// The bar of colours: width and height, points of the window, and its slices.
const BAR: [f32; 2] = [14.0, 180.0];
const SLICES: usize = 60;

/// How an energy is called and taken out of all of them.
type Term = (&'static str, fn(&Energies) -> f64);

const TERMS: [Term; 5] = [
    ("kinetic", |e| e.kinetic),
    ("elastic", |e| e.elastic),
    ("gravity", |e| e.gravitational),
    ("contact", |e| e.contact),
    ("dissipated", |e| e.dissipated),
];

/// The energies over time with a mark at a moment, s.
pub(super) fn energies(ui: &mut Ui, steps: &[StepRow], time: f64) {
    let stride = steps.len().div_ceil(MOST_POINTS).max(1);
    let chosen = || steps.iter().step_by(stride).chain(steps.last());
    ui.horizontal_wrapped(|ui| {
        ui.small("J:");
        for (k, (name, _)) in TERMS.iter().enumerate() {
            ui.label(RichText::new(*name).small().color(colour32(distinct(k))));
        }
    });
    let plot =
        Plot::new("energies").height(HEIGHT).y_axis_min_width(Y_AXIS).set_margin_fraction(vec2(0.0, 0.05));
    let still = plot.allow_drag(false).allow_zoom(false).allow_scroll(false).allow_boxed_zoom(false);
    still.show(ui, |plot| {
        for (k, (name, term)) in TERMS.iter().enumerate() {
            let points: PlotPoints<'_> = chosen().map(|row| [row.time, term(&row.energies)]).collect();
            plot.line(Line::new(*name, points).color(colour32(distinct(k))));
        }
        plot.vline(VLine::new("", time).color(Color32::GRAY));
    });
}

/// The bar of colours with its values, or the names of the colours, in the upper left corner.
pub(super) fn legend(ctx: &Context, mode: ColourMode, range: [f32; 2], frame: &Frame) {
    let painter = ctx.layer_painter(LayerId::new(Order::Background, "legend".into()));
    let (font, ink) = (FontId::proportional(13.0), Color32::from_gray(40));
    let write =
        |x: f32, y: f32, text: &str| painter.text(pos2(x, y), Align2::LEFT_CENTER, text, font.clone(), ink);
    let Some(title) = mode.title() else {
        for (k, name) in mode.names(frame).iter().enumerate() {
            let y = 18.0 + 18.0 * k as f32;
            let square = Rect::from_center_size(pos2(18.0, y), vec2(10.0, 10.0));
            painter.rect_filled(square, 1.0, colour32(mode.name_colour(k)));
            write(30.0, y, name);
        }
        return;
    };
    write(12.0, 18.0, title);
    for k in 0..SLICES {
        let part = k as f32 / (SLICES - 1) as f32;
        let corner = pos2(12.0, 34.0 + (1.0 - part) * (BAR[1] - BAR[1] / SLICES as f32));
        let slice = Rect::from_min_size(corner, vec2(BAR[0], BAR[1] / SLICES as f32 + 0.5));
        painter.rect_filled(slice, 0.0, colour32(map(mode, part)));
    }
    for k in 0..=4 {
        let part = k as f32 / 4.0;
        write(
            18.0 + BAR[0],
            34.0 + (1.0 - part) * BAR[1],
            &format!("{:.3e}", range[0] + part * (range[1] - range[0])),
        );
    }
}

fn colour32(linear: [f32; 3]) -> Color32 {
    let [r, g, b] = linear.map(to_srgb);
    Color32::from_rgb(r, g, b)
}
