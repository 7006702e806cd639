//! The graphics driver's pictures, where there is a driver.
#![cfg(feature = "viewer")]

mod common;

use common::woven::Patch;
use hebra::pattern::weave::Weave;
use hebra::viewer::{ViewOptions, ViewerError, snapshot_headless, view};

#[test]
fn a_snapshot_shows_the_yarns_or_names_the_missing_driver() {
    let frame = Patch::new(Weave::Plain, 12).frame(|x, y| [x, y, 0.0]);
    match snapshot_headless(&frame, [320, 180]) {
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
