//! Whatever the files of a record hold, it is read and resumed, or refused with a message.
#![no_main]

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use hebra::record::columns::Columns;
use hebra::record::error::RecordError;
use hebra::record::params::{Interval, RecordParams};
use hebra::record::probe::ProbeValue;
use hebra::record::reader::RecordReader;
use hebra::record::recorder::{Ending, Recorder, RunInfo, Totals};
use hebra::record::steps::StepsReader;
use hebra::scene::build::set_up;
use hebra::scene::parse::parse;
use hebra::scene::source::Source;
use hebra::simulation::setup::Setup;
use hebra::simulation::{Checkpoint, Simulation};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

/// Something of everything that a checkpoint holds.
const SCENE: &str = include_str!("seeds/layers.ron");

/// Its files that are damaged.
const FILES: [&str; 6] =
    ["frames.bin", "checkpoint.bin", "steps.csv", "summary.json", "terms.csv", "probes.csv"];

/// Bytes of a chunk's header, and of a file's.
const HEADERS: [usize; 2] = [16, 12];

/// What is done to a record.
#[derive(Debug, Arbitrary)]
struct Damage {
    edits: Vec<Edit>,
    /// Whether checksums are made to fit, so that what is behind them is looked at.
    is_sealed: bool,
}

#[derive(Debug, Arbitrary)]
struct Edit {
    file: u8,
    at: u16,
    change: Change,
}

#[derive(Debug, Arbitrary)]
enum Change {
    Byte(u8),
    Number(u64),
    Real(f64),
    Insert(Vec<u8>),
    Remove(u8),
    Cut,
}

/// A sound record, and what it is of.
struct Sound {
    files: Vec<(&'static str, Vec<u8>)>,
    setup: Setup,
    run: RunInfo,
}

static SOUND: LazyLock<Sound> = LazyLock::new(Sound::new);

impl Sound {
    fn new() -> Self {
        let scene = parse(&Source::new(Path::new("layers.ron"), SCENE.into())).expect("a scene");
        let setup = set_up(&scene).expect("a scene").0;
        let params = RecordParams { every: scene.solver.dt, checkpoint_every: Interval::Steps(2) };
        let run = RunInfo { scene: scene.name, text: SCENE.into(), inputs: Vec::new(), threads: 1, params };
        let (folder, mut simulation) = (folder(), Simulation::new(setup.clone()));
        let probes = vec![("a".into(), ProbeValue::Scalar(0.0))];
        let mut recorder = Recorder::create(folder.path(), run.clone(), probes, true).expect("a record");
        go_on(&mut simulation, &mut recorder).expect("a record");
        let read = |name| (name, fs::read(folder.path().join(name)).expect("a file"));
        Self { files: FILES.map(read).to_vec(), setup, run }
    }
}

/// Where records are written: in memory where the system has such a place.
fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.expect("a folder")
}

/// Some steps, all of them with everything that is written.
fn go_on(simulation: &mut Simulation, recorder: &mut Recorder) -> Result<(), RecordError> {
    for _ in 0..3 {
        let Ok(report) = simulation.step() else { break };
        recorder.step(&report, vec![("a".into(), ProbeValue::Scalar(report.time))])?;
        recorder.frame(&simulation.frame())?;
        recorder.checkpoint(&simulation.checkpoint(), &Totals::default())?;
    }
    let ending = Ending { finished: false, because: "enough".into() };
    recorder.finish(&simulation.checkpoint(), &simulation.frame(), &Totals::default(), &ending)?;
    Ok(())
}

impl Edit {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let at = usize::from(self.at) % (bytes.len() + 1);
        let mut write = |new: &[u8]| bytes[at..].iter_mut().zip(new).for_each(|(old, new)| *old = *new);
        match &self.change {
            Change::Byte(byte) => write(&[*byte]),
            Change::Number(number) => write(&number.to_le_bytes()),
            Change::Real(real) => write(&real.to_le_bytes()),
            Change::Insert(new) => drop(bytes.splice(at..at, new.iter().copied())),
            Change::Remove(n) => drop(bytes.drain(at..bytes.len().min(at + usize::from(*n)))),
            Change::Cut => bytes.truncate(at),
        }
    }
}

/// Makes the checksums of a file of chunks fit to what the chunks hold now.
fn seal(bytes: &mut [u8]) {
    let [header, mut at] = HEADERS;
    while at + header <= bytes.len() {
        let (head, payload) = bytes[at..].split_at_mut(header);
        let length = u64::from_le_bytes(std::array::from_fn(|k| head[4 + k]));
        let Some(payload) = usize::try_from(length).ok().and_then(|n| payload.get(..n)) else { return };
        head[12..].copy_from_slice(&crc32fast::hash(payload).to_le_bytes());
        at += header + payload.len();
    }
}

fuzz_target!(|damage: Damage| {
    let mut files = SOUND.files.clone();
    damage.edits.iter().for_each(|e| e.apply(&mut files[usize::from(e.file) % FILES.len()].1));
    if damage.is_sealed {
        files.iter_mut().filter(|(name, _)| name.ends_with(".bin")).for_each(|(_, bytes)| seal(bytes));
    }
    let folder = folder();
    files.iter().for_each(|(name, bytes)| fs::write(folder.path().join(name), bytes).expect("a file"));
    let _ = read(folder.path()).map_err(|error| error.to_string());
    let _ = resume(folder.path(), damage.is_sealed).map_err(|error| error.to_string());
});

/// Reads all that there is.
fn read(folder: &Path) -> Result<(), RecordError> {
    let steps = StepsReader::new(folder).refresh();
    let tables = ["steps.csv", "terms.csv", "probes.csv"].map(|name| Columns::read(&folder.join(name)));
    let mut reader = RecordReader::open(folder)?;
    let frames: Vec<_> = reader.all().collect();
    let summary = reader.summary();
    frames.into_iter().try_for_each(|frame| frame.map(drop))?;
    tables.into_iter().try_for_each(|table| table.map(drop))?;
    summary.and(steps)
}

/// Goes on with it, but not from a state that its checksum would have refused: that may say anything of the yarns.
fn resume(folder: &Path, is_sealed: bool) -> Result<(), Box<dyn std::error::Error>> {
    let (mut recorder, checkpoint) = Recorder::resume::<Checkpoint>(folder, SOUND.run.clone())?;
    if is_sealed {
        return Ok(());
    }
    let mut simulation = Simulation::new(SOUND.setup.clone());
    simulation.restore(checkpoint)?;
    Ok(go_on(&mut simulation, &mut recorder)?)
}
