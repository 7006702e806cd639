//! Solid bodies that cloth lies on or is pushed by.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::mesh::{MeshError, read};
use super::motion::Motion;
use crate::geometry::Vec3;
use crate::geometry::pose::Pose;

/// A solid shape in its own frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Shape {
    /// The half-space below the plane through the origin, normal to `z`.
    Plane,
    /// A box about the origin.
    Box {
        /// Full edge lengths, m.
        size: [f64; 3],
    },
    /// A ball about the origin.
    Sphere {
        /// Radius, m.
        radius: f64,
    },
    /// A cylinder along `z` with round ends, centred at the origin.
    Capsule {
        /// Radius, m.
        radius: f64,
        /// Length without the round ends, m.
        length: f64,
    },
    /// A regular prism about the `z` axis, centred at the origin: with many sides the top of a round table.
    Prism {
        /// Radius of the circle through its corners, m.
        radius: f64,
        /// Height, m.
        height: f64,
        /// Number of sides.
        #[serde(default = "default_sides")]
        sides: u32,
    },
    /// A closed mesh, or a sequence of meshes through which an animated body moves smoothly.
    Mesh {
        /// OBJ, STL or OFF files, all with the same triangles; relative paths start at the scene's folder.
        files: Vec<PathBuf>,
        /// Time from each mesh to the next, s.
        #[serde(default = "default_interval")]
        every: f64,
        /// Factor that makes the files' lengths metres.
        #[serde(default = "one")]
        scale: f64,
    },
}

/// Sides of a round table: they are 0.2 % of the radius from the circle at most, and yarns that hang over the rim turn
/// by 7.5 degrees from one to the next.
fn default_sides() -> u32 {
    48
}

fn default_interval() -> f64 {
    0.04
}

fn one() -> f64 {
    1.0
}

/// The meshes of an obstacle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MeshSequence {
    /// Corners of the triangles, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// The vertices of every mesh, m.
    pub frames: Vec<Vec<[f64; 3]>>,
    /// Time from each mesh to the next, s.
    pub every: f64,
}

impl MeshSequence {
    /// Reads the meshes.
    ///
    /// # Errors
    /// When a file cannot be read, a mesh is not closed, or the meshes do not fit together.
    pub fn read(files: &[PathBuf], every: f64, scale: f64) -> Result<Self, MeshError> {
        let mut out = Self { triangles: Vec::new(), frames: Vec::new(), every };
        for file in files {
            let mut mesh = read(file)?;
            if !mesh.is_closed()? {
                return Err(MeshError::Open { file: file.clone() });
            }
            if out.frames.is_empty() {
                out.triangles = mesh.triangles;
            } else if out.triangles != mesh.triangles {
                return Err(MeshError::Unlike { file: file.clone() });
            }
            mesh.vertices.iter_mut().flatten().for_each(|c| *c *= scale);
            out.frames.push(mesh.vertices);
        }
        if out.frames.is_empty() { Err(MeshError::Empty) } else { Ok(out) }
    }

    /// The vertices at a time, s: on a curve of Catmull and Rom through the meshes, held before the first and
    /// after the last.
    pub fn at(&self, time: f64) -> Vec<Vec3> {
        let last = self.frames.len() - 1;
        let t = (time / self.every).clamp(0.0, last as f64);
        let k = (t as usize).min(last.saturating_sub(1));
        let s = t - k as f64;
        let [p0, p1, p2, p3] =
            [k.saturating_sub(1), k, (k + 1).min(last), (k + 2).min(last)].map(|i| &self.frames[i]);
        let weights = [
            0.5 * (-s + 2.0 * s * s - s * s * s),
            0.5 * (2.0 - 5.0 * s * s + 3.0 * s * s * s),
            0.5 * (s + 4.0 * s * s - 3.0 * s * s * s),
            0.5 * (s * s * s - s * s),
        ];
        let blend = |v: usize| [p0, p1, p2, p3].iter().zip(weights).map(|(p, w)| Vec3::from(p[v]) * w).sum();
        (0..p1.len()).map(blend).collect()
    }
}

/// An obstacle with its meshes read.
#[derive(Debug, Clone)]
pub struct Obstacle {
    /// What the scene says of it.
    pub params: ObstacleParams,
    /// Its meshes, if its shape is a mesh.
    pub mesh: Option<Arc<MeshSequence>>,
}

impl Obstacle {
    /// Whether it is at all times where it starts.
    pub fn is_still(&self) -> bool {
        self.params.motion.is_still() && self.mesh.as_ref().is_none_or(|m| m.frames.len() == 1)
    }

    /// Reads what belongs to an obstacle.
    ///
    /// # Errors
    /// Its meshes'.
    pub fn read(params: ObstacleParams) -> Result<Self, MeshError> {
        let mesh = match &params.shape {
            Shape::Mesh { files, every, scale } => Some(Arc::new(MeshSequence::read(files, *every, *scale)?)),
            _ => None,
        };
        Ok(Self { params, mesh })
    }
}

/// A solid body that cloth lies on or is pushed by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObstacleParams {
    /// Name, by which messages mean it.
    #[serde(default)]
    pub name: String,
    /// The shape in its own frame.
    pub shape: Shape,
    /// Where the shape's origin starts, m.
    #[serde(default)]
    pub at: [f64; 3],
    /// How it is turned at the start: axis times angle, degrees.
    #[serde(default)]
    pub rotation: [f64; 3],
    /// Motion from there, with rotations about the shape's origin (default: at rest).
    #[serde(default)]
    pub motion: Motion,
    /// Coulomb's coefficient (default: the touching yarn's or sheet's).
    #[serde(default)]
    pub friction: Option<f64>,
    /// Constraint offset: distance kept beside the yarn's radius, m.
    #[serde(default)]
    pub thickness: f64,
    /// Contact stiffness per area of touching cloth, N/m3 (default: as stiff as the segments of the touching yarns, 1e8 for
    /// sheets).
    #[serde(default)]
    pub stiffness: Option<f64>,
    /// Whether yarns slide over the sharp edges of a box or a prism at nodes of their own there; otherwise they bend
    /// at the next node that they have, and catch.
    #[serde(default)]
    pub edges: bool,
}

impl ObstacleParams {
    /// A shape at the origin, at rest, with the defaults of everything else.
    pub fn of(shape: Shape) -> Self {
        Self {
            name: String::new(),
            shape,
            at: [0.0; 3],
            rotation: [0.0; 3],
            motion: Motion::default(),
            friction: None,
            thickness: 0.0,
            stiffness: None,
            edges: false,
        }
    }

    /// The same obstacle, moving from where it starts.
    #[must_use]
    pub fn moving(self, motion: Motion) -> Self {
        Self { motion, ..self }
    }

    /// Where the obstacle is at a time.
    pub fn pose_at(&self, time: f64) -> Pose {
        let moved = self.motion.at(time);
        let start = Pose::new(Vec3::from(self.at), Vec3::from(self.rotation).map(f64::to_radians));
        let turned = moved.isometry().rotation * start.isometry().rotation;
        let at = Vec3::from(self.at) + Vec3::from(moved.translation);
        Pose { translation: at.into(), rotation: turned.coords.into() }
    }
}
