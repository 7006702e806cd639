//! `hebra run`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::drive::{Drive, Limits, Outcome, values};
use super::error::CliError;
use super::look::LookArgs;
use super::meter::Meter;
use super::prepare::prepare;
use super::scene::{Opened, SceneArgs};
use super::stale::remove_products;
use super::stop::Stop;
use super::terminal::{complain, remark, say};
use super::window;
use crate::record::checkpoint::check_inputs;
use crate::record::error::RecordError;
use crate::record::lock::check_idle;
use crate::record::params::RecordParams;
use crate::record::recorder::{Recorder, RunInfo, SCENE_FILE, check_folder};
use crate::record::summary::Summary;
use crate::scene::build::Built;
use crate::scene::params::Scene;
use crate::scene::parse::parse;
use crate::scene::source::Source;
use crate::scene::words::counted;
use crate::simulation::Checkpoint;
use crate::simulation::params::{RelaxParams, SolverParams};
use crate::simulation::relax::Relaxation;
use crate::simulation::report::WELL_KEPT;

/// What to run and where to write.
#[derive(Debug, Args)]
pub(super) struct RunArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Folder of the record (default: `out/` and the scene's name).
    #[arg(long)]
    out: Option<PathBuf>,
    /// Simulated time at which the run ends; overrides the scene's `until`.
    #[arg(long, value_name = "SECONDS")]
    until: Option<f64>,
    /// End after so many steps, counted from the start of the scene.
    #[arg(long, value_name = "N")]
    steps: Option<u64>,
    /// Threads to compute with (default: as many as there are processors); results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Go on from the record's last checkpoint.
    #[arg(long)]
    resume: bool,
    /// Replace the record that the folder holds, write beside something else, and try what takes more memory than is
    /// free.
    #[arg(long)]
    force: bool,
    /// Show the record in a window while it is written; closing the window does not end the run.
    #[arg(long)]
    view: bool,
}

/// Runs a scene in time, or brings it to rest.
pub(super) fn run(args: &RunArgs, to_rest: bool, stop: &Stop) -> Result<ExitCode, CliError> {
    if args.view {
        window::settle();
        window::check()?;
    }
    let opened = open(args)?;
    opened.warn();
    let folder = args.out.clone().unwrap_or_else(|| Path::new("out").join(&opened.scene.name));
    start_threads(args.threads)?;
    let info = opened.run_info();
    if args.resume {
        check_idle(&folder)?;
        check_same(&opened, &folder)?;
        check_inputs(&folder, &info.inputs)?;
    } else {
        check_folder(&folder, args.force)?;
    }
    let scene = if to_rest { opened.scene.clone().to_relax() } else { opened.scene.clone() };
    opened.check_memory(&scene, args.force)?;
    let mut built = opened.located(prepare(&scene, stop))?;
    stop.keep();
    let mut recorder = recorder(args, info, &folder, &mut built)?;
    let simulation = &mut built.simulation;
    let until = if to_rest { f64::INFINITY } else { opened.scene.until };
    let meter = Meter::new(simulation.time(), until, simulation.counts().lagrangian);
    let relaxation = to_rest.then(|| Relaxation::new(simulation, opened.scene.relax));
    let mut drive = Drive { simulation, relaxation, probes: &built.probes, recorder: &mut recorder, meter };
    let limits = Limits { until, steps: args.steps, interrupt: stop.interrupt() };
    drive.record_frame()?;
    let (outcome, shown) =
        if args.view { run_and_show(&mut drive, &limits, &folder) } else { (drive.run(&limits), Ok(())) };
    let outcome = outcome.map_err(|error| CliError::Unwritten {
        folder: folder.clone(),
        step: recorder.progress().step,
        error,
    })?;
    let status = report(&outcome, &recorder);
    shown?;
    Ok(status)
}

