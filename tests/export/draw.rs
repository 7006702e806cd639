//! Pictures of woven patches.

use crate::common::woven::{Patch, drape};
use hebra::draw::curve::curves;
use hebra::draw::{ColourMode, Detail, RenderOptions, camera, render, write_png};
use hebra::frame::{Camera, Frame};
use hebra::geometry::Vec3;
use hebra::pattern::weave::Weave;

fn weaves() -> [Weave; 3] {
    [Weave::Plain, Weave::Twill { over: 2, under: 2 }, Weave::Satin { ends: 5, step: 2 }]
}

fn small() -> RenderOptions {
    RenderOptions { width: 160, height: 90, ..RenderOptions::default() }
}

#[test]
fn yarns_of_a_crossing_touch_with_the_warp_on_top_where_the_draft_says() {
    for weave in weaves() {
        let (n, draft) = (10, weave.draft().unwrap());
        let patch = Patch::new(weave, n);
        let drawn = curves(&patch.frame(|x, y| [x, y, 0.0]));
        for (warp, weft) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let (a, b) = (drawn[warp].points[weft + 1], drawn[n + weft].points[warp + 1]);
            let height = if draft.warp_on_top(warp, weft) { a.z - b.z } else { b.z - a.z };
            assert!((height / (2.0 * patch.radius as f32) - 1.0).abs() < 1e-3);
        }
    }
}

#[test]
fn parallel_yarns_at_a_contact_still_touch() {
    let patch = Patch::new(Weave::Plain, 4);
    // The plane pressed onto a line: all yarns run the same way.
    let drawn = curves(&patch.frame(|x, y| [x + y, 0.0, 0.0]));
    for (warp, weft) in (0..4).flat_map(|i| (0..4).map(move |j| (i, j))) {
        let distance = (drawn[warp].points[weft + 1] - drawn[4 + weft].points[warp + 1]).norm();
        assert!((distance / (2.0 * patch.radius as f32) - 1.0).abs() < 1e-3, "{distance}");
    }
}

#[test]
fn frames_without_extent_are_drawn() {
    let patch = Patch::new(Weave::Plain, 4);
    let point = patch.frame(|_, _| [0.0; 3]);
    let nan = patch.frame(|_, _| [f64::NAN; 3]);
    let torn = patch.frame(|x, y| [x, y, if x > 0.0 { f64::INFINITY } else { 0.0 }]);
    for frame in [point, nan, torn] {
        assert_eq!(render(&frame, &small()).rgb.len(), 3 * 160 * 90);
    }
}

/// Spread of the brightness of tiles of 12 pixels in the middle of a picture, of 255.
fn unevenness(picture: &hebra::draw::Image) -> f64 {
    const TILE: usize = 12;
    let (width, height) = (picture.width as usize, picture.height as usize);
    let tile = |x: usize, y: usize| {
        let rows = (y..y + TILE).flat_map(|y| (x..x + TILE).map(move |x| 3 * (y * width + x)));
        rows.map(|k| f64::from(picture.rgb[k + 1])).sum::<f64>() / (TILE * TILE) as f64
    };
    let rows = (height / 4..3 * height / 4 - TILE).step_by(TILE);
    let tiles: Vec<f64> = rows
        .flat_map(|y| (width / 4..3 * width / 4 - TILE).step_by(TILE).map(move |x| (x, y)))
        .map(|(x, y)| tile(x, y))
        .collect();
    let mean = tiles.iter().sum::<f64>() / tiles.len() as f64;
    (tiles.iter().map(|t| (t - mean).powi(2)).sum::<f64>() / tiles.len() as f64).sqrt()
}

#[test]
fn fine_cloth_from_afar_is_even() {
    let frame = Patch::new(Weave::Plain, 90).frame(|x, y| [x, y, 0.0]);
    // A little turned, so that rows of yarns and of pixels would beat; 1.3 pixels from yarn to yarn.
    let square = RenderOptions { width: 180, height: 180, ..RenderOptions::default() };
    let camera = camera::fit_direction(&[&frame], 1.0, [0.05, -0.1, 1.0]);
    let draw = |supersampling| {
        render(&frame, &RenderOptions { supersampling, camera: Some(camera), ..square.clone() })
    };
    let (smooth, jagged) = (unevenness(&draw(2)), unevenness(&draw(1)));
    assert!(smooth < 2.5 && jagged > 3.0 * smooth, "{smooth} {jagged}");
}

