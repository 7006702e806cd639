//! Runs that are killed at any moment, and disks that are full, lose nothing.
//!
//! `HEBRA_KILLS=200 cargo test --release --test cli killed` kills 200 runs instead of a few.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::cli::{assert_same_record, command, hebra, timeless, with_scene};
use crate::common::scenes::Random;
use hebra::record::reader::RecordReader;

/// Scenes of all kinds, made small, with how many steps of them are run.
const SCENES: [(&str, &[&str], u32); 5] = [
    ("jersey", &["knits[0].courses=8", "knits[0].wales=8"], 20),
    ("fold", &[], 20),
    ("stvk_swinging", &[], 20),
    ("round_table", &[], 20),
    ("joining", &[], 20),
];

/// Kills in all where the environment says nothing else.
const KILLS: usize = 10;

/// A scene that is run for some steps, and often recorded.
struct Run {
    folder: PathBuf,
    arguments: Vec<String>,
}

impl Run {
    fn new(folder: &Path, (name, settings, steps): (&str, &[&str], u32)) -> Self {
        let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("scenes/{name}.ron"));
        let often = ["record.every=2e-3", "record.checkpoint_every=Steps(3)"];
        let set = often.iter().chain(settings).flat_map(|s| ["--set".to_owned(), (*s).to_owned()]);
        let run = [scene.display().to_string(), "--steps".into(), steps.to_string()];
        Self { folder: folder.into(), arguments: run.into_iter().chain(set).collect() }
    }

    /// The command that begins a record or goes on with it.
    fn command(&self, out: &str) -> Command {
        let is_begun = self.folder.join(out).join("checkpoint.bin").exists();
        let how = if is_begun { "--resume" } else { "--force" };
        let mut command = command(&self.folder, &["run", "--quiet", "--out", out, how]);
        command.args(&self.arguments);
        command
    }

    /// Runs it to its end.
    fn end(&self, out: &str) {
        let ended = self.command(out).output().unwrap();
        assert_eq!(ended.status.code(), Some(0), "{:?}: {ended:?}", self.arguments);
    }

    /// Kills it after a while, unless it ends before.
    fn kill(&self, out: &str, after: Duration) {
        let mut child = self.command(out).stderr(Stdio::null()).spawn().unwrap();
        sleep(after);
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

#[test]
fn killed_runs_are_resumed_to_the_same_bits() {
    let kills = std::env::var("HEBRA_KILLS").map_or(KILLS, |text| text.parse().unwrap());
    let mut random = Random(7);
    for scene in SCENES {
        let folder = tempfile::tempdir().unwrap();
        let run = Run::new(folder.path(), scene);
        let begun = Instant::now();
        run.end("whole");
        let seconds = begun.elapsed();
        for kill in 0..kills.div_ceil(SCENES.len()) {
            let moment = 0.5 * (random.next() + 1.0);
            run.kill("killed", seconds.mul_f64(moment));
            assert_readable(&folder.path().join("killed"));
            // Some records are killed once, some twice, and so on.
            if kill % 2 == 1 || random.next() > 0.0 {
                run.end("killed");
                assert_same_record(&folder.path().join("whole"), &folder.path().join("killed"));
                fs::remove_dir_all(folder.path().join("killed")).unwrap();
            }
        }
    }
}

/// Whatever frames a record has can be read.
fn assert_readable(record: &Path) {
    if record.join("frames.bin").exists() {
        let mut reader = RecordReader::open(record).unwrap();
        assert!(reader.all().all(|frame| frame.is_ok()), "{}", record.display());
    }
}

/// Runs the program where no file may get longer than so many blocks.
fn with_blocks(folder: &Path, blocks: u32, arguments: &[&str]) -> Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.current_dir(folder).args(["-c", &script, env!("CARGO_BIN_EXE_hebra")]).args(arguments);
    command.output().unwrap()
}

/// A run of the cord that is recorded often.
fn run(out: &str) -> [&str; 6] {
    ["run", "cord.ron", "--set", "record.every=1e-3", "--out", out]
}

#[test]
fn a_full_disk_loses_nothing_that_was_accepted() {
    let folder = with_scene();
    let at = |name: &str| folder.path().join(name);
    assert_eq!(hebra(folder.path(), &run("whole")).status.code(), Some(0));
    let mut refused = 0;
    for blocks in 0.. {
        let out = format!("full_{blocks}");
        let limited = with_blocks(folder.path(), blocks, &run(&out));
        if limited.status.code() == Some(0) {
            break;
        }
        refused += 1;
        let message = String::from_utf8(limited.stderr).unwrap();
        assert_eq!(limited.status.code(), Some(1), "{blocks} blocks: {message}");
        assert!(message.contains(&out) && message.contains("File too large"), "{message}");
        assert_readable(&at(&out));
        assert!(!at(&out).join("checkpoint.part").exists() && !at(&out).join("summary.part").exists());
        let accepted = fs::read_to_string(at(&out).join("steps.csv")).unwrap_or_default();
        let accepted = if accepted.is_empty() { Vec::new() } else { timeless(&at(&out)) };
        assert!(accepted.len() < 2 || message.contains("--resume goes on"), "{message}");
        let how = if at(&out).join("checkpoint.bin").exists() { "--resume" } else { "--force" };
        // Who goes on too early, where nothing at all can be written, does no harm.
        if how == "--resume" {
            let in_vain = with_blocks(folder.path(), 0, &[&run(&out)[..], &[how]].concat());
            assert_eq!(in_vain.status.code(), Some(1), "{in_vain:?}");
        }
        let resumed = hebra(folder.path(), &[&run(&out)[..], &[how]].concat());
        assert_eq!(resumed.status.code(), Some(0), "{blocks} blocks: {resumed:?}");
        assert_same_record(&at("whole"), &at(&out));
        assert!(timeless(&at("whole")).starts_with(&accepted[..accepted.len().saturating_sub(1)]));
    }
    assert!(refused > 5, "{refused}");
}

#[test]
fn what_a_run_leaves_that_is_killed_at_its_start_is_in_nobodys_way() {
    let folder = with_scene();
    let (whole, left) = (folder.path().join("whole"), folder.path().join("left"));
    assert_eq!(hebra(folder.path(), &run("whole")).status.code(), Some(0));
    let frames = fs::read(whole.join("frames.bin")).unwrap();
    let leave = |names: &[&str], n_bytes: usize| {
        let _ = fs::remove_dir_all(&left);
        fs::create_dir(&left).unwrap();
        for name in names {
            fs::copy(whole.join(name), left.join(name)).unwrap();
        }
        fs::write(left.join("frames.bin"), &frames[..n_bytes]).unwrap();
        fs::write(left.join("summary.part"), "{").unwrap();
    };
    // In the order in which a record is begun, up to a header that is not whole.
    for (names, n_bytes) in [(&[".lock"][..], 0), (&[".lock", "steps.csv"], 7), (&[".lock", "scene.ron"], 12)]
    {
        leave(names, n_bytes);
        let begun = hebra(folder.path(), &run("left"));
        assert_eq!(begun.status.code(), Some(0), "{names:?}: {begun:?}");
        assert_same_record(&whole, &left);
    }
    // Frames, and what no run has locked, are kept.
    for (names, n_bytes) in [(&[".lock"][..], frames.len()), (&["steps.csv"], 12)] {
        leave(names, n_bytes);
        let refused = hebra(folder.path(), &run("left"));
        assert_eq!(refused.status.code(), Some(2), "{names:?}: {refused:?}");
        assert_eq!(fs::read(left.join("frames.bin")).unwrap().len(), n_bytes);
    }
}