/// Runs in a thread of its own and plays the record while it is written; the run goes on when the window is
/// closed.
fn run_and_show(
    drive: &mut Drive<'_>,
    limits: &Limits<'_>,
    folder: &Path,
) -> (Result<Outcome, RecordError>, Result<(), CliError>) {
    std::thread::scope(|scope| {
        let run = scope.spawn(|| drive.run(limits));
        let shown = window::play(folder, &LookArgs::default(), None);
        (run.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), shown)
    })
}

fn open(args: &RunArgs) -> Result<Opened, CliError> {
    let mut scene = args.scene.clone();
    scene.set.extend(args.until.map(|until| format!("until={until:?}")));
    scene.open()
}

fn recorder(args: &RunArgs, run: RunInfo, folder: &Path, built: &mut Built) -> Result<Recorder, CliError> {
    if !args.resume {
        let probes = values(&built.probes, &built.simulation);
        let recorder = Recorder::create(folder, run, probes, args.force)?;
        remove_products(folder)?;
        return Ok(recorder);
    }
    let (mut recorder, checkpoint) = Recorder::resume::<Checkpoint>(folder, run)?;
    built.simulation.restore(checkpoint)?;
    recorder.set_probes(values(&built.probes, &built.simulation));
    Ok(recorder)
}

/// Whether a record's scene is the one to be run, but for what may change on the way: when it ends, how
/// it is solved, how often it is recorded, from where it is looked at.
fn check_same(opened: &Opened, folder: &Path) -> Result<(), CliError> {
    let (scene, summary) = (&opened.scene, Summary::read(folder)?);
    // Its meshes lie beside the scene, not in the record.
    let text = Source::read(&folder.join(SCENE_FILE))?.text().to_owned();
    let recorded = parse(&Source::new(&opened.source.folder().join(SCENE_FILE), text))?;
    let essence = |scene: &Scene| Scene {
        name: summary.scene.clone(),
        until: 0.0,
        solver: SolverParams::default(),
        relax: RelaxParams::default(),
        record: RecordParams::default(),
        camera: None,
        ..scene.clone()
    };
    if summary.scene != scene.name || essence(scene) != essence(&recorded) {
        return Err(CliError::Usage(format!(
            "{} records another scene than this one: only `until`, `solver`, `relax`, `record` and `camera` may change \
             on --resume",
            folder.display()
        )));
    }
    Ok(())
}

fn start_threads(threads: Option<u16>) -> Result<(), CliError> {
    let Some(n) = threads else { return Ok(()) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(n.into()).build_global();
    pool.map_err(|e| CliError::Usage(format!("cannot start {}: {e}", counted(n, "thread"))))
}

/// What to say of cloth that was pressed into obstacles, at most by this part of half its thickness.
fn pressed_in(most: f64) -> Option<String> {
    (most > WELL_KEPT).then(|| {
        format!(
            "cloth was pressed into obstacles by up to {:.0} % of half its thickness, `pressed_in` in steps.csv says when; \
             give them a higher `stiffness` or a `thickness`, or take shorter steps",
            100.0 * most
        )
    })
}

fn report(outcome: &Outcome, recorder: &Recorder) -> ExitCode {
    let (progress, folder) = (recorder.progress(), recorder.folder().display());
    let steps = counted(progress.step, "step");
    let so_far = format!("{steps}, {:.6} s simulated in {:.1} s", progress.time, progress.seconds);
    if let Some(warning) = pressed_in(progress.pressed_in_max) {
        remark(warning);
    }
    match outcome {
        Outcome::Finished(because) => {
            say(format_args!("{because}: {so_far}; the record is in {folder}"));
            ExitCode::SUCCESS
        }
        Outcome::Interrupted => {
            say(format_args!("interrupted: {so_far}; --resume goes on from {folder}"));
            Stop::status()
        }
        Outcome::Failed(error) => {
            complain(format_args!(
                "{error}\n{so_far}; all of it is in {folder}, and --resume goes on from there"
            ));
            ExitCode::FAILURE
        }
    }
}
