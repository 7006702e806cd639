//! `frames.bin`: what moved, frame by frame.
//!
//! The container is that of [`chunk`](super::chunk), its magic `HEBRAFRM`. A chunk `LAYO` is a
//! [`Layout`] in postcard's encoding and holds for the frames behind it. A chunk `FRAM` is a
//! [`Frame`] of n nodes, m obstacles, k forces and s vertices of sheets, little-endian and without gaps:
//!
//! ```text
//! step u64   time f64   n u64   m u64   k u64   s u64
//! position   f32 x 3 x n   m
//! arc        f32 x n       m
//! speed      f32 x n       m/s
//! force      f32 x n       N, normal force of the node's contact
//! slide      f32 x n       m
//! kind       u8  x n       0 Lagrangian, 1 EoL in a fabric, 2 EoL between fabrics, 3 EIL; 64 more if a seam sews it, 128 if held
//! poses      f64 x 7 x m   translation in m, then unit quaternion x, y, z, w
//! forces     f32 x 7 x k   0 for a clamp and 1 for a push, where in m, N
//! vertices   f32 x 3 x s   m
//! speeds     f32 x s       m/s
//! ```

use std::fs::File;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::append::open_behind;
use super::chunk::{Tag, write_chunk, write_header};
use super::error::RecordError;
use crate::frame::{ForceArrow, ForceKind, Frame, Layout};
use crate::geometry::pose::Pose;
use crate::model::yarns::NodeKind;

/// First bytes of `frames.bin`.
pub const MAGIC: [u8; 8] = *b"HEBRAFRM";

/// A chunk with a layout.
pub const LAYOUT: Tag = *b"LAYO";

/// A chunk with a frame.
pub const FRAME: Tag = *b"FRAM";

/// Added to the kind of a node whose contact is of a seam, and of one that a clamp holds.
const SEWN: u8 = 64;
const HELD: u8 = 128;

/// Appends frames to a file.
#[derive(Debug)]
pub struct FrameWriter {
    path: PathBuf,
    file: File,
    layout: Option<Arc<Layout>>,
}

impl FrameWriter {
    /// Starts a file, over an old one.
    ///
    /// # Errors
    /// [`RecordError::Io`].
    pub fn create(path: &Path) -> Result<Self, RecordError> {
        let mut file = File::create(path).map_err(RecordError::at(path))?;
        write_header(&mut file, &MAGIC).map_err(RecordError::at(path))?;
        Ok(Self { path: path.into(), file, layout: None })
    }

    /// Goes on behind the first `length` bytes of a file whose last layout there is known.
    ///
    /// # Errors
    /// [`RecordError::Io`], or [`RecordError::Damaged`] if the file is shorter.
    pub fn resume(path: &Path, length: u64, layout: Option<Arc<Layout>>) -> Result<Self, RecordError> {
        Ok(Self { path: path.into(), file: open_behind(path, length)?, layout })
    }

    /// Appends a frame, and its layout if that changed.
    ///
    /// # Errors
    /// [`RecordError::Io`], or [`RecordError::Damaged`] if the layout cannot be encoded.
    pub fn write(&mut self, frame: &Frame) -> Result<(), RecordError> {
        let known =
            self.layout.as_ref().is_some_and(|l| Arc::ptr_eq(l, &frame.layout) || **l == *frame.layout);
        let mut bytes = Vec::new();
        if !known {
            let layout = postcard::to_stdvec(&*frame.layout).map_err(|e| self.unencodable(&e))?;
            write_chunk(&mut bytes, LAYOUT, &layout).map_err(RecordError::at(&self.path))?;
            self.layout = Some(Arc::clone(&frame.layout));
        }
        write_chunk(&mut bytes, FRAME, &encode(frame)).map_err(RecordError::at(&self.path))?;
        self.file.write_all(&bytes).map_err(RecordError::at(&self.path))
    }

    /// Bytes written so far.
    ///
    /// # Errors
    /// [`RecordError::Io`].
    pub fn length(&mut self) -> Result<u64, RecordError> {
        self.file.stream_position().map_err(RecordError::at(&self.path))
    }

    fn unencodable(&self, error: &postcard::Error) -> RecordError {
        RecordError::Damaged { path: self.path.clone(), at: 0, message: format!("layout: {error}") }
    }
}

