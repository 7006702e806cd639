//! What pictures may show beside the yarns: nodes, contacts, clamps, seams, forces, normals.

use super::V3;
use super::camera::bounds;
use super::colour::{kind_colour, seam_colour};
use super::curve::Curve;
use super::lathe::{arrow, ball};
use super::mesh::Mesh;
use super::nodes::rod_nodes;
use super::offset::{Role, drawn};
use super::solid::extent;
use crate::frame::{ForceKind, Frame};

/// Something that is shown beside the yarns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overlay {
    /// A ball at every node, coloured by its kind and that of the node that it touches.
    Nodes,
    /// A ball between the two yarns of every contact, coloured likewise, and a bar from one to the other.
    Contacts,
    /// A ball at every node that a clamp holds.
    Clamps,
    /// A ball at every node of a seam.
    Seams,
    /// An arrow for each force of a clamp on the yarns and for each push.
    Forces,
    /// An arrow along the fabric's normal at every crossing.
    Normals,
}

/// A shape of an overlay.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mark {
    /// A ball.
    Ball {
        /// Its centre, m.
        at: V3,
        /// m.
        radius: f32,
        /// Linear RGB.
        colour: [f32; 3],
    },
    /// An arrow, or a bar if it has no head.
    Arrow {
        /// Where it starts, m.
        from: V3,
        /// Where it ends, m.
        to: V3,
        /// Radius of the shaft, m.
        radius: f32,
        /// Linear RGB.
        colour: [f32; 3],
        /// Whether it has a head.
        has_head: bool,
    },
}

/// Part of their radius that yarns are drawn with where dots must be seen within them.
pub const THIN: f32 = 0.35;

/// Radii of balls and bars, in radii of the yarn: a little more than a thin yarn.
const NODE: f32 = 0.55;
const CONTACT: f32 = 0.6;
const BAR: f32 = 0.15;
/// Of the balls at held nodes and at seams, outside the yarn.
const OUTSIDE: f32 = 1.3;
/// Radius and length of normals, in radii of the yarn.
const NORMAL: [f32; 2] = [0.15, 4.0];

/// Length of the largest force and radius of its shaft, in diagonals of the scene.
const FORCE: [f32; 2] = [0.2, 0.006];

/// Linear RGB: orange clamps, dark red reactions, green pushes, blue normals, grey bars.
const HELD_COLOUR: [f32; 3] = [0.95, 0.32, 0.02];
const CLAMP_COLOUR: [f32; 3] = [0.50, 0.02, 0.02];
const PUSH_COLOUR: [f32; 3] = [0.02, 0.35, 0.10];
const NORMAL_COLOUR: [f32; 3] = [0.05, 0.15, 0.65];
const BAR_COLOUR: [f32; 3] = [0.25, 0.25, 0.25];

impl Overlay {
    /// All overlays with the names that commands and menus give them.
    pub const ALL: [(&'static str, Self); 6] = [
        ("nodes", Self::Nodes),
        ("contacts", Self::Contacts),
        ("clamps", Self::Clamps),
        ("seams", Self::Seams),
        ("forces", Self::Forces),
        ("normals", Self::Normals),
    ];

    /// Part of their radius that yarns are drawn with under some overlays.
    pub fn thinning(overlays: &[Self]) -> f32 {
        let needs_room = |o: &Self| matches!(o, Self::Nodes | Self::Contacts);
        if overlays.iter().any(needs_room) { THIN } else { 1.0 }
    }
}

/// The shapes of some overlays of a frame whose yarns have these curves.
pub fn marks(frame: &Frame, curves: &[Curve], overlays: &[Overlay]) -> Vec<Mark> {
    let places = Places::new(frame, curves);
    let of = |overlay: &Overlay| match overlay {
        Overlay::Nodes => places.nodes(),
        Overlay::Contacts => places.contacts(),
        Overlay::Clamps => places.around(&frame.held, HELD_COLOUR),
        Overlay::Seams => places.around(&frame.sewn, seam_colour()),
        Overlay::Forces => forces(frame),
        Overlay::Normals => places.normals(),
    };
    overlays.iter().flat_map(of).collect()
}

/// The meshes of shapes.
pub fn meshes(marks: &[Mark]) -> Vec<Mesh> {
    marks
        .iter()
        .map(|mark| match *mark {
            Mark::Ball { at, radius, colour } => ball(at, radius, colour),
            Mark::Arrow { from, to, radius, colour, has_head } => arrow([from, to], radius, colour, has_head),
        })
        .collect()
}

/// The nodes as drawn.
struct Places<'a> {
    frame: &'a Frame,
    point: Vec<V3>,
    radius: Vec<f32>,
}

