//! A scene: what a file in `scenes/` says, composed of what each module asks for.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use hebra_solver::linear::LinearMethod;
use serde::{Deserialize, Serialize};

use crate::frame::Camera;
use crate::model::clamp::ClampParams;
use crate::model::fabric::{FabricParams, RodParams};
use crate::model::knit::KnitParams;
use crate::model::layers::{LayersParams, SeamParams};
use crate::model::material::MaterialParams;
use crate::model::obstacle::ObstacleParams;
use crate::model::sheets::SheetParams;
use crate::potential::collision::CollisionParams;
use crate::potential::damping::{DampingKind, DampingParams};
use crate::potential::forces::ForcesParams;
use crate::record::params::{ProbeParams, RecordParams};
use crate::simulation::params::{ContactsParams, RelaxParams, SolverParams};

/// A simulation: cloth, bodies, forces, solver and output. Every key may be left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Scene {
    /// Name, and that of the record in `out/` (default: the file's, without its ending).
    pub name: String,
    /// Woven fabrics.
    pub fabrics: Vec<FabricParams>,
    /// Knitted fabrics.
    pub knits: Vec<KnitParams>,
    /// Fabrics that lie on one another.
    pub layers: Vec<LayersParams>,
    /// Lines along which layers are sewn together.
    pub seams: Vec<SeamParams>,
    /// Single yarns.
    pub rods: Vec<RodParams>,
    /// Cloth of triangles.
    pub sheets: Vec<SheetParams>,
    /// Materials by name, beside the built-in ones.
    pub materials: BTreeMap<String, MaterialParams>,
    /// Solid bodies.
    pub obstacles: Vec<ObstacleParams>,
    /// Nodes that are held or led.
    pub clamps: Vec<ClampParams>,
    /// Gravity, wind and constant forces.
    pub forces: ForcesParams,
    /// Damping.
    pub damping: DampingParams,
    /// Node transitions, removal and creation of contacts.
    pub contacts: ContactsParams,
    /// Collision of yarns and sheets that no contact joins (default: none). `()` turns it on; without it they pass
    /// through each other.
    pub collision: Option<CollisionParams>,
    /// Time scheme and solver.
    pub solver: SolverParams,
    /// Convergence of `hebra relax`.
    pub relax: RelaxParams,
    /// Simulated time at which the run ends, s.
    pub until: f64,
    /// Intervals of writing.
    pub record: RecordParams,
    /// Values followed step by step, by name.
    pub probes: BTreeMap<String, ProbeParams>,
    /// Camera of pictures (default: all of the scene, from the front and above).
    pub camera: Option<Camera>,
    /// Files that it was read from beside its own, charts and meshes: no key, but found by the parser.
    #[serde(skip)]
    pub files: BTreeSet<PathBuf>,
}

impl Scene {
    /// The scene as it is relaxed: without damping, which is about motion, and with a direct solver unless another
    /// is asked for, because whole Hessians may be indefinite.
    #[must_use]
    pub fn to_relax(mut self) -> Self {
        self.damping.kind = DampingKind::None;
        if self.solver.linear == LinearMethod::Auto {
            self.solver.linear = LinearMethod::Direct;
        }
        self
    }
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            name: String::new(),
            fabrics: Vec::new(),
            knits: Vec::new(),
            layers: Vec::new(),
            seams: Vec::new(),
            rods: Vec::new(),
            sheets: Vec::new(),
            materials: BTreeMap::new(),
            obstacles: Vec::new(),
            clamps: Vec::new(),
            forces: ForcesParams::default(),
            damping: DampingParams::default(),
            contacts: ContactsParams::default(),
            collision: None,
            solver: SolverParams::default(),
            relax: RelaxParams::default(),
            until: 1.0,
            record: RecordParams::default(),
            probes: BTreeMap::new(),
            camera: None,
            files: BTreeSet::new(),
        }
    }
}

impl Scene {
    /// The names of all fabrics, woven and knitted.
    pub fn fabric_names(&self) -> impl Iterator<Item = &String> {
        self.fabrics.iter().map(|f| &f.name).chain(self.knits.iter().map(|k| &k.name))
    }
}
