//! What can be drawn: the yarns of a scene and where they are at a moment.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::geometry::pose::Pose;
use crate::geometry::triangle::RestTriangle;
use crate::model::obstacle::{MeshSequence, Shape};
use crate::model::yarns::NodeKind;

/// One yarn as drawn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RodInfo {
    /// Index of its fabric; `u32::MAX` for a single rod.
    pub fabric: u32,
    /// Radius, m.
    pub radius: f32,
    /// How far from the points that it shares with yarns of its fabric its centre line passes, m; zero if through them.
    pub offset: f32,
    /// Linear RGB colour, 0 to 1.
    pub colour: [f32; 3],
}

/// A sheet of triangles as drawn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SheetInfo {
    /// Name.
    pub name: String,
    /// m.
    pub thickness: f32,
    /// Linear RGB colour, 0 to 1.
    pub colour: [f32; 3],
    /// Its vertices among the frame's.
    pub vertices: std::ops::Range<u32>,
    /// Corners of its triangles among the frame's vertices, counter-clockwise seen from the front.
    pub triangles: Vec<[u32; 3]>,
    /// How its triangles are at rest.
    pub rest: Vec<RestTriangle>,
}

/// An obstacle as drawn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ObstacleInfo {
    /// Name.
    pub name: String,
    /// Shape in its own frame.
    pub shape: Shape,
    /// Its meshes, if its shape is a mesh.
    pub mesh: Option<MeshSequence>,
}

/// Camera of the pictures.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Camera {
    /// Position of the eye, m.
    pub eye: [f64; 3],
    /// Point in the middle of the picture, m.
    pub target: [f64; 3],
    /// Upward direction.
    #[serde(default = "z_axis")]
    pub up: [f64; 3],
    /// Vertical field of view, degrees.
    #[serde(default = "default_field_of_view")]
    pub field_of_view: f64,
}

fn z_axis() -> [f64; 3] {
    [0.0, 0.0, 1.0]
}

fn default_field_of_view() -> f64 {
    35.0
}

/// What stays the same while no contact is added, removed or reordered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Layout {
    /// Name of the scene.
    pub scene: String,
    /// Names of the fabrics.
    pub fabrics: Vec<String>,
    /// The rods.
    pub rods: Vec<RodInfo>,
    /// Nodes of rod `r` are `rod_start[r]..rod_start[r + 1]`, in order along it.
    pub rod_start: Vec<u32>,
    /// Per node: the node of the other rod of its contact; `u32::MAX` without one.
    pub partner: Vec<u32>,
    /// Per node: `1` if its rod is above (along the contact's normal, which is the first rod's tangent
    /// times the second's), `-1` if below, `0` without a contact. The first rod of a contact is the one
    /// of the lower node index.
    pub side: Vec<i8>,
    /// Rest coordinate per rod end to end: full length of each rod, m.
    pub length: Vec<f32>,
    /// The obstacles.
    pub obstacles: Vec<ObstacleInfo>,
    /// The sheets.
    pub sheets: Vec<SheetInfo>,
    /// The scene's camera, if it names one.
    pub camera: Option<Camera>,
}

impl Layout {
    /// The layout with only some of the nodes, in another order along their rods.
    pub fn reordered(self: &Arc<Self>, nodes: &[u32]) -> Arc<Self> {
        let n = self.partner.len();
        if nodes.len() == n && nodes.iter().enumerate().all(|(k, &n)| k as u32 == n) {
            return Arc::clone(self);
        }
        let mut rank = vec![u32::MAX; n];
        nodes.iter().enumerate().for_each(|(new, &old)| rank[old as usize] = new as u32);
        let mut rod_start = vec![0];
        for pair in self.rod_start.windows(2) {
            let present = rank[pair[0] as usize..pair[1] as usize].iter().filter(|&&r| r != u32::MAX);
            rod_start.push(rod_start[rod_start.len() - 1] + present.count() as u32);
        }
        let partner = |&n: &u32| rank.get(self.partner[n as usize] as usize).copied().unwrap_or(u32::MAX);
        let side = |n: &u32| if partner(n) == u32::MAX { 0 } else { self.side[*n as usize] };
        Arc::new(Self {
            rod_start,
            partner: nodes.iter().map(partner).collect(),
            side: nodes.iter().map(side).collect(),
            ..(**self).clone()
        })
    }
}

/// What a force comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum ForceKind {
    /// A clamp that holds or leads its nodes.
    Clamp = 0,
    /// A push of the scene.
    Push = 1,
}

/// A force on the yarns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ForceArrow {
    /// What it comes from.
    pub kind: ForceKind,
    /// The mean of the nodes on which it acts, m.
    pub at: [f32; 3],
    /// N.
    pub force: [f32; 3],
}

/// Everything that is drawn or exported at one moment. Per-node arrays are in the layout's order.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// What the arrays mean.
    pub layout: Arc<Layout>,
    /// Accepted steps so far.
    pub step: u64,
    /// Simulated time, s.
    pub time: f64,
    /// Positions, m.
    pub position: Vec<[f32; 3]>,
    /// Arc coordinates, m.
    pub arc: Vec<f32>,
    /// Kinds of the nodes.
    pub kind: Vec<NodeKind>,
    /// Speeds, m/s.
    pub speed: Vec<f32>,
    /// Normal forces of the nodes' contacts, N.
    pub normal_force: Vec<f32>,
    /// Arc coordinates at the start less now, m: how far the yarn slid.
    pub slide: Vec<f32>,
    /// Whether clamps hold the nodes.
    pub held: Vec<bool>,
    /// Whether the nodes' contacts are of seams.
    pub sewn: Vec<bool>,
    /// Forces of the clamps and pushes that act now.
    pub forces: Vec<ForceArrow>,
    /// Placements of the obstacles.
    pub poses: Vec<Pose>,
    /// Positions of the sheets' vertices, m.
    pub vertices: Vec<[f32; 3]>,
    /// Speeds of the sheets' vertices, m/s.
    pub vertex_speed: Vec<f32>,
}

impl Frame {
    /// The positions of all nodes and vertices, m, but those that a run that failed left nowhere.
    pub fn places(&self) -> impl Iterator<Item = &[f32; 3]> {
        self.position.iter().chain(&self.vertices).filter(|x| x.iter().all(|c| c.is_finite()))
    }
}
