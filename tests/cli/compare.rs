//! `hebra compare`: one page that is complete in itself, and the same numbers for other programs.

use std::fs;

use crate::common::cli::{command, hebra, with_scene};

#[test]
fn two_dampings_are_compared_on_one_page() {
    let folder = with_scene();
    let vary = ["--vary", "damping.kind=StrainRate,Rayleigh", "--vary", "solver.dt=1e-3,5e-4"];
    let size = ["--pictures", "2", "--picture-size", "32x24"];
    let output = hebra(folder.path(), &[&["compare", "cord.ron"], &vary[..], &size[..]].concat());
    assert!(output.status.success(), "{output:?}");
    let out = folder.path().join("out/cord_compared");
    let page = fs::read_to_string(out.join("compare.html")).unwrap();
    let count = |what: &str| page.matches(what).count();
    assert_eq!(count("data:image/png;base64,"), 8, "two pictures of four runs");
    assert_eq!(count("<polyline"), 4 * count("<svg "), "every run on every chart");
    for name in [
        "kinetic energy, J",
        "energy of stretch, J",
        "dissipated by bending, J",
        "probe tip.z",
        "momentum along z",
    ] {
        assert!(page.contains(&format!("<figcaption>{name}")), "{name}");
    }
    for outside in ["http://", "https://", "src=\"/", "<link", "@import"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.contains("damping.kind = Rayleigh, solver.dt = 5e-4") && page.contains("rods: [("));

    let curves = fs::read_to_string(out.join("curves.csv")).unwrap();
    let last = curves.lines().rfind(|l| l.starts_with("\"damping.kind = StrainRate, solver.dt = 1e-3\""));
    let steps = fs::read_to_string(out.join("01_damping.kind=StrainRate_solver.dt=1e-3/steps.csv")).unwrap();
    let kinetic = steps.lines().last().unwrap().split(',').nth(5).unwrap();
    assert_eq!(last.unwrap().split("\",").nth(1).unwrap().split(',').nth(1), Some(kinetic));
    assert_eq!(fs::read_to_string(out.join("table.csv")).unwrap().lines().count(), 5);
}

#[test]
fn the_table_has_the_largest_differences_over_the_first_peak() {
    let folder = with_scene();
    let vary =
        ["compare", "cord.ron", "--vary", "forces.gravity=(0,0,-9.81),(0,0,-9.81),(0,0,0)", "--threads", "1"];
    let output = hebra(folder.path(), &[&vary[..], &["--pictures", "0"]].concat());
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.starts_with("3 runs, 1 at a time with 1 thread each"), "{said}");
    let table = fs::read_to_string(folder.path().join("out/cord_compared/table.csv")).unwrap();
    let head = "\"largest difference from the first run, % of its peak: kinetic energy, J\"";
    assert!(table.lines().next().unwrap().contains(head), "{table}");
    let page = fs::read_to_string(folder.path().join("out/cord_compared/compare.html")).unwrap();
    let row = page.split("% of its peak: kinetic energy, J</th>").nth(1).unwrap();
    // The same run again, and one in which nothing moves.
    assert!(row.starts_with("<td>0</td><td>0</td><td>100</td>"), "{}", &row[..80]);
}

#[test]
fn a_comparison_is_replaced_only_where_it_is_asked_for() {
    let folder = with_scene();
    let compare = |vary: &str, more: &[&str]| {
        hebra(folder.path(), &[&["compare", "cord.ron", "--pictures", "0", "--vary", vary], more].concat())
    };
    let out = folder.path().join("out/cord_compared");
    assert!(compare("damping.bending=0,0.1,0.2", &[]).status.success());
    let page = || fs::read_to_string(out.join("compare.html")).unwrap();
    let before = page();
    let refused = compare("damping.bending=0", &[]);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--force") && page() == before);
    fs::create_dir(out.join("03_mine")).unwrap();
    assert!(compare("damping.bending=0,0.3", &["--force"]).status.success());
    let mut left: Vec<_> =
        fs::read_dir(&out).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    left.sort();
    let (runs, rest) = (["01_damping.bending=0", "02_damping.bending=0.3"], ["03_mine", "compare.html"]);
    assert_eq!(left, [&runs[..], &rest, &["curves.csv", "table.csv"]].concat());
}

#[test]
fn values_that_do_not_fit_are_refused_before_anything_runs() {
    let folder = with_scene();
    let refused = |vary: &str| {
        let output = command(folder.path(), &["compare", "cord.ron", "--vary", vary]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{vary}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused("damping.kind").contains("damping.stretch=0.001,0.01"));
    assert!(refused("damping.knd=None").contains("knd"));
    assert!(refused("damping.kind=StrainRate,Raleigh").contains("Rayleigh"), "the nearest name is told");
    assert!(!folder.path().join("out").exists());
}
