//! Defaults, as the program has them.

use std::collections::BTreeMap;

use hebra::frame::Camera;
use hebra::model::clamp::ClampParams;
use hebra::model::fabric::{Crimp, Cut, Eyelet, FabricParams, Form, RodParams, Threads};
use hebra::model::knit::{Feed, KnitParams};
use hebra::model::layers::LayersParams;
use hebra::model::material::MaterialParams;
use hebra::model::motion::Keyframe;
use hebra::model::obstacle::{ObstacleParams, Shape};
use hebra::model::sheets::{SheetMaterial, SheetParams, SheetShape};
use hebra::potential::collision::CollisionParams;
use hebra::potential::damping::DampingParams;
use hebra::potential::forces::{ForcesParams, PointForceParams, WindParams};
use hebra::record::params::RecordParams;
use hebra::scene::params::Scene;
use hebra::simulation::params::{ContactsParams, RelaxParams, SolverParams};
use ron::extensions::Extensions;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Of every type with keys that may be left out: the values that they have then.
pub(crate) fn defaults() -> BTreeMap<&'static str, Value> {
    BTreeMap::from([
        ("Scene", filled::<Scene>("()")),
        (
            "FabricParams",
            filled::<FabricParams>("(warp: (count: 1, spacing: 1), weft: (count: 1, spacing: 1))"),
        ),
        ("Threads", filled::<Threads>("(count: 1, spacing: 1)")),
        ("Form::Tube", filled::<Form>("Tube()")["Tube"].take()),
        ("Crimp", filled::<Crimp>("()")),
        ("Cut", filled::<Cut>("(size: (1, 1))")),
        ("KnitParams", filled::<KnitParams>("(courses: 1, wales: 1)")),
        ("Feed", filled::<Feed>("()")),
        ("LayersParams", filled::<LayersParams>("(fabrics: [])")),
        ("RodParams", filled::<RodParams>("(points: [], segments: 1)")),
        ("Eyelet", filled::<Eyelet>("(arc: 0)")),
        ("SheetParams", filled::<SheetParams>("(shape: File(path: \"\"))")),
        ("SheetShape::File", filled::<SheetShape>("File(path: \"\")")["File"].take()),
        ("SheetMaterial", filled::<SheetMaterial>("()")),
        ("MaterialParams", filled::<MaterialParams>("()")),
        ("ObstacleParams", filled::<ObstacleParams>("(shape: Plane)")),
        ("Shape::Prism", filled::<Shape>("Prism(radius: 1, height: 1)")["Prism"].take()),
        ("Shape::Mesh", filled::<Shape>("Mesh(files: [])")["Mesh"].take()),
        ("Keyframe", filled::<Keyframe>("()")),
        ("ClampParams", filled::<ClampParams>("(select: All)")),
        ("ForcesParams", filled::<ForcesParams>("()")),
        ("PointForceParams", filled::<PointForceParams>("(select: All, force: (0, 0, 0))")),
        ("WindParams", filled::<WindParams>("()")),
        ("DampingParams", filled::<DampingParams>("()")),
        ("ContactsParams", filled::<ContactsParams>("()")),
        ("CollisionParams", filled::<CollisionParams>("()")),
        ("SolverParams", filled::<SolverParams>("()")),
        ("RelaxParams", filled::<RelaxParams>("()")),
        ("RecordParams", filled::<RecordParams>("()")),
        ("Camera", filled::<Camera>("(eye: (0, 0, 0), target: (0, 0, 0))")),
    ])
}

/// All values of what is read from a text that gives the required ones.
fn filled<T: Serialize + DeserializeOwned>(text: &str) -> Value {
    let options = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    serde_json::to_value(options.from_str::<T>(text).unwrap()).unwrap()
}
