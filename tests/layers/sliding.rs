//! Two layers that are drawn right across each other: contacts pass each other everywhere, and every step
//! converges.

use crate::common::scenes::{clamp, cotton, weave};
use hebra::collision::layers::stack;
use hebra::model::arrangement::Role;
use hebra::model::build::ModelBuilder;
use hebra::model::fabric::FabricParams;
use hebra::model::ids::{BlockId, NodeId, RodId};
use hebra::model::layers::LayersParams;
use hebra::model::motion::{Keyframe, Motion};
use hebra::model::select::Selection;
use hebra::model::yarns::{ContactKind, NodeKind};
use hebra::simulation::setup::Setup;
use hebra::simulation::{Simulation, SimulationError};
use proptest::prelude::*;

/// m.
const SPACING: f64 = 5e-4;

/// s.
const DT: f64 = 1e-3;

/// Greatest speed of a clamp's motion between two keys over the mean.
const PEAK: f64 = 1.875;

/// Two layers of `n` by `n` yarns, the upper turned by `degrees` and drawn right across the lower, by up to
/// `part` of a spacing in a step; both are held at all yarns' ends. Returns the steps that it takes.
fn drawn(n: usize, degrees: f64, part: f64) -> (Setup, usize) {
    let layer = |name: &str, at: [f64; 3], turn: f64| FabricParams {
        name: name.into(),
        at,
        rotation: [0.0, 0.0, turn],
        ..weave(n, n)
    };
    let fabrics = [layer("lower", [0.0; 3], 0.0), layer("upper", [1.3e-4, 0.7e-4, 0.0], degrees)];
    let mut builder = ModelBuilder::default();
    for fabric in &fabrics {
        builder.add_fabric(fabric, &|_| cotton()).unwrap();
    }
    let names = fabrics.iter().map(|f| f.name.clone()).collect();
    let layers = LayersParams { fabrics: names, friction: Some(0.0), min_angle: 15.0 };
    stack(&mut builder, &fabrics, &layers, false).unwrap();
    let (model, state) = builder.finish();
    let mut setup = Setup { model, state, ..Default::default() };
    setup.forces.gravity = [0.0; 3];
    setup.solver.dt = DT;
    setup.contacts.separate_at = None;
    let way = 1.5 * (n as f64 + 1.0) * SPACING;
    let steps = (PEAK * way / (part * SPACING)).ceil();
    for fabric in 0..2 {
        let is_end = |k: &usize| {
            let (node, model) = (&setup.model.nodes[*k], &setup.model);
            node.kind == NodeKind::Lagrangian && model.rods[node.rod.index()].thread.unwrap().fabric == fabric
        };
        let ends: Vec<BlockId> =
            (0..setup.model.nodes.len()).filter(is_end).map(|k| setup.model.nodes[k].block).collect();
        clamp(&mut setup, Selection::All);
        let (params, blocks) = setup.clamps.last_mut().unwrap();
        *blocks = ends;
        if fabric == 1 {
            let key =
                |time, s: f64| Keyframe { time, translation: [0.9 * s, 0.4 * s, 0.0], rotation: [0.0; 3] };
            params.motion = Motion(vec![key(0.0, 0.0), key(steps * DT, way)]);
        }
    }
    (setup, steps as usize)
}

#[derive(Debug, Default)]
struct Tally {
    contacts: u64,
    halved: u64,
    most_iterations: u32,
    most_degenerate: u64,
    removed: u64,
    least_left: f64,
}

/// What a step leaves of the gaps between consecutive nodes at least, over what they were.
fn least_left(simulation: &Simulation, before: &[f64]) -> f64 {
    let (model, arrangement) = (simulation.model(), simulation.arrangement());
    let gap = |q: &[f64], [a, b]: [NodeId; 2]| model.arc(q, b) - model.arc(q, a);
    let left = arrangement.segments().map(|s| gap(&simulation.state().q, s) / gap(before, s));
    left.fold(f64::INFINITY, f64::min)
}

