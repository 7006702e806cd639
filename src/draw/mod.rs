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

/// The picture of a frame.
pub fn render(frame: &Frame, options: &RenderOptions) -> Image {
    let factor = options.supersampling.clamp(1, 4) as usize;
    let size = [options.width.max(1) as usize * factor, options.height.max(1) as usize * factor];
    let view = camera::View::new(&camera_of(frame, options), size);
    let key = light::key_direction(&view);
    let scene = Scene::new(frame, view, options);
    let mut shadow = options.shadows.then(|| scene.shadow_map(key));
    let mut buffer = buffer::Buffer::new(view, options.plies);
    scene.draw(&mut buffer, &mut shadow);
    let open = occlusion::occlusion(&buffer, factor, OCCLUSION_REACH * scene.thickest());
    let mut picture = light::develop(&buffer, &light::Lights { key, shadow, open }, factor);
    if options.legend {
        legend::draw(&mut picture, frame, options.colour, scene.range);
    }
    picture
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
    range: [f32; 2],
    overlays: &'a [Overlay],
}

impl<'a> Scene<'a> {
    fn new(frame: &'a Frame, view: camera::View, options: &'a RenderOptions) -> Self {
        let range =
            options.range.unwrap_or_else(|| options.colour.range(colour::size(frame, options.colour)));
        let colours = colour::node_colours(frame, options.colour, range);
        let (detail, overlays) = (options.detail, &options.overlays);
        Self { frame, view, detail, curves: curve::curves(frame), colours, range, overlays }
    }

    /// Draws everything, a batch of meshes at a time.
    fn draw(&self, buffer: &mut buffer::Buffer, shadow: &mut Option<shadow::ShadowMap>) {
        let rods: Vec<usize> = (0..self.curves.len()).collect();
        let batches = rods.chunks(BATCH).map(|batch| batch.par_iter().map(|&rod| self.yarn(rod)).collect());
        let marks = overlay::marks(self.frame, &self.curves, self.overlays);
        let marks = marks.chunks(MARK_BATCH).map(overlay::meshes);
        let wholes = [solid::solids(self.frame), cloth::sheets(self.frame)];
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
        let radius = self.thickest();
        let points: Vec<V3> = if self.thickest() == 0.0 { Vec::new() } else { solid::extent(self.frame) }
            .iter()
            .map(|p| p.cast())
            .filter(|p| self.view.sees(*p, 4.0 * radius))
            .collect();
        shadow::ShadowMap::new(key, &points, radius)
    }

    /// Radius of the thickest yarn, or half the thickness of the thickest sheet, m.
    fn thickest(&self) -> f32 {
        let sheets = self.frame.layout.sheets.iter().map(|s| 0.5 * s.thickness);
        self.frame.layout.rods.iter().map(|r| r.radius).chain(sheets).fold(0.0, f32::max)
    }
}
