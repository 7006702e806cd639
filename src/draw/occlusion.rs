//! How much of the sky each pixel misses because something near stands before it.

use std::f32::consts::TAU;

use rayon::prelude::*;

use super::V3;
use super::buffer::{Buffer, Sample};

/// Neighbours asked by a pixel.
const TAPS: usize = 12;

/// Turns of the spiral on which the neighbours lie; it shares no factor with [`TAPS`].
const TURNS: f32 = 5.0;

/// Strength; at this value the crevice between two touching yarns is about half dark.
const STRENGTH: f32 = 1.7;

/// Least and greatest reach in pixels.
const REACH: [f32; 2] = [3.0, 90.0];

/// Reach in pixels at which the shade has its full strength; it fades from there to the least reach, where
/// the nearest samples of next pixels belong to other yarns and the shade would be moire.
const FULL: f32 = 8.0;

/// Side of the square of pixels over which the spirals turn and are averaged again.
const TILE: usize = 4;

/// The part of the sky that each pixel sees, 0 to 1, for occluders within `reach`, m.
///
/// ```text
/// a = exp(-2 strength fade / n sum reach max(0, v.n - bias) / (v.v + eps)),   v from the pixel to a neighbour
/// ```
///
/// McGuire, Osman, Bukowski and Hennessy, The Alchemy screen-space ambient obscurance algorithm, 2011, with
/// an exponential in the place of their straight line, which cuts narrow gaps to black.
pub(crate) fn occlusion(buffer: &Buffer, factor: usize, reach: f32) -> Vec<f32> {
    let field = Field::new(buffer, factor, reach);
    let [width, height] = field.size;
    let mut raw = vec![1.0; width * height];
    raw.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        row.iter_mut().enumerate().for_each(|(x, open)| *open = field.open(x, y));
    });
    let mut smooth = vec![1.0; width * height];
    smooth.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        row.iter_mut().enumerate().for_each(|(x, open)| *open = field.average(&raw, x, y));
    });
    smooth
}

/// The nearest sample of each pixel.
struct Field<'a> {
    buffer: &'a Buffer,
    /// Samples along an edge of a pixel.
    factor: f32,
    size: [usize; 2],
    nearest: Vec<Sample>,
    /// Distance at which occluders end, m.
    reach: f32,
    /// Places of the neighbours in units of the reach, for each pixel of a tile.
    spirals: Vec<[[f32; 2]; TAPS]>,
}

impl<'a> Field<'a> {
    fn new(buffer: &'a Buffer, factor: usize, reach: f32) -> Self {
        let size = buffer.view.size.map(|n| n / factor);
        let nearest = |k: usize| {
            let corner = (k / size[0] * factor) * buffer.view.size[0] + k % size[0] * factor;
            let inside = (0..factor * factor).map(|i| corner + i / factor * buffer.view.size[0] + i % factor);
            inside.map(|i| buffer.samples[i]).max_by(|a, b| a.depth.total_cmp(&b.depth)).unwrap_or_default()
        };
        let nearest = (0..size[0] * size[1]).into_par_iter().map(nearest).collect();
        let spirals = (0..TILE * TILE).map(spiral).collect();
        Self { buffer, factor: factor as f32, size, nearest, reach, spirals }
    }

    fn depth(&self, x: usize, y: usize) -> f32 {
        self.nearest[y * self.size[0] + x].depth
    }

    fn point(&self, x: usize, y: usize, depth: f32) -> V3 {
        let sample = |k: usize| (k as f32 + 0.5) * self.factor;
        self.buffer.view.unproject([sample(x), sample(y), depth])
    }

    fn open(&self, x: usize, y: usize) -> f32 {
        let depth = self.depth(x, y);
        if depth == 0.0 {
            return 1.0;
        }
        let here = self.point(x, y, depth);
        let normal = self.nearest[y * self.size[0] + x].normal();
        let scale = self.buffer.view.focal * depth / self.factor;
        let fade = ((self.reach * scale - REACH[0]) / (FULL - REACH[0])).clamp(0.0, 1.0);
        if fade == 0.0 {
            return 1.0;
        }
        let pixels = (self.reach * scale).min(REACH[1]);
        let reach = pixels / scale;
        let mut sum = 0.0;
        for place in &self.spirals[x % TILE + TILE * (y % TILE)] {
            let (px, py) = (x as f32 + 0.5 + pixels * place[0], y as f32 + 0.5 + pixels * place[1]);
            if px < 0.0 || py < 0.0 || px >= self.size[0] as f32 || py >= self.size[1] as f32 {
                continue;
            }
            let (px, py) = (px as usize, py as usize);
            let other = self.depth(px, py);
            if other > 0.0 {
                sum += shade(self.point(px, py, other) - here, normal, reach);
            }
        }
        (-2.0 * STRENGTH * fade * sum / TAPS as f32).exp()
    }

    /// Mean over a tile of the pixels at nearly the same distance.
    fn average(&self, raw: &[f32], x: usize, y: usize) -> f32 {
        let depth = self.depth(x, y);
        if depth == 0.0 {
            return 1.0;
        }
        // Distances 1/d differ by less than half the reach.
        let tolerance = 0.5 * self.reach * depth;
        let (mut sum, mut weight) = (0.0, 0.0);
        let around = |k: usize, n: usize| k.saturating_sub(TILE / 2)..(k + TILE - TILE / 2).min(n);
        for py in around(y, self.size[1]) {
            for px in around(x, self.size[0]) {
                let other = self.depth(px, py);
                if (other - depth).abs() < tolerance * other {
                    sum += raw[py * self.size[0] + px];
                    weight += 1.0;
                }
            }
        }
        if weight > 0.0 { sum / weight } else { raw[y * self.size[0] + x] }
    }
}

/// The neighbours of a pixel of a tile; the tile's spirals are turned so that next ones differ much.
fn spiral(pixel: usize) -> [[f32; 2]; TAPS] {
    let turn = (pixel * 7 % (TILE * TILE)) as f32 / (TILE * TILE) as f32;
    std::array::from_fn(|k| {
        let radius = (k as f32 + 0.5) / TAPS as f32;
        let (sine, cosine) = (TAU * (radius * TURNS + turn)).sin_cos();
        [radius * cosine, radius * sine]
    })
}

/// A neighbour's share of the shade, without dimension, none from beyond twice the reach.
fn shade(v: V3, normal: V3, reach: f32) -> f32 {
    let squared = v.norm_squared();
    if squared > 4.0 * reach * reach {
        return 0.0;
    }
    let bias = 0.02 * reach;
    0.5 * reach * (v.dot(&normal) - bias).max(0.0) / (squared + 0.01 * reach * reach)
}