fn draw((mut setup, steps): (Setup, usize), degenerate: bool) -> Result<Tally, SimulationError> {
    setup.contacts.degenerate = degenerate;
    let n_contacts = setup.model.contacts.iter().filter(|c| c.kind == ContactKind::Inter).count() as u64;
    let mut simulation = Simulation::new(setup);
    let mut tally = Tally { contacts: n_contacts, least_left: 1.0, ..Tally::default() };
    while simulation.time() < steps as f64 * DT {
        let before = simulation.state().q.clone();
        let report = simulation.step()?;
        tally.least_left = tally.least_left.min(least_left(&simulation, &before));
        tally.halved += u64::from(report.rejected);
        tally.most_iterations = tally.most_iterations.max(report.newton_iterations);
        tally.most_degenerate = tally.most_degenerate.max(report.eil);
        tally.removed = report.removed;
    }
    Ok(tally)
}

#[test]
fn layers_are_drawn_right_across_each_other() {
    for (n, degrees, parts) in [(5, 0.0, vec![0.05, 0.1, 0.3, 0.6]), (8, 30.0, vec![0.3, 0.6])] {
        for part in parts {
            let tally = draw(drawn(n, degrees, part), true).unwrap();
            assert_eq!(tally.halved, 0, "{n} {part} {tally:?}");
            assert!(tally.most_iterations <= 12, "{n} {part} {tally:?}");
            assert_eq!(tally.removed, tally.contacts, "{n} {part} {tally:?}");
            assert!(tally.most_degenerate > tally.contacts / 2, "{n} {part} {tally:?}");
            assert!(tally.least_left >= 0.01 - 1e-9, "{n} {part} {tally:?}");
        }
    }
}

#[test]
fn a_degenerate_node_goes_to_the_next_segment_but_not_back() {
    let mut simulation = Simulation::new(drawn(5, 0.0, 0.3).0);
    let degenerate = |simulation: &Simulation| {
        let arrangement = simulation.arrangement();
        let next = |c: NodeId| arrangement.segments().find(|s| s[0] == c);
        (0..simulation.model().nodes.len() as u32).map(NodeId).find_map(|n| match arrangement.role(n) {
            Role::Eil([a, c]) if a != c => Some((n, [a, c], next(c)?)),
            _ => None,
        })
    };
    while degenerate(&simulation).is_none() {
        simulation.step().unwrap();
    }
    let (node, old, new) = degenerate(&simulation).unwrap();
    let (model, arrangement) = (simulation.model(), simulation.arrangement());
    let between = |ends: [NodeId; 2]| {
        let mut q = simulation.state().q.clone();
        let middle = 0.5 * (model.arc(&q, ends[0]) + model.arc(&q, ends[1]));
        q[model.node(node).arc_dof() as usize] = middle;
        q
    };
    let scale = (&vec![SPACING; model.rods.len()][..], 1.0);
    let moved = arrangement.replaced(model, scale, &between(new), &[]).unwrap();
    assert_eq!(moved.role(node), Role::Eil(new));
    let back = moved.replaced(model, scale, &between(old), &[]).unwrap();
    assert_eq!(back.role(node), Role::Eil(old));
    assert_eq!(moved.replaced(model, scale, &between(old), &[arrangement.clone().into()]), None);
}

#[test]
fn without_degenerate_nodes_they_cannot_be() {
    for part in [0.05, 0.1, 0.3, 0.6] {
        let failed = draw(drawn(5, 0.0, part), false).unwrap_err();
        assert!(matches!(failed, SimulationError::StepFailed { .. }), "{failed}");
    }
}

