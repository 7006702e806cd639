//! The viewer in a real window: seen, turned, played and pulled at as by a user.
//!
//! The window's pictures are in the folder of cargo's temporary files, for looking at.
#![cfg(all(feature = "viewer", target_os = "linux"))]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::screen::{Program, Screen, errors_in, wait_for};
use hebra::draw::{Image, write_png};

const SIZE: [u32; 2] = [800, 600];
const MIDDLE: [i32; 2] = [400, 300];
const HEBRA: &str = env!("CARGO_BIN_EXE_hebra");

/// A red and blue cloth that falls; ten frames.
const FALLING: &str = "(
    fabrics: [(
        name: \"cloth\",
        warp: (count: 16, spacing: 1e-3, colours: [(0.7, 0.02, 0.02)]),
        weft: (count: 16, spacing: 1e-3, colours: [(0.02, 0.02, 0.7)]),
    )],
    until: 0.018,
    record: (every: 2e-3),
    camera: (eye: (0.0, -0.03, 0.03), target: (0, 0, 0)),
)";

/// A red rod along x, held at its left end, without weight.
const ROD: &str = "// A rod.
(
    rods: [(name: \"rod\", points: [(-0.05, 0, 0), (0.05, 0, 0)], segments: 10, material: \"cord\",
            colour: (0.7, 0.02, 0.02))],
    materials: {\"cord\": (radius: 1e-3, bending: 1e-9)},
    clamps: [(name: \"wall\", select: RodEnd(rod: \"rod\", end: Start))],
    forces: (gravity: (0, 0, 0)), // weightless
    until: 1000,
)
";

/// Which pixels are much more red, or more blue, than anything else.
fn coloured(picture: &Image, channel: usize) -> impl Iterator<Item = [usize; 2]> + '_ {
    let width = picture.width as usize;
    let strong = move |p: &[u8]| (0..3).all(|k| k == channel || p[channel] > p[k].saturating_add(40));
    let pixels = picture.rgb.chunks_exact(3).enumerate().filter(move |(_, p)| strong(p));
    pixels.map(move |(i, _)| [i % width, i / width])
}

fn reds(picture: &Image) -> usize {
    coloured(picture, 0).count()
}

fn blues(picture: &Image) -> usize {
    coloured(picture, 2).count()
}

/// Mean column and row of the red and the blue pixels.
fn centre(picture: &Image) -> [f64; 2] {
    let all: Vec<_> = coloured(picture, 0).chain(coloured(picture, 2)).collect();
    [0, 1].map(|k| all.iter().map(|p| p[k] as f64).sum::<f64>() / all.len().max(1) as f64)
}

/// Pixels that differ visibly.
fn changes(a: &Image, b: &Image) -> usize {
    let pixels = a.rgb.chunks_exact(3).zip(b.rgb.chunks_exact(3));
    pixels.filter(|(a, b)| (0..3).any(|k| a[k].abs_diff(b[k]) > 24)).count()
}

/// Looks until a picture is as expected, and keeps it.
fn see(screen: &Screen, name: &str, is_right: impl Fn(&Image) -> bool) -> Image {
    let mut last = screen.look();
    let kept = || Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.png"));
    let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        wait_for(name, || {
            last = screen.look();
            is_right(&last).then_some(())
        });
    }));
    write_png(&kept(), &last).unwrap();
    assert!(found.is_ok(), "{name}: {} red, {} blue; see {}", reds(&last), blues(&last), kept().display());
    last
}

/// Records the falling cloth in `out/falling`.
fn record(folder: &Path) {
    fs::write(folder.join("falling.ron"), FALLING).unwrap();
    let run =
        Command::new(HEBRA).args(["run", "falling.ron", "--quiet"]).current_dir(folder).output().unwrap();
    assert!(run.status.success(), "{run:?}");
}

fn play<'a>(screen: &'a Screen, folder: &Path, more: &[&str]) -> Program<'a> {
    let arguments = [&["view", "out/falling", "--size", "800x600"], more].concat();
    screen.start(folder, HEBRA, &arguments)
}

