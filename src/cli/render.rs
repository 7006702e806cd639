//! `hebra render`.

use std::f64::consts::TAU;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::error::CliError;
use super::frames::{FrameArgs, open};
use super::look::LookArgs;
use super::shot::ShotArgs;
use super::stale::PICTURES;
use super::terminal::say;
use super::video::{self, Film};
use crate::draw::{RenderOptions, camera, render as draw, sheet, write_png};
use crate::record::error::RecordError;
use crate::record::reader::RecordReader;
use crate::scene::words::counted;

/// Least height of the pictures of a contact sheet, pixels.
const LEAST_CELL: u32 = 16;

/// What to draw.
#[derive(Debug, Args)]
pub(super) struct RenderArgs {
    /// The record's folder.
    record: PathBuf,
    /// Folder of the pictures (default: `pictures` in the record).
    #[arg(long)]
    out: Option<PathBuf>,
    #[command(flatten)]
    look: LookArgs,
    #[command(flatten)]
    shot: ShotArgs,
    #[command(flatten)]
    frames: FrameArgs,
    /// Draw one frame (the last one, or that of --frame) from N places around it: `turn_00000.png` and on.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=3600), conflicts_with = "every")]
    turntable: Option<u32>,
    /// Draw N moments at equal times in one picture, `sheet.png`.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100), conflicts_with_all = ["every", "frame", "turntable", "video"])]
    contact_sheet: Option<u32>,
    /// Write a film of the pictures too, by ffmpeg.
    #[arg(long, value_name = "FILE.mp4")]
    video: Option<PathBuf>,
    /// Pictures in a second of the film.
    #[arg(long, value_name = "N", default_value_t = 25, value_parser = clap::value_parser!(u32).range(video::RATES))]
    fps: u32,
}

/// A picture to be drawn: its file, its frame and how far the camera is turned, rad.
struct Task {
    name: String,
    frame: usize,
    turn: f64,
}

pub(super) fn render(args: &RenderArgs) -> Result<ExitCode, CliError> {
    let mut record = open(&args.record)?;
    let indices = args.frames.indices(record.len())?;
    if args.video.is_some() {
        video::check()?;
    }
    let folder = args.out.clone().unwrap_or_else(|| args.record.join(PICTURES));
    if let Some(n) = args.contact_sheet {
        contact_sheet(args, &mut record, (n as usize, &folder))?;
        return Ok(ExitCode::SUCCESS);
    }
    fs::create_dir_all(&folder).map_err(RecordError::at(&folder))?;
    let shot = args.shot.shot(args.look.size, &mut record)?;
    let tasks = tasks(args, &indices);
    let options = args.options(&mut record, tasks.iter().map(|task| task.frame))?;
    let start = |path: &PathBuf| Film::start(path, args.look.size, args.fps);
    let mut film = args.video.as_ref().map(start).transpose()?;
    for task in &tasks {
        let frame = record.frame(task.frame)?;
        let camera = Some(camera::orbit(&shot.camera(&frame), task.turn));
        let picture = draw(&frame, &RenderOptions { camera, ..options.clone() });
        write_png(&folder.join(&task.name), &picture)?;
        film.as_mut().map_or(Ok(()), |film| film.add(&picture))?;
    }
    say(format_args!("{} in {}", counted(tasks.len() as u64, "picture"), folder.display()));
    if let (Some(film), Some(path)) = (film, &args.video) {
        film.finish()?;
        let seconds = tasks.len() as f64 / f64::from(args.fps);
        let unit = if seconds == 1.0 { "second" } else { "seconds" };
        let pace = pace(&record, &tasks, args.fps).map_or_else(String::new, |pace| format!(", {pace}"));
        say(format_args!("{seconds} {unit} in {}{pace}", path.display()));
    }
    Ok(ExitCode::SUCCESS)
}

impl RenderArgs {
    /// How the pictures of some frames are drawn, but for the camera.
    fn options(
        &self,
        record: &mut RecordReader,
        frames: impl IntoIterator<Item = usize>,
    ) -> Result<RenderOptions, CliError> {
        let [width, height] = self.look.size;
        let (colour, overlays) = (self.look.colour, self.look.overlay.clone());
        let range = self.look.range(record, frames)?;
        Ok(RenderOptions { width, height, colour, range, overlays, ..RenderOptions::default() })
    }
}

/// How fast a film of some pictures is; none if they show a single moment.
fn pace(record: &RecordReader, tasks: &[Task], rate: u32) -> Option<String> {
    let times: Vec<f64> = record.frames().map(|entry| entry.time).collect();
    let (first, last) = (tasks.first()?.frame, tasks.last()?.frame);
    video::pace((times[last] - times[first]) / (tasks.len() as f64 - 1.0), rate)
}

/// The pictures of all frames that were asked for, or of one from all around.
fn tasks(args: &RenderArgs, indices: &[usize]) -> Vec<Task> {
    let Some(n) = args.turntable else {
        let of = |&frame: &usize| Task { name: format!("frame_{frame:05}.png"), frame, turn: 0.0 };
        return indices.iter().map(of).collect();
    };
    let frame = indices.last().copied().unwrap_or(0);
    let turned =
        |k| Task { name: format!("turn_{k:05}.png"), frame, turn: TAU * f64::from(k) / f64::from(n) };
    (0..n).map(turned).collect()
}

/// One picture of moments at equal times, each labelled with its own.
fn contact_sheet(
    args: &RenderArgs,
    record: &mut RecordReader,
    (n, folder): (usize, &Path),
) -> Result<(), CliError> {
    let moments = record.equal_times(n);
    let [columns, rows] = sheet::grid(n).map(|k| k as u32);
    let mut options = args.options(record, moments.iter().copied())?;
    (options.width, options.height) = (args.look.size[0] / columns, args.look.size[1] / rows);
    if options.width.min(options.height) < LEAST_CELL {
        let [width, height] = args.look.size;
        return Err(CliError::Usage(format!(
            "{n} pictures do not fit into {width}x{height} pixels: give a larger --size"
        )));
    }
    fs::create_dir_all(folder).map_err(RecordError::at(folder))?;
    let shot = args.shot.shot([options.width, options.height], record)?;
    let mut pictures = Vec::with_capacity(n);
    for index in moments {
        let frame = record.frame(index)?;
        options.camera = Some(shot.camera(&frame));
        pictures.push((format!("{:.3} s", frame.time), draw(&frame, &options)));
        options.legend = false;
    }
    let path = folder.join("sheet.png");
    write_png(&path, &sheet::sheet(&pictures))?;
    say(format_args!("{} in {}", counted(n as u64, "moment"), path.display()));
    Ok(())
}
