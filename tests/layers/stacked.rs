//! Layers that lie on one another: every crossing of their yarns is a contact, once, in its place.

use std::collections::BTreeMap;

use crate::common::scenes::{cotton, weave};
use hebra::collision::layers::{StackError, stack};
use hebra::collision::seams::sew;
use hebra::geometry::Vec3;
use hebra::model::arrangement::{Arrangement, Moment, spacings};
use hebra::model::build::ModelBuilder;
use hebra::model::fabric::FabricParams;
use hebra::model::ids::{NodeId, RodId};
use hebra::model::layers::{FabricEdge, LayersParams, SeamLine, SeamParams};
use hebra::model::yarns::{ContactKind, Model, NodeKind, State};
use hebra::potential::chain::{Chain, ChainParams};
use hebra::potential::family::{Element, gather};
use proptest::prelude::*;

const MIN_ANGLE: f64 = 15.0;

fn layer(name: &str, size: (usize, usize), at: [f64; 3], degrees: f64) -> FabricParams {
    FabricParams { name: name.into(), at, rotation: [0.0, 0.0, degrees], ..weave(size.0, size.1) }
}

fn stacked(fabrics: &[FabricParams]) -> Result<ModelBuilder, StackError> {
    let mut builder = ModelBuilder::default();
    for fabric in fabrics {
        builder.add_fabric(fabric, &|_| cotton()).unwrap();
    }
    let names = fabrics.iter().map(|f| f.name.clone()).collect();
    let layers = LayersParams { fabrics: names, friction: Some(0.7), min_angle: MIN_ANGLE };
    stack(&mut builder, fabrics, &layers, false).map(|()| builder)
}

fn build(fabrics: &[FabricParams]) -> (Model, State) {
    stacked(fabrics).unwrap().finish()
}

/// The straight line of a yarn: its ends, seen from above.
fn line(model: &Model, q: &[f64], rod: RodId) -> [Vec3; 2] {
    let mut nodes = model.rod_nodes(rod);
    [nodes.next().unwrap(), nodes.next_back().unwrap()].map(|n| model.position(q, n))
}

/// Lengths along two yarns, as fractions, to where their lines meet; none for yarns nearly parallel.
fn meet([a, b]: [Vec3; 2], [c, d]: [Vec3; 2]) -> Option<[f64; 2]> {
    let (s, t, r) = (b - a, d - c, c - a);
    let sine = s.cross(&t).z / (s.norm() * t.norm());
    (sine.abs() > MIN_ANGLE.to_radians().sin())
        .then(|| [r.cross(&t).z / s.cross(&t).z, r.cross(&s).z / s.cross(&t).z])
}

/// Every rod's nodes ascend, its contacts know it, and blocks and nodes know each other.
fn check_order(model: &Model, q: &[f64]) {
    for r in 0..model.rods.len() as u32 {
        let nodes: Vec<NodeId> = model.rod_nodes(RodId(r)).collect();
        assert!(nodes.windows(2).all(|w| model.arc(q, w[0]) <= model.arc(q, w[1])), "rod {r}");
        assert!(nodes.iter().all(|&n| model.node(n).rod == RodId(r)));
    }
    let ranges: usize = model.rods.iter().map(|r| r.nodes.len()).sum();
    assert_eq!(ranges, model.nodes.len());
    for (id, contact) in model.contacts.iter().enumerate() {
        assert!(contact.nodes[0] < contact.nodes[1]);
        for n in contact.nodes {
            let node = model.node(n);
            assert_eq!(node.contact.unwrap().index(), id);
            assert!(model.block_nodes[node.block.index()].contains(&Some(n)));
        }
    }
    let mut strips = vec![0; model.n_blocks()];
    model.strips.iter().flatten().for_each(|&b| strips[b as usize] += 1);
    for (block, nodes) in model.block_nodes.iter().enumerate() {
        assert_eq!(strips[block], nodes.iter().flatten().count());
    }
}