/// Every node is in the chain of its rod, between two that follow each other there, or gone with its partner.
fn check(simulation: &Simulation) {
    let (model, arrangement, q) = (simulation.model(), simulation.arrangement(), &simulation.state().q);
    let mut seen = vec![0; model.nodes.len()];
    for r in 0..model.rods.len() as u32 {
        let (chain, all) = (arrangement.chain(RodId(r)), model.rod_nodes(RodId(r)));
        assert_eq!(
            [chain[0], chain[chain.len() - 1]],
            [all.clone().next().unwrap(), all.clone().last().unwrap()]
        );
        assert!(chain.windows(2).all(|w| model.arc(q, w[1]) > model.arc(q, w[0])), "rod {r}");
        chain.iter().for_each(|n| seen[n.index()] += 1);
        for node in all {
            let follow = |around: [NodeId; 2]| chain.windows(2).filter(|w| **w == around).count();
            match arrangement.role(node) {
                Role::Active => assert_eq!(seen[node.index()], 1, "an active node is in the chain, once"),
                Role::Eil(around) => assert_eq!((seen[node.index()], follow(around)), (0, 1)),
                Role::Removed => assert_eq!(seen[node.index()], 0),
            }
        }
    }
    for contact in &model.contacts {
        let gone = contact.nodes.map(|n| arrangement.role(n) == Role::Removed);
        assert_eq!(gone[0], gone[1], "partners go together");
    }
}

/// The nodes that are drawn are those that are there, in order, with their partners.
fn check_frame(simulation: &Simulation) {
    let (frame, counts) = (simulation.frame(), simulation.counts());
    let layout = &frame.layout;
    let n = counts.lagrangian + counts.eol_intra + counts.eol_inter + counts.eil;
    assert_eq!([frame.arc.len() as u64, *layout.rod_start.last().unwrap() as u64], [n; 2]);
    assert_eq!(frame.kind.iter().filter(|&&k| k == NodeKind::Eil).count() as u64, counts.eil);
    for w in layout.rod_start.windows(2) {
        assert!(frame.arc[w[0] as usize..w[1] as usize].is_sorted());
    }
    for (i, &j) in layout.partner.iter().enumerate().filter(|(_, j)| **j != u32::MAX) {
        assert_eq!(layout.partner[j as usize] as usize, i);
        assert_eq!(layout.side[j as usize], -layout.side[i]);
        let apart = |k: usize| (frame.position[i][k] - frame.position[j as usize][k]).abs();
        assert!(
            (0..3).all(|k| apart(k) < 0.02 * SPACING as f32),
            "{:?}",
            (0..3).map(apart).collect::<Vec<_>>()
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_contact_is_lost_or_doubled(
        degrees in 0.0..180.0f64,
        part in 0.1..0.7f64,
        kicks in prop::collection::vec(-0.3..0.3f64, 40),
    ) {
        let (mut setup, _) = drawn(4, degrees, part);
        setup.clamps.clear();
        // Every yarn of its own accord.
        for node in &setup.model.nodes {
            let kick = part * kicks[node.rod.index() % kicks.len()] * SPACING / DT;
            let first = node.block.dof(0) as usize;
            setup.state.v[first + node.rod.index() % 2] += kick;
            if setup.model.rods[node.rod.index()].thread.unwrap().fabric == 1 {
                setup.state.v[first] = part * SPACING / DT;
            }
        }
        let mut simulation = Simulation::new(setup);
        let mut removed = 0;
        check(&simulation);
        for _ in 0..12 {
            let off: Vec<NodeId> = off_their_rods(&simulation);
            simulation.step().unwrap();
            check(&simulation);
            check_frame(&simulation);
            prop_assert!(off.iter().all(|&n| simulation.arrangement().role(n) == Role::Removed));
            prop_assert!(simulation.counts().removed >= removed);
            removed = simulation.counts().removed;
        }
    }
}

fn off_their_rods(simulation: &Simulation) -> Vec<NodeId> {
    let (model, q) = (simulation.model(), &simulation.state().q);
    let is_off = |n: &NodeId| !(0.0..=model.rod_of(*n).length).contains(&model.arc(q, *n));
    (0..model.nodes.len() as u32).map(NodeId).filter(is_off).collect()
}
