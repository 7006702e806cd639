//! Weaves whose yarns wave over and under one another.

use std::path::Path;

use hebra::scene::cell::{CellReport, Specimen};
use hebra::scene::params::Scene;
use hebra::scene::parse::parse;
use hebra::scene::source::Source;

/// Yarns of 0.1 mm radius, as stiff as spun cotton is along its fibres.
const YARN: &str = "{\"yarn\": (base: \"cotton\", stretch: 2.5e9)}";

fn scene(fabric: &str) -> Scene {
    let threads = |spacing: f64| format!("(count: 4, spacing: {spacing}, materials: [\"yarn\"])");
    let text = format!(
        "(fabrics: [(warp: {}, weft: {}, {fabric})], materials: {YARN})",
        threads(4.5e-4),
        threads(5.5e-4)
    );
    parse(&Source::new(Path::new("weave.ron"), text)).unwrap()
}

fn cell(fabric: &str, stretch: [Option<f64>; 2]) -> CellReport {
    let scene = scene(fabric);
    Specimen::of_weave(&scene, &scene.fabrics[0]).unwrap().stretched(stretch).unwrap()
}

/// Height of a yarn's wave over the sum of the diameters, by Peirce's geometry of flexible yarns: from its crimp, the
/// distance of the yarns across, and the diameters, all over the latter.
fn height(crimp: f64, spacing: f64) -> f64 {
    // l - theta = (p - sin theta)/cos theta, solved for theta by bisection.
    let length = |theta: f64| (spacing - theta.sin()) / theta.cos() + theta;
    let (mut low, mut high) = (0.0, 1.2);
    for _ in 0..60 {
        let middle: f64 = 0.5 * (low + high);
        *(if length(middle) < spacing * (1.0 + crimp) { &mut low } else { &mut high }) = middle;
    }
    (spacing - low.sin()) * low.tan() + 1.0 - low.cos()
}

#[test]
fn a_weave_rests_as_it_is_woven_in_peirces_geometry() {
    for fabric in ["crimp: ()", "crimp: (warp: 0.04)", "crimp: (warp: 0.1)"] {
        let rest = cell(fabric, [None; 2]);
        let [p1, p2] = rest.spacing;
        assert!((p1 / 5.5e-4 - 1.0).abs() < 1e-3 && (p2 / 4.5e-4 - 1.0).abs() < 1e-3, "{fabric}: {rest:?}");
        assert!(rest.tension.iter().all(|t| t.abs() < 0.05), "{fabric}: {rest:?}");
        let [c1, c2] = rest.crimp.unwrap();
        let sum = height(c1, p1 / 4e-4) + height(c2, p2 / 4e-4);
        println!("{fabric}: crimps {c1:.4} {c2:.4}, heights over diameters {sum:.4}");
        assert!((sum - 1.0).abs() < 0.02, "{fabric}: {sum}");
    }
}

/// A float of a twill is straight, so that it has half of a plain weave's crimp.
#[test]
fn a_twill_waves_where_it_interlaces() {
    let [plain, twill] = ["", "weave: Twill(over: 2, under: 2), "]
        .map(|weave| cell(&format!("{weave}crimp: ()"), [None; 2]).crimp.unwrap());
    for k in 0..2 {
        assert!((twill[k] / plain[k] - 0.5).abs() < 0.01, "{plain:?} {twill:?}");
    }
}

/// The toe of a warp's tension curve: bending resists until the warp is straight, then the yarn itself. What it loses in
/// height the weft gains, and the cloth narrows.
#[test]
fn pulled_warps_straighten_and_hand_their_crimp_to_the_wefts() {
    let fabric = "crimp: (warp: 0.06)";
    let [rest, toe, straight, taut] =
        [None, Some(0.02), Some(0.08), Some(0.09)].map(|along| cell(fabric, [along, None]));
    for r in [&rest, &toe, &straight, &taut] {
        println!("{:?} {:?} {:.2} N/m", r.spacing, r.crimp, r.tension[0]);
    }
    let yarn = 2.5e9 * std::f64::consts::PI * 1e-8;
    let pull = |r: &CellReport| r.tension[0] * r.spacing[1];
    let slope = |a: &CellReport, b: &CellReport| (pull(b) - pull(a)) / (b.spacing[0] / a.spacing[0] - 1.0);
    let [soft, stiff] = [slope(&rest, &toe), slope(&straight, &taut)];
    assert!(soft < 0.02 * yarn, "{soft} N of {yarn} N");
    assert!((0.8..1.05).contains(&(stiff / yarn)), "{stiff} N of {yarn} N");
    let [before, after] = [rest.crimp.unwrap(), straight.crimp.unwrap()];
    assert!(after[1] > before[1] + 0.15, "{before:?} {after:?}");
    assert!(straight.spacing[1] < 0.85 * rest.spacing[1], "{straight:?}");
}

/// Pulled both ways at once neither yarn has anywhere to go.
#[test]
fn cloth_that_is_pulled_both_ways_is_stiffer_than_one_way() {
    let part = Some(0.01);
    let [one, both] = [[part, None], [part, part]].map(|stretch| cell("crimp: ()", stretch));
    println!("{:.2} N/m, {:.2} N/m", one.tension[0], both.tension[0]);
    assert!(both.tension.iter().all(|t| *t > 20.0 * one.tension[0]), "{one:?} {both:?}");
}

#[test]
fn yarns_without_room_to_wave_are_refused_with_what_would_fit() {
    let refused = |fabric: &str| {
        let problems = scene(fabric).build().map(|_| ()).unwrap_err().to_string();
        println!("{problems}");
        problems
    };
    assert!(refused("crimp: (warp: 0.4)").contains("it lies between"));
    let tight = "warp: (count: 4, spacing: 2.2e-4), weft: (count: 4, spacing: 2.2e-4)";
    let text = format!("(fabrics: [({tight}, crimp: ())])");
    let scene = parse(&Source::new(Path::new("tight.ron"), text)).unwrap();
    let problems = scene.build().map(|_| ()).unwrap_err().to_string();
    assert!(problems.contains("jam") && problems.contains("fabrics[0].crimp"), "{problems}");
}
