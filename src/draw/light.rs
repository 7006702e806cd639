//! Light on what is seen, and the picture from it.

use rayon::prelude::*;

use super::V3;
use super::buffer::{Buffer, Sample};
use super::camera::View;
use super::image::{Image, SrgbTable};
use super::shadow::ShadowMap;

/// Linear RGB of the sky's light, of the light thrown back by the ground, and of the key light.
const SKY: [f32; 3] = [0.58, 0.60, 0.64];
const GROUND: [f32; 3] = [0.30, 0.28, 0.26];
const KEY: [f32; 3] = [0.84, 0.81, 0.76];

/// How far the key light reaches around a yarn's edge: fibres scatter it.
const WRAP: f32 = 0.15;

/// Brightness of the fuzz that yarns show against the light at grazing angles.
const FUZZ: f32 = 0.10;

/// The key light's direction over the left shoulder of the camera: its share to the left, backward and up.
const KEY_DIRECTION: [f32; 3] = [0.62, 0.35, 0.85];

/// Linear grey of the background at the top and at the bottom.
const BACKGROUND: [f32; 2] = [0.93, 0.80];

/// The lights of a picture.
pub(crate) struct Lights {
    /// Unit vector towards the key light.
    pub(crate) key: V3,
    /// What the key light sees.
    pub(crate) shadow: Option<ShadowMap>,
    /// The part of the sky that each pixel sees.
    pub(crate) open: Vec<f32>,
}

/// How steeply a camera must look up, as the rise of its direction, for the key light to come from below as
/// well: what it sees of flat cloth is the lower side.
const UPWARD: f32 = 0.5;

/// The unit vector towards the key light of a view: it turns with the camera but stays above, unless the
/// camera looks up from far below.
pub(crate) fn key_direction(view: &View) -> V3 {
    let level = |v: V3| V3::new(v.x, v.y, 0.0).try_normalize(1e-6);
    let right = level(view.axes[0]).unwrap_or_else(V3::x);
    let back = V3::z().cross(&right) * -1.0;
    let [left, behind, up] = KEY_DIRECTION;
    let up = if view.axes[2].z > UPWARD { -up } else { up };
    (back * behind - right * left + V3::z() * up).normalize()
}

/// Rows of pixels that are developed together; those of samples that two bands share are lit twice.
const BAND: usize = 16;

/// The picture: all samples lit, `factor` by `factor` of them to a pixel, weighed by a tent two pixels wide.
///
/// A pixel that took its own samples only would show fine cloth as moire: of yarns three quarters of which
/// pass a pixel, 30 % of the contrast would remain as a false pattern, and 6 % do with the tent.
pub(crate) fn develop(buffer: &Buffer, lights: &Lights, factor: usize) -> Image {
    let [width, height] = buffer.view.size.map(|n| n / factor);
    let mut rgb = vec![0; 3 * width * height];
    let (table, tent) = (SrgbTable::new(), Tent::new(factor));
    rgb.par_chunks_mut(3 * width * BAND).enumerate().for_each(|(band, bytes)| {
        let rows = band * BAND..band * BAND + bytes.len() / (3 * width);
        let samples = tent.reach(rows.start).start..tent.reach(rows.end - 1).end;
        let lit: Vec<Vec<[f32; 3]>> = samples
            .clone()
            .map(|y| tent.row(&lights.row(buffer, factor, inside(y, height * factor))))
            .collect();
        for (y, row) in rows.zip(bytes.chunks_exact_mut(3 * width)) {
            let below = (tent.reach(y).start - samples.start) as usize;
            for (x, pixel) in row.chunks_exact_mut(3).enumerate() {
                let mean = tent.mean(|k| lit[below + k][x]);
                pixel.iter_mut().zip(mean).for_each(|(p, c)| *p = table.byte(c));
            }
        }
    });
    Image { width: width as u32, height: height as u32, rgb }
}

/// The weights of samples along a row or a column.
struct Tent {
    factor: usize,
    weights: Vec<f32>,
}

impl Tent {
    fn new(factor: usize) -> Self {
        let taps = factor + 2 * (factor / 2);
        let weight = |k: usize| 1.0 - (k as f32 + 0.5 - 0.5 * taps as f32).abs() / factor as f32;
        let sum: f32 = (0..taps).map(weight).sum();
        Self { factor, weights: (0..taps).map(|k| weight(k) / sum).collect() }
    }

    /// The samples that a pixel takes, some of them beyond the picture's rim.
    fn reach(&self, pixel: usize) -> std::ops::Range<isize> {
        let start = (pixel * self.factor) as isize - (self.factor / 2) as isize;
        start..start + self.weights.len() as isize
    }

    fn mean(&self, sample: impl Fn(usize) -> [f32; 3]) -> [f32; 3] {
        self.weights.iter().enumerate().fold([0.0; 3], |sum, (k, weight)| {
            let c = sample(k);
            std::array::from_fn(|i| sum[i] + weight * c[i])
        })
    }

    /// The pixels of a row of samples.
    fn row(&self, samples: &[[f32; 3]]) -> Vec<[f32; 3]> {
        let pixel = |x: usize| {
            let start = self.reach(x).start;
            self.mean(|k| samples[inside(start + k as isize, samples.len())])
        };
        (0..samples.len() / self.factor).map(pixel).collect()
    }
}

/// The nearest of `n` places to an index.
fn inside(index: isize, n: usize) -> usize {
    index.clamp(0, n as isize - 1) as usize
}

impl Lights {
    /// Linear RGB of a row of samples.
    fn row(&self, buffer: &Buffer, factor: usize, y: usize) -> Vec<[f32; 3]> {
        let [width, height] = buffer.view.size;
        let background = BACKGROUND[0] + (BACKGROUND[1] - BACKGROUND[0]) * (y as f32 / height as f32);
        let open = &self.open[y / factor * (width / factor)..];
        (0..width).map(|x| self.sample(buffer, [x, y], open[x / factor], background)).collect()
    }

    /// Linear RGB of a sample.
    fn sample(&self, buffer: &Buffer, [x, y]: [usize; 2], open: f32, background: f32) -> [f32; 3] {
        let sample = &buffer.samples[y * buffer.view.size[0] + x];
        if sample.depth == 0.0 {
            return [background; 3];
        }
        let point = buffer.view.unproject([x as f32 + 0.5, y as f32 + 0.5, sample.depth]);
        let (colour, alpha) = sample.colour();
        let lit = self.surface(buffer, sample, point, open);
        std::array::from_fn(|k| {
            let c = colour[k] * lit.0[k] + lit.1;
            background + alpha * (c.min(1.0) - background)
        })
    }

    /// What a white surface would send to the eye (linear RGB), and the fuzz added to any colour.
    fn surface(&self, buffer: &Buffer, sample: &Sample, point: V3, open: f32) -> ([f32; 3], f32) {
        let normal = sample.normal();
        let facing = normal.dot(&self.key);
        let direct = ((facing + WRAP) / (1.0 + WRAP)).max(0.0);
        let shadow =
            if direct > 0.0 { self.shadow.as_ref().map_or(1.0, |s| s.light(point, normal)) } else { 0.0 };
        let upward = 0.5 + 0.5 * normal.z;
        let light = std::array::from_fn(|k| {
            open * (GROUND[k] + (SKY[k] - GROUND[k]) * upward) + KEY[k] * direct * shadow
        });
        let to_eye = (buffer.view.eye - point).normalize();
        let grazing = (1.0 - normal.dot(&to_eye).max(0.0)).powi(3);
        (light, FUZZ * grazing * open * (0.3 + 0.7 * shadow))
    }
}
