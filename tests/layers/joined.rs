//! Yarns of layers that did not cross at the start and come to.

use std::collections::BTreeSet;
use std::path::Path;

use hebra::model::arrangement::Role;
use hebra::model::ids::{NodeId, RodId};
use hebra::model::yarns::ContactKind;
use hebra::scene::build::build;
use hebra::scene::parse::parse;
use hebra::scene::source::Source;
use hebra::simulation::Simulation;

/// The shipped scene with yarns that are joined after so many seconds, or never.
fn drawn_along(join_after: &str) -> Simulation {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/joining.ron");
    let mut source = Source::read(&file).unwrap();
    source.set(&format!("contacts.join_after={join_after}")).unwrap();
    build(&parse(&source).unwrap()).unwrap().simulation
}

/// The yarns that a contact between the layers joins now.
fn joined(simulation: &Simulation) -> Vec<[RodId; 2]> {
    let (model, arrangement) = (simulation.model(), simulation.arrangement());
    let contacts = model.contacts.iter().filter(|c| c.kind == ContactKind::Inter && !arrangement.is_apart(c));
    contacts.map(|c| c.nodes.map(|n| model.node(n).rod)).collect()
}

/// The patch is drawn by three times its width. Yarns that leave each other lose their contacts, those that come to
/// press on each other get one each, and in the end it lies on the cloth by as many as at the start.
#[test]
fn yarns_that_come_to_press_on_each_other_are_joined() {
    let mut simulation = drawn_along("0.003");
    let first: BTreeSet<_> = joined(&simulation).into_iter().collect();
    let (mut jumps, mut most) = (0.0_f64, 0.0_f64);
    while simulation.time() < 0.12 {
        let report = simulation.step().unwrap();
        assert_eq!(report.rejected, 0, "step {}", report.step);
        jumps += report.jump.abs();
        most = most.max(report.energies.kinetic);
        let (all, model) = (joined(&simulation), simulation.model());
        let distinct: BTreeSet<_> = all.iter().collect();
        assert_eq!(distinct.len(), all.len(), "two contacts of the same yarns");
        let (arrangement, q) = (simulation.arrangement(), &simulation.state().q);
        assert!(arrangement.segments().all(|[a, b]| model.arc(q, a) < model.arc(q, b)));
        let is_there = |n: NodeId| arrangement.role(n) != Role::Removed;
        assert!(model.contacts.iter().all(|c| is_there(c.nodes[0]) == is_there(c.nodes[1])));
    }
    let last: BTreeSet<_> = joined(&simulation).into_iter().collect();
    let kept = first.intersection(&last).count();
    println!(
        "{} contacts at first, {} in the end, {kept} of the same yarns; {jumps:.1e} J",
        first.len(),
        last.len()
    );
    assert_eq!((first.len(), last.len(), kept), (32, 32, 16));
    assert!(jumps < most, "{jumps} of {most} J");
}

/// Otherwise they collide for good.
#[test]
fn without_being_joined_they_collide() {
    let mut simulation = drawn_along("None");
    while simulation.time() < 0.12 {
        simulation.step().unwrap();
    }
    assert_eq!(joined(&simulation).len(), 16);
    assert!(simulation.n_collision_pairs() > 0);
}
