//! Scenes that cannot be run: the message with its place, status 2, nothing written.

use std::fs;
use std::process::{Command, Output};

fn hebra(folder: &tempfile::TempDir, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hebra")).current_dir(folder.path()).args(arguments).output().unwrap()
}

fn refused(text: &[u8], arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bad.ron"), text).unwrap();
    let output = hebra(&folder, &[&["run", "bad.ron"], arguments].concat());
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "something was written: {message}");
    message
}

const FABRIC: &str = "fabrics: [(warp: (count: 4, spacing: 1e-3), weft: (count: 4, spacing: 1e-3))]";

/// A text, in which `FABRIC` stands for a small fabric; how the message starts; what it also says.
type Case = (&'static str, &'static str, &'static str);

const SETTINGS: &[Case] = &[
    (
        "(fabrics: [\n  (wrap: (count: 4, spacing: 1e-3))])",
        "bad.ron:2:4: unknown field `wrap`",
        "did you mean `warp`?",
    ),
    ("(fabrics: [\n (warp: (count: 4, spacing: 1e-3))])", "bad.ron:2:2: ", "lacks the field `weft`"),
    ("(rods: [(segments: 1)", "bad.ron:1:8: ", "has no `]`"),
    ("(FABRIC,\n until: NaN)", "bad.ron:2:9: until: `NaN`", "not a finite number"),
    ("(FABRIC,\n forces: (gravity: (0, 0, -inf)))", "bad.ron:2:27: forces.gravity[2]", "not a finite number"),
    ("(FABRIC,\n until: -1)", "bad.ron:2:9: until: -1 s", "greater than zero"),
    ("(FABRIC,\n until: 1e999)", "bad.ron:2:9: until: ", "not a finite number"),
    ("(FABRIC,\n solver: (dt: 1ms))", "bad.ron:2:15: found `1ms`", "in SI units (m, s, kg, N, Pa): `1e-3`"),
    (
        "(FABRIC,\n clamps: [(select: Fabric(\"a\\u{1b}[31m\\nb\"))])",
        "bad.ron:2:20: clamps[0].select: unknown fabric `a\\u{1b}[31m\\nb`",
        "",
    ),
    (
        "(fabrics: [(warp: (count: 4, spacing: 1e-3), weft: (count: 4, spacing: 1e-3),\n crimp: (warp: 0.5))])",
        "bad.ron:2:16: fabrics[0].crimp.warp: ",
        "it lies between 0.0000 and 0.0811",
    ),
    (
        "(fabrics: [(warp: (count: 4, spacing: 3e-4), weft: (count: 4, spacing: 3e-4),\n crimp: ())])",
        "bad.ron:2:9: fabrics[0].crimp: the yarns jam",
        "warps at least",
    ),
    ("(FABRIC,\n solver: (dt: 0))", "bad.ron:2:15: solver.dt: 0 s", "greater than zero"),
    ("(FABRIC,\n solver: (max_iterations: 2.5))", "bad.ron:2:27: ", "expected a whole number, found `2.5`"),
    (
        "(FABRIC,\n obstacles: [(shape: Sphere(radius: 1), at: (9, 9, 9))],\n solver: (single_iteration: true))",
        "bad.ron:3:29: solver.single_iteration: ",
        "leave out `obstacles`",
    ),
    (
        "(FABRIC,\n materials: {\"m\": (\n  radius: -1e-4)})",
        "bad.ron:3:11: materials.m.radius",
        "greater than zero",
    ),
    (
        "(FABRIC,\n materials: {\"m\": (density: 0)})",
        "bad.ron:2:29: materials.m.density",
        "greater than zero",
    ),
    ("(FABRIC,\n record: (every: 0))", "bad.ron:2:18: record.every", "greater than zero"),
    (
        "(FABRIC,\n clamps: [(select: Fabric(\"fabric1\"))])",
        "bad.ron:2:20: clamps[0].select",
        "did you mean `fabric0`?",
    ),
    (
        "(FABRIC,\n clamps: [(select: Crossing(fabric: \"fabric0\", warp: 7, weft: 0))])",
        "bad.ron:2:20: clamps[0].select",
        "index 7 is out of range",
    ),
    (
        "(FABRIC,\n clamps: [(select: Ball(center: (9, 9, 9), radius: 0.1))])",
        "bad.ron:2:20: clamps[0].select",
        "holds no node",
    ),
    (
        "(FABRIC,\n clamps: [(select: All, motion: [(time: 2),\n (time: 1)])])",
        "bad.ron:3:9: ",
        "forward in time",
    ),
    ("(FABRIC,\n probes: {\"p\": ClampForce(\"top\")})", "bad.ron:2:16: probes.p", "unknown clamp `top`"),
    ("(FABRIC,\n obstacles: [(shape: Spere(radius: 1))])", "bad.ron:2:22: ", "did you mean `Sphere`?"),
    (
        "(FABRIC,\n obstacles: [(shape: Prism(radius: 1, height: 1, sides: 2), edges: true)])",
        "bad.ron:2:",
        "obstacles[0].shape.sides: 2; a prism has 3 to 360",
    ),
    (
        "(FABRIC,\n obstacles: [(shape: Sphere(radius: 1), edges: true)])",
        "bad.ron:2:",
        "obstacles[0].edges: the shape has no sharp edges",
    ),
    (
        "(FABRIC,\n contacts: (join_after: 0.01))",
        "bad.ron:2:",
        "contacts.join_after: nothing presses where yarns do not collide",
    ),
];

const YARNS: &[Case] = &[
    (
        "(fabrics: [(weave: Chart([\n  \"#.#\",\n  \".#\",\n ]), warp: (count: 4, spacing: 1e-3), weft: (count: 4, spacing: 1e-3))])",
        "bad.ron:3:3: fabrics[0].weave[1]",
        "row 1 of the chart is 2 wide, the first row is 3",
    ),
    (
        "(fabrics: [(weave: Chart([\n  \"#.\",\n  \".x\",\n ]), warp: (count: 4, spacing: 1e-3), weft: (count: 4, spacing: 1e-3))])",
        "bad.ron:3:3: fabrics[0].weave[1]",
        "is `x`",
    ),
    (
        "(knits: [(courses: 4, wales: 4, pattern: Chart([\n  \"kk\",\n  \"kx\",\n ]))])",
        "bad.ron:3:3: knits[0].pattern[1]",
        "row 1, column 1 of the chart is `x`",
    ),
    (
        "(knits: [(courses: 4, wales: 4,\n pattern: File(\"none.txt\"))])",
        "bad.ron:2:11: knits[0].pattern",
        "none.txt cannot be read",
    ),
    (
        "(fabrics: [(warp: (count: 4,\n spacing: 1e-4), weft: (count: 4, spacing: 1e-3))])",
        "bad.ron:2:11: fabrics[0].warp.spacing: 0.0001 m",
        "overlap: their radii add up to 0.0002 m",
    ),
    (
        "(fabrics: [(warp: (count: 9, spacing: 1e-3), weft: (count: 4, spacing: 1e-3),\n form: Tube(taper: 0))])",
        "bad.ron:2:20: fabrics[0].form.taper",
        "greater than zero",
    ),
    (
        "(fabrics: [(warp: (count: 90, spacing: 1e-3), weft: (count: 4, spacing: 1e-3),\n form: Tube(taper: 0.5))])",
        "bad.ron:2:20: fabrics[0].form.taper",
        "differ in radius by 0.00238732 m",
    ),
    (
        "(FABRIC,\n probes: {\"ring\": Folds(around: Crossing(fabric: \"fabric0\", warp: 0, weft: 0), depth: 1e-3)})",
        "bad.ron:2:19: probes.ring",
        "at least three places, this has 1",
    ),
    (
        "(fabrics: [(warp: (count: 4, spacing: 1e-3,\n materials: [\"coton\"]), weft: (count: 4, spacing: 1e-3))])",
        "bad.ron:2:14: fabrics[0].warp.materials[0]",
        "unknown material `coton`; did you mean `cotton`?",
    ),
    (
        "(fabrics: [(warp: (count: 0, spacing: -1e-3), weft: (count: 4, spacing: 1e-3))])",
        "bad.ron:1:27: fabrics[0].warp.count: 0 yarns",
        "bad.ron:1:39: fabrics[0].warp.spacing: -0.001 m",
    ),
    (
        "(rods: [(points: [(0, 0, 0)], segments: 0)])",
        "bad.ron:1:41: rods[0].segments",
        "rods[0].points: 1 point; ",
    ),
    ("(FABRIC, rods: [(points: [(0, 0, 0), (1, 0)], segments: 3)])", "bad.ron:1:", "array of length 3"),
    ("()", "bad.ron:1:1: ", "the scene has no cloth"),
    ("", "bad.ron:1:1: ", "expected a value"),
    ("(FABRIC) (", "bad.ron:1:81: ", "ended before this `(`"),
];

/// `TWO` stands for two small fabrics, the second of which is said to be `AT`.
const LAYERS: &[Case] = &[
    (
        "(TWO, until: 1)AT(0.0002, 0, 1e-4)",
        "bad.ron:2:7: fabrics[1].at: warp ",
        "list them as `layers` of one another",
    ),
    (
        "(TWO,\n layers: [(fabrics: [\"fabric0\",\n  \"fabric1\"])])AT(1, 0, 0)",
        "bad.ron:4:3: layers[0].fabrics[1]: `fabric1` lies nowhere on `fabric0`",
        "",
    ),
    (
        "(TWO,\n layers: [(fabrics: [\"fabric0\",\n  \"fabric1\"])])AT(0, 0, -1e-4)",
        "bad.ron:4:3: layers[0].fabrics[1]: `fabric1` lies 1.000e-4 m below `fabric0`",
        "",
    ),
    (
        "(TWO, layers: [(fabrics: [\"fabric0\", \"fabric1\"])],\n seams: [(fabrics: (\"fabric0\", \"fabric1\"), \
         along: Edge(Left))])AT(2e-3, 0, 0)",
        "bad.ron:3:",
        "seams[0].along: it finds no yarns of `fabric0` and `fabric1`",
    ),
    (
        "(rods: [(points: [(0, 0, 0), (0.01, 0, 0)], segments: 4),\n (points: [(0.01, 0, 0), (0.01, 0.01, 0)], \
         segments: 4)],\n collision: ())AT()",
        "bad.ron:3:13: collision: ",
        "yarns that collide need a little space",
    ),
];

/// What is inside an obstacle, and how deep.
const SUNK: &[Case] = &[
    (
        "(rods: [(name: \"thread\", points: [(-0.01, 0, 0.009), (0.01, 0, 0.009)], segments: 4)],\n \
         obstacles: [(name: \"ball\", shape: Sphere(radius: 0.01))])",
        "bad.ron:2:14: obstacles[0]: `thread` starts 1.000e-3 m inside `ball`, at (0.000e0, 0.000e0, 9.000e-3)",
        "move the cloth or the obstacle",
    ),
    (
        "(sheets: [(name: \"cloth\", shape: Rectangle(size: (0.1, 0.1), cells: (4, 4)))],\n obstacles: [\n  \
         (shape: Plane, at: (0, 0, -1)),\n  (shape: Plane, at: (0, 0, -1), motion: [(time: 0, translation: (0, 0, 1.5))])])",
        "bad.ron:4:3: obstacles[1]: `cloth` starts 5.000e-1 m inside `obstacle1`, at ",
        "",
    ),
    (
        "(FABRIC,\n obstacles: [(shape: Box(size: (2e-3, 2e-3, 2e-4)))])",
        "bad.ron:2:14: obstacles[0]: w",
        "starts 1.000e-4 m inside `obstacle0`",
    ),
];

fn layered(text: &str) -> String {
    let (text, at) = text.rsplit_once("AT").unwrap();
    let fabric = "warp: (count: 4, spacing: 1e-3), weft: (count: 4, spacing: 1e-3)";
    text.replace("TWO", &format!("fabrics: [({fabric}),\n (at: {at}, {fabric})]"))
}

#[test]
fn layers_that_cannot_be_are_refused_with_their_place() {
    for (text, start, part) in LAYERS {
        let message = refused(layered(text).as_bytes(), &[]);
        assert!(message.starts_with(start) && message.contains(part), "{text}\n{message}");
    }
}

#[test]
fn bad_scenes_are_refused_with_their_place() {
    for (text, start, part) in SETTINGS.iter().chain(YARNS).chain(SUNK) {
        let text = text.replace("FABRIC", FABRIC);
        let message = refused(text.as_bytes(), &[]);
        assert!(message.starts_with(start) && message.contains(part), "{text}\n{message}");
    }
}

/// The place is that in the chart's file, which shows the chart as it is seen.
#[test]
fn charts_in_files_are_refused_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("knit.ron", "(knits: [(courses: 4, wales: 4, pattern: File(\"leaf.txt\"))])");
    write("leaf.txt", "kx\nkk\n");
    let checked = hebra(&folder, &["check", "knit.ron"]);
    let message = String::from_utf8(checked.stderr).unwrap();
    assert_eq!(checked.status.code(), Some(2), "{message}");
    assert!(message.starts_with("leaf.txt:1:2: row 1, column 1 of the chart is `x`"), "{message}");
    write("leaf.txt", "ks\nkk\n");
    let relaxed = hebra(&folder, &["relax", "knit.ron", "--set", "forces.gravity=(0, 0, 0)", "--quiet"]);
    assert!(relaxed.status.success(), "{}", String::from_utf8_lossy(&relaxed.stderr));
}

