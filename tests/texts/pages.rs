//! The pages of the repository: their length, their links, the scenes that they show.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const PAGES: [&str; 6] = [
    "README.md",
    "CHANGELOG.md",
    "scenes/README.md",
    "scenes/REFERENCE.md",
    "benches/README.md",
    "tests/README.md",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text(page: &str) -> String {
    fs::read_to_string(root().join(page)).unwrap()
}

/// What the links of a page lead to.
fn links(page: &str) -> Vec<String> {
    let text = text(page);
    let link = |rest: &str| rest.split_once(')').map(|(link, _)| link.to_string());
    text.split("](").skip(1).filter_map(link).collect()
}

/// The anchors of a page's headings.
fn anchors(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap();
    let headings = text.lines().filter(|l| l.starts_with('#'));
    headings.map(|l| super::reference::anchor(l.trim_start_matches('#').trim())).collect()
}

/// Files of a folder with an ending.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join(folder)).unwrap().map(|e| e.unwrap().path());
    entries.filter(|p| p.extension().is_some_and(|e| e == ending)).collect()
}

#[test]
fn links_lead_somewhere() {
    for page in PAGES {
        let here = root().join(page);
        for link in links(page).iter().filter(|l| !l.starts_with("http")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { here.clone() } else { here.parent().unwrap().join(file) };
            assert!(target.exists(), "{page} links to {link}");
            let is_there = anchor.is_empty() || anchors(&target).iter().any(|a| a == anchor);
            assert!(is_there, "{page} links to {link}, but {} has no such heading", target.display());
        }
    }
}

#[test]
fn the_manual_is_short() {
    assert!(text("README.md").lines().count() < 150);
}

#[test]
fn every_scene_and_every_picture_is_shown() {
    let (page, shown) = (text("scenes/README.md"), links("scenes/README.md"));
    for folder in ["scenes", "scenes/full"] {
        for file in files(folder, "ron") {
            let name = file.strip_prefix(root().join("scenes")).unwrap().display().to_string();
            assert!(shown.contains(&name), "scenes/README.md does not link to {name}");
            assert!(page.contains(&format!("scenes/{name}")), "scenes/README.md has no command for {name}");
        }
    }
    let mut pictures = shown;
    pictures.extend(links("README.md").iter().filter_map(|l| Some(l.strip_prefix("scenes/")?.to_string())));
    for file in files("scenes/gallery", "png") {
        let name = format!("gallery/{}", file.file_name().unwrap().display());
        assert!(pictures.contains(&name), "no page shows {name}");
    }
}

#[test]
fn the_manuals_scene_runs() {
    let manual = text("README.md");
    let scene = manual.split_once("```ron\n").unwrap().1.split_once("```").unwrap().0;
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("towel.ron"), scene).unwrap();
    for arguments in [&["check", "towel.ron"][..], &["run", "towel.ron", "--steps", "3"]] {
        let mut hebra = Command::new(env!("CARGO_BIN_EXE_hebra"));
        let output = hebra.current_dir(folder.path()).args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }
}
