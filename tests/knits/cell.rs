//! One repeat of a knit among copies of itself.

use std::path::Path;

use hebra::scene::cell::{CellReport, Specimen};
use hebra::scene::parse::parse;
use hebra::scene::source::Source;

/// The repeat of a knit described by the inside of its braces.
fn repeat(knit: &str, stretch: [Option<f64>; 2]) -> CellReport {
    let text = format!("(knits: [(courses: 4, wales: 4, {knit})])");
    let scene = parse(&Source::new(Path::new("knit.ron"), text)).unwrap();
    Specimen::of_knit(&scene, &scene.knits[0]).unwrap().stretched(stretch).unwrap()
}

/// Without borders jersey is what the middle of a patch of it is, and obeys Munden's relation (1959) as that does; whatever
/// the repeat is written as.
#[test]
fn a_repeat_of_jersey_is_a_relaxed_fabric() {
    let found = repeat("loop_length: 3.6e-3", [None; 2]);
    let [wale, course] = found.spacing;
    let k = 3.6e-3 * 3.6e-3 / (wale * course);
    assert!((19.0..22.0).contains(&k), "{k}");
    assert!(found.tension.iter().all(|t| t.abs() < 1e-3), "{found:?}");
    assert!(found.steps < 40, "{} steps", found.steps);
    let larger = repeat("loop_length: 3.6e-3, pattern: Chart([\"kkk\", \"kkk\"])", [None; 2]);
    for axis in 0..2 {
        assert!((larger.spacing[axis] / found.spacing[axis] - 1.0).abs() < 1e-4, "{found:?} {larger:?}");
    }
}

/// Stretched along courses it gives way along wales; what pulls is the slope of what the repeat stores.
#[test]
fn a_repeat_is_stretched_as_asked() {
    let rest = repeat("", [None; 2]);
    let pulled = repeat("", [Some(0.1), None]);
    assert!((pulled.spacing[0] / rest.spacing[0] - 1.1).abs() < 1e-9);
    assert!(pulled.spacing[1] < 0.98 * rest.spacing[1], "{pulled:?}");
    assert!(pulled.tension[0] > 0.5 && pulled.tension[1].abs() < 0.1 * pulled.tension[0], "{pulled:?}");
    let both = repeat("", [Some(0.1), Some(0.1)]);
    assert!(both.tension[0] > pulled.tension[0] && both.tension[1] > 1.0, "{both:?}");
    let [fore, aft] = [0.001, -0.001].map(|d| repeat("", [Some(0.1 + d), Some(0.1)]));
    let area = |r: &CellReport| r.spacing[0] * r.spacing[1];
    // Energy of a stitch over its strain: the tension times the area, over the width.
    let slope = (fore.energy - aft.energy) / (fore.spacing[0] - aft.spacing[0]);
    let force = both.tension[0] * area(&both) / both.spacing[0];
    assert!((slope / force - 1.0).abs() < 1e-3, "{slope} N, {force} N");
}

/// Floats that cross the loops of several rows find their copies.
#[test]
fn repeats_with_floats_come_to_rest() {
    for rows in [
        "\"kkkk\", \"kssk\", \"kkkk\"",
        "\"kkk\", \"ksk\", \"ksk\", \"ksk\"",
        "\"kkkkkk\", \"kffkkk\", \"kffkkk\"",
    ] {
        let found = repeat(&format!("pattern: Chart([{rows}])"), [None; 2]);
        assert!(found.tension.iter().all(|t| t.abs() < 1e-2), "{rows}: {found:?}");
        assert!(found.spacing.iter().all(|s| (5e-4..1.2e-3).contains(s)), "{rows}: {found:?}");
    }
}

/// Floats pull a knit in, and what is knitted tighter is smaller both ways.
#[test]
fn slipped_repeats_are_as_a_knitter_expects() {
    let chart = |rows: &str| format!("pattern: Chart([{rows}])");
    let jersey = repeat("", [None; 2]).spacing;
    for rows in ["\"kkkk\", \"ksks\", \"kkkk\", \"sksk\"", "\"kkkkkk\", \"kffkkk\", \"kffkkk\""] {
        let slipped = repeat(&chart(rows), [None; 2]).spacing;
        assert!(slipped[0] < 0.997 * jersey[0], "{rows}: {slipped:?} {jersey:?}");
        let tight = repeat(&format!("{}, tightness: 1", chart(rows)), [None; 2]).spacing;
        assert!((0..2).all(|axis| tight[axis] < 0.9 * slipped[axis]), "{rows}: {tight:?} {slipped:?}");
    }
}

/// Yarns of a knit that have thickness where they cross, and part of the curvature of their loops at rest.
fn thick(pattern: &str) -> CellReport {
    repeat(&format!("pattern: {pattern}, thickness: true, set: 0.6"), [None; 2])
}

/// As every knitter knows, the sides of jersey roll to the back, its top and bottom to the face, and turned over it rolls
/// the other way; what has as many knit as purl stitches lies flat.
#[test]
fn thick_jersey_rolls_and_balanced_knits_do_not() {
    let jersey = thick("Jersey");
    let [courses, wales] = jersey.moment;
    assert!(courses > 1e-5 && wales < -1e-5, "{jersey:?}");
    let purl = thick("Chart([\"p\"])");
    for k in 0..2 {
        assert!((purl.moment[k] / jersey.moment[k] + 1.0).abs() < 1e-2, "{purl:?}");
        assert!((purl.spacing[k] / jersey.spacing[k] - 1.0).abs() < 1e-4, "{purl:?}");
    }
    for pattern in ["Garter", "Moss", "Rib(knit: 1, purl: 1)"] {
        let flat = thick(pattern);
        assert!(flat.moment.iter().all(|m| m.abs() < 1e-3 * courses), "{pattern}: {flat:?}");
    }
}

/// A rib hides its purl wales behind the knit ones. In the published model, whose yarns cross in a point, it is as wide as
/// jersey.
#[test]
fn a_thick_rib_pulls_in() {
    let rib = "Rib(knit: 1, purl: 1)";
    let widths = |of: &dyn Fn(&str) -> CellReport| [rib, "Jersey"].map(|p| of(p).spacing[0]);
    let [narrow, wide] = widths(&thick);
    assert!(narrow < 0.8 * wide, "{narrow} m of {wide} m");
    let [thin, jersey] = widths(&|p| repeat(&format!("pattern: {p}"), [None; 2]));
    assert!((thin / jersey - 1.0).abs() < 1e-3, "{thin} m of {jersey} m");
}

/// Munden's k, the square of the loop length over the area of a loop, hardly depends on the loop length. Short loops give way
/// on the way to rest.
#[test]
fn loops_of_all_lengths_lie_alike() {
    let k = |loop_length: f64| {
        let thick = format!("pattern: Jersey, loop_length: {loop_length}, thickness: true, set: 0.8");
        let [wale, course] = repeat(&thick, [None; 2]).spacing;
        loop_length * loop_length / (wale * course)
    };
    for loop_length in [2.4e-3, 3.2e-3, 4e-3] {
        let k = k(loop_length);
        assert!((17.5..19.0).contains(&k), "{loop_length} m: {k}");
    }
}