#[test]
fn overrides_are_checked_like_the_file() {
    let cases = [
        (["--set", "solver.dtt=1"], "--set solver.dtt=1: unknown field `dtt`", "did you mean `dt`?"),
        (["--set", "solver.dt=-1"], "--set solver.dt=-1: solver.dt: -1 s", "greater than zero"),
        (["--set", "solver.dt"], "--set solver.dt: ", "expected PATH=VALUE"),
        (["--set", "fabrics[3].at=(0, 0, 0)"], "--set fabrics[3].at", "has 1 value, "),
        (["--until", "inf"], "--set until=inf: until: `inf`", "not a finite number"),
    ];
    for (arguments, start, part) in cases {
        let text = format!("({FABRIC})");
        let message = refused(text.as_bytes(), &arguments);
        assert!(message.starts_with(start) && message.contains(part), "{arguments:?}\n{message}");
    }
}

#[test]
fn bytes_that_are_no_text_and_files_that_are_not_there_are_refused() {
    assert!(refused(b"(name: \"a\",\n until: \xff)", &[]).starts_with("bad.ron:2:9: byte 0xff is not UTF-8"));
    let folder = tempfile::tempdir().unwrap();
    for command in ["run", "check", "info"] {
        let output = hebra(&folder, &[command, "none.ron"]);
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(
            output.status.code() == Some(2) && message.starts_with("none.ron: cannot be read"),
            "{message}"
        );
    }
    for command in [&["view", "x"][..], &["render", "x"], &["export", "x", "--to", "obj"], &["fly"], &["run"]]
    {
        assert_eq!(hebra(&folder, command).status.code(), Some(2), "{command:?}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// A yarn that takes this share of the free memory as a run: 1500 bytes an unknown, three unknowns a node.
#[cfg(target_os = "linux")]
fn rod_for(share: f64) -> String {
    let memory = fs::read_to_string("/proc/meminfo").unwrap();
    let free = memory.lines().find_map(|l| l.strip_prefix("MemAvailable:")).unwrap();
    let bytes = 1024.0 * free.trim().trim_end_matches(" kB").parse::<f64>().unwrap();
    let segments = (share * bytes / 4500.0) as u64;
    format!("(rods: [(points: [(0, 0, 0), (1, 0, 0)], segments: {segments})])")
}

/// As much as fits into the memory as yarns, but not as a run.
#[cfg(target_os = "linux")]
#[test]
fn runs_that_do_not_fit_into_the_memory_are_refused() {
    for (command, share, part) in [
        ("run", 1.5, "--force"),
        ("relax", 0.8, "--force"),
        ("check", 9.0, "of memory to run and"),
        ("info", 9.0, "of memory to run and"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("bad.ron"), rod_for(share)).unwrap();
        let output = hebra(&folder, &[command, "bad.ron"]);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{command}: {message}");
        assert!(message.contains(" GB ") && message.contains(part), "{command}: {message}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{command}");
    }
}

/// With less memory than it takes, for it is to fail soon: not because it is refused.
#[cfg(target_os = "linux")]
#[test]
fn runs_that_do_not_fit_into_the_memory_are_tried_by_force() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bad.ron"), rod_for(1.5)).unwrap();
    let run = |more: &[&str]| {
        let mut command = Command::new("sh");
        let script = "ulimit -v 400000; exec \"$0\" run bad.ron --steps 1 \"$@\"";
        command.current_dir(folder.path()).args(["-c", script, env!("CARGO_BIN_EXE_hebra")]).args(more);
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, message) = run(&[]);
    assert!(code == Some(2) && message.contains("try it all the same by --force"), "{message}");
    let (code, message) = run(&["--force"]);
    assert!(code != Some(2) && !message.contains("--force"), "{message}");
}

#[test]
fn lengths_beyond_all_measure_are_refused() {
    for part in [
        "fabrics: [(warp: (count: 4, spacing: 1e308), weft: (count: 4, spacing: 1e308))]",
        "rods: [(points: [(0, 0, 0), (1e200, 0, 0)], segments: 4)]",
        "sheets: [(shape: Rectangle(size: (1, 1), cells: (2, 2)), at: (0, 0, 2e6))]",
        "knits: [(courses: 4, wales: 4, gauge: (1e99, 1e99))]",
    ] {
        let message = refused(format!("({part})").as_bytes(), &[]);
        assert!(message.starts_with("bad.ron:1:1: cloth starts farther than 1e6 m"), "{message}");
    }
}

/// A pipe without a writer, a device without an end and a file of zeros without a limit in place of each file.
#[cfg(unix)]
#[test]
fn pipes_devices_and_huge_files_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    assert!(Command::new("mkfifo").arg(at("pipe.off")).status().unwrap().success());
    std::os::unix::fs::symlink("/dev/zero", at("zero.off")).unwrap();
    for (name, bytes) in [("text.off", 9 << 20), ("mesh.off", 129 << 20)] {
        fs::File::create(at(name)).unwrap().set_len(bytes).unwrap();
    }
    let (odd, large) = ("it is a folder, a pipe or a device", "it is larger than");
    for (file, why) in
        [("pipe.off", odd), ("zero.off", odd), (".", odd), ("text.off", large), ("mesh.off", large)]
    {
        let scenes = [
            format!("(knits: [(courses: 4, wales: 4, pattern: File(\"{file}\"))])"),
            format!("(sheets: [(shape: File(path: \"{file}\"))])"),
            format!("({FABRIC}, obstacles: [(shape: Mesh(files: [\"{file}\"]))])"),
        ];
        let is_mesh = |text: &&String| file != "." && file != "text.off" || text.contains("knits");
        for text in scenes.iter().filter(is_mesh) {
            fs::write(at("bad.ron"), text).unwrap();
            let output = hebra(&folder, &["check", "bad.ron"]);
            let message = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{text}: {message}");
            assert!(message.starts_with("bad.ron:1:") && message.contains(why), "{text}: {message}");
        }
        let output = hebra(&folder, &["run", file]);
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && message.contains(why), "{file}: {message}");
    }
}
