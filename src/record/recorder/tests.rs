//! Records written, broken off, resumed and read back.

use std::sync::Arc;

use super::*;
use crate::frame::{ForceArrow, ForceKind, Layout};
use crate::geometry::pose::Pose;
use crate::model::yarns::NodeKind;
use crate::potential::term::EnergyKind;
use crate::record::params::Interval;
use crate::record::probe::ProbeValue;
use crate::simulation::report::{Energies, Term};

const DT: f64 = 0.01;

fn run(scene: &str) -> RunInfo {
    let params = RecordParams { every: 0.03, checkpoint_every: Interval::Steps(5) };
    RunInfo { scene: scene.into(), text: "()".into(), inputs: Vec::new(), threads: 1, params }
}

fn report(step: u64) -> StepReport {
    StepReport {
        step,
        time: step as f64 * DT,
        dt: DT,
        newton_iterations: 3,
        residual: 1e-9 / step as f64,
        correction: 0.0,
        energies: Energies::default(),
        terms: vec![Term {
            name: "stretch",
            kind: EnergyKind::Elastic,
            stored: 1.0 / step as f64,
            dissipated: 2.0,
        }],
        momentum: [0.0, 1.0, 2.0],
        eol: 4,
        eil: step % 3,
        removed: 0,
        changes: 0,
        jump: 0.0,
        pressed_in: 0.25,
        rejected: u32::from(step == 7),
        linear: "direct",
        linear_iterations: 0,
        factorisations: 3,
        seconds: 0.5,
    }
}

fn probes(step: u64) -> Vec<NamedValue> {
    let x = step as f64 / 3.0;
    vec![("a".into(), ProbeValue::Scalar(x)), ("b".into(), ProbeValue::Vector([x, 0.0, -x]))]
}

/// The layout changes at step 8.
fn frame(step: u64) -> Frame {
    let layout = Layout {
        scene: "s".into(),
        fabrics: Vec::new(),
        rods: Vec::new(),
        rod_start: vec![0, 2],
        partner: vec![u32::MAX; 2],
        side: vec![0, i8::from(step >= 8)],
        length: vec![1.0],
        obstacles: Vec::new(),
        sheets: Vec::new(),
        camera: None,
    };
    let x = step as f32;
    Frame {
        layout: Arc::new(layout),
        step,
        time: step as f64 * DT,
        position: vec![[x, 0.5, -x], [1.0, 2.0, 3.0]],
        arc: vec![0.0, 1.0],
        kind: vec![NodeKind::Lagrangian, NodeKind::Eil],
        speed: vec![x, x],
        normal_force: vec![0.25; 2],
        slide: vec![0.0, -0.5],
        held: vec![true, false],
        sewn: vec![false, true],
        forces: vec![ForceArrow { kind: ForceKind::Push, at: [x, 0.0, 1.0], force: [0.0, -x, 0.5] }],
        poses: vec![Pose::IDENTITY],
        vertices: vec![[x, 1.0, 2.0]; 3],
        vertex_speed: vec![x, 0.0, 1.0],
    }
}

fn advance(recorder: &mut Recorder, to: u64) {
    while recorder.progress().step < to {
        if recorder.is_frame_due() {
            recorder.frame(&frame(recorder.progress().step)).unwrap();
        }
        if recorder.is_checkpoint_due() && recorder.progress().step > 0 {
            recorder.checkpoint(&recorder.progress().step.clone(), &Totals::default()).unwrap();
        }
        let step = recorder.progress().step + 1;
        recorder.step(&report(step), probes(step)).unwrap();
    }
}

fn finish(recorder: &mut Recorder) -> Summary {
    let step = recorder.progress().step;
    let totals = Totals { phases: vec![("newton", 1.5)], ..Totals::default() };
    let ending = Ending { finished: true, because: "done".into() };
    recorder.finish(&step, &frame(step), &totals, &ending).unwrap()
}

