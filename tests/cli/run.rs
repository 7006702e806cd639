//! Runs from the command line: their files, their exit status, their resumption.

use std::fs;
use std::path::Path;

use crate::common::cli::{assert_same_record, hebra, timeless, with_scene};

#[test]
fn a_run_writes_its_record() {
    let folder = with_scene();
    let output = hebra(folder.path(), &["run", "cord.ron", "--set", "forces.gravity=(0, 0, -1)", "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(output.stdout.is_empty() && output.stderr.is_empty());
    let record = folder.path().join("out/cord");
    let scene = fs::read_to_string(record.join("scene.ron")).unwrap();
    assert!(scene.contains("// short") && scene.contains("forces: (gravity: (0, 0, -1))"), "{scene}");
    assert_eq!(timeless(&record).len(), 31);
    let summary: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(record.join("summary.json")).unwrap()).unwrap();
    assert_eq!((&summary["scene"], &summary["finished"]), (&"cord".into(), &true.into()));
    assert_eq!((&summary["steps"], &summary["counts"]["rods"]), (&30.into(), &1.into()));
    assert!(summary["peak_memory_bytes"].as_u64().unwrap() > 0);
    assert!(summary["probes"]["tip"][2].as_f64().unwrap() < 0.0);
    for key in ["version", "threads", "rejected_steps", "simulated_seconds", "seconds", "stopped_because"] {
        assert!(!summary[key].is_null(), "{key}");
    }
    assert!(summary["seconds_by_phase"].as_object().is_some_and(|m| !m.is_empty()));
}

#[test]
fn a_resumed_run_is_the_uninterrupted_one() {
    let folder = with_scene();
    let at = |name: &str| folder.path().join(name);
    for arguments in [
        &["run", "cord.ron", "--out", "whole", "--threads", "2"][..],
        &["run", "cord.ron", "--out", "parts", "--threads", "1", "--steps", "11"],
        &["run", "cord.ron", "--out", "parts", "--resume", "--steps", "20"],
        &["run", "cord.ron", "--out", "parts", "--resume"],
    ] {
        assert_eq!(hebra(folder.path(), arguments).status.code(), Some(0), "{arguments:?}");
    }
    assert_same_record(&at("whole"), &at("parts"));
    let other = hebra(
        folder.path(),
        &["run", "cord.ron", "--out", "parts", "--resume", "--set", "rods[0].segments=9"],
    );
    assert_eq!(other.status.code(), Some(2), "{other:?}");
    let longer = ["run", "cord.ron", "--out", "parts", "--resume", "--until", "0.04"];
    assert_eq!(hebra(folder.path(), &longer).status.code(), Some(0));
    assert_eq!(
        hebra(folder.path(), &["run", "cord.ron", "--out", "long", "--until", "0.04"]).status.code(),
        Some(0)
    );
    assert_same_record(&at("long"), &at("parts"));
}

const TETRAHEDRON: &str = "OFF\n4 4 0\n0 0 -9\n1 0 -9\n0 1 -9\n0 0 -8\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n";

/// A scene `beside.ron` of a chart, a sheet and an obstacle from files.
fn with_files() -> tempfile::TempDir {
    let folder = with_scene();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("parts")).unwrap();
    fs::write(at("parts/body.off"), TETRAHEDRON).unwrap();
    fs::write(at("parts/cloth.off"), "OFF\n3 1 0\n0 0 5\n1 0 5\n0 1 5\n3 0 1 2\n").unwrap();
    fs::write(at("parts/leaf.txt"), "ks\nkk\n").unwrap();
    let scene = fs::read_to_string(at("cord.ron")).unwrap();
    let end = scene.rfind(')').unwrap();
    let files = "obstacles: [(name: \"body\", shape: Mesh(files: [\"parts/body.off\"]))],\n\
                 sheets: [(shape: File(path: \"parts/cloth.off\"))],\n\
                 knits: [(courses: 2, wales: 2, pattern: File(\"parts/leaf.txt\"), at: (0, 0, 3))],\n)";
    fs::write(at("beside.ron"), format!("{}{files}", &scene[..end])).unwrap();
    folder
}