/// Contacts between the layers are those that pairs of straight lines give, once each, with the side.
fn check_contacts(model: &Model, q: &[f64]) -> usize {
    let mut found = BTreeMap::new();
    for contact in model.contacts.iter().filter(|c| c.kind == ContactKind::Inter) {
        let rods = contact.nodes.map(|n| model.node(n).rod);
        let fabrics = rods.map(|r| model.rods[r.index()].thread.unwrap().fabric);
        assert_eq!(fabrics[0].abs_diff(fabrics[1]), 1, "only neighbouring layers touch");
        assert_eq!(contact.friction, 0.7);
        let [first, second] = rods.map(|r| line(model, q, r)).map(|[a, b]| b - a);
        let across = first.cross(&second);
        let first_above = f64::from(contact.side) * across.z > 0.0;
        assert_eq!(first_above, fabrics[0] > fabrics[1]);
        for n in contact.nodes {
            assert_eq!(model.node(n).kind, NodeKind::EolInter);
            let (rod, [a, b]) = (model.rod_of(n), line(model, q, model.node(n).rod));
            let x = a + (b - a) * (model.arc(q, n) / rod.length);
            assert!((x - model.position(q, n)).norm() < 1e-12);
        }
        let arcs = contact.nodes.map(|n| model.arc(q, n));
        assert!(found.insert(rods, arcs).is_none(), "{rods:?} are joined twice");
    }
    let n = found.len();
    for a in 0..model.rods.len() as u32 {
        for b in a + 1..model.rods.len() as u32 {
            let rods = [RodId(a), RodId(b)];
            let fabrics = rods.map(|r| model.rods[r.index()].thread.unwrap().fabric);
            if fabrics[0].abs_diff(fabrics[1]) != 1 {
                continue;
            }
            let lines = rods.map(|r| line(model, q, r));
            let fractions = meet(lines[0], lines[1]);
            let inside = |m: f64| fractions.is_some_and(|f| f.iter().all(|f| (m..1.0 - m).contains(f)));
            match found.remove(&rods) {
                Some(arcs) => {
                    assert!(inside(-1e-8), "{rods:?} do not cross: {fractions:?}");
                    for k in 0..2 {
                        let rest = fractions.unwrap()[k] * model.rods[rods[k].index()].length;
                        assert!((arcs[k] - rest).abs() < 1e-12);
                    }
                }
                None => assert!(!inside(1e-8), "{rods:?} cross at {fractions:?}"),
            }
        }
    }
    n
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..Default::default() })]

    #[test]
    fn contacts_of_random_layers_are_the_crossings_of_their_lines(
        sizes in prop::array::uniform3((4usize..9, 4usize..9)),
        shifts in prop::array::uniform3((-4e-4..4e-4, -4e-4..4e-4)),
        turns in prop::array::uniform3(-180.0..180.0f64),
        whole in any::<bool>(),
    ) {
        // Half of the cases lie on a grid of half spacings and quarter turns, where yarns cross at nodes.
        let snap = |value: f64, step: f64| if whole { (value / step).round() * step } else { value };
        let make = |k: usize| {
            let (x, y) = shifts[k];
            let at = [snap(x, 2.5e-4), snap(y, 2.5e-4), 0.0];
            layer(["low", "mid", "top"][k], sizes[k], at, snap(turns[k], 90.0))
        };
        let (model, state) = build(&[make(0), make(1), make(2)]);
        check_order(&model, &state.q);
        check_contacts(&model, &state.q);
    }
}

#[test]
fn aligned_layers_meet_at_their_own_crossings() {
    for degrees in [0.0, 20.0, 90.0] {
        let make = |name| layer(name, (6, 6), [0.001, 0.002, 0.003], degrees);
        let (model, state) = build(&[make("low"), make("mid"), make("top")]);
        check_order(&model, &state.q);
        // Each warp crosses each weft of the neighbour, and parallel yarns do not cross.
        assert_eq!(check_contacts(&model, &state.q), 2 * 2 * 6 * 6);
        let intra: Vec<Vec3> = model.contacts.iter().map(|c| model.position(&state.q, c.nodes[0])).collect();
        for c in model.contacts.iter().filter(|c| c.kind == ContactKind::Inter) {
            let x = model.position(&state.q, c.nodes[0]);
            assert!(intra[..36].iter().any(|y| (x - y).norm() < 1e-15));
        }
    }
}

