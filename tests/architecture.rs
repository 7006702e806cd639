//! A module uses modules of lower levels only: the table in the crate's documentation holds.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Levels by module: rows `//! | 3 | [`model`] | what moves |` of src/lib.rs.
fn levels() -> BTreeMap<String, u32> {
    let text = fs::read_to_string(source().join("lib.rs")).unwrap();
    let row = |line: &str| {
        let mut cells = line.strip_prefix("//! |")?.split('|').map(str::trim);
        let level = cells.next()?.parse().ok()?;
        Some((cells.next()?.trim_matches(['[', ']', '`']).to_string(), level))
    };
    text.lines().filter_map(row).collect()
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// The module of the crate that a file belongs to.
fn module(file: &Path) -> String {
    let inside = file.strip_prefix(source()).unwrap();
    let first = inside.components().next().unwrap().as_os_str().to_str().unwrap();
    first.trim_end_matches(".rs").to_string()
}

/// The modules of the crate that a line of code names.
fn named(line: &str) -> impl Iterator<Item = &str> {
    let code = line.split("//").next().unwrap_or_default();
    code.split("crate::").skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        &rest[..end]
    })
}

#[test]
fn every_module_has_a_level() {
    let (levels, text) = (levels(), fs::read_to_string(source().join("lib.rs")).unwrap());
    let modules: Vec<_> = text.lines().filter_map(|l| l.strip_prefix("pub mod ")).collect();
    assert!(modules.len() > 5, "{modules:?}");
    for name in modules.iter().map(|m| m.trim_end_matches(';')) {
        assert!(levels.contains_key(name), "`{name}` is not in the table of src/lib.rs");
    }
}

#[test]
fn modules_use_lower_levels_only() {
    let (levels, mut sources, mut seen) = (levels(), Vec::new(), 0);
    files(&source(), &mut sources);
    for file in sources.iter().filter(|f| !["lib", "main"].contains(&module(f).as_str())) {
        let user = module(file);
        for (number, line) in (1..).zip(fs::read_to_string(file).unwrap().lines()) {
            for used in named(line).filter(|used| *used != user) {
                let place = format!("{}:{number}: {}", file.display(), line.trim());
                let (Some(own), Some(level)) = (levels.get(&user), levels.get(used)) else {
                    panic!("{place}: `{user}` or `{used}` is not in the table of src/lib.rs");
                };
                assert!(level < own, "{place}: `{user}` is of level {own}, `{used}` of level {level}");
                seen += 1;
            }
        }
    }
    assert!(seen > 100, "only {seen} uses were found");
}