#[test]
fn a_run_goes_on_with_the_files_that_it_began_with() {
    let folder = with_files();
    let run =
        |more: &[&str]| hebra(folder.path(), &[&["run", "beside.ron", "--out", "parts/r"], more].concat());
    let begun = run(&["--steps", "2"]);
    assert_eq!(begun.status.code(), Some(0), "{begun:?}");
    for (name, old, new) in
        [("body.off", "-8", "-7"), ("cloth.off", "0 1 2", "0 2 1"), ("leaf.txt", "ks", "sk")]
    {
        let file = folder.path().join("parts").join(name);
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, text.replace(old, new)).unwrap();
        let refused = run(&["--resume", "--steps", "3"]);
        let message = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{message}");
        let start = format!("parts/{name} is not the file that the record in parts/r was made with");
        assert!(message.starts_with(&start), "{message}");
        fs::write(&file, text).unwrap();
    }
    let ended = run(&["--resume", "--steps", "3"]);
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
}

#[test]
fn a_check_tells_which_files_lie_outside_the_scenes_folder() {
    let folder = with_files();
    let check = |name: &str| String::from_utf8(hebra(folder.path(), &["check", name]).stdout).unwrap();
    assert!(check("beside.ron").ends_with("unknowns\n"), "{}", check("beside.ron"));
    fs::create_dir(folder.path().join("deep")).unwrap();
    let text = fs::read_to_string(folder.path().join("beside.ron")).unwrap();
    fs::write(folder.path().join("deep/beside.ron"), text.replace("parts/", "../parts/")).unwrap();
    let said = check("deep/beside.ron");
    assert_eq!(said.matches("outside its folder: ").count(), 3, "{said}");
    assert!(said.contains("parts/leaf.txt"), "{said}");
}

#[test]
fn folders_of_other_things_are_left_alone() {
    let folder = with_scene();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("mine")).unwrap();
    fs::write(at("mine/letter.txt"), "dear").unwrap();
    let run = ["run", "cord.ron", "--steps", "2", "--out", "mine"];
    let refused = hebra(folder.path(), &run);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--force"));
    assert_eq!(fs::read_dir(at("mine")).unwrap().count(), 1);
    assert_eq!(hebra(folder.path(), &[&run[..], &["--force"]].concat()).status.code(), Some(0));
    assert_eq!(fs::read_to_string(at("mine/letter.txt")).unwrap(), "dear");
    let resumed = hebra(folder.path(), &["run", "cord.ron", "--out", "none", "--resume"]);
    assert_eq!(resumed.status.code(), Some(2), "{resumed:?}");
}

#[test]
fn a_record_is_replaced_only_where_it_is_asked_for() {
    let folder = with_scene();
    let record = folder.path().join("out/cord");
    let steps = || fs::read(record.join("steps.csv")).unwrap();
    for command in ["run", "relax"] {
        let quick = [command, "cord.ron", "--until", "0.01", "--steps", "3"];
        assert_eq!(hebra(folder.path(), &[&quick[..], &["--force"]].concat()).status.code(), Some(0));
        let before = steps();
        let refused = hebra(folder.path(), &quick);
        let message = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{message}");
        for part in ["`cord` (3 steps; reached 3 steps)", "--resume", "--force", "--out"] {
            assert!(message.contains(part), "{message}");
        }
        assert!(steps() == before);
    }
}

#[test]
fn records_are_drawn_and_exported_and_scenes_counted() {
    let folder = with_scene();
    assert_eq!(hebra(folder.path(), &["run", "cord.ron", "--steps", "11"]).status.code(), Some(0));
    let render =
        hebra(folder.path(), &["render", "out/cord", "--size", "64x48", "--every", "2", "--out", "p"]);
    assert_eq!(render.status.code(), Some(0), "{render:?}");
    let mut pictures: Vec<_> =
        fs::read_dir(folder.path().join("p")).unwrap().map(|e| e.unwrap().file_name()).collect();
    pictures.sort();
    assert_eq!(pictures, ["frame_00000.png", "frame_00002.png"]);
    assert_eq!(hebra(folder.path(), &["export", "out/cord", "--to", "obj"]).status.code(), Some(0));
    assert_eq!(fs::read_dir(folder.path().join("out/cord/obj")).unwrap().count(), 4);
    let unknown = hebra(folder.path(), &["export", "out/cord", "--to", "fbx"]);
    assert!(unknown.status.code() == Some(2) && String::from_utf8_lossy(&unknown.stderr).contains("obj"));
    assert_eq!(hebra(folder.path(), &["render", "out/cord", "--size", "big"]).status.code(), Some(2));
    let info = String::from_utf8(hebra(folder.path(), &["info", "cord.ron"]).stdout).unwrap();
    assert!(info.contains("Lagrangian        11"), "{info}");
    let check = hebra(folder.path(), &["check", "cord.ron"]);
    assert!(
        check.status.success() && String::from_utf8_lossy(&check.stdout).contains("can be run"),
        "{check:?}"
    );
}

