//! `hebra export` from the command line: which files there are, and what is refused.

use std::fs;
use std::path::Path;

use crate::common::cli::{hebra, with_scene};

/// A folder with a record of four frames in `out/cord`.
fn with_record() -> tempfile::TempDir {
    let folder = with_scene();
    assert!(hebra(folder.path(), &["run", "cord.ron", "--steps", "11"]).status.success());
    folder
}

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The status and the message of an export that is refused.
fn refused(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let output = hebra(folder, &[&["export"], arguments].concat());
    assert!(!output.status.success() && output.stdout.is_empty(), "{output:?}");
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn each_format_has_its_files() {
    let folder = with_record();
    let four = |extension: &str| (0..4).map(|i| format!("frame_0000{i}.{extension}")).collect::<Vec<_>>();
    for (format, expected) in [
        ("csv", four("csv")),
        ("obj", four("obj")),
        ("bcc", four("bcc")),
        ("gltf", four("glb")),
        ("usda", vec!["frames.usda".to_owned()]),
        ("vtk", [four("vtp"), vec!["frames.pvd".to_owned()]].concat()),
    ] {
        let output = hebra(folder.path(), &["export", "out/cord", "--to", format]);
        assert!(output.status.success(), "{output:?}");
        let at = Path::new("out/cord").join(format);
        assert_eq!(files(&folder.path().join(&at)), expected);
        let said = String::from_utf8(output.stdout).unwrap();
        assert_eq!(said, format!("4 frames as {format} in {}\n", at.display()));
    }
}

#[test]
fn a_new_record_does_not_lie_beside_pictures_of_the_old_one() {
    let folder = with_record();
    let record = folder.path().join("out/cord");
    let bare = files(&record);
    for format in ["csv", "obj", "bcc", "gltf", "usda", "vtk"] {
        let written = hebra(folder.path(), &["export", "out/cord", "--to", format]);
        assert!(written.status.success(), "{written:?}");
    }
    for more in [&["--every", "2"][..], &["--turntable", "2"], &["--contact-sheet", "2"]] {
        let drawn = hebra(folder.path(), &[&["render", "out/cord", "--size", "64x48"], more].concat());
        assert!(drawn.status.success(), "{drawn:?}");
    }
    assert_eq!(files(&record).len(), bare.len() + 7);
    fs::write(record.join("pictures/film.mp4"), "of one's own").unwrap();
    let again = hebra(folder.path(), &["run", "cord.ron", "--steps", "2", "--force"]);
    assert!(again.status.success(), "{again:?}");
    assert_eq!(files(&record).into_iter().filter(|name| name != "pictures").collect::<Vec<_>>(), bare);
    assert_eq!(files(&record.join("pictures")), ["film.mp4"]);
}

#[test]
fn frames_are_chosen_and_keep_their_numbers() {
    let folder = with_record();
    for (choice, expected) in [
        (["--every", "3"], &["frame_00000.csv", "frame_00003.csv"][..]),
        (["--frame", "2"], &["frame_00002.csv"]),
        (["--frame", "-1"], &["frame_00003.csv"]),
    ] {
        let out = format!("chosen{}", choice[1]);
        let arguments = ["export", "out/cord", "--to", "csv", "--out", &out, choice[0], choice[1]];
        assert!(hebra(folder.path(), &arguments).status.success());
        assert_eq!(files(&folder.path().join(out)), expected);
    }
}

#[test]
fn what_cannot_be_exported_is_said_with_what_can() {
    let folder = with_record();
    fs::write(folder.path().join("file"), "").unwrap();
    fs::create_dir(folder.path().join("empty")).unwrap();
    for (arguments, status, said) in [
        (&["out/cord", "--to", "ubj"][..], 2, "a similar value exists: 'obj'"),
        (&["out/cord"], 2, "--to <FORMAT>"),
        (&["out/cord", "--to", "obj", "--frame", "4"], 2, "there is no frame 4: the record has 4, 0 to 3"),
        (&["out/cord", "--to", "obj", "--frame", "1", "--every", "2"], 2, "cannot be used with"),
        (&["out/cord", "--to", "obj", "--every", "0"], 2, "'--every <N>'"),
        (&["out/cord", "--to", "obj", "--smooth", "0"], 2, "'--smooth <N>'"),
        (&["out/cord", "--to", "gltf", "--sides", "2"], 2, "'--sides <N>'"),
        (&["out/cord", "--to", "bcc", "--tubes"], 2, "bcc has no tubes; these have: obj, gltf"),
        (&["out/cord", "--to", "csv", "--obstacles"], 2, "these have: obj, usda, vtk, gltf"),
        (&["out/cord", "--to", "csv", "--smooth", "2"], 2, "csv has no curves to cut"),
        (&["empty", "--to", "obj"], 2, "empty holds no record"),
        (&["nowhere", "--to", "obj"], 2, "nowhere holds no record"),
        (&["out/cord", "--to", "obj", "--out", "file"], 1, "file: "),
        (&["out/cord", "--to", "obj", "--out", "file/below"], 1, "file/below: "),
    ] {
        let (found, message) = refused(folder.path(), arguments);
        assert!(message.contains(said), "{arguments:?}: {message}");
        assert_eq!(found, status, "{arguments:?}: {message}");
    }
    assert_eq!(files(&folder.path().join("out/cord")).iter().filter(|f| !f.contains('.')).count(), 0);
}

#[test]
fn a_record_without_frames_is_not_exported() {
    let folder = with_record();
    let frames = fs::OpenOptions::new().write(true).open(folder.path().join("out/cord/frames.bin")).unwrap();
    // The header alone, as when a run was killed at once.
    frames.set_len(12).unwrap();
    let (status, message) = refused(folder.path(), &["out/cord", "--to", "usda"]);
    assert!(status == 2 && message.contains("out/cord holds no frames yet"), "{message}");
}

#[test]
fn a_file_that_cannot_be_made_is_named() {
    let folder = with_record();
    for (format, name) in [("usda", "frames.usda"), ("vtk", "frames.pvd"), ("bcc", "frame_00000.bcc")] {
        fs::create_dir_all(folder.path().join(format).join(name)).unwrap();
        let (status, message) = refused(folder.path(), &["out/cord", "--to", format, "--out", format]);
        assert!(status == 1 && message.contains(&format!("cannot write {format}/{name}: ")), "{message}");
    }
}
