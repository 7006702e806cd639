//! A scene given on the command line.

use std::fs::canonicalize;
use std::path::PathBuf;

use clap::Args;

use super::error::CliError;
use super::terminal::remark;
use crate::input::Input;
use crate::record::recorder::RunInfo;
use crate::scene::error::Problem;
use crate::scene::params::Scene;
use crate::scene::parse::parse;
use crate::scene::size::{Size, free_memory, gigabytes, too_large};
use crate::scene::source::Source;
use crate::scene::validate::warnings;

/// A scene with overrides.
#[derive(Debug, Clone, Args)]
pub(super) struct SceneArgs {
    /// The scene's file.
    pub(super) scene: PathBuf,
    /// Override a value of the scene, as in `--set solver.dt=5e-4` or `--set fabrics[0].warp.count=100`.
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub(super) set: Vec<String>,
}

/// A scene and the text that it was read from.
pub(super) struct Opened {
    pub(super) source: Source,
    pub(super) scene: Scene,
}

impl SceneArgs {
    /// Reads the scene and applies the overrides.
    pub(super) fn open(&self) -> Result<Opened, CliError> {
        let mut source = Source::read(&self.scene)?;
        for argument in &self.set {
            source.set(argument)?;
        }
        let scene = parse(&source)?;
        Ok(Opened { source, scene })
    }
}

impl Opened {
    /// Says what is hardly meant.
    pub(super) fn warn(&self) {
        for problem in warnings(&self.scene) {
            remark(format_args!("warning: {}", self.source.locate(&[problem])));
        }
    }

    /// What a record says of a run.
    pub(super) fn run_info(&self) -> RunInfo {
        let folder = std::path::absolute(self.folder()).unwrap_or_default();
        // A file that cannot be read is told of with its place when the scene is built.
        let input = |file: &PathBuf| Input::of(file, &folder).ok();
        RunInfo {
            scene: self.scene.name.clone(),
            text: self.source.text().into(),
            inputs: self.scene.files.iter().filter_map(input).collect(),
            threads: rayon::current_num_threads(),
            params: self.scene.record,
        }
    }

    /// Whether a run of the scene, as it is or as it is relaxed, fits into the memory that is free.
    pub(super) fn check_memory(&self, scene: &Scene, force: bool) -> Result<(), CliError> {
        self.located(too_large(scene).map_or(Ok(()), |problem| Err(vec![problem])))?;
        let needed = Size::of(scene).to_run(scene.solver.linear);
        match free_memory().filter(|&free| needed > free && !force) {
            Some(free) => Err(CliError::Usage(format!(
                "{}: a run takes about {} of memory, and {} are free: make the scene smaller, or try it all the same by \
                 --force",
                self.scene.name,
                gigabytes(needed),
                gigabytes(free)
            ))),
            None => Ok(()),
        }
    }

    /// Files outside the scene's folder that it reads, links followed.
    pub(super) fn outside(&self) -> impl Iterator<Item = &PathBuf> {
        let folder = canonicalize(self.folder()).unwrap_or_default();
        self.scene.files.iter().filter(move |file| canonicalize(file).is_ok_and(|f| !f.starts_with(&folder)))
    }

    /// The folder of the scene, that of the process too by a name.
    fn folder(&self) -> PathBuf {
        self.source.folder().join(".")
    }

    /// What building the scene gave, or its problems with their places.
    pub(super) fn located<T>(&self, built: Result<T, Vec<Problem>>) -> Result<T, CliError> {
        built.map_err(|problems| self.source.locate(&problems).into())
    }
}