#[test]
fn one_frame_is_drawn_in_the_colours_asked_for() {
    let folder = with_scene();
    assert!(hebra(folder.path(), &["run", "cord.ron", "--steps", "11"]).status.success());
    let draw = |more: &[&str]| {
        let arguments = [&["render", "out/cord", "--size", "64x48", "--out", "p"], more].concat();
        hebra(folder.path(), &arguments)
    };
    let picture = |n: u32| fs::read(folder.path().join(format!("p/frame_0000{n}.png"))).unwrap();
    assert!(draw(&["--frame", "-1"]).status.success());
    assert_eq!(fs::read_dir(folder.path().join("p")).unwrap().count(), 1);
    let plain = picture(3);
    assert!(draw(&["--frame", "3", "--colour", "speed"]).status.success());
    assert!(plain != picture(3));
    for (bad, part) in [
        (["--frame", "4"], "0 to 3, or -1 to -4"),
        (["--colour", "mood"], "normal-force"),
        (["--frame", "-5"], "-5"),
    ] {
        let refused = draw(&bad);
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        assert!(String::from_utf8_lossy(&refused.stderr).contains(part), "{refused:?}");
    }
}

#[test]
fn pictures_of_a_film_have_one_camera() {
    let folder = with_scene();
    assert!(hebra(folder.path(), &["run", "cord.ron"]).status.success());
    let draw = |out: &str, more: &[&str]| {
        let arguments = [&["render", "out/cord", "--size", "64x48", "--out", out], more].concat();
        assert!(hebra(folder.path(), &arguments).status.success());
    };
    draw("film", &[]);
    draw("single", &["--frame", "2"]);
    let read = |out: &str| fs::read(folder.path().join(out).join("frame_00002.png")).unwrap();
    assert!(read("film") == read("single"));
}

#[cfg(not(feature = "viewer"))]
#[test]
fn without_windows_the_way_to_them_is_named() {
    let folder = with_scene();
    let way = "cargo build --release --features viewer";
    for arguments in [
        &["view", "cord.ron"][..],
        &["view", "out/cord"],
        &["view", "out/cord", "--snapshot", "a.png", "--frame", "0"],
        &["run", "cord.ron", "--view"],
    ] {
        let refused = hebra(folder.path(), arguments);
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        assert!(String::from_utf8_lossy(&refused.stderr).contains(way), "{refused:?}");
    }
    assert!(!folder.path().join("out").exists());
}

#[test]
fn a_simulation_that_cannot_go_on_says_so() {
    let folder = with_scene();
    let arguments = [
        "run",
        "cord.ron",
        "--out",
        "r",
        "--set",
        "solver.residual=1e-30",
        "--set",
        "solver.correction=1e-300",
    ];
    let failed = hebra(folder.path(), &arguments);
    assert_eq!(failed.status.code(), Some(1), "{failed:?}");
    let message = String::from_utf8_lossy(&failed.stderr).into_owned();
    assert!(message.contains("step 1") && message.contains("Try"), "{message}");
    let summary = fs::read_to_string(folder.path().join("r/summary.json")).unwrap();
    assert!(summary.contains("\"finished\": false"), "{summary}");
}

