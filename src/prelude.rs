//! The names that most programs need: `use hebra::prelude::*`.
//!
//! The parts of a scene have short names here: [`Fabric`] is [`FabricParams`](crate::model::fabric::FabricParams), and so
//! on. They are plain data with public fields, the keys of a scene's file; methods set what is set most often:
//!
//! ```
//! use hebra::prelude::*;
//!
//! let twill = Fabric { prestretch: 1e-3, ..Fabric::plain(20, 30, 5e-4) }
//!     .named("twill")
//!     .of("wool")
//!     .woven(Weave::Twill { over: 2, under: 1 })
//!     .at([0.0, 0.0, 0.1]);
//! assert_eq!(twill.weft.count, 30);
//! ```

pub use std::ops::ControlFlow;

pub use hebra_solver::linear::LinearMethod;
pub use hebra_solver::time::Scheme;

#[cfg(feature = "render")]
pub use crate::draw::{RenderOptions, render, write_png};
pub use crate::frame::{Camera, Frame};
pub use crate::model::clamp::ClampParams as Clamp;
pub use crate::model::fabric::{Crimp, Cut, Eyelet, FabricParams as Fabric, Form, RodParams as Rod, Threads};
pub use crate::model::ids::{NodeId, RodId};
pub use crate::model::knit::{Feed, KnitParams as Knit, KnitStart};
pub use crate::model::layers::{FabricEdge, LayersParams as Layers, SeamLine, SeamParams as Seam};
pub use crate::model::material::MaterialParams as YarnMaterial;
pub use crate::model::motion::{Keyframe, Motion};
pub use crate::model::obstacle::{ObstacleParams as Obstacle, Shape};
pub use crate::model::part::{Named, Placed};
pub use crate::model::select::{End, Selection, ThreadSet};
pub use crate::model::sheets::{Plane, SheetMaterial, SheetParams as Sheet, SheetShape};
pub use crate::pattern::knit::chart::Knit as KnitPattern;
pub use crate::pattern::weave::Weave;
pub use crate::potential::collision::CollisionParams as Collision;
pub use crate::potential::damping::{DampingKind, DampingLaw, DampingParams as Damping};
pub use crate::potential::forces::{ForcesParams as Forces, PointForceParams as Push, WindParams as Wind};
pub use crate::record::params::ProbeParams as Probe;
pub use crate::scene::error::SceneError;
pub use crate::scene::params::Scene;
pub use crate::simulation::params::{
    ContactsParams as Contacts, RelaxParams as Relax, SolverParams as Solver,
};
pub use crate::simulation::report::{Energies, StepReport};
pub use crate::simulation::{Simulation, SimulationError};
