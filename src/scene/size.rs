//! How much memory a scene takes, told from its numbers before anything of it is made.

use std::fs;
use std::ops::Add;

use hebra_solver::linear::LinearMethod;

use super::error::Problem;
use super::params::Scene;
use crate::model::fabric::FabricParams;
use crate::model::knit::KnitParams;
use crate::model::sheets::SheetShape;
use crate::pattern::knit::chart::Knit;
use crate::pattern::weave::Weave;

/// Bytes per unknown of a run with the iterative and with the direct solver: state, stencils, blocks of
/// the matrix, strips or factor. Measured on plain weaves: 1430 and 3790 at 114,300 unknowns, 1710 and
/// 3550 at 18,720; the factor's share grows with the logarithm.
pub const BYTES_PER_UNKNOWN: [f64; 2] = [1500.0, 3800.0];

/// Bytes per unknown of a simulation that is built and makes no step: 330 (rods) to 680 (sheets) at 200,000
/// to 800,000 unknowns.
const BYTES_TO_BUILD: f64 = 500.0;

/// Bytes of the program itself and its threads.
const BYTES_AT_LEAST: f64 = 1e7;

/// Most bytes of a scene on any machine: a tenth of what indices of 32 bits reach.
const MOST_BYTES: f64 = 1e12;

/// How large a scene or a part of it is.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Size {
    /// Unknowns, about.
    pub unknowns: f64,
    /// Bytes of the repeats of weaves and knits.
    pub drafts: f64,
}

impl Size {
    /// That of a scene, without what is read from files.
    pub fn of(scene: &Scene) -> Self {
        parts(scene).map(|(_, part)| part).fold(Self::default(), Add::add)
    }

    /// Memory of a run by a method, bytes.
    pub fn to_run(&self, method: LinearMethod) -> f64 {
        let [iterative, direct] = BYTES_PER_UNKNOWN;
        let each = if method == LinearMethod::Direct { direct } else { iterative };
        memory(self.unknowns, each) + self.drafts
    }

    /// Memory of the simulation at its start, bytes.
    pub fn to_build(&self) -> f64 {
        memory(self.unknowns, BYTES_TO_BUILD) + self.drafts
    }
}

impl Add for Size {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { unknowns: self.unknowns + other.unknowns, drafts: self.drafts + other.drafts }
    }
}

/// Memory of so many unknowns, bytes.
pub fn memory(unknowns: f64, bytes_per_unknown: f64) -> f64 {
    BYTES_AT_LEAST + bytes_per_unknown * unknowns
}

/// Memory that is free now, bytes; none where the system does not tell.
pub fn free_memory() -> Option<f64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
    line.trim().trim_end_matches("kB").trim().parse().ok().map(|kilobytes: f64| 1024.0 * kilobytes)
}

/// Bytes in words.
pub fn gigabytes(bytes: f64) -> String {
    let number = 1e-9 * bytes;
    if number < 1e5 { format!("{number:.1} GB") } else { format!("{number:.1e} GB") }
}

/// The part with which a scene grows beyond what can be simulated on any machine, or built on this one.
pub fn too_large(scene: &Scene) -> Option<Problem> {
    let mut sum = Size::default();
    for (path, part) in parts(scene) {
        sum = sum + part;
        let (run, build) = (sum.to_run(scene.solver.linear), sum.to_build());
        let free = free_memory().unwrap_or(MOST_BYTES);
        if run > MOST_BYTES || build > free {
            let [run, build, free] = [run, build, free].map(gigabytes);
            let message = format!(
                "up to here the scene takes about {run} of memory to run and {build} to be built; {free} are free, and \
                 none may take more than {}: give smaller numbers",
                gigabytes(MOST_BYTES)
            );
            return Some(Problem::new(path, message));
        }
    }
    None
}

/// The parts of a scene by their paths. Numbers are multiplied as `f64`, in which none is too large.
fn parts(scene: &Scene) -> impl Iterator<Item = (String, Size)> + '_ {
    let unknowns = |unknowns: f64| Size { unknowns, drafts: 0.0 };
    let drafts = |drafts: f64| Size { unknowns: 0.0, drafts };
    let fabrics = scene.fabrics.iter().enumerate().flat_map(move |(i, fabric)| {
        let repeat = (format!("fabrics[{i}].weave"), drafts(weave_bytes(&fabric.weave)));
        [(format!("fabrics[{i}]"), unknowns(woven(fabric))), repeat]
    });
    let knits = scene.knits.iter().enumerate().flat_map(move |(i, knit)| {
        let repeat = (format!("knits[{i}].pattern"), drafts(knit_bytes(&knit.pattern)));
        [(format!("knits[{i}]"), unknowns(knitted(knit))), repeat]
    });
    let rods = scene.rods.iter().enumerate();
    let rods = rods
        .map(move |(i, rod)| (format!("rods[{i}].segments"), unknowns(3.0 * (rod.segments as f64 + 1.0))));
    let sheets = scene.sheets.iter().enumerate();
    let sheets =
        sheets.map(move |(i, sheet)| (format!("sheets[{i}].shape"), unknowns(vertices(&sheet.shape))));
    fabrics.chain(knits).chain(rods).chain(sheets)
}

