//! How much of the sky each pixel misses because something near stands before it.

use rayon::prelude::*;

use super::V3;
use super::buffer::Buffer;

/// Neighbours asked by a pixel.
const TAPS: usize = 12;

/// Turns of the spiral on which the neighbours lie; it shares no factor with [`TAPS`].
const TURNS: f32 = 5.0;

/// Strength; at this value the crevice between two touching yarns is about half dark.
const STRENGTH: f32 = 1.1;

/// Least and greatest reach in pixels.
const REACH: [f32; 2] = [3.0, 40.0];

/// Side of the square of pixels over which the spirals turn and are averaged again.
const TILE: usize = 4;

/// Depths and normals of the pixels, from the nearest of their samples.
pub(crate) struct Occlusion<'a> {
    buffer: &'a Buffer,
    /// Samples along an edge of a pixel.
    factor: usize,
    size: [usize; 2],
    /// Index of the nearest sample of each pixel.
    nearest: Vec<usize>,
}

/// The part of the sky that each pixel sees, 0 to 1, for occluders within `reach`, m.
///
/// ```text
/// a = max(0, 1 - 2 strength / n sum max(0, v.n - bias) / (v.v + eps)),   v from the pixel to a neighbour
/// ```
///
/// McGuire, Osman, Bukowski and Hennessy, The Alchemy screen-space ambient obscurance algorithm, 2011.
pub(crate) fn occlusion(buffer: &Buffer, factor: usize, reach: f32) -> Vec<f32> {
    let field = Occlusion::new(buffer, factor);
    let [width, height] = field.size;
    let mut raw = vec![1.0; width * height];
    raw.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        row.iter_mut().enumerate().for_each(|(x, open)| *open = field.open(x, y, reach));
    });
    let mut smooth = vec![1.0; width * height];
    smooth.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        row.iter_mut().enumerate().for_each(|(x, open)| *open = field.average(&raw, x, y, reach));
    });
    smooth
}

impl<'a> Occlusion<'a> {
    fn new(buffer: &'a Buffer, factor: usize) -> Self {
        let size = buffer.view.size.map(|n| n / factor);
        let nearest = |k: usize| {
            let corner = (k / size[0] * factor) * buffer.view.size[0] + k % size[0] * factor;
            let inside = (0..factor * factor).map(|i| corner + i / factor * buffer.view.size[0] + i % factor);
            inside
                .max_by(|a, b| buffer.samples[*a].depth.total_cmp(&buffer.samples[*b].depth))
                .unwrap_or(corner)
        };
        let nearest = (0..size[0] * size[1]).into_par_iter().map(nearest).collect();
        Self { buffer, factor, size, nearest }
    }

    fn depth(&self, x: usize, y: usize) -> f32 {
        self.buffer.samples[self.nearest[y * self.size[0] + x]].depth
    }

    fn point(&self, x: usize, y: usize) -> V3 {
        let k = self.nearest[y * self.size[0] + x];
        let (column, row) = (k % self.buffer.view.size[0], k / self.buffer.view.size[0]);
        self.buffer.view.unproject([column as f32 + 0.5, row as f32 + 0.5, self.buffer.samples[k].depth])
    }

    fn open(&self, x: usize, y: usize, reach: f32) -> f32 {
        let depth = self.depth(x, y);
        if depth == 0.0 {
            return 1.0;
        }
        let here = self.point(x, y);
        let normal = self.buffer.samples[self.nearest[y * self.size[0] + x]].normal();
        let pixels = (reach * self.buffer.view.focal * depth / self.factor as f32).clamp(REACH[0], REACH[1]);
        let reach = pixels * self.factor as f32 / (self.buffer.view.focal * depth);
        // The turns of a tile's pixels fill the circle in an order in which neighbours differ much.
        let turn = ((x % TILE + TILE * (y % TILE)) * 7 % (TILE * TILE)) as f32 / (TILE * TILE) as f32;
        let mut sum = 0.0;
        for k in 0..TAPS {
            let radius = (k as f32 + 0.5) / TAPS as f32;
            let (sine, cosine) = (std::f32::consts::TAU * (radius * TURNS + turn)).sin_cos();
            let (dx, dy) = (pixels * radius * cosine, pixels * radius * sine);
            let (px, py) = (x as f32 + dx.round(), y as f32 + dy.round());
            let inside = px >= 0.0 && py >= 0.0 && px < self.size[0] as f32 && py < self.size[1] as f32;
            if !inside || self.depth(px as usize, py as usize) == 0.0 {
                continue;
            }
            let v = self.point(px as usize, py as usize) - here;
            sum += shade(v, normal, reach);
        }
        (1.0 - 2.0 * STRENGTH * sum / TAPS as f32).max(0.0)
    }

    /// Mean over a tile of the pixels at nearly the same distance.
    fn average(&self, raw: &[f32], x: usize, y: usize, reach: f32) -> f32 {
        let depth = self.depth(x, y);
        if depth == 0.0 {
            return 1.0;
        }
        let (mut sum, mut weight) = (0.0, 0.0);
        for k in 0..TILE * TILE {
            let (px, py) = (x + k % TILE, y + k / TILE);
            let (px, py) = (px.wrapping_sub(TILE / 2), py.wrapping_sub(TILE / 2));
            if px >= self.size[0] || py >= self.size[1] {
                continue;
            }
            let other = self.depth(px, py);
            if other > 0.0 && (1.0 / other - 1.0 / depth).abs() < 0.5 * reach {
                sum += raw[py * self.size[0] + px];
                weight += 1.0;
            }
        }
        if weight > 0.0 { sum / weight } else { raw[y * self.size[0] + x] }
    }
}

/// A neighbour's share of the shade, without dimension, none from beyond twice the reach.
fn shade(v: V3, normal: V3, reach: f32) -> f32 {
    let squared = v.norm_squared();
    if squared > 4.0 * reach * reach {
        return 0.0;
    }
    let bias = 0.02 * reach;
    reach * (v.dot(&normal) - bias).max(0.0) / (squared + 0.01 * reach * reach) * 0.5
}
