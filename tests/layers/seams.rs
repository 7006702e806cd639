//! A seam that is pulled at.

use crate::common::scenes::{clamp, cotton, push, run, weave};
use hebra::collision::layers::stack;
use hebra::collision::seams::sew;
use hebra::model::build::ModelBuilder;
use hebra::model::fabric::FabricParams;
use hebra::model::layers::{FabricEdge, LayersParams, SeamLine, SeamParams};
use hebra::model::select::{Selection, ThreadSet};
use hebra::model::yarns::{ContactKind, NodeKind};
use hebra::simulation::Simulation;
use hebra::simulation::setup::Setup;

/// m
const SPACING: f64 = 5e-4;

/// A layer that is sewn to another along one side and pulled away from it: the seam's contacts stay where they are on
/// both yarns, to the bit, active or degenerate, and hold together; contacts beside it slide.
#[test]
fn a_seam_neither_slides_nor_opens() {
    let layer = |name: &str, size: usize, degrees: f64| FabricParams {
        name: name.into(),
        rotation: [0.0, 0.0, degrees],
        ..weave(size, size)
    };
    let fabrics = [layer("low", 10, 0.0), layer("top", 6, 20.0)];
    let mut builder = ModelBuilder::default();
    fabrics.iter().for_each(|f| builder.add_fabric(f, &|_| cotton()).unwrap());
    let names = fabrics.iter().map(|f| f.name.clone()).collect();
    stack(
        &mut builder,
        &fabrics,
        &LayersParams { fabrics: names, friction: Some(0.1), min_angle: 15.0 },
        false,
    )
    .unwrap();
    let seam = SeamParams { fabrics: ["top".into(), "low".into()], along: SeamLine::Edge(FabricEdge::Left) };
    sew(&mut builder, &fabrics, &seam).unwrap();
    let (model, state) = builder.finish();
    let mut setup = Setup { model, state, ..Default::default() };
    setup.forces.gravity = [0.0; 3];
    clamp(&mut setup, Selection::Yarn { fabric: "low".into(), set: ThreadSet::Weft, index: 0 });
    push(
        &mut setup,
        Selection::Yarn { fabric: "top".into(), set: ThreadSet::Weft, index: -1 },
        [5e-4, 0.0, 0.0],
    );
    let mut simulation = Simulation::new(setup);
    let start = simulation.state().clone();
    run(&mut simulation, 0.03, 1e-3);
    let (model, q) = (simulation.model(), &simulation.state().q);
    let slid = |kind: ContactKind| {
        let nodes = model.contacts.iter().filter(|c| c.kind == kind).flat_map(|c| c.nodes);
        nodes.map(|n| (model.arc(q, n) - model.arc(&start.q, n)).abs()).fold(0.0, f64::max)
    };
    assert_eq!(slid(ContactKind::Seam), 0.0);
    assert!(slid(ContactKind::Inter) > 0.02 * SPACING, "{}", slid(ContactKind::Inter));
    let sewn: Vec<_> = model.contacts.iter().filter(|c| c.kind == ContactKind::Seam).collect();
    let degenerate =
        sewn.iter().filter(|c| c.nodes.iter().any(|&n| simulation.kind(n) == NodeKind::Eil)).count();
    assert!(degenerate > 0 && degenerate < sewn.len(), "{degenerate} of {}", sewn.len());
    let shown = simulation.frame().sewn.iter().filter(|s| **s).count();
    assert_eq!(shown, 2 * sewn.len(), "every node of the seam is told in frames");
    for contact in sewn {
        let [a, b] = contact.nodes.map(|n| simulation.position(n));
        assert!((a - b).norm() < 0.01 * SPACING, "{:e}", (a - b).norm());
    }
}
