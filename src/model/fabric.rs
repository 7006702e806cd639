//! Woven fabrics and single rods as a scene describes them.

use serde::{Deserialize, Serialize};

use crate::geometry::Vec3;
use crate::geometry::pose::Pose;
use crate::pattern::crimp::{Sett, Waves};
use crate::pattern::weave::{Weave, WeaveError};

/// The yarns of one direction of a weave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Threads {
    /// Number of yarns.
    pub count: usize,
    /// Distance between neighbouring yarns, m.
    pub spacing: f64,
    /// Materials by name, repeated from yarn to yarn: stripes.
    #[serde(default = "default_sequence")]
    pub materials: Vec<String>,
    /// Colours, linear RGB from 0 to 1, repeated from yarn to yarn (default: ecru warp, indigo weft).
    #[serde(default)]
    pub colours: Vec<[f32; 3]>,
    /// Length of each yarn beyond its outermost crossing, m (default: half a spacing).
    #[serde(default)]
    pub tail: Option<f64>,
}

fn default_sequence() -> Vec<String> {
    vec!["cotton".into()]
}

impl Threads {
    /// Cotton yarns, a distance apart, m.
    pub fn new(count: usize, spacing: f64) -> Self {
        Self { count, spacing, materials: default_sequence(), colours: Vec::new(), tail: None }
    }

    /// The same yarns of materials by name, in stripes.
    #[must_use]
    pub fn of(self, materials: &[&str]) -> Self {
        Self { materials: materials.iter().map(|m| (*m).into()).collect(), ..self }
    }
}

/// A woven fabric, flat or a tube at the start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FabricParams {
    /// Name, by which selections mean it (default: `fabric` and its number).
    #[serde(default)]
    pub name: String,
    /// Which yarn is on top at each crossing.
    #[serde(default)]
    pub weave: Weave,
    /// Yarns along the fabric's first direction, its `x`.
    pub warp: Threads,
    /// Yarns along its second direction, its `y`.
    pub weft: Threads,
    /// Where the fabric's centre starts, m.
    #[serde(default)]
    pub at: [f64; 3],
    /// How it is turned from lying in the `x, y` plane with the warp along `x`: axis times angle, degrees.
    #[serde(default)]
    pub rotation: [f64; 3],
    /// Strain of every yarn along its length at the start; negative: slack.
    #[serde(default)]
    pub prestretch: f64,
    /// Shape of the fabric at the start.
    #[serde(default)]
    pub form: Form,
    /// Rectangle, at an angle to the yarns, to which the fabric is cut.
    #[serde(default)]
    pub cut: Option<Cut>,
    /// Waves of the yarns over and under one another (default: none). `()` lets warp and weft wave alike: cloth stretches by
    /// uncrimping first, and where warps straighten wefts wave more. Without it crossing yarns pass through one another, as
    /// in the published method.
    #[serde(default)]
    pub crimp: Option<Crimp>,
}

impl FabricParams {
    /// A flat plain weave of cotton about the origin, with its yarns a distance apart, m.
    pub fn plain(warp_count: usize, weft_count: usize, spacing: f64) -> Self {
        Self {
            name: String::new(),
            weave: Weave::Plain,
            warp: Threads::new(warp_count, spacing),
            weft: Threads::new(weft_count, spacing),
            at: [0.0; 3],
            rotation: [0.0; 3],
            prestretch: 0.0,
            form: Form::Flat,
            cut: None,
            crimp: None,
        }
    }

    /// The same fabric with all yarns of one material, by its name.
    #[must_use]
    pub fn of(self, material: &str) -> Self {
        Self { warp: self.warp.of(&[material]), weft: self.weft.of(&[material]), ..self }
    }

    /// The same fabric in another weave.
    #[must_use]
    pub fn woven(self, weave: Weave) -> Self {
        Self { weave, ..self }
    }

    /// The same fabric with yarns that wave.
    #[must_use]
    pub fn crimped(self, crimp: Crimp) -> Self {
        Self { crimp: Some(crimp), ..self }
    }

