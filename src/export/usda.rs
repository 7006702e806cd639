//! Universal Scene Description as text: one `BasisCurves` of all yarns, with a time sample a frame.
//!
//! The drawn curves are cubic Bezier curves and are written as such, exactly; with [`Options::smooth`] they are
//! linear. Time codes are as many per second as there are frames, and what does not change is written once.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::sheet::sheets;
use super::solid::Solids;
use super::strand::{bounds, strands};
use super::surface::Surface;
use super::target::{Output, Target};
use super::tubes::unique_corners;
use super::{ExportError, Exporter, Feature, Format, Options};
use crate::draw::V3;
use crate::draw::curve::{Curve, curves};
use crate::draw::mesh::Mesh;
use crate::draw::solid::GREY;
use crate::frame::{Frame, Layout};

/// Universal Scene Description.
pub(super) const FORMAT: Format = Format {
    name: "usda",
    about: "the exact curves with widths, colours and motion, for Blender and Houdini: one frames.usda",
    features: &[Feature::Smooth, Feature::Obstacles],
    open: |target| Ok(Box::new(Usda::new(target)?)),
};

/// Time codes per second of a single frame, which is USD's own default.
const DEFAULT_RATE: f64 = 24.0;

/// Part by which a rate may be changed to make it whole. Steps of a tenth of the frames' interval or less put
/// the mean of ten frames that near; time codes are exact at any rate.
const WHOLE: f64 = 0.01;

struct Usda {
    out: Output,
    options: Options,
    is_single: bool,
    rate: f64,
    yarns: Yarns,
    solids: Solids,
    /// Translation and orientation of each obstacle.
    poses: Vec<[Samples; 2]>,
    /// Sheets and animated bodies.
    surfaces: Vec<Surface>,
}

/// What may change beside the yarns' points.
#[derive(Default)]
struct Yarns {
    counts: Samples,
    widths: Samples,
    colours: Samples,
    fabrics: Samples,
    extents: Samples,
}

/// Values by time code, each where it begins to hold.
#[derive(Default)]
pub(super) struct Samples(Vec<(f64, String)>);

