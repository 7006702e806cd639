//! A scene to a simulation.

use crate::collision::layers::stack;
use crate::collision::overlap::{Overlap, coincidence, interpenetration};
use crate::collision::seams::sew;
use crate::collision::sunk::sunk;
use crate::measure::curvature::Bends;
use crate::measure::folds::Ring;
use crate::model::build::ModelBuilder;
use crate::model::ids::{BlockId, NodeId};
use crate::model::material::MATERIALS;
use crate::model::obstacle::{Obstacle, ObstacleParams};
use crate::model::select::{SelectError, Selected, Selection};
use crate::model::yarns::{Model, State};
use crate::record::params::ProbeParams;
use crate::record::probe::Probe;
use crate::simulation::Simulation;
use crate::simulation::setup::Setup;

use super::error::Problem;
use super::params::Scene;
use super::path::{Part, Path};
use super::relaxed::start_at_rest;
use super::validate::validate;
use super::watch::Watch;

/// Probes by name.
pub type Probes = Vec<(String, Probe)>;

/// What a scene becomes.
pub struct Built {
    /// The simulation at its start.
    pub simulation: Simulation,
    /// The probes.
    pub probes: Probes,
}

/// Builds the simulation that a scene describes.
///
/// # Errors
/// Everything that is wrong with the scene, and what only building shows: selections that select nothing.
pub fn build(scene: &Scene) -> Result<Built, Vec<Problem>> {
    Watch::nobody(|watch| build_watched(scene, watch))
}

/// As [`build`], for who waits for it; the steps of the simulation obey as well.
///
/// # Errors
/// As of [`build`]; what is broken off is a problem too.
pub fn build_watched(scene: &Scene, watch: &Watch<'_>) -> Result<Built, Vec<Problem>> {
    let (setup, probes) = set_up_watched(scene, watch)?;
    Ok(Built { simulation: Simulation::new(setup), probes })
}

/// What the simulation of a scene is made from, and its probes by name.
///
/// # Errors
/// As of [`build`].
pub fn set_up(scene: &Scene) -> Result<(Setup, Probes), Vec<Problem>> {
    Watch::nobody(|watch| set_up_watched(scene, watch))
}

/// As [`set_up`], for who waits for it.
///
/// # Errors
/// As of [`build_watched`].
pub fn set_up_watched(scene: &Scene, watch: &Watch<'_>) -> Result<(Setup, Probes), Vec<Problem>> {
    let (mut model, mut state) = build_yarns(scene)?;
    start_at_rest((scene, watch), &mut model, &mut state)?;
    let obstacles = read_obstacles(scene)?;
    if let Some(sunk) = sunk(&model, &state.q, &obstacles) {
        return Err(vec![Problem::new(format!("obstacles[{}]", sunk.obstacle), sunk.to_string())]);
    }
    let mut finder = Finder { model: &model, q: &state.q, problems: Vec::new() };
    let clamps = scene.clamps.iter().enumerate();
    let clamps =
        clamps.map(|(i, c)| (c.clone(), finder.blocks(format!("clamps[{i}].select"), &c.select))).collect();
    let pushes = scene.forces.points.iter().enumerate();
    let pushed =
        pushes.map(|(i, p)| finder.blocks(format!("forces.points[{i}].select"), &p.select)).collect();
    let probes =
        scene.probes.iter().map(|(name, p)| (name.clone(), probe(scene, &mut finder, name, p))).collect();
    if !finder.problems.is_empty() {
        return Err(finder.problems);
    }
    let setup = Setup {
        name: scene.name.clone(),
        obstacles,
        clamps,
        forces: scene.forces.tilted(),
        pushed,
        damping: scene.damping,
        contacts: scene.contacts,
        collision: scene.collision,
        solver: scene.solver,
        camera: scene.camera,
        interrupt: watch.interrupt.clone(),
        model,
        state,
    };
    Ok((setup, probes))
}

fn read_obstacles(scene: &Scene) -> Result<Vec<Obstacle>, Vec<Problem>> {
    let read = |(i, o): (usize, &ObstacleParams)| {
        Obstacle::read(o.clone())
            .map_err(|e| vec![Problem::new(format!("obstacles[{i}].shape.files"), e.to_string())])
    };
    scene.obstacles.iter().enumerate().map(read).collect()
}

