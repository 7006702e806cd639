//! Knits whose yarn is drawn out at its end.

use std::collections::BTreeMap;
use std::path::Path;

use hebra::geometry::Vec3;
use hebra::model::ids::NodeId;
use hebra::record::probe::ProbeValue;
use hebra::scene::build::build;
use hebra::scene::parse::parse;
use hebra::scene::source::Source;
use hebra::simulation::Simulation;

/// The shipped scene until the last row of the open patch has come undone: all of it has, and nothing else; of the one
/// that is bound off, which holds a greater pull, nothing has.
#[test]
fn an_open_edge_unravels_and_a_bound_one_does_not() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/unravel.ron");
    let mut built = build(&parse(&Source::read(&file).unwrap()).unwrap()).unwrap();
    let simulation = &mut built.simulation;
    let drawn = |simulation: &Simulation| {
        let model = simulation.model();
        let apart = model.contacts.iter().filter(|c| simulation.arrangement().is_apart(c));
        // Of the two yarns at a contact that which was knitted later.
        let stitches = |nodes: [NodeId; 2]| nodes.map(|n| model.node(n).stitch.map_or(0, |s| s[0]));
        let mut rows = BTreeMap::new();
        for contact in apart {
            let fabric = model.rod_of(contact.nodes[0]).thread.unwrap().fabric;
            *rows.entry((fabric, stitches(contact.nodes).into_iter().max().unwrap())).or_insert(0) += 1;
        }
        rows
    };
    let open = simulation.model().fabrics.iter().position(|f| f == "open").unwrap() as u32;
    let row = BTreeMap::from([((open, 6), 6 * 4)]);
    let mut last = BTreeMap::new();
    while last != row {
        let report = simulation.step().unwrap();
        assert!(report.time < 0.25, "undone: {last:?}");
        last = drawn(simulation);
        assert!(last.keys().all(|k| *k == (open, 6)), "{last:?}");
    }
    let pull =
        |clamp: &str| match built.probes.iter().find(|p| p.0 == clamp).unwrap().1.value(&built.simulation) {
            ProbeValue::Vector(force) => Vec3::from(force).norm(),
            _ => unreachable!(),
        };
    let [open, bound] = [pull("pull at the open one"), pull("pull at the bound one")];
    assert!(bound > 2.0 * open, "{open} N, {bound} N");
}

/// Yarn drawn from a bound edge by half a millimetre: without friction the whole fabric gives of its loops, with friction
/// those near the end do, and the pull is greater.
#[test]
fn friction_holds_the_loops_that_yarn_is_drawn_from() {
    let drawn = |friction: f64| {
        let text = format!(
            "(knits: [(name: \"knit\", courses: 6, wales: 6, yarns: [(material: \"yarn\")], start: Relaxed)], \
             materials: {{\"yarn\": (base: \"cotton\", friction: {friction})}}, \
             clamps: [(select: Course(fabric: \"knit\", index: 0)), (name: \"end\", \
             select: YarnEnd(fabric: \"knit\", set: Weft, index: 0, end: End), \
             motion: [(time: 0), (time: 0.1, translation: (-0.0005, 0, 0))])], \
             forces: (gravity: (0, 0, 0)), \
             probes: {{\"pull\": ClampForce(\"end\"), \"far\": Slide(Course(fabric: \"knit\", index: 3))}})"
        );
        let mut built = build(&parse(&Source::new(Path::new("knit.ron"), text)).unwrap()).unwrap();
        while built.simulation.time() < 0.15 {
            built.simulation.step().unwrap();
        }
        let value = |name: &str| {
            let (_, probe) = built.probes.iter().find(|p| p.0 == name).unwrap();
            match probe.value(&built.simulation) {
                ProbeValue::Vector(force) => Vec3::from(force).norm(),
                ProbeValue::Scalar(slide) => slide.abs(),
            }
        };
        [value("pull"), value("far")]
    };
    let [slick, rough] = [0.0, 0.3].map(drawn);
    assert!(rough[0] > 1.5 * slick[0], "{slick:?} {rough:?}");
    assert!(slick[1] > 3e-4 && rough[1] < 0.05 * slick[1], "{slick:?} {rough:?}");
}