fn bytes(folder: &Path) -> Vec<Vec<u8>> {
    [STEPS_FILE, PROBES_FILE, FRAMES_FILE, SCENE_FILE]
        .iter()
        .map(|f| fs::read(folder.join(f)).unwrap())
        .collect()
}

#[test]
fn a_resumed_record_is_the_uninterrupted_one() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, broken) = (folder.path().join("whole"), folder.path().join("broken"));
    let mut recorder = Recorder::create(&whole, run("s"), probes(0), false).unwrap();
    advance(&mut recorder, 20);
    let summary = finish(&mut recorder);

    let mut recorder = Recorder::create(&broken, run("s"), probes(0), false).unwrap();
    advance(&mut recorder, 13);
    drop(recorder);
    let (mut recorder, step) = Recorder::resume::<u64>(&broken, run("s")).unwrap();
    assert_eq!((step, recorder.progress().step), (10, 10));
    advance(&mut recorder, 17);
    finish(&mut recorder);
    drop(recorder);
    let (mut recorder, step) = Recorder::resume::<u64>(&broken, run("s")).unwrap();
    assert_eq!(step, 17);
    advance(&mut recorder, 20);
    let resumed = finish(&mut recorder);

    assert_eq!(bytes(&whole), bytes(&broken));
    assert_eq!((summary.steps, summary.rejected_steps, summary.counts.eil_max), (20, 1, 2));
    assert_eq!((resumed.steps, resumed.rejected_steps, resumed.seconds), (20, 1, 10.0));
    assert_eq!(resumed.seconds_by_phase["newton"], 3.0);
    assert_eq!(Summary::read(&broken).unwrap(), resumed);
}

#[test]
fn frames_read_back_and_survive_a_cut() {
    let folder = tempfile::tempdir().unwrap();
    let mut recorder = Recorder::create(folder.path(), run("s"), probes(0), false).unwrap();
    advance(&mut recorder, 20);
    finish(&mut recorder);
    let mut reader = RecordReader::open(folder.path()).unwrap();
    let steps: Vec<u64> = reader.frames().map(|f| f.step).collect();
    assert_eq!(steps, [0, 3, 6, 9, 12, 15, 18, 20]);
    assert_eq!(reader.frame(3).unwrap(), frame(9));
    assert_eq!(reader.frame(1).unwrap(), frame(3));
    assert!(reader.all().zip(&steps).all(|(f, &step)| f.unwrap() == frame(step)));
    assert!(matches!(reader.frame(8), Err(RecordError::NoFrame { index: 8, count: 8 })));

    let path = folder.path().join(FRAMES_FILE);
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 5]).unwrap();
    let reader = RecordReader::open(folder.path()).unwrap();
    assert!(reader.is_cut_short() && reader.len() == 7);

    let mut spoiled = whole.clone();
    let last = spoiled.len() - 1;
    spoiled[last] ^= 1;
    fs::write(&path, &spoiled).unwrap();
    let mut reader = RecordReader::open(folder.path()).unwrap();
    assert!(matches!(reader.frame(7), Err(RecordError::Damaged { .. })));
    assert!(reader.frame(6).is_ok());
    fs::write(&path, b"something else").unwrap();
    assert!(matches!(RecordReader::open(folder.path()), Err(RecordError::Foreign { .. })));
}

