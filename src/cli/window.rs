//! What the viewer shows: records, scenes while they are simulated, snapshots.

use std::path::Path;
use std::time::{Duration, Instant};

use super::error::CliError;
use super::frames::open;
use super::live::{LiveFrames, Times};
use super::look::{LookArgs, frame_index};
use super::scene::SceneArgs;
use super::terminal::say;
use crate::draw::{camera, write_png};
use crate::frame::{Camera, Frame};
use crate::record::error::RecordError;
use crate::record::reader::RecordReader;
use crate::record::steps::{StepRow, StepsReader};
use crate::scene::build::set_up;
use crate::scene::save::SceneFile;
use crate::viewer::{self, Frames, ViewOptions};

/// How often a record is looked at for new frames.
const BETWEEN_LOOKS: Duration = Duration::from_millis(250);

/// Frames of a record, and those that a run in progress adds.
struct RecordFrames {
    reader: RecordReader,
    steps: StepsReader,
    looked: Option<Instant>,
    /// Where cameras are saved.
    scene: Option<SceneFile>,
}

impl Frames for RecordFrames {
    fn count(&self) -> usize {
        self.reader.len()
    }

    fn frame(&mut self, index: usize) -> Result<Frame, String> {
        self.reader.frame(index).map_err(|error| error.to_string())
    }

    fn refresh(&mut self) -> Result<bool, String> {
        if self.looked.is_some_and(|looked| looked.elapsed() < BETWEEN_LOOKS) {
            return Ok(false);
        }
        self.looked = Some(Instant::now());
        match self.steps.refresh() {
            // A record may be kept without its table; then there are no curves.
            Ok(()) | Err(RecordError::Io { .. }) => {}
            Err(error) => return Err(error.to_string()),
        }
        self.reader.refresh().map_err(|error| error.to_string())
    }

    fn steps(&self) -> &[StepRow] {
        self.steps.rows()
    }

    fn save_camera(&mut self, camera: &Camera) -> Result<String, String> {
        let Some(scene) = &mut self.scene else {
            return Err(
                "a record does not know its scene's file: start with --scene FILE to save cameras in it"
                    .into(),
            );
        };
        scene.save_camera(camera).map_err(|error| error.to_string())?;
        Ok(format!("the camera is in {}", scene.path().display()))
    }
}

/// Starts the program again with a folder for what runs, where the system names none, as in containers: graphics
/// drivers complain of that, and a program cannot safely change its own environment.
#[cfg(target_os = "linux")]
pub(super) fn settle() {
    use std::os::unix::process::CommandExt;
    const FOLDER: &str = "XDG_RUNTIME_DIR";
    let Some(program) = std::env::current_exe().ok().filter(|_| std::env::var_os(FOLDER).is_none()) else {
        return;
    };
    let mut again = std::process::Command::new(program);
    // It comes back only if it fails: then the complaints must be borne.
    drop(again.args(std::env::args_os().skip(1)).env(FOLDER, std::env::temp_dir()).exec());
}

/// Elsewhere there is nothing to do.
#[cfg(not(target_os = "linux"))]
pub(super) fn settle() {}

/// Whether a window can be opened.
pub(super) fn check() -> Result<(), CliError> {
    Ok(viewer::check()?)
}

/// Plays a record; cameras are saved in a scene, if one is given.
pub(super) fn play(folder: &Path, look: &LookArgs, scene: Option<&Path>) -> Result<(), CliError> {
    let mut reader = open(folder)?;
    let scene = scene.map(SceneFile::read).transpose()?;
    check()?;
    let samples = samples(&reader);
    let options = options(look, &mut reader, samples)?;
    let mut frames = RecordFrames { reader, steps: StepsReader::new(folder), looked: None, scene };
    Ok(viewer::view(&mut frames, &options)?)
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

/// Simulates a scene in a thread of its own and shows it as it goes; closing the window ends it.
pub(super) fn simulate(args: &SceneArgs, look: &LookArgs) -> Result<(), CliError> {
    check()?;
    let opened = args.open()?;
    let (setup, _) = opened.located(set_up(&opened.scene))?;
    let times = Times { until: opened.scene.until, every: opened.scene.record.every };
    let mut frames = LiveFrames::start(setup, times, &args.scene)?;
    viewer::view(&mut frames, &seen(look))?;
    frames.failure().map_or(Ok(()), |failure| Err(failure.into()))
}

/// Frames that stand for a record: reading all of a long one for its colours and its camera would take minutes.
fn samples(record: &RecordReader) -> [usize; 3] {
    [0, record.len() / 2, record.len() - 1]
}

fn options(
    look: &LookArgs,
    record: &mut RecordReader,
    frames: impl IntoIterator<Item = usize>,
) -> Result<ViewOptions, CliError> {
    let [width, height] = look.size.map(f64::from);
    let sampled = samples(record).map(|k| record.frame(k)).into_iter().collect::<Result<Vec<_>, _>>()?;
    let camera = Some(camera::fit(&sampled.iter().collect::<Vec<_>>(), width / height));
    Ok(ViewOptions { camera, range: look.range(record, frames)?, ..seen(look) })
}

/// What a window shows by the command's options alone.
fn seen(look: &LookArgs) -> ViewOptions {
    let overlays = look.overlay.clone();
    ViewOptions { size: look.size, colour: look.colour, overlays, ..ViewOptions::default() }
}
