//! Knitted fabrics as a scene describes them.

use serde::{Deserialize, Serialize};

use crate::geometry::Vec3;
use crate::geometry::pose::Pose;
use crate::pattern::knit::chart::{Extent, Knit, KnitError};
use crate::pattern::knit::gauge::Gauge;
use crate::pattern::knit::topology::Topology;

/// A knitted fabric, flat at the start: courses along `x`, wales along `y`, its face towards `z`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnitParams {
    /// Name, by which selections mean it (default: `knit` and its number).
    #[serde(default)]
    pub name: String,
    /// The chart.
    #[serde(default)]
    pub pattern: Knit,
    /// Rows of the chart that are knitted, beside the cast-on and the bind-off.
    pub courses: usize,
    /// Stitches in a row.
    pub wales: usize,
    /// The yarns that feed the machine.
    #[serde(default = "default_yarns")]
    pub yarns: Vec<Feed>,
    /// Which of them knits each row, repeated from the bottom (default: always the first). Jacquard names its
    /// feeds in the chart.
    #[serde(default)]
    pub feeds: Vec<usize>,
    /// Length of yarn in a loop, m (default: by the tightness).
    #[serde(default)]
    pub loop_length: Option<f64>,
    /// Tightness from 0 (loops of 22 yarn diameters) to 1 (loops of 14).
    #[serde(default = "default_tightness")]
    pub tightness: f64,
    /// Distances between wales and between courses on the machine, m (default: as the loops lie).
    #[serde(default)]
    pub gauge: Option<[f64; 2]>,
    /// Whether yarns have thickness where they cross, each with its centre line beside the shared point: jersey curls, garter
    /// lies flat, ribs pull in (give them `set: 0.8`, ribs 0.6). Without it they pass through one another there, as in the
    /// published method.
    #[serde(default)]
    pub thickness: bool,
    /// Part of the loops' curvature that the yarn has at rest, from 0 (straight yarn) to 1 (a finished fabric).
    #[serde(default = "one")]
    pub set: f64,
    /// Length of yarn in a slipped loop for each course that it spans, over the straight length.
    #[serde(default = "one")]
    pub slip_factor: f64,
    /// Length of yarn in a tucked loop over that in any other.
    #[serde(default = "default_tuck")]
    pub tuck_factor: f64,
    /// Whether the last row is bound off; open loops unravel where the yarn is drawn out.
    #[serde(default = "yes")]
    pub bind_off: bool,
    /// Where the fabric's centre starts, m.
    #[serde(default)]
    pub at: [f64; 3],
    /// How it is turned: axis times angle, degrees.
    #[serde(default)]
    pub rotation: [f64; 3],
    /// How its loops lie at the start.
    #[serde(default)]
    pub start: KnitStart,
}

/// How the loops of a knit lie at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum KnitStart {
    /// As they are drawn on the machine.
    #[default]
    Machine,
    /// Flat and at rest, without friction and weight.
    Relaxed,
    /// At rest like `Relaxed`, then released out of the plane until the first buckles have formed: the start of a drape.
    Free,
}

/// A yarn that feeds the machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Feed {
    /// Material by name.
    #[serde(default = "default_material")]
    pub material: String,
    /// Colour, linear RGB from 0 to 1 (default: ecru and indigo by turns).
    #[serde(default)]
    pub colour: Option<[f32; 3]>,
}

fn default_material() -> String {
    "cotton".into()
}

fn default_yarns() -> Vec<Feed> {
    vec![Feed::of(&default_material())]
}

impl Feed {
    /// A yarn of a material by its name.
    pub fn of(material: &str) -> Self {
        Self { material: material.into(), colour: None }
    }
}

fn default_tightness() -> f64 {
    0.5
}

fn default_tuck() -> f64 {
    0.8
}

fn one() -> f64 {
    1.0
}

fn yes() -> bool {
    true
}

/// Loop lengths of the loosest and of the tightest knit, in diameters of the yarn: cotton single jersey is
/// knitted between them, and loops of 16.7 diameters just touch their neighbours (Peirce 1947).
const LOOP_DIAMETERS: [f64; 2] = [22.0, 14.0];

impl KnitParams {
    /// Single jersey of cotton about the origin, as it lies on the machine.
    pub fn jersey(courses: usize, wales: usize) -> Self {
        Self {
            name: String::new(),
            pattern: Knit::Jersey,
            courses,
            wales,
            yarns: default_yarns(),
            feeds: Vec::new(),
            loop_length: None,
            tightness: default_tightness(),
            gauge: None,
            thickness: false,
            set: one(),
            slip_factor: one(),
            tuck_factor: default_tuck(),
            bind_off: yes(),
            at: [0.0; 3],
            rotation: [0.0; 3],
            start: KnitStart::Machine,
        }
    }

    /// The same knit of one yarn of a material, by its name.
    #[must_use]
    pub fn of(self, material: &str) -> Self {
        Self { yarns: vec![Feed::of(material)], ..self }
    }

    /// The same knit in another pattern.
    #[must_use]
    pub fn knitted(self, pattern: Knit) -> Self {
        Self { pattern, ..self }
    }

    /// The same knit with its loops lying differently at the start.
    #[must_use]
    pub fn starting(self, start: KnitStart) -> Self {
        Self { start, ..self }
    }

    /// Yarn in a loop of a yarn of the given radius, m.
    pub fn loop_length(&self, radius: f64) -> f64 {
        let [loose, tight] = LOOP_DIAMETERS;
        self.loop_length.unwrap_or(2.0 * radius * (loose + (tight - loose) * self.tightness))
    }

    /// Lengths of a knit of yarns of which the thickest has the given radius, m.
    pub fn gauge(&self, radius: f64) -> Gauge {
        let drawn = Gauge::of_loop(self.loop_length(radius), if self.thickness { radius } else { 0.0 });
        let [wale, course] = self.gauge.unwrap_or([drawn.wale, drawn.course]);
        Gauge { wale, course, slip_factor: self.slip_factor, tuck_factor: self.tuck_factor, ..drawn }
    }

    /// The loops.
    ///
    /// # Errors
    /// Those of the chart.
    pub fn topology(&self) -> Result<Topology, KnitError> {
        self.pattern.knit(&self.extent())
    }

    /// Its size and where its yarn comes from.
    pub fn extent(&self) -> Extent<'_> {
        Extent { courses: self.courses, wales: self.wales, feeds: &self.feeds, bound: self.bind_off }
    }

    /// Where the fabric lies.
    pub fn pose(&self) -> Pose {
        Pose::new(self.at.into(), Vec3::from(self.rotation).map(f64::to_radians))
    }
}
