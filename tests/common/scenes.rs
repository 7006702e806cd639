//! Scenes in code, shared by the tests of the physics.

use hebra::geometry::Vec3;
use hebra::model::build::ModelBuilder;
use hebra::model::clamp::ClampParams;
use hebra::model::fabric::{FabricParams, RodParams, Threads};
use hebra::model::ids::NodeId;
use hebra::model::material::{Material, named_material};
use hebra::model::select::{End, Selection, ThreadSet};
use hebra::potential::damping::DampingKind;
use hebra::potential::forces::PointForceParams;
use hebra::simulation::Simulation;
use hebra::simulation::setup::Setup;

/// m/s2, along `-z` in every scene that has gravity.
pub(crate) const G: f64 = 9.81;

/// Cotton as scenes have it.
pub(crate) fn cotton() -> Material {
    named_material("cotton").unwrap().material
}

/// A material with a line density, kg/m, a stretch stiffness, N, and a bending rigidity, N m2.
pub(crate) fn material(line_density: f64, stretch: f64, bending: f64) -> Material {
    let area = cotton().area();
    Material { density: line_density / area, stretch: stretch / area, bending, ..cotton() }
}

/// A rod along a poly-line, at rest as it is drawn.
pub(crate) fn rod(points: &[[f64; 3]], segments: usize) -> RodParams {
    RodParams {
        name: "rod".into(),
        points: points.to_vec(),
        segments,
        material: String::new(),
        colour: None,
        length: None,
        velocity: [0.0; 3],
        eyelets: vec![],
    }
}

/// A scene with one rod, without gravity and damping.
pub(crate) fn rod_scene(params: &RodParams, material: Material) -> Setup {
    let mut builder = ModelBuilder::default();
    builder.add_rod(params, material);
    scene(builder)
}

/// A plain weave of `warp` by `weft` yarns about the origin, half a millimetre apart.
pub(crate) fn weave(warp: usize, weft: usize) -> FabricParams {
    let threads =
        |count| Threads { count, spacing: 5e-4, materials: vec![String::new()], colours: vec![], tail: None };
    FabricParams {
        name: "cloth".into(),
        weave: Default::default(),
        warp: threads(warp),
        weft: threads(weft),
        at: [0.0; 3],
        rotation: [0.0; 3],
        prestretch: 0.0,
        crimp: None,
        form: Default::default(),
        cut: None,
    }
}

/// A scene with one fabric, without gravity and damping.
pub(crate) fn fabric_scene(params: &FabricParams, material: Material) -> Setup {
    let mut builder = ModelBuilder::default();
    builder.add_fabric(params, &|_| material).unwrap();
    scene(builder)
}

fn scene(builder: ModelBuilder) -> Setup {
    let (model, state) = builder.finish();
    let mut setup = Setup { model, state, ..Default::default() };
    setup.forces.gravity = [0.0; 3];
    setup.damping.kind = DampingKind::None;
    setup
}

/// A clamp on a selection, held in place.
pub(crate) fn clamp(setup: &mut Setup, select: Selection) -> &mut ClampParams {
    let blocks = select.resolve_all(&setup.model, &setup.state.q).unwrap().blocks(&setup.model);
    let params = ClampParams {
        name: String::new(),
        select,
        motion: Default::default(),
        pivot: None,
        axes: [true; 3],
        slide: false,
        release: None,
    };
    setup.clamps.push((params, blocks));
    &mut setup.clamps.last_mut().unwrap().0
}

/// A constant force, N, shared by the nodes of a selection.
pub(crate) fn push(setup: &mut Setup, select: Selection, force: [f64; 3]) {
    let selected = select.resolve_all(&setup.model, &setup.state.q).unwrap();
    setup.pushed.push(selected.blocks(&setup.model));
    setup.forces.points.push(PointForceParams { select, force, start: 0.0, end: None });
}

/// A node of the rod; negative indices count from its end.
pub(crate) fn rod_node(index: i64) -> Selection {
    Selection::RodNode { rod: "rod".into(), index }
}

/// An end of a yarn of the fabric.
pub(crate) fn yarn_end(set: ThreadSet, index: i64, end: End) -> Selection {
    Selection::YarnEnd { fabric: "cloth".into(), set, index, end }
}

/// A crossing of the fabric.
pub(crate) fn crossing(warp: i64, weft: i64) -> Selection {
    Selection::Crossing { fabric: "cloth".into(), warp, weft }
}

/// The only node, or the first, of a selection.
pub(crate) fn node(simulation: &Simulation, select: &Selection) -> NodeId {
    select.resolve(simulation.model(), &simulation.state().q).unwrap()[0]
}

/// Steps of equal length up to a time; fails when one has to be halved.
pub(crate) fn run(simulation: &mut Simulation, until: f64, dt: f64) {
    while simulation.time() < until - 0.5 * dt {
        let report = simulation.step().unwrap();
        assert_eq!(report.rejected, 0, "{report:?}");
    }
}

/// Steps until every unknown moves slower than `speed`, m/s.
pub(crate) fn settle(simulation: &mut Simulation, speed: f64) {
    for _ in 0..5000 {
        simulation.step().unwrap();
        if simulation.state().v.iter().all(|v| v.abs() < speed) {
            return;
        }
    }
    panic!("not at rest after {} s", simulation.time());
}

/// Sets the velocity of every node's position from its position.
pub(crate) fn set_velocity(simulation: &mut Simulation, of: impl Fn(Vec3) -> Vec3) {
    let mut state = simulation.state().clone();
    for (q, v) in state.q.chunks_exact(5).zip(state.v.chunks_exact_mut(5)) {
        let velocity = of(Vec3::new(q[0], q[1], q[2]));
        v[..3].copy_from_slice(velocity.as_slice());
    }
    simulation.set_state(state);
}

/// A reproducible sequence of numbers between -1 and 1 (SplitMix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// The next number.
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// Runs something on so many threads.
pub(crate) fn on_threads<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run)
}