/// Three cloths as large as the published ones are joined in a second.
#[test]
fn large_layers_are_joined_quickly() {
    let make = |name, degrees| layer(name, (127, 127), [0.0; 3], degrees);
    let begun = std::time::Instant::now();
    let (model, _) = build(&[make("low", 0.0), make("mid", 30.0), make("top", 60.0)]);
    let seconds = begun.elapsed().as_secs_f64();
    let inter = model.contacts.iter().filter(|c| c.kind == ContactKind::Inter).count();
    assert!(inter > 2 * 2 * 127 * 127 && inter < 3 * 2 * 127 * 127, "{inter}");
    eprintln!("{inter} contacts between layers in {seconds:.2} s");
}

/// A rod does not feel its degenerate nodes: its stretch and its bending are what they are without them.
#[test]
fn degenerate_nodes_change_no_energy_of_a_rod() {
    let low = layer("low", (6, 6), [0.0; 3], 0.0);
    let mut builder = ModelBuilder::default();
    builder.add_fabric(&low, &|_| cotton()).unwrap();
    let (alone, mut bare) = builder.finish();
    let (model, mut state) = build(&[low, layer("top", (6, 6), [1.3e-4, 0.7e-4, 0.0], 20.0)]);
    for (k, q) in state.q.chunks_exact_mut(5).enumerate() {
        let wave = |phase: f64| 4e-5 * (1.7 * k as f64 + phase).sin();
        (q[0], q[1], q[2]) = (q[0] + wave(0.0), q[1] + wave(1.0), q[2] + wave(2.0));
        q[4] += if q[4] > 0.0 { wave(3.0) } else { 0.0 };
    }
    let own = |model: &Model| -> Vec<NodeId> {
        let rods = 0..alone.rods.len() as u32;
        rods.flat_map(|r| model.rod_nodes(RodId(r)).filter(|&n| model.is_own(n)).collect::<Vec<_>>())
            .collect()
    };
    for (a, b) in own(&alone).into_iter().zip(own(&model)) {
        for (to, from) in alone.node(a).dofs().into_iter().zip(model.node(b).dofs()) {
            bare.q[to as usize] = state.q[from as usize];
        }
    }
    let all_between: Vec<NodeId> =
        (0..model.nodes.len() as u32).map(NodeId).filter(|&n| !model.is_own(n)).collect();
    let chain = |model: &Model, q: &[f64], kept_out: &[NodeId]| {
        let (still, spacings) = (vec![0.0; q.len()], spacings(model, q));
        let now = Moment { q, v: &still, dt: 1e-3, safety: Some(0.1), kept_out, removed: &[] };
        let params = ChainParams { damping: Default::default(), gravity: Vec3::zeros(), convective: true };
        Chain::new(model, &Arrangement::new(model, &spacings, &now), &spacings, &params)
    };
    let (with, without) = (chain(&model, &state.q, &all_between), chain(&alone, &bare.q, &[]));
    assert!(with.doubly_bound.len() > 50);
    let mut sums = [0.0; 2];
    for e in 0..without.lines.stretch.stencils.len() {
        let of = |c: &Chain, q: &[f64]| {
            c.lines.stretch.element.energy(e, &gather(q, c.lines.stretch.stencils.dofs(e)))
        };
        assert_eq!(of(&with, &state.q), of(&without, &bare.q));
        sums[0] += of(&with, &state.q);
    }
    for e in 0..without.lines.bending.stencils.len() {
        let of = |c: &Chain, q: &[f64]| {
            c.lines.bending.element.energy(e, &gather(q, c.lines.bending.stencils.dofs(e)))
        };
        assert_eq!(of(&with, &state.q), of(&without, &bare.q));
        sums[1] += of(&with, &state.q);
    }
    assert!(sums.iter().all(|s| *s > 1e-9), "{sums:?}");
}