#[test]
fn a_record_is_played_turned_coloured_and_photographed() {
    let Some(screen) = Screen::open(SIZE) else { return };
    let folder = tempfile::tempdir().unwrap();
    record(folder.path());
    let mut program = play(&screen, folder.path(), &["--scene", "falling.ron"]);
    let seen = see(&screen, "opened", |p| reds(p) > 3_000 && blues(p) > 3_000);
    wait_for("the last frame", || program.step().filter(|step| *step == 18));
    program.press(&["h"]);
    let bare = see(&screen, "without_panel", |p| changes(p, &seen) > 5_000);

    program.press(&["Home"]);
    wait_for("the first frame", || program.step().filter(|step| *step == 0));
    program.press(&["Right", "Right", "Left"]);
    wait_for("the second frame", || program.step().filter(|step| *step == 2));
    let before = see(&screen, "second_frame", |p| reds(p) > 3_000);

    program.drag("1", MIDDLE, [500, 250], None);
    let turned = see(&screen, "turned", |p| changes(p, &before) > 10_000 && reds(p) > 2_000);
    program.drag("3", MIDDLE, [460, 340], None);
    let moved = see(&screen, "moved", |p| centre(p)[0] > centre(&turned)[0] + 30.0);
    assert!(centre(&moved)[1] > centre(&turned)[1] + 15.0, "{:?} {:?}", centre(&moved), centre(&turned));
    program.click("4", 5);
    let near = see(&screen, "zoomed", |p| reds(p) as f64 > 1.3 * reds(&moved) as f64);
    program.press(&["5", "f"]);
    let above =
        see(&screen, "from_above", |p| changes(p, &near) > 10_000 && (centre(p)[0] - 400.0).abs() < 5.0);
    assert!(blues(&above) > 10_000 && reds(&above) > 10_000, "{} {}", blues(&above), reds(&above));

    program.press(&["m", "m", "m"]);
    see(&screen, "coloured_by_speed", |p| reds(p) < reds(&above) / 10 && changes(p, &above) > 20_000);
    program.press(&["M", "M", "M", "question"]);
    see(&screen, "keys", |p| changes(p, &above) > 20_000 && reds(p) > 100);
    program.press(&["question"]);
    see(&screen, "keys_gone", |p| changes(p, &above) < 2_000);

    program.press(&["n"]);
    see(&screen, "nodes", |p| changes(p, &above) > 20_000 && reds(p) < reds(&above) / 2);
    program.press(&["n"]);
    see(&screen, "nodes_gone", |p| changes(p, &above) < 2_000);

    program.press(&["p"]);
    let photo = wait_for("the photo", || {
        let decoder = png::Decoder::new(std::io::BufReader::new(
            fs::File::open(folder.path().join("falling_000002.png")).ok()?,
        ));
        let mut reader = decoder.read_info().ok()?;
        let mut rgb = vec![0; reader.output_buffer_size()?];
        let info = reader.next_frame(&mut rgb).ok()?;
        Some(Image { width: info.width, height: info.height, rgb })
    });
    assert_eq!([photo.width, photo.height], SIZE);
    assert!(reds(&photo) > 10_000 && blues(&photo) > 10_000);

    program.press(&["s"]);
    wait_for("the camera", || {
        let text = fs::read_to_string(folder.path().join("falling.ron")).ok()?;
        (text != FALLING && text.contains("camera: (eye: (")).then_some(())
    });
    let mut changed = fs::read_to_string(folder.path().join("falling.ron")).unwrap();
    changed.push_str("// more\n");
    fs::write(folder.path().join("falling.ron"), &changed).unwrap();
    program.press(&["1", "s"]);
    see(&screen, "from_the_front", |p| changes(p, &above) > 100_000);
    program.press(&["5"]);
    see(&screen, "refused", |p| changes(p, &above) < 60_000);
    assert_eq!(
        fs::read_to_string(folder.path().join("falling.ron")).unwrap(),
        changed,
        "written over a change"
    );

    for size in [[60, 40], [300, 1], [1, 1], SIZE] {
        program.resize(size);
    }
    see(&screen, "large_again", |p| reds(p) > 3_000);
    drop(bare);
    program.press(&["Escape"]);
    assert_eq!((program.end(), errors_in(folder.path()).contains("panic")), (Some(0), false));
}

