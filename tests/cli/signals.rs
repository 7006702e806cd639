//! Runs that are interrupted, and runs beside one another.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;

use crate::common::cli::{assert_same_record, command, hebra, with_scene};

/// A knit that takes long to come to rest before anything is recorded.
const LONG: &str = "(
    knits: [(name: \"patch\", pattern: Jersey, courses: 40, wales: 40, yarns: [(material: \"cotton\")], start: Relaxed)],
)";

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

fn rows(record: &Path) -> usize {
    fs::read_to_string(record.join("steps.csv")).map_or(0, |t| t.lines().count())
}

/// Starts a command and waits until it has recorded some steps.
fn started(folder: &Path, arguments: &[&str], record: &Path) -> Child {
    let mut child = command(folder, arguments).spawn().unwrap();
    while rows(record) < 20 {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        sleep(Duration::from_millis(20));
    }
    child
}

#[test]
fn an_interrupted_run_has_everything_on_disk() {
    let folder = with_scene();
    let long = ["run", "cord.ron", "--out", "a", "--until", "1000"];
    let record = folder.path().join("a");
    let mut child = started(folder.path(), &long, &record);
    signal(&child, "-INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let count = (rows(&record) - 1).to_string();
    let summary = fs::read_to_string(record.join("summary.json")).unwrap();
    assert!(
        summary.contains("\"stopped_because\": \"interrupted\"")
            && summary.contains(&format!("\"steps\": {count},"))
    );
    let more = (rows(&record) + 4).to_string();
    let resumed = hebra(folder.path(), &[&long[..], &["--resume", "--steps", &more]].concat());
    assert_eq!(resumed.status.code(), Some(0), "{resumed:?}");
    assert_eq!(
        hebra(folder.path(), &["run", "cord.ron", "--out", "b", "--until", "1000", "--steps", &more])
            .status
            .code(),
        Some(0)
    );
    assert_same_record(&record, &folder.path().join("b"));
}

#[test]
fn a_second_interruption_ends_a_run_at_once_and_leaves_a_sound_record() {
    let folder = with_scene();
    let long = ["run", "cord.ron", "--until", "1000"];
    let record = folder.path().join("out/cord");
    let mut child = started(folder.path(), &long, &record);
    signal(&child, "-INT");
    signal(&child, "-INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let more = (rows(&record) + 4).to_string();
    let resumed = hebra(folder.path(), &[&long[..], &["--resume", "--steps", &more]].concat());
    assert_eq!(resumed.status.code(), Some(0), "{resumed:?}");
}

#[test]
fn two_runs_do_not_write_one_record() {
    let folder = with_scene();
    let long = ["run", "cord.ron", "--until", "1000"];
    let mut child = started(folder.path(), &long, &folder.path().join("out/cord"));
    for more in [&[][..], &["--force"], &["--resume"]] {
        let refused = hebra(folder.path(), &[&long[..], more].concat());
        let message = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{message}");
        assert!(message.contains(&format!("another run (process {})", child.id())), "{message}");
    }
    let render = ["render", "out/cord", "--frame", "0", "--size", "64x48"];
    assert_eq!(hebra(folder.path(), &render).status.code(), Some(0), "it can be looked at meanwhile");
    child.kill().unwrap();
    child.wait().unwrap();
    let resumed = hebra(folder.path(), &["run", "cord.ron", "--resume", "--until", "1000", "--steps", "40"]);
    assert_eq!(resumed.status.code(), Some(0), "what was killed blocks nothing: {resumed:?}");
}

#[test]
fn what_has_nothing_to_keep_ends_at_once() {
    let folder = with_scene();
    fs::write(folder.path().join("long.ron"), LONG).unwrap();
    for (arguments, name) in [
        (&["run", "long.ron"][..], "-INT"),
        (&["relax", "long.ron"], "-TERM"),
        (&["check", "long.ron"], "-INT"),
        (&["compare", "long.ron", "--vary", "solver.dt=1e-3,2e-3"], "-TERM"),
    ] {
        let mut child = command(folder.path(), arguments).spawn().unwrap();
        sleep(Duration::from_millis(300));
        assert!(child.try_wait().unwrap().is_none(), "{arguments:?} ended by itself");
        signal(&child, name);
        assert_eq!(child.wait().unwrap().code(), Some(130), "{arguments:?}");
    }
    assert!(!folder.path().join("out").exists(), "a record of nothing");
}

#[test]
fn an_interrupted_comparison_keeps_its_runs_and_has_no_page() {
    let folder = with_scene();
    let arguments = ["compare", "cord.ron", "--vary", "solver.dt=1e-5,2e-5", "--set", "until=1000"];
    let out = folder.path().join("out/cord_compared");
    let record = out.join("01_solver.dt=1e-5");
    let mut child = started(folder.path(), &arguments, &record);
    signal(&child, "-INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let summary = fs::read_to_string(record.join("summary.json")).unwrap();
    assert!(summary.contains("\"stopped_because\": \"interrupted\""), "{summary}");
    assert!(record.join("checkpoint.bin").exists() && !out.join("compare.html").exists());
}
