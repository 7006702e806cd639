//! Several pictures in one.

use super::font::{LETTER, write};
use super::image::Image;

/// sRGB grey of the lines between the pictures, and of their labels.
const LINE: u8 = 255;
const INK: u8 = 40;

/// Pixels of a picture's height to a dot of its label.
const HEIGHT_PER_DOT: usize = 180;

/// Columns and rows that hold a number of pictures in nearly a square.
pub fn grid(n: usize) -> [usize; 2] {
    let columns = (1..=n).find(|c| c * c >= n).unwrap_or(1);
    [columns, n.div_ceil(columns).max(1)]
}

/// Pictures of one size with labels in their lower left corners, row by row.
pub fn sheet(pictures: &[(String, Image)]) -> Image {
    let [columns, rows] = grid(pictures.len());
    let [width, height] = pictures.first().map_or([1, 1], |(_, p)| [p.width as usize, p.height as usize]);
    let mut out = Image {
        width: (columns * width) as u32,
        height: (rows * height) as u32,
        rgb: vec![LINE; 3 * columns * width * rows * height],
    };
    let dot = (height / HEIGHT_PER_DOT).max(1);
    for (k, (label, picture)) in pictures.iter().enumerate() {
        let (left, top) = (k % columns * width, k / columns * height);
        for (y, row) in picture.rgb.chunks_exact(3 * width).enumerate() {
            let start = 3 * ((top + y) * columns * width + left);
            // One pixel to the right and below stays for the line.
            let visible = if y + 1 < height { 3 * (width - 1) } else { 0 };
            out.rgb[start..start + visible].copy_from_slice(&row[..visible]);
        }
        let below = top + height.saturating_sub((LETTER[1] + 4) * dot);
        write(&mut out, label, [left + 5 * dot, below], dot, INK);
    }
    out
}
