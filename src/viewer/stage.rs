//! The yarns and obstacles of a frame as one mesh, and the camera before them.

use kiss3d::prelude::{Color, GpuMesh3d, OrbitCamera3d, Rc, RefCell, SceneNode3d, Vec2, Vec3, Window};

use super::material::{Lambert, pack};
use super::{ViewOptions, first_camera};
use crate::draw::camera::View;
use crate::draw::colour::{ColourMode, node_colours, size};
use crate::draw::curve::curves;
use crate::draw::mesh::Mesh;
use crate::draw::nodes::rod_nodes;
use crate::draw::options::Detail;
use crate::draw::solid::solids;
use crate::draw::yarn::yarn;
use crate::frame::Frame;

/// Light grey of the background, sRGB.
const BACKGROUND: f32 = 0.93;

/// Distances drawn, in distances of the first camera from its target.
const DEPTHS: [f32; 2] = [1e-3, 50.0];

/// Corners that a software driver still turns fluently; beyond it yarns get fewer sides and pieces.
const FLUENT_CORNERS: usize = 600_000;

/// What a window shows.
pub(super) struct Stage {
    scene: SceneNode3d,
    mesh: Option<SceneNode3d>,
    camera: OrbitCamera3d,
    view: View,
    colour: ColourMode,
    /// The range asked for.
    range: Option<[f32; 2]>,
    /// The largest size of the values shown so far.
    size: f32,
}

impl Stage {
    /// An empty stage with the camera for a first frame.
    pub(super) fn new(window: &mut Window, first: &Frame, options: &ViewOptions) -> Self {
        window.set_background_color(Color::new(BACKGROUND, BACKGROUND, BACKGROUND, 1.0));
        window.set_shadows_enabled(false);
        let chosen = first_camera(first, options);
        let [eye, target, up] = [chosen.eye, chosen.target, chosen.up].map(|v| vec3(v.map(|c| c as f32)));
        let distance = (eye - target).length().max(f32::MIN_POSITIVE);
        let angle = chosen.field_of_view.to_radians() as f32;
        let [near, far] = DEPTHS.map(|d| d * distance);
        let mut camera = OrbitCamera3d::new_with_frustum(angle, near, far, eye, target);
        camera.set_up_axis(up);
        camera.set_min_dist(2.0 * near);
        camera.look_at(eye, target);
        Self {
            scene: SceneNode3d::empty(),
            mesh: None,
            camera,
            view: View::new(&chosen, options.size.map(|n| n as usize)),
            colour: options.colour,
            range: options.range,
            size: 0.0,
        }
    }

    /// Shows a frame in the place of the one before.
    pub(super) fn show(&mut self, frame: &Frame) {
        if let Some(mut old) = self.mesh.take() {
            old.remove();
        }
        self.size = self.size.max(size(frame, self.colour));
        let mesh = Rc::new(RefCell::new(self.mesh_of(frame)));
        let mut node = self.scene.add_mesh(mesh, Vec3::ONE);
        node.set_material(Lambert::shared());
        self.mesh = Some(node);
    }

    /// Draws once; false once the window is closed.
    pub(super) async fn render(&mut self, window: &mut Window) -> bool {
        window.render_3d(&mut self.scene, &mut self.camera).await
    }

    fn mesh_of(&self, frame: &Frame) -> GpuMesh3d {
        let range = self.range.unwrap_or_else(|| self.colour.range(self.size));
        let colours = node_colours(frame, self.colour, range);
        let detail = detail(frame.position.len());
        let yarns = curves(frame).into_iter().enumerate().map(|(rod, curve)| {
            let nodes = rod_nodes(&frame.layout, rod);
            yarn(&curve, frame.layout.rods[rod].radius, &colours[nodes], detail.in_view(&self.view))
        });
        let mut merged = Merged::default();
        solids(frame).into_iter().chain(yarns).for_each(|mesh| merged.add(&mesh));
        GpuMesh3d::new(merged.points, merged.faces, Some(merged.normals), Some(merged.colours), false)
    }
}

/// Meshes as one.
#[derive(Default)]
struct Merged {
    points: Vec<Vec3>,
    normals: Vec<Vec3>,
    colours: Vec<Vec2>,
    faces: Vec<[u32; 3]>,
}

impl Merged {
    fn add(&mut self, mesh: &Mesh) {
        let first = self.points.len() as u32;
        self.points.extend(mesh.vertices.iter().map(|v| vec3(v.position.into())));
        self.normals.extend(mesh.vertices.iter().map(|v| vec3(v.normal.into())));
        self.colours.extend(mesh.vertices.iter().map(|v| {
            // The rim of the ground fades into the background.
            let background = BACKGROUND * BACKGROUND;
            pack(v.colour.map(|c| background + v.alpha * (c - background)))
        }));
        self.faces.extend(mesh.triangles.iter().map(|t| t.map(|i| first + i)));
    }
}

/// The finest of three degrees that keeps a number of nodes fluent.
fn detail(n_nodes: usize) -> Detail {
    let degrees = [(6, 10), (4, 8), (2, 6)];
    let fluent = degrees.into_iter().find(|(pieces, sides)| n_nodes * pieces * (sides + 1) <= FLUENT_CORNERS);
    let (pieces, sides) = fluent.unwrap_or((1, 5));
    Detail::Fixed { pieces, sides }
}

fn vec3([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(x, y, z)
}