impl<'a> Places<'a> {
    fn new(frame: &'a Frame, curves: &[Curve]) -> Self {
        let point = curves.iter().flat_map(|c| c.points.iter().copied()).collect();
        let rods = frame.layout.rods.iter().enumerate();
        let radius =
            rods.flat_map(|(rod, info)| rod_nodes(&frame.layout, rod).map(|_| info.radius)).collect();
        Self { frame, point, radius }
    }

    fn nodes(&self) -> Vec<Mark> {
        let node = |i: usize| Mark::Ball {
            at: self.point[i],
            radius: NODE * self.radius[i],
            colour: kind_colour(self.frame, i),
        };
        (0..self.point.len()).map(node).collect()
    }

    fn contacts(&self) -> Vec<Mark> {
        let partner = |i: usize| self.frame.layout.partner[i] as usize;
        let contacts = (0..self.point.len()).filter(|&i| i < partner(i) && partner(i) < self.point.len());
        let shapes = |i: usize| {
            let (from, to) = (self.point[i], self.point[partner(i)]);
            let (at, colour) = ((from + to) * 0.5, kind_colour(self.frame, i));
            let bar = BAR * self.radius[i];
            [
                Mark::Ball { at, radius: CONTACT * self.radius[i], colour },
                Mark::Arrow { from, to, radius: bar, colour: BAR_COLOUR, has_head: false },
            ]
        };
        contacts.flat_map(shapes).collect()
    }

    /// Balls around the nodes of a kind.
    fn around(&self, is_of_it: &[bool], colour: [f32; 3]) -> Vec<Mark> {
        let ball = |i: usize| Mark::Ball { at: self.point[i], radius: OUTSIDE * self.radius[i], colour };
        (0..self.point.len()).zip(is_of_it).filter(|(_, is)| **is).map(|(i, _)| ball(i)).collect()
    }

    fn normals(&self) -> Vec<Mark> {
        let drawn = drawn(self.frame);
        let crossings = (0..self.point.len()).filter(|&i| matches!(drawn.roles[i], Role::Crosses(_)));
        let [thickness, length] = NORMAL;
        let arrow = |i: usize| {
            let (from, radius) = (self.point[i], thickness * self.radius[i]);
            let to = from + drawn.normals[i] * (length * self.radius[i]);
            Mark::Arrow { from, to, radius, colour: NORMAL_COLOUR, has_head: true }
        };
        crossings.map(arrow).collect()
    }
}

/// Arrows as long as the forces are large, the largest a part of the scene.
fn forces(frame: &Frame) -> Vec<Mark> {
    let (low, high) = bounds(&extent(frame));
    let diagonal = (high - low).norm() as f32;
    let largest = frame.forces.iter().map(|f| V3::from(f.force).norm()).fold(0.0, f32::max);
    if largest <= 0.0 || !largest.is_finite() {
        return Vec::new();
    }
    let arrow = |force: &crate::frame::ForceArrow| {
        let from = V3::from(force.at);
        let colour = match force.kind {
            ForceKind::Clamp => CLAMP_COLOUR,
            ForceKind::Push => PUSH_COLOUR,
        };
        let to = from + V3::from(force.force) * (FORCE[0] * diagonal / largest);
        Mark::Arrow { from, to, radius: FORCE[1] * diagonal, colour, has_head: true }
    };
    frame.forces.iter().map(arrow).collect()
}