/// Builds only the yarns, as they start; knits that start at rest lie as they are drawn here.
///
/// # Errors
/// Everything that is wrong with the scene.
pub fn build_yarns(scene: &Scene) -> Result<(Model, State), Vec<Problem>> {
    let problems = validate(scene);
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut builder = ModelBuilder::default();
    let material = |name: &str| scene.material(name).unwrap_or(MATERIALS[0].material);
    for (i, fabric) in scene.fabrics.iter().enumerate() {
        let added = builder.add_fabric(fabric, &material);
        added.map_err(|e| vec![Problem::new(format!("fabrics[{i}].weave"), e.to_string())])?;
    }
    for (i, knit) in scene.knits.iter().enumerate() {
        let added = builder.add_knit(knit, &material);
        added.map_err(|e| vec![Problem::new(format!("knits[{i}].pattern"), e.to_string())])?;
    }
    for (i, layers) in scene.layers.iter().enumerate() {
        let stacked = stack(&mut builder, &scene.fabrics, layers, scene.contacts.join_after.is_some());
        stacked
            .map_err(|e| vec![Problem::new(format!("layers[{i}].fabrics[{}]", e.layer), e.to_string())])?;
    }
    for (i, seam) in scene.seams.iter().enumerate() {
        let sewn = sew(&mut builder, &scene.fabrics, seam);
        sewn.map_err(|e| vec![Problem::new(format!("seams[{i}]{}", e.key()), e.to_string())])?;
    }
    for rod in &scene.rods {
        builder.add_rod(rod, material(&rod.material));
    }
    for (i, sheet) in scene.sheets.iter().enumerate() {
        let added = builder.add_sheet(sheet);
        added.map_err(|e| vec![Problem::new(format!("sheets[{i}].shape"), e.to_string())])?;
    }
    if scene.obstacles.iter().any(|o| o.edges) {
        builder.add_edge_nodes();
    }
    let (model, state) = builder.finish();
    // Numbers that are none are farther too.
    if !state.q.iter().all(|c| c.abs() <= FARTHEST) {
        let message = format!(
            "cloth starts farther than {FARTHEST:e} m from the origin, or is as long: give shorter lengths, in metres"
        );
        return Err(vec![Problem::new("", message)]);
    }
    let passes = interpenetration(&model, &state.q);
    let coincides = || scene.collision.and_then(|_| coincidence(&model, &state.q));
    if let Some(overlap) = passes.or_else(coincides) {
        return Err(vec![Problem::new(place_of(&overlap), overlap.to_string())]);
    }
    Ok((model, state))
}

/// Farthest from the origin that anything starts, m: a number is exact to a tenth of a nanometre there, and squares
/// of such are far from any overflow.
const FARTHEST: f64 = 1e6;

/// The path of what starts too close to something else: the later fabric, or else what collides.
fn place_of(overlap: &Overlap) -> String {
    match overlap.fabrics {
        [Some(a), Some(b)] => format!("fabrics[{}].at", a.max(b)),
        _ => "collision".into(),
    }
}

/// The path of a value in one of the scene's maps.
pub(super) fn path_in(map: &str, key: &str) -> String {
    Path(vec![Part::Name(map.into()), Part::Name(key.into())]).to_string()
}

/// Finds the nodes that selections mean.
struct Finder<'a> {
    model: &'a Model,
    q: &'a [f64],
    problems: Vec<Problem>,
}

impl Finder<'_> {
    fn blocks(&mut self, path: String, selection: &Selection) -> Vec<BlockId> {
        self.selected(path, selection).blocks(self.model)
    }

    fn selected(&mut self, path: String, selection: &Selection) -> Selected {
        let found = selection.resolve_all(self.model, self.q);
        self.or_report(path, found)
    }

    fn nodes(&mut self, path: String, selection: &Selection) -> Vec<NodeId> {
        let found = selection.resolve(self.model, self.q);
        self.or_report(path, found)
    }

    /// What bends among selected nodes and vertices.
    fn bends(&mut self, path: String, selected: Selected) -> Bends {
        let bends = Bends::among(self.model, selected);
        if bends.is_empty() {
            self.problems.push(Problem::new(
                path,
                "nothing bends there: a yarn bends at a node between two others, \
                a sheet at an edge between two triangles, all four corners selected",
            ));
        }
        bends
    }

    /// The places of a ring.
    fn ring(&mut self, path: String, around: &Selection) -> Selected {
        let selected = self.selected(path.clone(), around);
        let count = selected.nodes.len() + selected.vertices.len();
        if count < 3 {
            self.problems
                .push(Problem::new(path, format!("a ring has at least three places, this has {count}")));
        }
        selected
    }

    fn or_report<T: Default>(&mut self, path: String, found: Result<T, SelectError>) -> T {
        found.unwrap_or_else(|error| {
            self.problems.push(Problem::new(path, error.to_string()));
            T::default()
        })
    }
}

fn probe(scene: &Scene, finder: &mut Finder<'_>, name: &str, params: &ProbeParams) -> Probe {
    let path = path_in("probes", name);
    match params {
        ProbeParams::Position(s) => Probe::Position(finder.selected(path, s)),
        ProbeParams::Velocity(s) => Probe::Velocity(finder.selected(path, s)),
        ProbeParams::Slide(s) => Probe::Slide(finder.nodes(path, s)),
        ProbeParams::Curvature(s) => {
            let selected = finder.selected(path.clone(), s);
            Probe::Curvature(finder.bends(path, selected))
        }
        ProbeParams::Folds { around, depth } => {
            Probe::Folds(Ring { places: finder.ring(path, around), depth: *depth })
        }
        ProbeParams::ClampForce(clamp) => {
            Probe::ClampForce(scene.clamps.iter().position(|c| &c.name == clamp).unwrap_or_default())
        }
    }
}