    /// How its yarns wave, the thickest of each direction being meant; none of yarns without crimp. `radius` is that of a
    /// material by its name, m.
    ///
    /// # Errors
    /// If the weave has none, or its yarns have no room.
    pub fn waves(&self, radius: &dyn Fn(&str) -> f64) -> Result<Option<Waves>, WeaveError> {
        let Some(crimp) = self.crimp else { return Ok(None) };
        let thickest =
            |threads: &Threads| threads.materials.iter().map(|name| radius(name)).fold(0.0, f64::max);
        let sett = Sett {
            spacing: [self.weft.spacing, self.warp.spacing],
            diameters: 2.0 * (thickest(&self.warp) + thickest(&self.weft)),
        };
        Ok(Some(sett.waves(crimp.warp, self.weave.draft()?.interlaced())?))
    }

    /// Where the fabric lies: warp along `x`, weft along `y`, its upper face towards `z`.
    pub fn pose(&self) -> Pose {
        Pose::new(self.at.into(), Vec3::from(self.rotation).map(f64::to_radians))
    }
}

/// Yarns that wave over and under one another, at rest as they are woven: in Peirce's geometry, see
/// [`crate::pattern::crimp`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Crimp {
    /// Crimp of the warp: its length over the fabric's, less one (default: warp and weft wave by the same height).
    pub warp: Option<f64>,
    /// Part of the waves' curvature that the yarn has at rest, from 0 (straight yarn) to 1 (a finished fabric).
    pub set: f64,
}

impl Default for Crimp {
    fn default() -> Self {
        Self { warp: None, set: 1.0 }
    }
}

/// Shape of a fabric at the start.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Form {
    /// Flat.
    #[default]
    Flat,
    /// A tube about the warp's direction: the ends of every weft yarn are joined, without a tail.
    Tube {
        /// Circumference at the last weft yarn over that at the first, where the warp has its spacing.
        #[serde(default = "one")]
        taper: f64,
    },
}

fn one() -> f64 {
    1.0
}

/// A rectangle cut out of a fabric about its centre.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cut {
    /// Edge lengths, m.
    pub size: [f64; 2],
    /// Angle from the warp to the first edge, degrees.
    #[serde(default)]
    pub angle: f64,
}

/// A single yarn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RodParams {
    /// Name, by which selections mean it (default: `rod` and its number).
    #[serde(default)]
    pub name: String,
    /// Corners of the polyline along which it starts, m.
    pub points: Vec<[f64; 3]>,
    /// Number of segments, of equal length.
    pub segments: usize,
    /// Material by name.
    #[serde(default = "default_material")]
    pub material: String,
    /// Colour, linear RGB from 0 to 1 (default: ecru).
    #[serde(default)]
    pub colour: Option<[f32; 3]>,
    /// Length at rest, m (default: as it starts).
    #[serde(default)]
    pub length: Option<f64>,
    /// Initial velocity, m/s.
    #[serde(default)]
    pub velocity: [f64; 3],
    /// Points fixed in space through which the rod slides.
    #[serde(default)]
    pub eyelets: Vec<Eyelet>,
}

fn default_material() -> String {
    "cotton".into()
}

impl RodParams {
    /// A straight yarn of cotton between two points, m.
    pub fn line(from: [f64; 3], to: [f64; 3], segments: usize) -> Self {
        Self::through(vec![from, to], segments)
    }

    /// A yarn of cotton along a poly-line, m.
    pub fn through(points: Vec<[f64; 3]>, segments: usize) -> Self {
        Self {
            name: String::new(),
            points,
            segments,
            material: default_material(),
            colour: None,
            length: None,
            velocity: [0.0; 3],
            eyelets: Vec::new(),
        }
    }

    /// The same yarn of another material, by its name.
    #[must_use]
    pub fn of(self, material: &str) -> Self {
        Self { material: material.into(), ..self }
    }
}

/// A point fixed in space that a rod slides through: an EoL node whose position is held.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Eyelet {
    /// Arc coordinate at which the rod starts in the eyelet, m.
    pub arc: f64,
    /// Coulomb's coefficient; the normal force is that of the bend.
    #[serde(default)]
    pub friction: f64,
}
