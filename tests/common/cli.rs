//! The program on small scenes.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// A hanging cord that is simulated in no time and recorded in seven frames.
const SCENE: &str = "(
    rods: [(name: \"cord\", points: [(0, 0, 0), (0.1, 0, 0)], segments: 10)],
    clamps: [(name: \"left\", select: RodEnd(rod: \"cord\", end: Start))],
    record: (every: 0.005, checkpoint_every: Steps(7)),
    probes: {\"tip\": Position(RodEnd(rod: \"cord\", end: End)), \"pull\": ClampForce(\"left\")},
    until: 0.03, // short
)
";

pub(crate) fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hebra"));
    command.current_dir(folder).args(arguments);
    command
}

pub(crate) fn hebra(folder: &Path, arguments: &[&str]) -> Output {
    let output = command(folder, arguments).output().unwrap();
    assert!(output.status.code().is_some(), "{output:?}");
    output
}

pub(crate) fn with_scene() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cord.ron"), SCENE).unwrap();
    folder
}

/// Rows of steps.csv without the column of seconds.
pub(crate) fn timeless(record: &Path) -> Vec<String> {
    let text = fs::read_to_string(record.join("steps.csv")).unwrap();
    let seconds = text.lines().next().unwrap().split(',').position(|c| c == "seconds").unwrap();
    let row = |l: &str| {
        l.split(',').enumerate().filter(|(i, _)| *i != seconds).map(|(_, c)| c).collect::<Vec<_>>().join(",")
    };
    text.lines().map(row).collect()
}

/// Everything of two records but how long they took.
#[track_caller]
pub(crate) fn assert_same_record(a: &Path, b: &Path) {
    let (ours, theirs) = (timeless(a), timeless(b));
    ours.iter().zip(&theirs).for_each(|(a, b)| assert_eq!(a, b));
    assert_eq!(ours.len(), theirs.len());
    for file in ["terms.csv", "probes.csv", "frames.bin", "scene.ron"] {
        // Without probes there is no table of them.
        assert!(fs::read(a.join(file)).ok() == fs::read(b.join(file)).ok(), "{file} differs");
    }
}
