//! A run goes on from any step to the same bits, whatever the scene.

use std::path::{Path, PathBuf};

use hebra::scene::build::build;
use hebra::scene::parse::parse;
use hebra::scene::source::Source;
use hebra::simulation::{Checkpoint, Simulation};

/// Stops that are tried of each run.
const STOPS: usize = 4;

/// Steps times unknowns of a run: large scenes are run for fewer steps.
const WORK: usize = 100_000;

fn scenes() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let files = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    let mut files: Vec<_> = files.filter(|f| f.extension().is_some_and(|e| e == "ron")).collect();
    files.sort();
    files
}

fn simulation(file: &Path) -> Simulation {
    let source = Source::read(file).unwrap();
    build(&parse(&source).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e:?}")).simulation
}

/// Bit by bit, so that an anchor that is not a number equals itself.
fn bits(checkpoint: &Checkpoint) -> Vec<u8> {
    postcard::to_stdvec(checkpoint).unwrap()
}

/// Goes back to stops of a run, the last first, and on from each by a step. Each time the simulation comes from a later
/// step, so that whatever a step depends on beside its checkpoint is not what it was.
fn assert_goes_on(file: &Path, steps: impl Fn(usize) -> usize, stops: impl Fn(usize) -> usize) {
    let mut run = simulation(file);
    let mut checkpoints = vec![run.checkpoint()];
    let steps = steps(checkpoints[0].state.q.len());
    for _ in 0..steps {
        run.step().unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        checkpoints.push(run.checkpoint());
    }
    let mut stops: Vec<usize> = (0..STOPS).map(|k| stops(k) % steps).collect();
    stops.sort_unstable();
    for stop in stops.into_iter().rev() {
        run.restore(checkpoints[stop].clone()).unwrap();
        assert!(bits(&run.checkpoint()) == bits(&checkpoints[stop]), "{}: step {stop}", file.display());
        run.step().unwrap();
        let (same, other) = (&checkpoints[stop + 1], run.checkpoint());
        assert!(same.state == other.state, "{}: unknowns after step {stop}", file.display());
        assert!(bits(same) == bits(&other), "{}: what goes with the unknowns, step {stop}", file.display());
    }
}

#[test]
fn every_scene_goes_on_from_any_step() {
    for (scene, file) in scenes().iter().enumerate() {
        assert_goes_on(file, |unknowns| (WORK / unknowns).clamp(8, 20), |k| 7 * scene + 11 * k);
    }
}

/// Where contacts have slid since nodes last changed their roles, yarns near one another along the cloth are told by
/// the lengths that they had then.
#[test]
fn layers_that_join_go_on_from_any_step() {
    let joining = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/joining.ron");
    assert_goes_on(&joining, |_| 60, |k| 17 + 13 * k);
}
