//! The graphics driver's pictures, where there is a driver.
#![cfg(feature = "viewer")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use std::path::Path;
use std::process::{Command, Output};

use common::woven::Patch;
use hebra::pattern::weave::Weave;
use hebra::viewer::{ViewOptions, ViewerError, snapshot_headless, view};

#[test]
fn a_snapshot_shows_the_yarns_or_names_the_missing_driver() {
    let frame = Patch::new(Weave::Plain, 12).frame(|x, y| [x, y, 0.0]);
    let options = ViewOptions { size: [320, 180], ..ViewOptions::default() };
    match snapshot_headless(&frame, &options) {
        Ok(picture) => {
            assert_eq!((picture.width, picture.height, picture.rgb.len()), (320, 180, 3 * 320 * 180));
            let bluish = picture.rgb.chunks_exact(3).filter(|p| p[2] > p[0].saturating_add(40)).count();
            assert!((2_000..30_000).contains(&bluish), "{bluish} pixels of blue warp");
        }
        Err(error) => assert!(matches!(error, ViewerError::NoDriver(_)), "{error}"),
    }
}

#[test]
fn a_window_without_a_display_or_frames_is_refused() {
    let error = view(&mut Vec::new(), &ViewOptions::default()).unwrap_err();
    assert!(matches!(error, ViewerError::NoDisplay | ViewerError::NoFrames), "{error}");
}

const SCENE: &str = "(rods: [(points: [(0, 0, 0), (0.1, 0, 0)], segments: 10)], until: 0.01)";

/// Runs hebra without a display.
fn hebra(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hebra"));
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").current_dir(folder);
    command.args(arguments).output().unwrap()
}

#[test]
fn a_snapshot_of_a_record_needs_no_display_and_a_window_says_that_it_does() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("cord.ron"), SCENE).unwrap();
    assert!(hebra(folder.path(), &["run", "cord.ron"]).status.success());
    let taken = hebra(folder.path(), &["view", "out/cord", "--snapshot", "a.png", "--size", "64x48"]);
    let message = String::from_utf8_lossy(&taken.stderr).into_owned();
    match taken.status.code() {
        Some(0) => assert!(std::fs::metadata(folder.path().join("a.png")).unwrap().len() > 100),
        code => assert!(code == Some(1) && message.contains("mesa-vulkan-drivers"), "{message}"),
    }
    for arguments in [&["view", "out/cord"][..], &["view", "cord.ron"], &["run", "cord.ron", "--view"]] {
        let refused = hebra(folder.path(), arguments);
        assert_eq!(refused.status.code(), Some(1), "{refused:?}");
        assert!(String::from_utf8_lossy(&refused.stderr).contains("no display"), "{refused:?}");
    }
}