/// Unknowns of a weave: a place and two arcs a crossing, a place at every end of a yarn.
fn woven(fabric: &FabricParams) -> f64 {
    let [warp, weft] = [&fabric.warp, &fabric.weft].map(|threads| threads.count as f64);
    5.0 * warp * weft + 6.0 * (warp + weft)
}

/// Unknowns of a knit: four contacts a loop with the cast-on and the bind-off, of jacquard six a stitch.
fn knitted(knit: &KnitParams) -> f64 {
    let contacts = if matches!(knit.pattern, Knit::Jacquard(_)) { 6.0 } else { 4.0 };
    5.0 * contacts * (knit.courses as f64 + 2.0) * knit.wales as f64
}

/// Unknowns of a sheet; those of a mesh from a file are bounded by the file's size.
fn vertices(shape: &SheetShape) -> f64 {
    match shape {
        SheetShape::Rectangle { cells, .. } => 3.0 * (cells[0] as f64 + 1.0) * (cells[1] as f64 + 1.0),
        SheetShape::Tube { cells, .. } => 3.0 * cells[0] as f64 * (cells[1] as f64 + 1.0),
        SheetShape::File { .. } => 0.0,
    }
}

/// Bytes of the repeat of a weave, one a cell.
fn weave_bytes(weave: &Weave) -> f64 {
    let yarns = match weave {
        Weave::Plain | Weave::Chart(_) => 0.0,
        &Weave::Twill { over, under } => over as f64 + under as f64,
        &Weave::Satin { ends, .. } => ends as f64,
        &Weave::Basket { size } => 2.0 * size as f64,
    };
    yarns * yarns
}

/// Bytes of the repeat of a knit: a letter and a stitch a wale.
fn knit_bytes(knit: &Knit) -> f64 {
    match *knit {
        Knit::Rib { knit, purl } => 10.0 * (knit as f64 + purl as f64),
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::build::build_yarns;
    use super::super::parse::parse;
    use super::super::source::Source;
    use super::super::validate::validate;
    use super::*;
    use crate::simulation::report::Counts;

    fn scene(text: &str) -> Scene {
        parse(&Source::new(Path::new("a.ron"), text.into())).unwrap()
    }

    #[test]
    fn the_estimate_is_about_what_is_built() {
        let threads = |count: u32| format!("(count: {count}, spacing: 1e-3)");
        for part in [
            format!("fabrics: [(warp: {}, weft: {})]", threads(20), threads(30)),
            "knits: [(courses: 20, wales: 30)]".into(),
            "knits: [(courses: 20, wales: 30, pattern: Rib(knit: 2, purl: 2))]".into(),
            "knits: [(courses: 20, wales: 30, pattern: Jacquard([\"01\", \"10\"]), yarns: [(), ()])]".into(),
            "rods: [(points: [(0, 0, 0), (1, 0, 0)], segments: 100)]".into(),
            "sheets: [(shape: Rectangle(size: (1, 1), cells: (10, 20)))]".into(),
            "sheets: [(shape: Tube(radii: (1, 1), height: 1, cells: (10, 20)))]".into(),
        ] {
            let scene = scene(&format!("({part})"));
            let built = Counts::of(&build_yarns(&scene).unwrap().0).unknowns as f64;
            let ratio = Size::of(&scene).unknowns / built;
            assert!((0.95..1.1).contains(&ratio), "{part}: {ratio}");
        }
    }

    #[test]
    fn giant_numbers_are_refused_before_anything_is_made() {
        let (most, small) = (u64::MAX, "(count: 4, spacing: 1e-3)");
        let weave = |name: String| format!("fabrics: [(warp: {small}, weft: {small}, weave: {name})]");
        for (part, path) in [
            (format!("fabrics: [(warp: (count: {most}, spacing: 1e-3), weft: {small})]"), "fabrics[0]"),
            (weave(format!("Twill(over: {most}, under: {most})")), "fabrics[0].weave"),
            (weave(format!("Satin(ends: {most}, step: 2)")), "fabrics[0].weave"),
            (weave("Basket(size: 1000000)".into()), "fabrics[0].weave"),
            (format!("knits: [(courses: {most}, wales: 4)]"), "knits[0]"),
            (format!("knits: [(courses: 4, wales: {most})]"), "knits[0]"),
            (
                format!("knits: [(courses: 4, wales: 4, pattern: Rib(knit: {most}, purl: {most}))]"),
                "knits[0].pattern",
            ),
            (format!("rods: [(points: [(0, 0, 0), (1, 0, 0)], segments: {most})]"), "rods[0].segments"),
            (format!("sheets: [(shape: Rectangle(size: (1, 1), cells: (1, {most})))]"), "sheets[0].shape"),
            (
                format!("sheets: [(shape: Tube(radii: (1, 1), height: 1, cells: ({most}, 1)))]"),
                "sheets[0].shape",
            ),
        ] {
            let found = validate(&scene(&format!("({part})")));
            assert!(found.len() == 1 && found[0].path == path, "{part}: {found:?}");
            assert!(found[0].message.contains(" GB of memory to run and "), "{found:?}");
        }
    }
}