#[test]
fn a_yarn_follows_the_mouse_while_it_is_simulated() {
    let Some(screen) = Screen::open(SIZE) else { return };
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("rod.ron"), ROD).unwrap();
    let mut program = screen.start(folder.path(), HEBRA, &["view", "rod.ron", "--size", "800x600"]);
    see(&screen, "rod_opened", |p| reds(p) > 300);
    program.press(&["h", "1", "f"]);
    wait_for("a step", || program.step().filter(|step| *step > 3));
    // The rod lies across the middle of the window.
    let highest = |p: &Image| coloured(p, 0).map(|[_, y]| y).min().unwrap_or(0);
    let rod = see(&screen, "rod", |p| (290..310).contains(&highest(p)) && reds(p) > 1_000);
    let right = coloured(&rod, 0).map(|[x, _]| x).max().unwrap() as i32 - 10;

    program.take("1", [right, 300], [right - 60, 180], Some("Shift_L"));
    see(&screen, "pulled", |p| highest(p) < 240);
    program.let_go("1", Some("Shift_L"));
    program.press(&["space"]);
    let paused = wait_for("a pause", || {
        let step = program.step()?;
        std::thread::sleep(std::time::Duration::from_millis(1500));
        (program.step() == Some(step)).then_some(step)
    });
    program.press(&["Right"]);
    wait_for("a single step", || program.step().filter(|step| *step == paused + 1));
    program.press(&["r"]);
    see(&screen, "restarted", |p| (290..310).contains(&highest(p)));

    program.press(&["s"]);
    let text = wait_for("the camera", || {
        let text = fs::read_to_string(folder.path().join("rod.ron")).ok()?;
        text.contains("camera").then_some(text)
    });
    let (kept, added) = text.split_once("    camera: (eye: ").unwrap();
    assert_eq!(kept, ROD.strip_suffix(")\n").unwrap());
    assert!(added.ends_with("),\n)\n"), "{added}");
    program.press(&["q"]);
    assert_eq!((program.end(), errors_in(folder.path()).contains("panic")), (Some(0), false));
}

#[test]
fn a_record_cut_short_is_played_and_one_that_grows_is_followed() {
    let Some(screen) = Screen::open(SIZE) else { return };
    let folder = tempfile::tempdir().unwrap();
    record(folder.path());
    let frames = folder.path().join("out/falling/frames.bin");
    let whole = fs::read(&frames).unwrap();
    fs::write(&frames, &whole[..whole.len() / 2]).unwrap();
    let mut program = play(&screen, folder.path(), &[]);
    see(&screen, "cut_short", |p| reds(p) > 3_000);
    program.press(&["End"]);
    let cut = wait_for("the last whole frame", || program.step().filter(|step| *step > 0));
    assert!(cut < 18, "{cut}");
    assert!(errors_in(folder.path()).contains("ends within a frame"), "{}", errors_in(folder.path()));
    fs::write(&frames, &whole).unwrap();
    wait_for("the last frame", || {
        program.press(&["End"]);
        program.step().filter(|step| *step == 18)
    });
    // Whatever happens to the files, the window stays.
    fs::write(&frames, b"HEBRAFRM\x01\0\0\0 nothing of sense").unwrap();
    program.press(&["Home", "Right", "End"]);
    fs::remove_dir_all(folder.path().join("out")).unwrap();
    program.press(&["Home", "Right", "End"]);
    assert!(program.is_running(), "{}", errors_in(folder.path()));
    program.press(&["q"]);
    assert_eq!((program.end(), errors_in(folder.path()).contains("panic")), (Some(0), false));
}

#[test]
fn a_run_is_watched_while_it_is_recorded() {
    let Some(screen) = Screen::open(SIZE) else { return };
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("falling.ron"), FALLING).unwrap();
    let mut program =
        screen.start(folder.path(), HEBRA, &["run", "falling.ron", "--view", "--until", "0.05"]);
    see(&screen, "watched", |p| reds(p) > 3_000);
    wait_for("the last frame", || {
        program.press(&["End"]);
        program.step().filter(|step| *step == 50)
    });
    program.press(&["q"]);
    assert_eq!((program.end(), errors_in(folder.path()).contains("panic")), (Some(0), false));
    let summary = fs::read_to_string(folder.path().join("out/falling/summary.json")).unwrap();
    assert!(summary.contains("\"finished\": true"), "{summary}");
}
