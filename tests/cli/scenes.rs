//! The scenes that come with hebra are read, and the annotated one shows every key.

use std::path::{Path, PathBuf};

use hebra::scene::build::build_yarns;
use hebra::scene::params::Scene;
use hebra::scene::parse::parse;
use hebra::scene::source::Source;
use hebra::scene::validate::warnings;

fn scenes() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes")
}

fn read(file: &Path) -> Scene {
    parse(&Source::read(file).unwrap()).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn every_scene_can_be_built() {
    let folders = [scenes(), scenes().join("full")].map(|f| std::fs::read_dir(f).unwrap());
    for entry in folders.into_iter().flatten() {
        let file = entry.unwrap().path();
        if file.extension().is_some_and(|e| e == "ron") {
            let scene = read(&file);
            assert!(build_yarns(&scene).is_ok(), "{}: {:?}", file.display(), build_yarns(&scene).err());
            assert_eq!(warnings(&scene), [], "{}", file.display());
        }
    }
}

/// All keys of all structs: those of the serialised scene, in which every optional value is given.
fn keys(value: &serde_json::Value, found: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(map) => {
            for (key, inner) in map {
                found.push(key.clone());
                keys(inner, found);
            }
        }
        serde_json::Value::Array(items) => items.iter().for_each(|item| keys(item, found)),
        _ => {}
    }
}

fn empty(value: &serde_json::Value, path: &str, found: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(map) => {
            map.iter().for_each(|(key, inner)| empty(inner, &format!("{path}.{key}"), found));
        }
        serde_json::Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, item)| empty(item, &format!("{path}[{i}]"), found));
        }
        serde_json::Value::Null => found.push(path.to_string()),
        _ => {}
    }
}

#[test]
fn the_annotated_scene_shows_every_key() {
    let file = scenes().join("annotated.ron");
    let (text, scene) = (std::fs::read_to_string(&file).unwrap(), read(&file));
    let json = serde_json::to_value(&scene).unwrap();
    let mut found = Vec::new();
    keys(&json, &mut found);
    assert!(found.len() > 100, "{found:?}");
    for key in found {
        assert!(text.contains(&key), "`{key}` is not in the annotated scene");
    }
    let variants = [
        "Twill", "Satin", "Basket", "Plain", "Chart", "Crossing", "YarnEnd", "Rib", "Garter", "Moss",
        "Jacquard", "Stitch", "Course", "Wale", "RodNode", "Capsule", "Newmark",
    ];
    for word in variants.iter().chain(&[
        "SymplecticEuler",
        "Iterative",
        "Direct",
        "Rayleigh",
        "StrainRate",
        "Seconds",
        "Edge",
        "Line",
    ]) {
        assert!(text.contains(word), "`{word}` is not in the annotated scene");
    }
    let mut missing = Vec::new();
    empty(&json, "", &mut missing);
    let plain: Vec<_> = missing.iter().filter(|p| p.contains("[0]") || !p.contains('[')).collect();
    assert!(plain.is_empty(), "optional values that the annotated scene does not give: {plain:?}");
}
