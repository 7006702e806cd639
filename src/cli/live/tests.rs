//! A simulation that is watched, turned and pulled at, without a window.

use std::path::Path;
use std::time::{Duration, Instant};

use super::*;
use crate::cli::scene::SceneArgs;
use crate::scene::build::set_up;

/// A rod along x, held at its left end, without weight; and a time that ends soon.
const SCENE: &str = "(
    rods: [(name: \"rod\", points: [(0, 0, 0), (0.1, 0, 0)], segments: 10)],
    clamps: [(select: RodEnd(rod: \"rod\", end: Start))],
    forces: (gravity: (0, 0, 0)),
    until: 0.01,
    record: (every: 4e-3),
)";

fn start(folder: &Path) -> LiveFrames {
    let file = folder.join("rod.ron");
    std::fs::write(&file, SCENE).unwrap();
    let opened =
        SceneArgs { scene: file.clone(), set: Vec::new() }.open().map_err(|e| e.to_string()).unwrap();
    let (setup, _) = set_up(&opened.scene).map_err(|problems| problems.len()).unwrap();
    let times = Times { until: opened.scene.until, every: opened.scene.record.every };
    LiveFrames::start(setup, times, &file).unwrap()
}

/// Waits for the newest frame to be as expected.
fn wait(live: &mut LiveFrames, what: &str, is_right: impl Fn(&Frame) -> bool) -> Frame {
    let begun = Instant::now();
    loop {
        live.refresh().unwrap();
        let last = live.frame(live.count() - 1).unwrap();
        if is_right(&last) {
            return last;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}: step {} {}", last.step, live.remark());
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_simulation_ends_goes_on_rests_and_starts_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut live = start(folder.path());
    wait(&mut live, "the end", |frame| frame.step == 10);
    let begun = Instant::now();
    while live.remark().is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(60), "no remark");
    }
    assert!(live.remark().contains("ends at 0.01 s") && live.failure().is_none());
    // Kept are those of 0, 4 and 8 ms, and the last.
    assert_eq!(live.count(), 4);
    assert_eq!((live.frame(1).unwrap().step, live.frame(3).unwrap().step), (4, 10));
    live.refresh().unwrap();
    assert_eq!(live.steps().iter().map(|row| row.step).collect::<Vec<_>>(), (1..=10).collect::<Vec<_>>());

    live.send(Command::Run(false));
    live.send(Command::Run(true));
    wait(&mut live, "beyond the end", |frame| frame.step > 20);
    live.send(Command::Run(false));
    live.send(Command::Step);
    std::thread::sleep(Duration::from_millis(300));
    let rest = wait(&mut live, "a rest", |_| true);
    live.send(Command::Step);
    let next = wait(&mut live, "a step", |frame| frame.step > rest.step);
    assert_eq!(next.step, rest.step + 1);

    live.send(Command::Restart(live.tuning().clone()));
    wait(&mut live, "a new end", |frame| frame.step == 10);
    live.refresh().unwrap();
    assert_eq!(live.steps().len(), 10);
}

#[test]
fn a_simulation_is_pulled_at_and_tuned() {
    let folder = tempfile::tempdir().unwrap();
    let mut live = start(folder.path());
    live.send(Command::Run(true));
    let pull = Pull { rod: 0, arc: 0.1, target: [0.08, 0.05, 0.0], strength: 1.0 };
    wait(&mut live, "the end", |frame| frame.step == 10);
    live.send(Command::Grab(Some(pull)));
    live.send(Command::Run(false));
    live.send(Command::Run(true));
    wait(&mut live, "the pull", |frame| frame.position[10][1] > 0.03);
    live.send(Command::Grab(None));
    let mut tuning = live.tuning().clone();
    (tuning.gravity, tuning.released) = ([0.0, 0.0, 50.0], vec![true]);
    live.send(Command::Tune(tuning));
    wait(&mut live, "the flight", |frame| frame.position[0][2] > 0.1);
    assert_eq!(live.clamps(), ["clamp0"]);
    let camera = Camera { eye: [0.0, -1.0, 0.0], target: [0.0; 3], up: [0.0, 0.0, 1.0], field_of_view: 35.0 };
    assert!(live.save_camera(&camera).unwrap().contains("rod.ron"));
    assert!(std::fs::read_to_string(folder.path().join("rod.ron")).unwrap().contains("camera: (eye: "));
}
