//! The commands of the program `hebra`.

mod cell;
mod check;
mod compare;
mod display;
mod drive;
mod error;
mod export;
mod frames;
mod info;
#[cfg(feature = "viewer")]
mod live;
mod look;
mod materials;
mod meter;
mod prepare;
mod render;
mod run;
mod scene;
mod shot;
mod stale;
mod stop;
mod strip;
mod terminal;
mod vary;
mod video;
mod view;
#[cfg_attr(not(feature = "viewer"), path = "no_window.rs")]
mod window;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use self::error::CliError;
use self::stop::Stop;

/// Simulates woven cloth in which every yarn is a rod.
#[derive(Debug, Parser)]
#[command(name = "hebra", version)]
struct Cli {
    /// Print nothing but errors.
    #[arg(long, short, global = true)]
    quiet: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Simulate a scene and write a record of the run.
    Run(run::RunArgs),
    /// Bring a scene to rest without going through the motion, and write a record of it.
    Relax(run::RunArgs),
    /// Read and build a scene, say what is wrong with it, change nothing.
    Check(check::CheckArgs),
    /// Bring one repeat of every knit of a scene to rest among copies of itself, and say how large it is and what pulls.
    Cell(cell::CellArgs),
    /// Count the rods, nodes, contacts and unknowns of a scene and estimate its memory.
    Info(scene::SceneArgs),
    /// List the built-in materials with their values and where these come from.
    Materials,
    /// Run a scene with different values and show the runs side by side on a page.
    Compare(compare::CompareArgs),
    /// Look at a record, or at a scene while it is simulated, in a window.
    View(view::ViewArgs),
    /// Draw the frames of a record as PNG pictures; needs no screen.
    Render(render::RenderArgs),
    /// Write the frames of a record in another program's format.
    Export(export::ExportArgs),
}

/// Runs the command that the program was started with.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    terminal::set_quiet(cli.quiet);
    obey(&cli.command).unwrap_or_else(|error| {
        terminal::complain(&error);
        error.status()
    })
}

fn obey(command: &Command) -> Result<ExitCode, CliError> {
    let stop = match command {
        // A graphics driver is not to be left by the way of `exit`.
        Command::View(_) => Stop::default(),
        _ => Stop::listen()?,
    };
    match command {
        Command::Run(args) => run::run(args, false, &stop),
        Command::Relax(args) => run::run(args, true, &stop),
        Command::Check(args) => check::check(args, &stop),
        Command::Cell(args) => cell::cell(args),
        Command::Info(args) => info::info(args),
        Command::Materials => materials::materials(),
        Command::Compare(args) => compare::compare(args, &stop),
        Command::View(args) => view::view(args),
        Command::Render(args) => render::render(args),
        Command::Export(args) => export::export(args),
    }
}