impl Usda {
    fn new(target: Target) -> Result<Self, ExportError> {
        let mut out = target.create("frames.usda")?;
        let rate = rate(&target.times);
        let code = |time: Option<&f64>| time_code(time.copied().unwrap_or(0.0), rate);
        let (start, end) = (code(target.times.first()), code(target.times.last()));
        let (kind, is_single) = (curve_type(&target.options), target.times.len() == 1);
        let points = if is_single { "points = " } else { "points.timeSamples = {\n" };
        out.write(|out| {
            write!(
                out,
                r#"#usda 1.0
(
    defaultPrim = "Cloth"
    metersPerUnit = 1
    upAxis = "Z"
    timeCodesPerSecond = {rate}
    startTimeCode = {start}
    endTimeCode = {end}
)

def Xform "Cloth"
{{
    def BasisCurves "Yarns"
    {{
        uniform token type = "{kind}"
        uniform token basis = "bezier"
        uniform token wrap = "nonperiodic"
        point3f[] {points}"#
            )
        })?;
        let (yarns, solids) = (Yarns::default(), Solids::new(target.options.obstacles));
        let (poses, surfaces) = (Vec::new(), Vec::new());
        Ok(Self { out, options: target.options, is_single, rate, yarns, solids, poses, surfaces })
    }
}

impl Exporter for Usda {
    fn frame(&mut self, _index: usize, frame: &Frame) -> Result<(), ExportError> {
        let code = time_code(frame.time, self.rate);
        let lines = control_points(frame, &self.options);
        let is_single = self.is_single;
        self.out.write(|out| {
            if !is_single {
                write!(out, "            {code}: ")?;
            }
            writeln!(out, "{}{}", vectors(lines.iter().flatten().copied()), if is_single { "" } else { "," })
        })?;
        self.yarns.sample(code, &frame.layout, &lines);
        let rigid = self.solids.rigid(frame);
        self.poses.resize_with(rigid.len(), Default::default);
        for ([at, turn], body) in self.poses.iter_mut().zip(rigid) {
            let pose = &frame.poses[body.obstacle];
            let ([x, y, z], [i, j, k, w]) = (pose.translation, pose.rotation);
            at.push(code, format!("({x}, {y}, {z})"));
            turn.push(code, format!("({w}, {i}, {j}, {k})"));
        }
        let meshes = sheets(frame).into_iter().chain(self.solids.animated(frame)).collect();
        Surface::sample(&mut self.surfaces, code, meshes);
        Ok(())
    }

    fn finish(&mut self) -> Result<(), ExportError> {
        let Self { out, yarns, solids, poses, surfaces, is_single, .. } = self;
        out.write(|out| {
            if !*is_single {
                writeln!(out, "        }}")?;
            }
            yarns.write(out)?;
            writeln!(out, "    }}")?;
            for (body, pose) in solids.known().iter().zip(poses) {
                write_solid(&body.name, &body.mesh, pose, out)?;
            }
            for surface in surfaces {
                surface.write(out)?;
            }
            writeln!(out, "}}")?;
            out.flush()
        })
    }
}

impl Yarns {
    fn sample(&mut self, code: f64, layout: &Layout, lines: &[Vec<V3>]) {
        let rods = || layout.rods.iter().zip(lines);
        self.counts.push(code, list(lines.iter().map(Vec::len)));
        self.widths.push(code, list(rods().flat_map(|(r, l)| l.iter().map(|_| 2.0 * r.radius))));
        self.colours.push(code, vectors(layout.rods.iter().map(|r| V3::from(r.colour))));
        // Single rods are of no fabric.
        self.fabrics.push(code, list(layout.rods.iter().map(|r| r.fabric as i32)));
        let boxes = rods().map(|(r, l)| {
            let (low, high) = bounds(l.iter().copied());
            [low.add_scalar(-r.radius), high.add_scalar(r.radius)]
        });
        let (low, high) = bounds(boxes.flatten());
        self.extents.push(code, vectors([low, high]));
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.counts.write("int[] curveVertexCounts", "", out)?;
        self.widths.write("float[] widths", "vertex", out)?;
        self.extents.write("float3[] extent", "", out)?;
        self.colours.write("color3f[] primvars:displayColor", "uniform", out)?;
        self.fabrics.write("int[] primvars:fabric", "uniform", out)
    }
}

impl Samples {
    /// Adds a value from a time code on, unless it holds there anyway.
    pub(super) fn push(&mut self, code: f64, value: String) {
        if self.0.last().is_none_or(|(_, last)| *last != value) {
            self.0.push((code, value));
        }
    }

    /// Writes an attribute, with an interpolation over its prim if it has one.
    pub(super) fn write(&self, attribute: &str, interpolation: &str, out: &mut dyn Write) -> io::Result<()> {
        let about = match interpolation {
            "" => String::new(),
            word => format!(" (\n            interpolation = \"{word}\"\n        )"),
        };
        if let [(_, value)] = &self.0[..] {
            return writeln!(out, "        {attribute} = {value}{about}");
        }
        writeln!(out, "        {attribute}{about}\n        {attribute}.timeSamples = {{")?;
        for (code, value) in &self.0 {
            writeln!(out, "            {code}: {value},")?;
        }
        writeln!(out, "        }}")
    }
}

fn write_solid(name: &str, mesh: &Mesh, [at, turn]: &[Samples; 2], out: &mut dyn Write) -> io::Result<()> {
    let ([r, g, b], corners) = (GREY, unique_corners(mesh));
    let n_sides = list(mesh.triangles.iter().map(|_| 3));
    let indices = list(mesh.triangles.iter().flatten().map(|&i| corners.of[i as usize]));
    let points = vectors(corners.items.iter().map(|v| v.0));
    let normals = vectors(corners.items.iter().map(|v| v.1));
    write!(
        out,
        r#"
    def Mesh "{name}"
    {{
        uniform token subdivisionScheme = "none"
        int[] faceVertexCounts = {n_sides}
        int[] faceVertexIndices = {indices}
        point3f[] points = {points}
        normal3f[] normals = {normals} (
            interpolation = "vertex"
        )
        color3f[] primvars:displayColor = [({r}, {g}, {b})]
"#
    )?;
    at.write("double3 xformOp:translate", "", out)?;
    turn.write("quatd xformOp:orient", "", out)?;
    writeln!(
        out,
        "        uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]\n    }}"
    )
}

fn curve_type(options: &Options) -> &'static str {
    if options.smooth.is_some() { "linear" } else { "cubic" }
}

/// The points of each yarn: along it, or of its Bezier curves, which share their ends.
fn control_points(frame: &Frame, options: &Options) -> Vec<Vec<V3>> {
    if let Some(pieces) = options.smooth {
        let strands = strands(frame, pieces.max(1));
        return strands.iter().map(|s| s.places.iter().map(|p| p.position).collect()).collect();
    }
    let of = |curve: Curve| {
        let spans = (0..curve.n_segments()).flat_map(|segment| curve.bezier(segment).into_iter().skip(1));
        curve.points.first().copied().into_iter().chain(spans).collect()
    };
    curves(frame).into_iter().map(of).collect()
}

/// Time codes per second with which frames are about one apart on the average: a whole number if there is one
/// nearby, because the times of frames are those of steps.
fn rate(times: &[f64]) -> f64 {
    let [first, .., last] = times else { return DEFAULT_RATE };
    let mean = (times.len() - 1) as f64 / (last - first);
    if (mean - mean.round()).abs() < WHOLE * mean { mean.round() } else { rounded(mean) }
}

fn time_code(time: f64, rate: f64) -> f64 {
    rounded(time * rate)
}

/// To a millionth, so that codes that should be whole are.
fn rounded(x: f64) -> f64 {
    (x * 1e6).round() / 1e6
}

/// Items in brackets.
pub(super) fn list(items: impl Iterator<Item = impl std::fmt::Display>) -> String {
    bracketed(items, |text, item| write!(text, "{item}"))
}

/// Vectors in brackets.
pub(super) fn vectors(items: impl IntoIterator<Item = V3>) -> String {
    bracketed(items.into_iter(), |text, v| write!(text, "({}, {}, {})", v.x, v.y, v.z))
}

fn bracketed<T>(items: impl Iterator<Item = T>, one: impl Fn(&mut String, T) -> std::fmt::Result) -> String {
    let mut text = String::from("[");
    for (i, item) in items.enumerate() {
        text.push_str(if i > 0 { ", " } else { "" });
        // Nothing fails on the way into a string.
        let _ = one(&mut text, item);
    }
    text.push(']');
    text
}
