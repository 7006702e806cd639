//! What the viewer shows: records, scenes while they are simulated, snapshots.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::drive::has_reached;
use super::error::CliError;
use super::frames::open;
use super::look::{LookArgs, frame_index};
use super::scene::SceneArgs;
use super::terminal::say;
use crate::draw::write_png;
use crate::frame::Frame;
use crate::record::reader::RecordReader;
use crate::scene::build::build;
use crate::simulation::{Simulation, SimulationError};
use crate::viewer::{self, Frames, ViewOptions};

/// Frames of a scene that is being simulated.
struct Live<'a>(&'a Mutex<Vec<Frame>>);

impl Frames for Live<'_> {
    fn count(&self) -> usize {
        lock(self.0).len()
    }

    fn frame(&mut self, index: usize) -> Result<Frame, String> {
        lock(self.0).get(index).cloned().ok_or_else(|| "it is not simulated yet".into())
    }
}

impl Frames for RecordReader {
    fn count(&self) -> usize {
        self.len()
    }

    fn frame(&mut self, index: usize) -> Result<Frame, String> {
        Self::frame(self, index).map_err(|error| error.to_string())
    }
}

/// Whether a window can be opened.
pub(super) fn check() -> Result<(), CliError> {
    Ok(viewer::check()?)
}

/// Plays a record.
pub(super) fn play(folder: &Path, look: &LookArgs) -> Result<(), CliError> {
    let mut record = open(folder)?;
    check()?;
    // Reading all frames of a long record for the sake of its colours would take minutes.
    let samples = [0, record.len() / 2, record.len() - 1];
    let options = options(look, &mut record, samples)?;
    Ok(viewer::view(&mut record, &options)?)
}

/// Writes a picture of one frame of a record.
pub(super) fn snapshot(folder: &Path, frame: i64, file: &Path, look: &LookArgs) -> Result<(), CliError> {
    let mut record = open(folder)?;
    let index = frame_index(frame, record.len())?;
    let options = options(look, &mut record, [index])?;
    let picture = viewer::snapshot_headless(&record.frame(index)?, &options)?;
    write_png(file, &picture)?;
    say(format_args!("frame {index} in {}", file.display()));
    Ok(())
}

/// Simulates a scene in a thread of its own and shows its frames as they come; closing the window ends it.
pub(super) fn simulate(scene: &Path, look: &LookArgs) -> Result<(), CliError> {
    check()?;
    let opened = SceneArgs { scene: scene.into(), set: Vec::new() }.open()?;
    let mut simulation = opened.located(build(&opened.scene))?.simulation;
    let frames = Mutex::new(vec![simulation.frame()]);
    let (closed, times) = (AtomicBool::new(false), [opened.scene.until, opened.scene.record.every]);
    let options = ViewOptions { size: look.size, colour: look.colour, ..ViewOptions::default() };
    std::thread::scope(|scope| {
        let run = scope.spawn(|| step(&mut simulation, times, &frames, &closed));
        let shown = viewer::view(&mut Live(&frames), &options);
        closed.store(true, Ordering::Relaxed);
        let simulated = run.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        shown?;
        Ok(simulated?)
    })
}

/// Steps until the scene's end or until nobody looks, and keeps a frame every so often, s.
fn step(
    simulation: &mut Simulation,
    [until, every]: [f64; 2],
    frames: &Mutex<Vec<Frame>>,
    closed: &AtomicBool,
) -> Result<(), SimulationError> {
    while !has_reached(simulation.time(), until) && !closed.load(Ordering::Relaxed) {
        simulation.step()?;
        let mut frames = lock(frames);
        if has_reached(simulation.time(), every * frames.len() as f64) {
            frames.push(simulation.frame());
        }
    }
    Ok(())
}

fn options(
    look: &LookArgs,
    record: &mut RecordReader,
    frames: impl IntoIterator<Item = usize>,
) -> Result<ViewOptions, CliError> {
    let (camera, range) = (Some(look.camera(record)?), look.range(record, frames)?);
    Ok(ViewOptions { size: look.size, camera, colour: look.colour, range, ..ViewOptions::default() })
}

fn lock(frames: &Mutex<Vec<Frame>>) -> MutexGuard<'_, Vec<Frame>> {
    frames.lock().unwrap_or_else(PoisonError::into_inner)
}