#[test]
fn a_layer_that_cannot_lie_where_it_is_says_why() {
    let low = layer("low", (4, 4), [0.0; 3], 0.0);
    let refused = |upper: FabricParams| {
        stacked(&[low.clone(), upper]).map(|_| ()).map_err(|e| (e.layer, e.to_string()))
    };
    let at = |x: f64, z: f64| layer("top", (4, 4), [x, 0.0, z], 10.0);
    // Four radii apart the yarns of two layers just touch.
    for height in [0.0, 2e-4, 4.0 * cotton().radius] {
        assert_eq!(refused(at(0.0, height)), Ok(()));
    }
    let cases = [
        (at(0.0, -1e-4), "`top` lies 1.000e-4 m below `low`"),
        (at(0.0, 5e-4), "`top` lies 5.000e-4 m above `low`"),
        (at(0.1, 0.0), "`top` lies nowhere on `low`"),
        (FabricParams { rotation: [2.0, 0.0, 0.0], ..at(0.0, 0.0) }, "`top` is tilted by 2.000 degrees"),
    ];
    for (upper, expected) in cases {
        let (layer, message) = refused(upper).unwrap_err();
        assert!(layer == 1 && message.starts_with(expected), "{message}");
    }
}

#[test]
fn a_seam_holds_the_contacts_along_it() {
    for degrees in [0.0, 25.0] {
        let fabrics = [layer("low", (12, 12), [0.0; 3], degrees), layer("top", (5, 6), [0.0; 3], 0.0)];
        let mut builder = stacked(&fabrics).unwrap();
        for along in [
            SeamLine::Edge(FabricEdge::Left),
            SeamLine::Edge(FabricEdge::Right),
            SeamLine::Line { from: [-1e-3, -1e-3, 1.0], to: [1e-3, -1e-3, 1.0] },
        ] {
            let fabrics_of_seam = ["top".into(), "low".into()];
            sew(&mut builder, &fabrics, &SeamParams { fabrics: fabrics_of_seam, along }).unwrap();
        }
        let (model, state) = builder.finish();
        let (mut sewn, mut corners) = (0, 0);
        for c in model.contacts.iter().filter(|c| c.kind != ContactKind::Intra) {
            let x = model.position(&state.q, c.nodes[0]);
            let beside = [(x.x.abs() - 1.25e-3).abs(), (x.y + 1e-3).abs()];
            let inside = [x.y.abs() < 1.0e-3 + 1e-9, x.x.abs() < 1.0e-3 + 1e-9];
            let near = (0..2).any(|k| inside[k] && beside[k] < 2.5e-4);
            let far = x.x.abs() < 9e-4 && x.y > -7e-4;
            let free = c.nodes.map(|n| model.free[model.node(n).arc_dof() as usize]);
            assert_eq!(free, [c.kind == ContactKind::Inter; 2]);
            assert!(!(near && free[0]), "{x:?} is on a seam and slides");
            assert!(!far || free[0], "{x:?} is on no seam and does not slide");
            sewn += usize::from(!free[0]);
            corners += usize::from(near);
        }
        assert!(corners > 10 && sewn >= corners, "{sewn} {corners}");
    }
}

#[test]
fn a_seam_without_a_partner_is_refused() {
    let fabrics = [
        layer("low", (8, 8), [0.0; 3], 0.0),
        layer("top", (8, 8), [2e-3, 0.0, 0.0], 0.0),
        layer("away", (8, 8), [0.0, 0.1, 0.0], 0.0),
    ];
    let mut builder = stacked(&fabrics[..2]).unwrap();
    builder.add_fabric(&fabrics[2], &|_| cotton()).unwrap();
    let mut refused = |a: &str, b: &str, along| {
        let seam = SeamParams { fabrics: [a.into(), b.into()], along };
        sew(&mut builder, &fabrics, &seam).map_err(|e| format!("{} {e}", e.key()))
    };
    let right = SeamLine::Edge(FabricEdge::Right);
    assert_eq!(refused("low", "top", right), Ok(()));
    assert!(refused("top", "low", right).unwrap_err().starts_with(".along it finds no yarns"));
    let half = refused("top", "low", SeamLine::Edge(FabricEdge::Top)).unwrap_err();
    assert!(half.contains("between 1.500e-3 and 3.500e-3 m"), "{half}");
    let apart = refused("low", "away", right).unwrap_err();
    assert!(apart.starts_with(".fabrics `low` and `away` do not lie"), "{apart}");
}
