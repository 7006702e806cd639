//! Pictures of a frame without a screen: every yarn a tube, lit, shaded and shadowed in software.
//!
//! ```text
//! Frame -> nodes, normals -> heights, waves -> curves -> tubes -> triangles -> samples -> light -> Image
//!          nodes, normal     stack, offset    curve     yarn     raster       buffer     light    image
//! ```
//!
//! Yarns are drawn a few at a time, so that memory depends on the picture's size and not on theirs. The
//! picture is the same to the bit on any number of threads: each band of rows takes the triangles in order.

pub mod camera;
pub mod colour;
pub mod image;
pub mod options;

pub mod nodes;
pub mod normal;
pub mod stack;
pub mod offset;
pub mod curve;
pub mod mesh;
pub mod tube;
pub mod yarn;
pub mod overlay;
pub mod sheet;

pub(crate) mod cloth;
pub(crate) mod fields;

mod buffer;
mod font;
mod lathe;
mod legend;
mod light;
mod occlusion;
mod raster;
mod shadow;

pub(crate) mod solid;

use rayon::prelude::*;

use crate::frame::{Camera, Frame};

pub use colour::ColourMode;
pub use image::{Image, ImageError, encode_png, write_png};
pub use options::{Detail, RenderOptions};
pub use overlay::Overlay;

/// A point or a vector in space as drawn, m.
pub type V3 = nalgebra::Vector3<f32>;

/// Yarns that are drawn at a time: enough for many threads, few enough to keep memory small.
const BATCH: usize = 64;

/// Shapes of overlays that are drawn at a time: as many corners as a batch of long yarns.
const MARK_BATCH: usize = 4096;

/// Reach of the darkening around contacts, in radii of the thickest yarn.
const OCCLUSION_REACH: f32 = 5.0;

/// Pixels below which a yarn is thin: those of cloth with 1.3 pixels from yarn to yarn, half of it yarn, beat
/// with two samples a pixel.
const FINE: f32 = 1.5;

/// The picture of a frame.
pub fn render(frame: &Frame, options: &RenderOptions) -> Image {
    let camera = camera_of(frame, options);
    let size = [options.width, options.height].map(|n| n.max(1) as usize);
    let factor = supersampling(frame, &camera::View::new(&camera, size), options.supersampling);
    let view = camera::View::new(&camera, size.map(|n| n * factor));
    let key = light::key_direction(&view);
    let scene = Scene::new(frame, view, options);
    let mut shadow = options.shadows.then(|| scene.shadow_map(key));
    let mut buffer = buffer::Buffer::new(view, options.plies);
    scene.draw(&mut buffer, &mut shadow);
    let open = occlusion::occlusion(&buffer, factor, OCCLUSION_REACH * thickest(frame));
    let mut picture = light::develop(&buffer, &light::Lights { key, shadow, open }, factor);
    if options.legend {
        legend::draw(&mut picture, frame, options.colour, scene.range);
    }
    picture
}

/// Samples along an edge of a pixel: more for cloth from afar, whose yarns would show as moire.
fn supersampling(frame: &Frame, pixels: &camera::View, asked: u32) -> usize {
    let depth = pixels.depth(camera::middle(frame).cast()).max(pixels.near);
    let yarns = thickest_yarn(frame);
    let is_fine = yarns > 0.0 && 2.0 * yarns * pixels.focal / depth < FINE;
    let factor = if is_fine && asked > 1 { 2 * asked } else { asked };
    factor.clamp(1, 4) as usize
}

/// Radius of the thickest yarn, m; zero without any.
fn thickest_yarn(frame: &Frame) -> f32 {
    frame.layout.rods.iter().map(|r| r.radius).fold(0.0, f32::max)
}

/// Radius of the thickest yarn, or half the thickness of the thickest sheet, m.
fn thickest(frame: &Frame) -> f32 {
    frame.layout.sheets.iter().map(|s| 0.5 * s.thickness).fold(thickest_yarn(frame), f32::max)
}

/// The camera that a picture is taken from.
pub fn camera_of(frame: &Frame, options: &RenderOptions) -> Camera {
    let aspect = f64::from(options.width.max(1)) / f64::from(options.height.max(1));
    options.camera.unwrap_or_else(|| camera::fit(&[frame], aspect))
}

/// What is drawn.
struct Scene<'a> {
    frame: &'a Frame,
    view: camera::View,
    detail: Detail,
    curves: Vec<curve::Curve>,
    colours: Vec<[f32; 3]>,
    mode: ColourMode,
    range: [f32; 2],
    overlays: &'a [Overlay],
}

impl<'a> Scene<'a> {
    fn new(frame: &'a Frame, view: camera::View, options: &'a RenderOptions) -> Self {
        let range =
            options.range.unwrap_or_else(|| options.colour.range(colour::size(frame, options.colour)));
        let colours = colour::node_colours(frame, options.colour, range);
        let (detail, overlays) = (options.detail, &options.overlays);
        let mode = options.colour;
        Self { frame, view, detail, curves: curve::curves(frame), colours, mode, range, overlays }
    }

    /// Draws everything, a batch of meshes at a time.
    fn draw(&self, buffer: &mut buffer::Buffer, shadow: &mut Option<shadow::ShadowMap>) {
        let rods: Vec<usize> = (0..self.curves.len()).collect();
        let batches = rods.chunks(BATCH).map(|batch| batch.par_iter().map(|&rod| self.yarn(rod)).collect());
        let marks = overlay::marks(self.frame, &self.curves, self.overlays);
        let marks = marks.chunks(MARK_BATCH).map(overlay::meshes);
        let wholes = [solid::solids(self.frame), cloth::sheets(self.frame, self.mode, self.range)];
        for meshes in wholes.into_iter().chain(marks).chain(batches) {
            if let Some(map) = shadow {
                map.draw(&meshes);
            }
            let project = |mut mesh: mesh::Mesh| {
                let triangles = raster::project(&mut mesh, &self.view);
                (mesh, triangles)
            };
            let drawn: Vec<_> = meshes.into_par_iter().map(project).collect();
            buffer.draw(&drawn);
        }
    }

    fn yarn(&self, rod: usize) -> mesh::Mesh {
        let colours = &self.colours[nodes::rod_nodes(&self.frame.layout, rod)];
        let radius = self.frame.layout.rods[rod].radius * Overlay::thinning(self.overlays);
        yarn::yarn(&self.curves[rod], radius, colours, self.detail.in_view(&self.view))
    }

    /// A map fitted to the nodes in the picture, for the sake of fine shadows close up.
    fn shadow_map(&self, key: V3) -> shadow::ShadowMap {
        let radius = thickest(self.frame);
        let points: Vec<V3> = if radius == 0.0 { Vec::new() } else { solid::extent(self.frame) }
            .iter()
            .map(|p| p.cast())
            .filter(|p| self.view.sees(*p, 4.0 * radius))
            .collect();
        shadow::ShadowMap::new(key, &points, radius)
    }
}