#[test]
fn frames_are_followed_while_they_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut recorder = Recorder::create(folder.path(), run("s"), probes(0), false).unwrap();
    let mut reader = RecordReader::open(folder.path()).unwrap();
    assert!(reader.is_empty() && !reader.refresh().unwrap());
    advance(&mut recorder, 5);
    assert!(reader.refresh().unwrap() && !reader.refresh().unwrap());
    assert_eq!((reader.len(), reader.frame(1).unwrap()), (2, frame(3)));
    // The layout changes on the way, and the last frame is not whole yet.
    advance(&mut recorder, 14);
    let path = folder.path().join(FRAMES_FILE);
    let whole = fs::read(&path).unwrap();
    fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(whole.len() as u64 - 9).unwrap();
    assert!(reader.refresh().unwrap() && reader.is_cut_short());
    assert_eq!((reader.len(), reader.frame(3).unwrap()), (4, frame(9)));
    fs::write(&path, &whole).unwrap();
    assert!(reader.refresh().unwrap() && !reader.is_cut_short());
    assert_eq!((reader.len(), reader.frame(4).unwrap()), (5, frame(12)));
    // The run starts anew.
    drop(recorder);
    let mut recorder = Recorder::create(folder.path(), run("s"), probes(0), true).unwrap();
    advance(&mut recorder, 1);
    assert!(reader.refresh().unwrap());
    assert_eq!(reader.len(), 1);
}

#[test]
fn a_folder_of_something_else_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    drop(Recorder::create(path, run("s"), Vec::new(), false).unwrap());
    let there = Recorder::create(path, run("s"), Vec::new(), false).unwrap_err();
    assert!(matches!(there, RecordError::Recorded { steps: 0, .. }), "{there}");
    // As where a run was killed that had just begun.
    fs::remove_file(path.join("summary.json")).unwrap();
    drop(Recorder::create(path, run("s"), Vec::new(), false).unwrap());
    fs::remove_file(path.join("summary.json")).unwrap();
    fs::write(path.join("letter.txt"), "dear").unwrap();
    let foreign = Recorder::create(path, run("s"), Vec::new(), false).unwrap_err();
    assert!(matches!(foreign, RecordError::NotARecord { .. }), "{foreign}");
    assert!(Recorder::create(path, run("t"), Vec::new(), true).is_ok());
    let missing = Recorder::resume::<u64>(path, run("t")).unwrap_err();
    assert!(matches!(missing, RecordError::NoCheckpoint { .. }), "{missing}");
}

#[test]
fn a_record_has_one_writer() {
    let folder = tempfile::tempdir().unwrap();
    let mut recorder = Recorder::create(folder.path(), run("s"), probes(0), false).unwrap();
    advance(&mut recorder, 6);
    let id = std::process::id();
    let is_refused = |result: Result<(), RecordError>| match result {
        Err(RecordError::InUse { process, .. }) => process == Some(id),
        _ => false,
    };
    assert!(is_refused(check_idle(folder.path())));
    assert!(is_refused(check_folder(folder.path(), true)));
    assert!(is_refused(Recorder::create(folder.path(), run("s"), probes(0), true).map(drop)));
    assert!(is_refused(Recorder::resume::<u64>(folder.path(), run("s")).map(drop)));
    assert_eq!(RecordReader::open(folder.path()).unwrap().len(), 2, "readers are let in");
    advance(&mut recorder, 7);
    drop(recorder);
    assert!(Recorder::resume::<u64>(folder.path(), run("s")).is_ok());
}

#[test]
fn tables_have_the_promised_columns() {
    let folder = tempfile::tempdir().unwrap();
    let mut recorder = Recorder::create(folder.path(), run("s"), probes(0), false).unwrap();
    advance(&mut recorder, 1);
    let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let steps = text(STEPS_FILE);
    let promised = "step,time,dt,newton_iterations,residual,kinetic,elastic,gravitational,contact,dissipated,\
                    eol,eil,removed,seconds";
    assert!(steps.starts_with(promised), "{steps}");
    assert_eq!(
        steps.lines().nth(1),
        Some("1,0.01,0.01,3,1e-9,0.0,0.0,0.0,0.0,0.0,4,1,0,0.5,0,3,0,direct,0,0.0,0.25")
    );
    assert_eq!(
        text(PROBES_FILE),
        format!("step,time,a,b.x,b.y,b.z\n1,0.01,{0:?},{0:?},0.0,-{0:?}\n", 1.0 / 3.0)
    );
}
