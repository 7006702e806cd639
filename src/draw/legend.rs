//! The colour bar, or the names of the colours, in a corner of the picture.

use super::colour::{ColourMode, map};
use super::font::{LETTER, fill, write};
use super::image::{Image, to_srgb};
use crate::frame::Frame;

/// sRGB grey of the text.
const INK: u8 = 40;

/// Pixels of a picture's height to a dot of its letters.
const HEIGHT_PER_DOT: usize = 300;

/// Marks beside a colour bar, both ends among them.
const MARKS: usize = 5;

/// Draws what the colours of a mode mean; nothing for the yarns' own colours.
pub(crate) fn draw(image: &mut Image, frame: &Frame, mode: ColourMode, range: [f32; 2]) {
    let dot = (image.height as usize / HEIGHT_PER_DOT).max(1);
    match mode.title() {
        Some(title) => bar(image, mode, title, range, dot),
        None => names(image, mode, &mode.names(frame), dot),
    }
}

fn bar(image: &mut Image, mode: ColourMode, title: &str, range: [f32; 2], dot: usize) {
    let (left, top) = (10 * dot, 26 * dot);
    let (width, height) = (10 * dot, image.height as usize / 3);
    write(image, title, [left, 10 * dot], dot, INK);
    fill(image, [left - 1, top - 1], [width + 2, height + 2], [INK; 3]);
    for y in 0..height {
        let place = 1.0 - y as f32 / height.saturating_sub(1).max(1) as f32;
        fill(image, [left, top + y], [width, 1], map(mode, place).map(to_srgb));
    }
    for k in 0..MARKS {
        let part = k as f32 / (MARKS - 1) as f32;
        let y = top + ((1.0 - part) * height.saturating_sub(1) as f32).round() as usize;
        fill(image, [left + width, y], [3 * dot, 1], [INK; 3]);
        let text = number(range[0] + part * (range[1] - range[0]), range[0].abs().max(range[1].abs()));
        write(image, &text, [left + width + 5 * dot, y.saturating_sub(LETTER[1] * dot / 2)], dot, INK);
    }
}

fn names(image: &mut Image, mode: ColourMode, names: &[String], dot: usize) {
    for (k, name) in names.iter().enumerate() {
        let (left, top) = (10 * dot, (10 + 13 * k) * dot);
        fill(image, [left - 1, top - 1], [8 * dot + 2, 8 * dot + 2], [INK; 3]);
        fill(image, [left, top], [8 * dot, 8 * dot], mode.name_colour(k).map(to_srgb));
        write(image, name, [left + 12 * dot, top], dot, INK);
    }
}

/// A value with three digits of the largest value beside it.
fn number(value: f32, largest: f32) -> String {
    if value == 0.0 {
        return "0".into();
    }
    match largest {
        l if (100.0..1e5).contains(&l) => format!("{value:.0}"),
        l if (10.0..100.0).contains(&l) => format!("{value:.1}"),
        l if (1.0..10.0).contains(&l) => format!("{value:.2}"),
        l if (0.1..1.0).contains(&l) => format!("{value:.3}"),
        l if (0.01..0.1).contains(&l) => format!("{value:.4}"),
        _ => format!("{value:.2e}"),
    }
}
