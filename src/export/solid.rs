//! Obstacles as meshes: rigid ones keep their shape from frame to frame, animated bodies do not.

use super::strand::plain_name;
use crate::draw::mesh::{Mesh, Vertex};
use crate::draw::solid::solids;
use crate::frame::Frame;
use crate::geometry::Vec3;
use crate::geometry::pose::Pose;

/// The obstacles of a record.
///
/// A plane reaches as far as the first frame needs.
pub(super) struct Solids {
    wanted: bool,
    rigid: Option<Vec<Rigid>>,
}

/// A rigid obstacle in the frame of its body.
#[derive(Debug)]
pub(super) struct Rigid {
    /// Its number.
    pub(super) obstacle: usize,
    /// A name that tells it from others.
    pub(super) name: String,
    /// Its mesh.
    pub(super) mesh: Mesh,
}

impl Solids {
    /// None, or those of the first frame to come.
    pub(super) fn new(wanted: bool) -> Self {
        Self { wanted, rigid: None }
    }

    /// Their names, told apart, and meshes where they are in a frame.
    pub(super) fn at(&mut self, frame: &Frame) -> Vec<(String, Mesh)> {
        let placed = |r: &Rigid| {
            let pose = &frame.poses[r.obstacle];
            (r.name.clone(), moved(&r.mesh, pose, Pose::to_world, Pose::rotate))
        };
        let mut all: Vec<_> = self.rigid(frame).iter().map(placed).collect();
        all.extend(self.animated(frame));
        all
    }

    /// The rigid ones, once a frame was seen.
    pub(super) fn known(&self) -> &[Rigid] {
        self.rigid.as_deref().unwrap_or_default()
    }

    /// The rigid ones.
    pub(super) fn rigid(&mut self, frame: &Frame) -> &[Rigid] {
        let wanted = self.wanted;
        self.rigid.get_or_insert_with(|| {
            let all = if wanted { solids(frame) } else { Vec::new() };
            let is_rigid = |(obstacle, _): &(usize, Mesh)| frame.layout.obstacles[*obstacle].mesh.is_none();
            let own = |(obstacle, mesh): (usize, Mesh)| Rigid {
                obstacle,
                name: name(frame, obstacle),
                mesh: moved(&mesh, &frame.poses[obstacle], Pose::to_local, Pose::rotate_back),
            };
            all.into_iter().enumerate().filter(is_rigid).map(own).collect()
        })
    }

    /// Names and meshes of the others as they are in a frame.
    pub(super) fn animated(&self, frame: &Frame) -> Vec<(String, Mesh)> {
        let obstacles = &frame.layout.obstacles;
        if !self.wanted || obstacles.iter().all(|o| o.mesh.is_none()) {
            return Vec::new();
        }
        let all = solids(frame).into_iter().enumerate();
        all.filter(|(k, _)| obstacles[*k].mesh.is_some()).map(|(k, mesh)| (name(frame, k), mesh)).collect()
    }
}

fn name(frame: &Frame, obstacle: usize) -> String {
    match frame.layout.obstacles[obstacle].name.as_str() {
        "" => format!("obstacle_{obstacle}"),
        name => format!("obstacle_{obstacle}_{}", plain_name(name)),
    }
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
