//! `hebra compare`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Args;
use hebra_solver::interrupt::Interrupt;

use super::drive::{Drive, Limits, Outcome, values};
use super::error::CliError;
use super::info::most_memory;
use super::meter::Meter;
use super::scene::{Opened, SceneArgs};
use super::stale::{PAGE, TABLES, remove_comparison};
use super::stop::Stop;
use super::strip::{Strip, add_pictures};
use super::terminal::{complain, say};
use super::vary::{Variation, Vary, combinations};
use crate::compare::case::Case;
use crate::compare::csv;
use crate::compare::page::{Heading, page};
use crate::record::error::RecordError;
use crate::record::recorder::{Recorder, check_folder};
use crate::scene::build::{build_watched, build_yarns};
use crate::scene::size::free_memory;
use crate::scene::watch::Watch;
use crate::scene::words::counted;
use crate::simulation::report::Counts;

/// What to vary and where to write.
#[derive(Debug, Args)]
pub(super) struct CompareArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Values to give a path of the scene in turn, as in `--vary damping.kind=StrainRate,Rayleigh`; several
    /// paths are combined, each value of one with each of the others.
    #[arg(long, value_name = "PATH=V1,V2,...", required = true, value_parser = Vary::parse)]
    vary: Vec<Vary>,
    /// Folder of the page and of the records (default: `out/`, the scene's name and `_compared`).
    #[arg(long)]
    out: Option<PathBuf>,
    /// Runs at a time (default: as many as there are processors, and memory for).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Threads to compute with, shared among the runs that go at a time (default: as many as there are processors);
    /// results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Replace the comparison that the folder holds, write beside something else, and try what takes more memory than
    /// is free.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    strip: Strip,
}

/// Part of the memory that is free that the runs may take.
const MEMORY_SHARE: f64 = 0.8;

/// A run to be made.
struct Task {
    label: String,
    opened: Opened,
    folder: PathBuf,
    force: bool,
}

pub(super) fn compare(args: &CompareArgs, stop: &Stop) -> Result<ExitCode, CliError> {
    let base = args.scene.open()?;
    base.warn();
    let out = args.out.clone().unwrap_or_else(|| {
        let name = format!("{}_compared", base.scene.name);
        Path::new("out").join(name)
    });
    let tasks = tasks(args, &out)?;
    check_out(&out, args.force)?;
    let mut largest: f64 = 0.0;
    for task in &tasks {
        task.opened.check_memory(&task.opened.scene, args.force)?;
        let (model, _) = task.opened.located(build_yarns(&task.opened.scene))?;
        largest = largest.max(most_memory(&Counts::of(&model)));
    }
    remove_comparison(&out)?;
    let side_by_side = side_by_side([args.jobs, args.threads], tasks.len(), largest);
    let [jobs, threads] = side_by_side;
    let (runs, each) = (counted(tasks.len() as u64, "run"), counted(threads as u64, "thread"));
    say(format_args!("{runs}, {jobs} at a time with {each} each"));
    stop.keep();
    let outcomes = run_all(&tasks, side_by_side, stop.interrupt())?;
    if stop.interrupt().is_raised() {
        let finished = outcomes.iter().filter(|o| matches!(o, Outcome::Finished(_))).count();
        say(format_args!("interrupted: {finished} of {runs} finished; the records are in {}", out.display()));
        return Ok(Stop::status());
    }
    let mut cases = tasks
        .iter()
        .map(|task| Case::read(&task.folder, task.label.clone()))
        .collect::<Result<Vec<_>, RecordError>>()?;
    let folders: Vec<&Path> = tasks.iter().map(|t| t.folder.as_path()).collect();
    add_pictures(&args.strip, &folders, &mut cases)?;
    let heading = Heading { scene: &base.scene.name, text: base.source.text(), side_by_side };
    write(&out, PAGE, &page(&heading, &cases))?;
    for (name, text) in TABLES.iter().zip([csv::curves(&cases), csv::table(&cases)]) {
        write(&out, name, &text)?;
    }
    say(format_args!("the comparison is in {}", out.join(PAGE).display()));
    let all = outcomes.iter().all(|o| matches!(o, Outcome::Finished(_)));
    Ok(if all { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Whether a comparison may be written to a folder.
fn check_out(out: &Path, force: bool) -> Result<(), CliError> {
    if !force && out.join(PAGE).is_file() {
        return Err(CliError::Usage(format!(
            "{} holds a comparison: replace it by --force, or give another folder by --out",
            out.display()
        )));
    }
    Ok(check_folder(out, force)?)
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), CliError> {
    let path = folder.join(name);
    Ok(fs::write(&path, text).map_err(RecordError::at(&path))?)
}

/// The scene with every combination of values.
fn tasks(args: &CompareArgs, out: &Path) -> Result<Vec<Task>, CliError> {
    let task = |(k, variation): (usize, Variation)| {
        let mut scene = args.scene.clone();
        scene.set.extend(variation.settings());
        let folder = out.join(format!("{:02}_{}", k + 1, variation.file_name()));
        Ok(Task { label: variation.label(), opened: scene.open()?, folder, force: args.force })
    };
    combinations(&args.vary).into_iter().enumerate().map(task).collect()
}

/// Runs at a time and threads for each.
fn side_by_side([jobs, threads]: [Option<u16>; 2], runs: usize, bytes_each: f64) -> [usize; 2] {
    let threads = threads.map_or_else(rayon::current_num_threads, usize::from);
    let room = free_memory().map_or(usize::MAX, |free| (MEMORY_SHARE * free / bytes_each) as usize);
    let jobs = jobs.map_or(threads.min(room), usize::from).clamp(1, runs);
    [jobs, (threads / jobs).max(1)]
}

/// Runs every task, some at a time.
fn run_all(
    tasks: &[Task],
    [jobs, threads]: [usize; 2],
    interrupt: &Interrupt,
) -> Result<Vec<Outcome>, CliError> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(tasks.len()));
    let work = || -> Result<(), CliError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|e| {
            CliError::Usage(format!("cannot start {}: {e}", counted(threads as u64, "thread")))
        })?;
        let task = || tasks.get(next.fetch_add(1, Ordering::Relaxed)).filter(|_| !interrupt.is_raised());
        while let Some(task) = task() {
            let outcome = pool.install(|| run(task, interrupt))?;
            let mut done = done.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            done.push(outcome);
            say(format_args!("{} of {}: {}", done.len(), tasks.len(), task.label));
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        let join = |worker: std::thread::ScopedJoinHandle<'_, _>| {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        workers.into_iter().try_for_each(join)
    })?;
    Ok(done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
}

/// Runs a task and records it.
fn run(task: &Task, interrupt: &Interrupt) -> Result<Outcome, CliError> {
    let scene = &task.opened.scene;
    let info = task.opened.run_info();
    let built = build_watched(scene, &Watch { interrupt, tell: &|_| {} });
    if interrupt.is_raised() {
        return Ok(Outcome::Interrupted);
    }
    let mut built = task.opened.located(built)?;
    let probes = values(&built.probes, &built.simulation);
    let mut recorder = Recorder::create(&task.folder, info, probes, task.force)?;
    let mut drive = Drive {
        simulation: &mut built.simulation,
        relaxation: None,
        probes: &built.probes,
        recorder: &mut recorder,
        meter: Meter::silent(),
    };
    let outcome = drive.run(&Limits { until: scene.until, steps: None, interrupt })?;
    if let Outcome::Failed(error) = &outcome {
        complain(format_args!("{}: {error}", task.label));
    }
    Ok(outcome)
}
