use super::*;
use crate::model::fabric::FabricParams;
use crate::model::material::named_material;
use crate::model::part::Named;
use crate::model::select::ThreadSet::{Warp, Weft};

fn fabric(warp: usize, weft: usize) -> FabricParams {
    FabricParams::plain(warp, weft, 5e-4).named("cloth")
}

fn build(params: &FabricParams) -> (Model, State) {
    let mut b = ModelBuilder::default();
    b.add_fabric(params, &|name| named_material(name).unwrap().material).unwrap();
    b.finish()
}

#[test]
fn a_weave_has_the_nodes_and_contacts_that_it_should() {
    let (model, state) = build(&fabric(4, 6));
    assert_eq!(model.rods.len(), 10);
    assert_eq!(model.contacts.len(), 24);
    assert_eq!(model.nodes.len(), 2 * 24 + 2 * 10);
    assert_eq!(model.n_blocks(), 24 + 20);
    for rod in &model.rods {
        let arcs: Vec<f64> = rod.nodes.clone().map(|n| model.arc(&state.q, NodeId(n))).collect();
        assert!(
            arcs.windows(2).all(|w| w[1] > w[0]) && arcs[0] == 0.0 && *arcs.last().unwrap() == rod.length
        );
    }
    for [a, b] in model.segments() {
        let l = (model.position(&state.q, b) - model.position(&state.q, a)).norm();
        assert!((l - (model.arc(&state.q, b) - model.arc(&state.q, a))).abs() < 1e-15);
    }
}

#[test]
fn every_block_is_in_a_strip_and_crossings_are_in_two() {
    let (model, _) = build(&fabric(5, 7));
    let mut count = vec![0; model.n_blocks()];
    model.strips.iter().flatten().for_each(|&b| count[b as usize] += 1);
    for (block, nodes) in model.block_nodes.iter().enumerate() {
        assert_eq!(count[block], nodes.iter().flatten().count());
    }
}

#[test]
fn a_cut_on_the_bias_keeps_a_rectangle() {
    use crate::model::fabric::Cut;
    let cut = Cut { size: [0.01, 0.005], angle: 45.0 };
    let (model, state) = build(&FabricParams { cut: Some(cut), ..fabric(60, 60) });
    let area = model.contacts.len() as f64 * 5e-4 * 5e-4;
    assert!((area / 5e-5 - 1.0).abs() < 0.1, "{area}");
    for c in &model.contacts {
        let x = model.position(&state.q, c.nodes[0]);
        assert!(((x.x + x.y) / 2f64.sqrt()).abs() <= 0.005 + 1e-12);
    }
    assert!(model.rods.iter().any(|r| r.thread.unwrap().set == Warp));
    assert!(model.rods.iter().any(|r| r.thread.unwrap().set == Weft));
}

#[test]
fn a_tube_is_at_rest_and_its_weft_closed() {
    let (n, taper) = (13, 0.8);
    let form = crate::model::fabric::Form::Tube { taper };
    let (model, state) = build(&FabricParams { form, rotation: [20.0, 30.0, 0.0], ..fabric(n, 6) });
    assert_eq!(model.nodes.len(), 2 * n * 6 + 2 * (n + 6));
    assert_eq!(model.n_blocks(), n * 6 + 2 * n + 6);
    for [a, b] in model.segments() {
        let l = (model.position(&state.q, b) - model.position(&state.q, a)).norm();
        assert!((l - (model.arc(&state.q, b) - model.arc(&state.q, a))).abs() < 1e-15, "{l}");
    }
    let round = |index: u32| {
        let weft = model.rods.iter().find(|r| r.thread.is_some_and(|t| (t.set, t.index) == (Weft, index)));
        let weft = weft.unwrap();
        let ends = [weft.nodes.start, weft.nodes.end - 1].map(|n| model.node(NodeId(n)));
        assert_eq!(ends[0].block, ends[1].block);
        assert!(ends.iter().all(|end| !model.free[end.arc_dof() as usize]));
        weft.length
    };
    assert!((round(0) - n as f64 * 5e-4).abs() < 1e-12);
    assert!((round(5) - taper * round(0)).abs() < 1e-12);
    let mut count = vec![0; model.n_blocks()];
    model.strips.iter().flatten().for_each(|&b| count[b as usize] += 1);
    let rods = |nodes: &[Option<NodeId>; 2]| {
        let mut rods: Vec<_> = nodes.iter().flatten().map(|&n| model.node(n).rod).collect();
        rods.dedup();
        rods.len()
    };
    assert!(model.block_nodes.iter().zip(count).all(|(nodes, count)| rods(nodes) == count));
}