/// What a command says on its standard output.
fn said(folder: &Path, arguments: &[&str]) -> String {
    let output = hebra(folder, arguments);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn materials_are_listed_with_their_values_and_sources() {
    let folder = tempfile::tempdir().unwrap();
    let listed = said(folder.path(), &["materials"]);
    let row = |key: &str| -> Vec<String> {
        let line = listed.lines().find(|l| l.starts_with(key)).unwrap_or_else(|| panic!("{key}: {listed}"));
        line.split_whitespace().map(str::to_owned).collect()
    };
    assert_eq!(row("key"), ["key", "unit", "cotton", "polyester", "wool", "silk", "denim", "tablecloth"]);
    assert_eq!(row("radius"), ["radius", "m", "1e-4", "1e-4", "1.4e-4", "7e-5", "1.65e-4", "2.25e-3"]);
    assert_eq!(row("friction"), ["friction", "0.3", "0.25", "0.35", "0.2", "0.3", "0.3"]);
    assert!(listed.contains("Morton & Hearle") && listed.contains("29 tex shirting yarn"), "{listed}");
}

#[test]
fn knits_are_measured() {
    let folder = tempfile::tempdir().unwrap();
    let scene = "(knits: [(name: \"jersey\", courses: 12, wales: 10, gauge: (1e-3, 2e-3), at: (1, 2, 3), \
                 rotation: (0, 0, 90))])";
    fs::write(folder.path().join("knit.ron"), scene).unwrap();
    let info = said(folder.path(), &["info", "knit.ron"]);
    let size =
        info.lines().find_map(|l| l.strip_prefix("size of jersey")).unwrap_or_else(|| panic!("{info}"));
    let [width, height] = [0, 2].map(|k| size.split_whitespace().nth(k).unwrap().parse::<f64>().unwrap());
    // Nine spacings of wales and half a loop at each side; twelve of courses, the cast-on and the bind-off.
    assert!((9.0..11.0).contains(&width) && (24.0..29.0).contains(&height), "{size}");
    let mass = info.lines().find_map(|l| l.strip_prefix("mass of jersey")).unwrap();
    let [grams, per_area] = [0, 2].map(|k| mass.split_whitespace().nth(k).unwrap().parse::<f64>().unwrap());
    // 120 loops of 18 diameters of cotton, and those of the edges.
    let loops = 120.0 * 18.0 * 2e-4 * 910.0 * std::f64::consts::PI * 1e-8 * 1e3;
    assert!((0.9..1.4).contains(&(grams / loops)), "{grams} g, {loops} g");
    assert!((per_area / (grams / (width * height * 1e-6)) - 1.0).abs() < 0.02, "{mass}");
}

#[test]
fn what_is_one_is_not_many() {
    let folder = with_scene();
    let once = said(folder.path(), &["run", "cord.ron", "--steps", "1"]);
    assert!(once.starts_with("reached 1 step: 1 step, 0.001"), "{once}");
    let check = said(folder.path(), &["check", "cord.ron"]);
    assert!(check.contains("1 rod, 0 contacts, 0 triangles, 33 unknowns"), "{check}");
    assert!(
        said(folder.path(), &["render", "out/cord", "--size", "32x32", "--frame", "0"])
            .starts_with("1 picture in")
    );
}

#[test]
fn what_is_hardly_meant_is_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let yarns = "(count: 4, spacing: 1e-3)";
    let scene = format!("(fabrics: [(weave: Chart([\"##\", \"#.\"]), warp: {yarns}, weft: {yarns})])");
    fs::write(folder.path().join("loose.ron"), scene).unwrap();
    for arguments in [&["check", "loose.ron"][..], &["run", "loose.ron", "--steps", "1"]] {
        let output = hebra(folder.path(), arguments);
        assert!(output.status.success(), "{output:?}");
        let warning = String::from_utf8(output.stderr).unwrap();
        assert!(
            warning.starts_with("warning: loose.ron:1:20: fabrics[0].weave: the chart does not"),
            "{warning}"
        );
    }
}

#[test]
fn the_measures_of_damping_are_explained() {
    let folder = with_scene();
    let check = |set: &str| said(folder.path(), &["check", "cord.ron", "--damping", "--set", set]);
    let strain_rate = check("damping.kind=StrainRate");
    assert!(strain_rate.contains("Bending: about 71 %") && !strain_rate.contains("e-"), "{strain_rate}");
    let outside = strain_rate.lines().find_map(|l| l.strip_prefix("bending")).unwrap();
    let percent: f64 = outside.split_whitespace().next().unwrap().parse().unwrap();
    assert!((50.0..75.0).contains(&percent), "{percent} %");
    assert!(!check("damping.kind=Rayleigh").contains("Bending: about"));
}

/// A yarn drawn over a bar: with a stiffness that is too low for it, and with the default.
const OVER_A_BAR: &str = r#"(
    rods: [(name: "yarn", points: [(-0.02, 0, 0.0051), (0.02, 0, 0.0051)], segments: 40)],
    obstacles: [(name: "bar", shape: Capsule(radius: 0.005, length: 0.02), rotation: (90, 0, 0))],
    forces: (points: [
        (select: RodEnd(rod: "yarn", end: Start), force: (0, 0, -0.05)),
        (select: RodEnd(rod: "yarn", end: End), force: (0, 0, -0.05)),
    ]),
    until: 0.03,
)"#;

#[test]
fn a_run_says_when_cloth_sinks_into_an_obstacle() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bar.ron"), OVER_A_BAR).unwrap();
    for (arguments, sinks) in [(&["--set", "obstacles[0].stiffness=1e8"][..], true), (&["--force"], false)] {
        let output = hebra(folder.path(), &[&["run", "bar.ron"], arguments].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(said.contains("cloth was pressed into obstacles by up to "), sinks, "{said}");
        let summary = fs::read_to_string(folder.path().join("out/bar/summary.json")).unwrap();
        let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
        assert_eq!(summary["pressed_in_max"].as_f64().unwrap() > 1.0, sinks, "{summary}");
    }
}