/// A frame as the payload of a chunk.
pub fn encode(frame: &Frame) -> Vec<u8> {
    let (n, m, s) = (frame.position.len(), frame.poses.len(), frame.vertices.len());
    let mut bytes = Vec::with_capacity(48 + 29 * n + 56 * m + 28 * frame.forces.len() + 16 * s);
    bytes.extend(frame.step.to_le_bytes());
    bytes.extend(frame.time.to_le_bytes());
    for count in [n, m, frame.forces.len(), s] {
        bytes.extend((count as u64).to_le_bytes());
    }
    bytes.extend(frame.position.iter().flatten().flat_map(|x| x.to_le_bytes()));
    for array in [&frame.arc, &frame.speed, &frame.normal_force, &frame.slide] {
        bytes.extend(array.iter().flat_map(|x| x.to_le_bytes()));
    }
    let marks = frame.held.iter().zip(&frame.sewn).map(|(&h, &s)| u8::from(h) * HELD + u8::from(s) * SEWN);
    bytes.extend(frame.kind.iter().zip(marks).map(|(&k, marks)| k as u8 + marks));
    bytes.extend(
        frame
            .poses
            .iter()
            .flat_map(|p| p.translation.into_iter().chain(p.rotation))
            .flat_map(f64::to_le_bytes),
    );
    for arrow in &frame.forces {
        let numbers = [f32::from(arrow.kind as u8)].into_iter().chain(arrow.at).chain(arrow.force);
        bytes.extend(numbers.flat_map(f32::to_le_bytes));
    }
    bytes.extend(frame.vertices.iter().flatten().flat_map(|x| x.to_le_bytes()));
    bytes.extend(frame.vertex_speed.iter().flat_map(|x| x.to_le_bytes()));
    bytes
}

/// A frame from the payload of a chunk; `None` if the payload is too short or has unknown kinds.
pub fn decode(layout: Arc<Layout>, payload: &[u8]) -> Option<Frame> {
    let mut bytes = Bytes(payload);
    let (step, time) = (bytes.integer()?, f64::from_bits(bytes.integer()?));
    let (n, m, k, s) = (bytes.count()?, bytes.count()?, bytes.count()?, bytes.count()?);
    let position = bytes.points(n)?;
    let (arc, speed, normal_force, slide) =
        (bytes.floats(n)?, bytes.floats(n)?, bytes.floats(n)?, bytes.floats(n)?);
    let kinds = bytes.take(n)?;
    let kind = kinds.iter().map(|&k| node_kind(k % SEWN)).collect::<Option<Vec<_>>>()?;
    let [held, sewn] = [HELD, SEWN].map(|mark| kinds.iter().map(|&k| k & mark != 0).collect());
    let poses = (0..m).map(|_| bytes.pose()).collect::<Option<Vec<_>>>()?;
    let forces = (0..k).map(|_| bytes.arrow()).collect::<Option<Vec<_>>>()?;
    let (vertices, vertex_speed) = (bytes.points(s)?, bytes.floats(s)?);
    Some(Frame {
        layout,
        step,
        time,
        position,
        arc,
        kind,
        speed,
        normal_force,
        slide,
        held,
        sewn,
        forces,
        poses,
        vertices,
        vertex_speed,
    })
}

fn node_kind(code: u8) -> Option<NodeKind> {
    [NodeKind::Lagrangian, NodeKind::EolIntra, NodeKind::EolInter, NodeKind::Eil].get(code as usize).copied()
}

struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(n)?;
        self.0 = tail;
        Some(head)
    }

    fn integer(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_le_bytes)
    }

    fn count(&mut self) -> Option<usize> {
        usize::try_from(self.integer()?).ok()
    }

    fn arrow(&mut self) -> Option<ForceArrow> {
        let v = self.floats(7)?;
        let kind = [ForceKind::Clamp, ForceKind::Push].into_iter().find(|k| f32::from(*k as u8) == v[0])?;
        Some(ForceArrow { kind, at: [v[1], v[2], v[3]], force: [v[4], v[5], v[6]] })
    }

    fn floats(&mut self, n: usize) -> Option<Vec<f32>> {
        let bytes = self.take(n.checked_mul(4)?)?;
        Some(bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
    }

    fn points(&mut self, n: usize) -> Option<Vec<[f32; 3]>> {
        Some(self.floats(n.checked_mul(3)?)?.as_chunks::<3>().0.to_vec())
    }

    fn pose(&mut self) -> Option<Pose> {
        let mut v = [0.0; 7];
        for x in &mut v {
            *x = f64::from_bits(self.integer()?);
        }
        Some(Pose { translation: [v[0], v[1], v[2]], rotation: [v[3], v[4], v[5], v[6]] })
    }
}
