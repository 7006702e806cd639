//! The graphics driver's pictures, where there is a driver.

use std::path::Path;
use std::process::{Command, Output};

use crate::common::woven::Patch;
use hebra::draw::{Image, RenderOptions, camera_of, render};
use hebra::frame::Camera;
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

/// Which pixels of a picture are not its background.
fn silhouette(picture: &Image, background: &Image) -> Vec<bool> {
    let pixels = picture.rgb.chunks_exact(3).zip(background.rgb.chunks_exact(3));
    pixels.map(|(a, b)| (0..3).any(|k| a[k].abs_diff(b[k]) > 3)).collect()
}

#[test]
fn the_driver_and_the_software_show_the_same_silhouette() {
    let bent = |x: f64, y: f64| [x, y, 0.1 * (300.0 * x).sin() * (x * x + y * y).sqrt()];
    let frame = Patch::new(Weave::Plain, 20).frame(bent);
    let options = ViewOptions { size: [480, 360], ..ViewOptions::default() };
    let (width, height) = (480, 360);
    let plain = RenderOptions { width, height, supersampling: 1, plies: false, ..RenderOptions::default() };
    let camera = camera_of(&frame, &plain);
    // Nothing is behind the eye.
    let away: [f64; 3] = std::array::from_fn(|k| 2.0 * camera.eye[k] - camera.target[k]);
    let nothing = Some(Camera { target: away, ..camera });
    let drawn = |camera| match snapshot_headless(&frame, &ViewOptions { camera, ..options.clone() }) {
        Ok(picture) => Some(picture),
        Err(error) => {
            assert!(matches!(error, ViewerError::NoDriver(_)), "{error}");
            None
        }
    };
    let (Some(picture), Some(background)) = (drawn(Some(camera)), drawn(nothing)) else { return };
    let by_driver = silhouette(&picture, &background);
    let in_software = silhouette(
        &render(&frame, &plain),
        &render(&frame, &RenderOptions { camera: nothing, ..plain.clone() }),
    );
    let count = |is_in: &dyn Fn(bool, bool) -> bool| {
        by_driver.iter().zip(&in_software).filter(|(a, b)| is_in(**a, **b)).count()
    };
    let (both, either) = (count(&|a, b| a && b), count(&|a, b| a || b));
    println!("{both} of {either} pixels");
    assert!(both > 20_000 && both as f64 > 0.97 * either as f64, "{both} of {either} pixels");
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
    for (name, value) in [("DISPLAY", ":9999"), ("DISPLAY", "nonsense"), ("WAYLAND_DISPLAY", "wayland-9999")]
    {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hebra"));
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env(name, value);
        let refused = command.args(["view", "out/cord"]).current_dir(folder.path()).output().unwrap();
        let message = String::from_utf8_lossy(&refused.stderr);
        assert!(refused.status.code() == Some(1) && message.contains(value), "{refused:?}");
    }
}
