//! Frames in formats of other programs: yarns as curves or tubes, lengths in m, `z` up.
//!
//! All formats but `csv`, which has the nodes as they were simulated, hold the curves that pictures show:
//! splines through the nodes, which are moved apart at contacts.
//!
//! | for | command | how to open it |
//! |---|---|---|
//! | Blender, moving | `hebra export out/drape --to usda` | File > Import > Universal Scene Description, `frames.usda` |
//! | Blender, one frame | `hebra export out/drape --to gltf --frame -1` | File > Import > glTF 2.0: tubes, an object a yarn |
//! | Houdini | `hebra export out/drape --to usda` | a Sublayer LOP or a USD Import SOP with `frames.usda` |
//! | usdview, Omniverse | `hebra export out/drape --to usda --obstacles` | open `frames.usda` and play |
//! | ParaView | `hebra export out/drape --to vtk` | open `frames.pvd`; filter Tube, radius from the array `radius` |
//! | MeshLab, 3-D printing | `hebra export out/drape --to obj --tubes --frame -1` | open the `.obj`: closed tubes |
//! | renderers of yarns | `hebra export out/drape --to bcc` | [binary curve collections](http://www.cemyuksel.com/research/yarnmodels/) |
//! | pandas, spreadsheets | `hebra export out/drape --to csv` | a row a node |
//!
//! `tests/readers/check.py` reads all of them with libraries of others.
//!
//! # A further format
//!
//! Is one file here and its row of [`FORMATS`]. The file defines a [`Format`] whose `open` returns
//! - `Target::each` of a function that writes a [`Shot`], if every frame is a file of its own, or
//! - an [`Exporter`] of its own, if frames share a file or need an index (`usda`, `vtk`).
//!
//! `strand` has the yarns cut into pieces, `tubes` their meshes, `sheet` the cloth of triangles, `solid` the
//! obstacles.

mod bcc;
mod csv;
mod gltf;
mod obj;
mod sheet;
mod solid;
mod strand;
mod surface;
mod target;
mod tubes;
mod usda;
mod vtk;

use std::fmt;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::draw::mesh::Mesh;
use crate::frame::Frame;

pub use target::Target;

/// A format that frames can be written in.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Its name.
    pub name: &'static str,
    /// Which files there are and what they hold.
    pub about: &'static str,
    /// What it can be asked for.
    pub features: &'static [Feature],
    open: fn(Target) -> Result<Box<dyn Exporter>, ExportError>,
}

/// All formats.
pub const FORMATS: &[Format] =
    &[csv::FORMAT, obj::FORMAT, bcc::FORMAT, usda::FORMAT, vtk::FORMAT, gltf::FORMAT];

/// What some formats can be asked for and others cannot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    /// Curves cut into a number of pieces.
    Smooth,
    /// Tubes in place of lines.
    Tubes,
    /// Obstacles beside the yarns.
    Obstacles,
}

/// How frames are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Pieces of a curve between two nodes; without it, [`DEFAULT_PIECES`], or the curves themselves in
    /// formats that have such.
    pub smooth: Option<usize>,
    /// Whether yarns are tubes where they could be lines.
    pub tubes: bool,
    /// Sides of a tube.
    pub sides: usize,
    /// Whether obstacles are written.
    pub obstacles: bool,
}

/// Pieces between two nodes: the over and under of a weave is round, at a quarter of a picture's finest cut.
pub const DEFAULT_PIECES: usize = 4;

/// Writes frames, one after the other.
pub trait Exporter {
    /// Writes a frame with its number in the record.
    ///
    /// # Errors
    /// [`ExportError::Io`] if a file cannot be made or the disk is full.
    fn frame(&mut self, index: usize, frame: &Frame) -> Result<(), ExportError>;

    /// Writes what stands behind all frames.
    ///
    /// # Errors
    /// [`ExportError::Io`] as before.
    fn finish(&mut self) -> Result<(), ExportError> {
        Ok(())
    }
}

/// What a file of one frame is made of.
#[derive(Debug)]
pub struct Shot<'a> {
    /// The frame.
    pub frame: &'a Frame,
    /// How it is written.
    pub options: &'a Options,
    /// Names and meshes of the obstacles, if they are asked for.
    pub solids: Vec<(String, Mesh)>,
    /// Names and meshes of the sheets, in the layout's order.
    pub sheets: Vec<(String, Mesh)>,
}

/// Frames that cannot be exported.
#[derive(Debug, Error)]
pub enum ExportError {
    /// Something that the format does not have.
    #[error("{format} has no {feature}; these have: {others}")]
    Unsupported {
        /// Name of the format.
        format: &'static str,
        /// What was asked for.
        feature: Feature,
        /// Names of the formats that have it.
        others: String,
    },
    /// A file that cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl Default for Options {
    fn default() -> Self {
        Self { smooth: None, tubes: false, sides: 12, obstacles: false }
    }
}

impl Options {
    /// Pieces of a curve between two nodes.
    pub fn pieces(&self) -> usize {
        self.smooth.unwrap_or(DEFAULT_PIECES).max(1)
    }

    fn features(&self) -> impl Iterator<Item = Feature> {
        let asked = [
            (Feature::Smooth, self.smooth.is_some()),
            (Feature::Tubes, self.tubes),
            (Feature::Obstacles, self.obstacles),
        ];
        asked.into_iter().filter_map(|(feature, is_asked)| is_asked.then_some(feature))
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Smooth => "curves to cut",
            Self::Tubes => "tubes",
            Self::Obstacles => "obstacles",
        })
    }
}

impl Format {
    /// Says whether the options can be had.
    ///
    /// # Errors
    /// [`ExportError::Unsupported`] with the formats that have what this one has not.
    pub fn check(&self, options: &Options) -> Result<(), ExportError> {
        let Some(feature) = options.features().find(|f| !self.features.contains(f)) else { return Ok(()) };
        let able = FORMATS.iter().filter(|format| format.features.contains(&feature));
        let others = able.map(|format| format.name).collect::<Vec<_>>().join(", ");
        Err(ExportError::Unsupported { format: self.name, feature, others })
    }

    /// Starts to write.
    ///
    /// # Errors
    /// [`ExportError::Unsupported`], or [`ExportError::Io`] if a file cannot be made.
    pub fn open(&self, target: Target) -> Result<Box<dyn Exporter>, ExportError> {
        self.check(&target.options)?;
        (self.open)(target)
    }
}

/// The format of a name.
pub fn find(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}
