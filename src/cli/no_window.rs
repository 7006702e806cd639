//! In the place of the viewer in a program that was built without it.

use std::path::Path;

use super::error::CliError;
use super::look::LookArgs;
use super::scene::SceneArgs;

pub(super) fn settle() {}

pub(super) fn check() -> Result<(), CliError> {
    Err(missing("`hebra run` without --view and `hebra render` make pictures"))
}

pub(super) fn play(folder: &Path, _look: &LookArgs, _scene: Option<&Path>) -> Result<(), CliError> {
    Err(missing(&format!("`hebra render {}` draws pictures", folder.display())))
}

pub(super) fn snapshot(folder: &Path, frame: i64, _file: &Path, _look: &LookArgs) -> Result<(), CliError> {
    Err(missing(&format!("`hebra render {} --frame {frame}` draws the picture", folder.display())))
}

pub(super) fn simulate(args: &SceneArgs, _look: &LookArgs) -> Result<(), CliError> {
    let scene = args.scene.display();
    Err(missing(&format!("`hebra run {scene}` makes a record, and `hebra render` draws it")))
}

fn missing(instead: &str) -> CliError {
    CliError::Usage(format!(
        "this hebra was built without windows: build it by `cargo build --release --features viewer`; \
         {instead} without one"
    ))
}
