//! `hebra render`: pictures, turntables, contact sheets, films.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::common::cli::{command, hebra, with_scene};

fn recorded() -> tempfile::TempDir {
    let folder = with_scene();
    assert!(hebra(folder.path(), &["run", "cord.ron", "--out", "r"]).status.success());
    folder
}

fn render(folder: &Path, more: &[&str]) -> Output {
    hebra(folder, &[&["render", "r", "--size", "160x90"], more].concat())
}

fn error(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn files(folder: &Path, start: &str) -> usize {
    let names = fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    names.filter(|n| n.starts_with(start)).count()
}

#[test]
fn a_turntable_and_a_contact_sheet_are_drawn() {
    let folder = recorded();
    let pictures = folder.path().join("r/pictures");
    assert!(
        render(folder.path(), &["--turntable", "4", "--view", "iso", "--overlay", "nodes,forces"])
            .status
            .success()
    );
    assert_eq!(files(&pictures, "turn_"), 4);
    let turns = [0, 1].map(|k| fs::read(pictures.join(format!("turn_{k:05}.png"))).unwrap());
    assert!(turns[0] != turns[1]);
    assert!(render(folder.path(), &["--contact-sheet", "5"]).status.success());
    let decoder =
        png::Decoder::new(std::io::BufReader::new(fs::File::open(pictures.join("sheet.png")).unwrap()));
    let reader = decoder.read_info().unwrap();
    // Three columns and two rows.
    assert_eq!([reader.info().width, reader.info().height], [159, 90]);
}

/// A picture: bytes of a row, and all bytes.
fn decoded(file: &Path) -> (usize, Vec<u8>) {
    let decoder = png::Decoder::new(std::io::BufReader::new(fs::File::open(file).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut bytes).unwrap();
    (3 * reader.info().width as usize, bytes)
}

#[test]
fn every_moment_of_a_contact_sheet_is_in_its_picture() {
    let folder = with_scene();
    // Out and back again: the first and the last frame are alike.
    let motion = "clamps[0].motion=[(time: 0), (time: 0.015, translation: (0.3, 0, 0)), (time: 0.03)]";
    let thick = "rods[0].material=\"tablecloth\"";
    let swing =
        ["run", "cord.ron", "--out", "r", "--set", "clamps[0].select=All", "--set", thick, "--set", motion];
    assert!(hebra(folder.path(), &swing).status.success());
    let sheet = hebra(folder.path(), &["render", "r", "--contact-sheet", "5", "--size", "480x180"]);
    assert!(sheet.status.success(), "{}", error(&sheet));
    let (row, bytes) = decoded(&folder.path().join("r/pictures/sheet.png"));
    // The cord is ecru, everything else is grey.
    let is_cord = |x: usize, y: usize| bytes[y * row + 3 * x].abs_diff(bytes[y * row + 3 * x + 2]) > 2;
    for (left, top) in [(0, 0), (160, 0), (320, 0), (0, 90), (160, 90)] {
        let places = || (0..90).flat_map(|y| (0..160).map(move |x| (x, y)));
        let cord: Vec<_> = places().filter(|&(x, y)| is_cord(left + x, top + y)).collect();
        assert!(!cord.is_empty(), "nothing at {left}, {top}");
        assert!(cord.iter().all(|(x, _)| (3..156).contains(x)), "cut at {left}, {top}");
    }
}

#[test]
fn cameras_change_the_picture() {
    let folder = recorded();
    let picture = |more: &[&str]| {
        let output = render(folder.path(), &[&["--frame", "-1"], more].concat());
        assert!(output.status.success(), "{}", error(&output));
        fs::read(folder.path().join("r/pictures/frame_00006.png")).unwrap()
    };
    let choices: [&[&str]; 5] = [
        &[],
        &["--view", "front"],
        &["--zoom", "3"],
        &["--at", "0.1,0,-0.01"],
        &["--view", "top", "--follow"],
    ];
    let pictures: Vec<_> = choices.iter().map(|more| picture(more)).collect();
    for (i, a) in pictures.iter().enumerate() {
        assert!(pictures[..i].iter().all(|b| a != b), "{:?}", choices[i]);
    }
}

#[test]
fn wrong_options_are_refused_with_what_is_right() {
    let folder = recorded();
    let refused: [(&[&str], &str); 6] = [
        (&["--view", "fron"], "front"),
        (&["--overlay", "nods"], "nodes"),
        (&["--colour", "bend"], "bending"),
        (&["--zoom", "-2"], "above 0"),
        (&["--at", "1,2"], "three numbers"),
        (&["--contact-sheet", "100"], "larger --size"),
    ];
    for (more, hint) in refused {
        let output = render(folder.path(), more);
        assert_eq!(output.status.code(), Some(2), "{more:?}");
        assert!(error(&output).contains(hint), "{more:?}: {}", error(&output));
    }
}

/// Puts a script into a folder in the place of ffmpeg.
#[cfg(unix)]
fn install_ffmpeg(bin: &Path, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    fs::create_dir_all(bin).unwrap();
    let program = bin.join("ffmpeg");
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
#[test]
fn films_are_piped_to_ffmpeg() {
    let folder = recorded();
    let bin = folder.path().join("bin");
    let with_path = |more: &[&str]| {
        let arguments = [&["render", "r", "--size", "160x90", "--every", "2"], more].concat();
        let path = format!("{}:/usr/bin:/bin", bin.display());
        command(folder.path(), &arguments).env("PATH", path).output().unwrap()
    };
    // The last argument is the film.
    install_ffmpeg(
        &bin,
        "#!/bin/sh\n[ \"$1\" = -version ] && exit 0\nfor film; do :; done\ncat > \"$film\"\n",
    );
    let output = with_path(&["--video", "cord.mp4"]);
    assert!(output.status.success(), "{}", error(&output));
    // Frames 10 ms apart, 25 in a second.
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("0.16 seconds in cord.mp4, 4.0 times slower than real time (--fps 100"), "{said}");
    // Four frames of 160 x 90 pixels of three bytes.
    assert_eq!(fs::metadata(folder.path().join("cord.mp4")).unwrap().len(), 4 * 160 * 90 * 3);
    assert_eq!(files(&folder.path().join("r/pictures"), "frame_"), 4);

    install_ffmpeg(
        &bin,
        "#!/bin/sh\n[ \"$1\" = -version ] && exit 0\ncat > /dev/null\necho no such codec >&2\nexit 1\n",
    );
    let output = with_path(&["--video", "cord.mp4"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(error(&output).contains("no such codec"), "{}", error(&output));
}

#[cfg(unix)]
#[test]
fn an_ffmpeg_that_fails_is_told_apart_from_none() {
    let folder = recorded();
    let bin = folder.path().join("bin");
    install_ffmpeg(&bin, "#!/bin/sh\necho libx264.so.164: cannot open >&2\nexit 127\n");
    let output =
        command(folder.path(), &["render", "r", "--video", "cord.mp4"]).env("PATH", &bin).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = error(&output);
    assert!(message.contains("127") && message.contains("libx264.so.164: cannot open"), "{message}");
    assert!(!message.contains("apt install") && !folder.path().join("r/pictures").exists(), "{message}");
}

#[test]
fn a_film_without_ffmpeg_is_refused_before_anything_is_drawn() {
    let folder = recorded();
    let arguments = ["render", "r", "--video", "cord.mp4"];
    let output = command(folder.path(), &arguments).env("PATH", folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(error(&output).contains("apt install ffmpeg"), "{}", error(&output));
    assert!(!folder.path().join("r/pictures").exists());
}
