//! The cloth and obstacles of a frame as meshes on the graphics card, kept from frame to frame.

use std::time::Instant;

use kiss3d::prelude::{Color, GPUVec, GpuMesh3d, Rc, RefCell, SceneNode3d, Vec2, Vec3, Window};
use rayon::prelude::*;

use super::look::Look;
use super::material::{Lambert, pack};
use super::times::Times;
use crate::draw::V3;
use crate::draw::camera::View;
use crate::draw::cloth::sheets;
use crate::draw::colour::{node_colours, size};
use crate::draw::curve::{Curve, curves};
use crate::draw::mesh::Mesh;
use crate::draw::nodes::rod_nodes;
use crate::draw::overlay::{Overlay, marks, meshes};
use crate::draw::solid::solids;
use crate::draw::yarn::{Fineness, yarn};
use crate::frame::Frame;

/// Light grey of the background, sRGB.
const BACKGROUND: f32 = 0.93;

/// Pixels by which yarns may be off their curves: half of one shows nothing.
const TOLERANCE: f32 = 0.5;

/// Phase of what has no plies: the middle of one.
const NO_PLY: f32 = 0.5;

/// What a window shows.
pub(super) struct Stage {
    /// Everything that is drawn.
    pub(super) scene: SceneNode3d,
    yarns: Part,
    solids: Part,
    marks: Part,
    /// The largest size of the values shown so far.
    size: f32,
}

impl Stage {
    /// An empty stage.
    pub(super) fn new(window: &mut Window) -> Self {
        window.set_background_color(Color::new(BACKGROUND, BACKGROUND, BACKGROUND, 1.0));
        window.set_shadows_enabled(false);
        let mut scene = SceneNode3d::empty();
        let [yarns, solids, marks] = std::array::from_fn(|_| Part::new(&mut scene));
        Self { scene, yarns, solids, marks, size: 0.0 }
    }

    /// The values at the ends of the colours.
    pub(super) fn range(&self, look: &Look) -> [f32; 2] {
        look.range.unwrap_or_else(|| look.colour.range(self.size))
    }

    /// Forgets the values shown so far, because the colours mean something else now.
    pub(super) fn forget_range(&mut self) {
        self.size = 0.0;
    }

    /// Shows a frame in the place of the one before.
    pub(super) fn show(&mut self, frame: &Frame, look: &Look, view: &View) -> Times {
        let begun = Instant::now();
        self.size = self.size.max(size(frame, look.colour));
        let curves = curves(frame);
        let mut yarns = self.tubes(frame, &curves, look, view);
        yarns.extend(sheets(frame, look.colour, self.range(look)).iter().map(Corners::new));
        let solids = if look.obstacles { solids(frame) } else { Vec::new() };
        let marks = meshes(&marks(frame, &curves, &look.overlays));
        let [solids, marks] = [solids, marks].map(|part| part.iter().map(Corners::new).collect::<Vec<_>>());
        let built = Instant::now();
        self.yarns.put(&yarns);
        self.solids.put(&solids);
        self.marks.put(&marks);
        Times {
            mesh: (built - begun).as_secs_f64(),
            upload: built.elapsed().as_secs_f64(),
            ..Times::default()
        }
    }

    fn tubes(&self, frame: &Frame, curves: &[Curve], look: &Look, view: &View) -> Vec<Corners> {
        let colours = node_colours(frame, look.colour, self.range(look));
        let thinning = Overlay::thinning(&look.overlays);
        let rods = curves.par_iter().zip(&frame.layout.rods).enumerate();
        rods.filter(|(_, (_, info))| !look.hides(info.fabric))
            .map(|(rod, (curve, info))| {
                let nodes = rod_nodes(&frame.layout, rod);
                let fineness = Fineness::Seen(view, TOLERANCE);
                Corners::new(&yarn(curve, thinning * info.radius, &colours[nodes], fineness))
            })
            .collect()
    }
}

/// A mesh whose buffers on the graphics card are written again for every frame.
struct Part(Rc<RefCell<GpuMesh3d>>);

impl Part {
    fn new(scene: &mut SceneNode3d) -> Self {
        let none = (Vec::new(), Vec::new(), Vec::new());
        let mesh =
            Rc::new(RefCell::new(GpuMesh3d::new(none.0, Vec::new(), Some(none.1), Some(none.2), true)));
        scene.add_mesh(Rc::clone(&mesh), Vec3::ONE).set_material(Lambert::shared());
        Self(mesh)
    }

    /// Writes meshes one behind the other, and sends them to the graphics card.
    fn put(&self, parts: &[Corners]) {
        let mut mesh = self.0.borrow_mut();
        refill(mesh.coords(), parts, |out, part| out.extend_from_slice(&part.points));
        refill(mesh.normals(), parts, |out, part| out.extend_from_slice(&part.normals));
        refill(mesh.uvs(), parts, |out, part| out.extend_from_slice(&part.surface));
        let mut first = 0;
        refill(mesh.faces(), parts, |out, part| {
            out.extend(part.faces.iter().map(|face| face.map(|corner| first + corner)));
            first += part.points.len() as u32;
        });
        mesh.ensure_on_gpu();
    }
}

/// Fills a vector again without giving its memory back.
fn refill<T: bytemuck::Pod>(
    vector: &std::sync::RwLock<GPUVec<T>>,
    parts: &[Corners],
    mut add: impl FnMut(&mut Vec<T>, &Corners),
) {
    let mut vector = vector.write().unwrap_or_else(std::sync::PoisonError::into_inner);
    let data = vector.data_mut().get_or_insert_default();
    data.clear();
    parts.iter().for_each(|part| add(data, part));
}

/// A mesh as the graphics card takes it.
struct Corners {
    points: Vec<Vec3>,
    normals: Vec<Vec3>,
    /// The colour as one number, and the phase of the plies.
    surface: Vec<Vec2>,
    faces: Vec<[u32; 3]>,
}

impl Corners {
    fn new(mesh: &Mesh) -> Self {
        // Whole rings share their colour.
        let mut last = ([f32::NAN; 4], 0.0);
        let surface = mesh.vertices.iter().map(|v| {
            let [r, g, b] = v.colour;
            if last.0 != [r, g, b, v.alpha] {
                // The rim of the ground fades into the background.
                let background = BACKGROUND * BACKGROUND;
                last = ([r, g, b, v.alpha], pack(v.colour.map(|c| background + v.alpha * (c - background))));
            }
            Vec2::new(last.1, if v.tangent == V3::zeros() { NO_PLY } else { v.phase })
        });
        Self {
            surface: surface.collect(),
            points: mesh.vertices.iter().map(|v| vec3(v.position)).collect(),
            normals: mesh.vertices.iter().map(|v| vec3(v.normal)).collect(),
            faces: mesh.triangles.clone(),
        }
    }
}

fn vec3(v: V3) -> Vec3 {
    Vec3::new(v.x, v.y, v.z)
}