#[test]
fn the_number_of_threads_does_not_change_the_picture() {
    let frame = Patch::new(Weave::Plain, 30).frame(drape(4e-3));
    let draw = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| render(&frame, &small()))
    };
    assert!(draw(1) == draw(3));
}

/// Part of a picture's width or height that frames fill; they must be in it.
fn filled(frames: &[Frame], camera: &Camera) -> f32 {
    let view = camera::View::new(camera, [1600, 900]);
    let seen: Vec<_> = frames.iter().flat_map(|f| &f.position).map(|&p| view.project(p.into())).collect();
    let low = |k: usize| seen.iter().map(|p| p[k]).fold(f32::INFINITY, f32::min);
    let high = |k: usize| seen.iter().map(|p| p[k]).fold(0.0, f32::max);
    assert!(low(0) > 0.0 && low(1) > 0.0 && high(0) < 1600.0 && high(1) < 900.0);
    ((high(0) - low(0)) / 1600.0).max((high(1) - low(1)) / 900.0)
}

#[test]
fn an_automatic_camera_shows_the_whole_cloth_and_fills_the_picture() {
    let frame = Patch::new(Weave::Plain, 30).frame(drape(4e-3));
    let part = filled(std::slice::from_ref(&frame), &camera::fit(&[&frame], 16.0 / 9.0));
    assert!(part > 0.8, "{part}");
}

#[test]
fn a_camera_that_was_shown_a_run_sees_all_of_it_and_fills_the_picture() {
    let patch = Patch::new(Weave::Plain, 12);
    // It swings out and ends where it began.
    let run =
        [0.0, 0.004, 0.021, -0.013, 0.0].map(|d| patch.frame(|x, y| [x + d, y - 0.2 * d, d * d / 0.01]));
    let mut framing = camera::Framing::automatic(16.0 / 9.0);
    run.iter().for_each(|frame| framing.add(frame, Vec3::zeros()));
    let part = filled(&run, &framing.camera());
    assert!(part > 0.8, "{part}");
}

#[test]
fn a_camera_inside_the_cloth_or_below_the_ground_draws() {
    let frame = ground(&Patch::new(Weave::Plain, 8));
    for eye in [[0.0, 0.0, 1e-5], [0.0, 0.0, -1e-2], [0.0, 0.0, 0.1]] {
        let camera = Camera { eye, target: [1e-3, 0.0, 0.0], up: [0.0, 0.0, 1.0], field_of_view: 60.0 };
        render(&frame, &RenderOptions { camera: Some(camera), ..small() });
    }
}

fn ground(patch: &Patch) -> Frame {
    use hebra::geometry::pose::Pose;
    use hebra::model::obstacle::Shape;
    let obstacles = vec![
        (Shape::Plane, Pose::IDENTITY),
        (Shape::Box { size: [1e-3, 1e-3, 2e-3] }, Pose::IDENTITY),
        (Shape::Capsule { radius: 1e-3, length: 2e-3 }, Pose::IDENTITY),
    ];
    let copy = Patch { weave: patch.weave.clone(), obstacles, ..*patch };
    copy.frame(|x, y| [x, y, 2e-4])
}

#[test]
fn each_colour_mode_draws_something_else() {
    let frame = Patch::new(Weave::Plain, 8).frame(|x, y| [x, 1.1 * y, 0.1 * x]);
    let modes = [
        ColourMode::Yarn,
        ColourMode::Fabric,
        ColourMode::Stretch,
        ColourMode::Speed,
        ColourMode::NormalForce,
        ColourMode::Slide,
        ColourMode::Kind,
    ];
    let detail = Detail::Fixed { pieces: 2, sides: 6 };
    let pictures = modes.map(|colour| render(&frame, &RenderOptions { colour, detail, ..small() }));
    for (i, a) in pictures.iter().enumerate() {
        assert!(pictures[..i].iter().all(|b| a != b), "{:?}", modes[i]);
    }
}

#[test]
fn a_picture_is_written_and_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let picture = render(&Patch::new(Weave::Plain, 4).frame(|x, y| [x, y, 0.0]), &small());
    let path = folder.path().join("a.png");
    write_png(&path, &picture).unwrap();
    let decoder = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(&path).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut rgb).unwrap();
    assert_eq!(rgb, picture.rgb);
    let error = write_png(&folder.path().join("no/a.png"), &picture).unwrap_err().to_string();
    assert!(error.contains("no/a.png"), "{error}");
}
