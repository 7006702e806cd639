//! Obstacles as meshes that keep their shape from frame to frame.

use super::strand::plain_name;
use crate::draw::mesh::{Mesh, Vertex};
use crate::draw::solid::solids;
use crate::frame::Frame;
use crate::geometry::Vec3;
use crate::geometry::pose::Pose;

/// The obstacles of a record, in the frames of their bodies.
///
/// A plane reaches as far as the first frame needs.
pub(super) struct Solids {
    wanted: bool,
    bodies: Option<Vec<(String, Mesh)>>,
}

impl Solids {
    /// None, or those of the first frame to come.
    pub(super) fn new(wanted: bool) -> Self {
        Self { wanted, bodies: None }
    }

    /// Their names, told apart, and meshes where they are in a frame.
    pub(super) fn at(&mut self, frame: &Frame) -> Vec<(String, Mesh)> {
        let bodies = self.bodies(frame).iter().zip(&frame.poses);
        bodies
            .map(|((name, mesh), pose)| (name.clone(), moved(mesh, pose, Pose::to_world, Pose::rotate)))
            .collect()
    }

    /// Their names and meshes in their own frames, once a frame was seen.
    pub(super) fn known(&self) -> &[(String, Mesh)] {
        self.bodies.as_deref().unwrap_or_default()
    }

    /// Their names and meshes in their own frames.
    pub(super) fn bodies(&mut self, frame: &Frame) -> &[(String, Mesh)] {
        let wanted = self.wanted;
        self.bodies.get_or_insert_with(|| if wanted { bodies(frame) } else { Vec::new() })
    }
}

fn bodies(frame: &Frame) -> Vec<(String, Mesh)> {
    let named = frame.layout.obstacles.iter().enumerate().map(|(i, o)| match o.name.as_str() {
        "" => format!("obstacle_{i}"),
        name => format!("obstacle_{i}_{}", plain_name(name)),
    });
    let meshes = solids(frame).into_iter().zip(&frame.poses);
    let meshes = meshes.map(|(mesh, pose)| moved(&mesh, pose, Pose::to_local, Pose::rotate_back));
    named.zip(meshes).collect()
}

type Move = fn(&Pose, Vec3) -> Vec3;

fn moved(mesh: &Mesh, pose: &Pose, point: Move, direction: Move) -> Mesh {
    let vertex = |v: &Vertex| Vertex {
        position: point(pose, v.position.cast()).cast(),
        normal: direction(pose, v.normal.cast()).cast(),
        ..*v
    };
    Mesh { vertices: mesh.vertices.iter().map(vertex).collect(), ..mesh.clone() }
}
