//! What is seen at each sample: depth, normal and colour, before light.

use std::f32::consts::TAU;

use super::V3;
use super::camera::View;
use super::mesh::{Mesh, Vertex};
use super::raster::{self, BAND_ROWS, Triangle, Triangles};
use super::tube::TWIST_TANGENT;
use rayon::prelude::*;

/// How far the normal leans at the edge of a ply, as a tangent.
const PLY_LEAN: f32 = 0.55;

/// How much darker the groove between two plies is.
const GROOVE: f32 = 0.45;

/// Streaks of fibres across a ply, in two waves of whole numbers so that they close around the yarn, and how
/// much lighter or darker than the yarn they are.
const FIBRES: [f32; 2] = [11.0, 27.0];
const FIBRE_CONTRAST: f32 = 0.14;

/// Radii in samples between which plies, then fibres, fade in: finer than that they flicker.
const PLY_SAMPLES: [f32; 2] = [2.5, 7.0];
const FIBRE_SAMPLES: [f32; 2] = [16.0, 40.0];

/// A sample of the picture.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sample {
    /// Inverse distance, 1/m; zero where nothing is seen.
    pub(crate) depth: f32,
    normal: u32,
    colour: u32,
}

/// The samples of a picture, row by row.
pub(crate) struct Buffer {
    /// From where they are seen.
    pub(crate) view: View,
    /// The samples.
    pub(crate) samples: Vec<Sample>,
    /// Whether yarns show their plies.
    plies: bool,
}

impl Buffer {
    /// A picture of nothing.
    pub(crate) fn new(view: View, plies: bool) -> Self {
        Self { view, samples: vec![Sample::default(); view.size[0] * view.size[1]], plies }
    }

    /// Draws meshes with their projected triangles, in order.
    pub(crate) fn draw(&mut self, meshes: &[(Mesh, Triangles)]) {
        let (view, plies) = (self.view, self.plies);
        let width = view.size[0];
        self.samples.par_chunks_mut(width * BAND_ROWS).enumerate().for_each(|(band, samples)| {
            let rows = band * BAND_ROWS..band * BAND_ROWS + samples.len() / width;
            for (mesh, triangles) in meshes {
                let shade = Shade { mesh, scale: if plies { mesh.radius * view.focal } else { 0.0 } };
                for triangle in triangles.within(&rows) {
                    raster::scan(&triangle.corners, width, &rows, |x, y, weight| {
                        let depth = raster::depth(&triangle.corners, weight);
                        let sample = &mut samples[(y - rows.start) * width + x];
                        if depth > sample.depth {
                            *sample = shade.sample(triangle, weight, depth);
                        }
                    });
                }
            }
        });
    }
}

impl Sample {
    /// Unit normal.
    pub(crate) fn normal(&self) -> V3 {
        let part = |shift: u32| ((self.normal >> shift & 1023) as f32) - 511.0;
        V3::new(part(0), part(10), part(20)).try_normalize(0.0).unwrap_or_else(V3::z)
    }

    /// Linear RGB and coverage, 0 to 1.
    pub(crate) fn colour(&self) -> ([f32; 3], f32) {
        let part = |shift: u32| (self.colour >> shift & 255) as f32 / 255.0;
        ([0, 8, 16].map(|shift| part(shift) * part(shift)), part(24))
    }

    /// The normal in ten bits a component, the colour's square roots and the coverage in eight.
    fn pack(depth: f32, normal: V3, colour: [f32; 3], alpha: f32) -> Self {
        let direction = |v: f32| (v * 511.0 + 511.5).clamp(0.0, 1023.0) as u32;
        let byte = |v: f32| (v.clamp(0.0, 1.0) * 255.0 + 0.5) as u32;
        let [r, g, b] = colour.map(|c| byte(c.max(0.0).sqrt()));
        Self {
            depth,
            normal: direction(normal.x) | direction(normal.y) << 10 | direction(normal.z) << 20,
            colour: r | g << 8 | b << 16 | byte(alpha) << 24,
        }
    }
}

/// What all samples of a mesh have in common.
struct Shade<'a> {
    mesh: &'a Mesh,
    /// The yarn's radius in samples at a distance of one metre; zero without plies.
    scale: f32,
}

impl Shade<'_> {
    fn sample(&self, triangle: &Triangle, weight: [f32; 3], depth: f32) -> Sample {
        // Weights in space from weights on the screen: w_i d_i / d with the inverse distances d.
        let weight = std::array::from_fn(|k| weight[k] * triangle.corners[k][2] / depth);
        let mut at = Vertex::mean(triangle.vertices.map(|i| &self.mesh.vertices[i as usize]), weight);
        at.normal = at.normal.try_normalize(0.0).unwrap_or_else(V3::z);
        let radius = self.scale * depth;
        if radius > PLY_SAMPLES[0] && at.tangent != V3::zeros() {
            twist(&mut at, radius);
        }
        Sample::pack(depth, at.normal, at.colour, at.alpha)
    }
}

/// Leans the normal and darkens the colour as the plies of a yarn do, `radius` in samples.
fn twist(at: &mut Vertex, radius: f32) {
    let across = at.phase - at.phase.floor() - 0.5;
    let strength = ramp(radius, PLY_SAMPLES);
    // Across the plies: around the axis, leaning back by the twist.
    let direction = at.tangent.cross(&at.normal) - at.tangent * TWIST_TANGENT;
    at.normal = (at.normal + direction * (2.0 * across * PLY_LEAN * strength)).normalize();
    let edge = (2.0 * across).powi(2);
    let fibre = FIBRE_CONTRAST * ramp(radius, FIBRE_SAMPLES) * streak(at.phase);
    let factor = 1.0 - GROOVE * strength * edge * edge + fibre;
    at.colour = at.colour.map(|c| c * factor);
}

fn ramp(value: f32, [low, high]: [f32; 2]) -> f32 {
    ((value - low) / (high - low)).clamp(0.0, 1.0)
}

/// Lightness of the fibres across the plies, -1 to 1.
fn streak(phase: f32) -> f32 {
    let [a, b] = FIBRES.map(|n| TAU * n * phase);
    0.6 * a.sin() + 0.4 * (b + 1.0).sin()
}
