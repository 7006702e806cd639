//! `scenes/REFERENCE.md`: every key of a scene, from the docs of the types that scenes are read into.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use serde_json::Value;

use super::code::{Body, Code, Declared, Field, Kind, Variant};
use super::defaults::defaults;

const INTRODUCTION: &str = "# Scene reference

Every key of a scene file, in the order in which a scene is written. A path such as `fabrics[0].warp.count` also names the
value for `hebra run --set`. [annotated.ron](annotated.ron) is one scene with every key in it.

Units are SI; angles are in degrees. `[...]` is a list, `(...)` a record or a fixed number of values, `{...}` a map by names.
A key without *required* may be left out; the default `()` is a record of defaults. `hebra materials` lists the built-in
materials.

This page is made from the sources: `HEBRA_WRITE=1 cargo test --release --test texts` writes it anew.
";

/// Units as docs give them, behind a comma.
const UNITS: [&str; 18] = [
    "m", "s", "Pa", "N", "Hz", "degrees", "1/s", "1/m", "m/s", "m/s2", "kg/m2", "kg/m3", "N/m", "N/m3",
    "N m", "N m2", "N s/m", "J/rad2",
];

#[test]
fn the_reference_says_what_the_code_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let code = Code::read(&[&root.join("src"), &root.join("solver/src")]);
    let page = Page::new(&code).written();
    let file = root.join("scenes/REFERENCE.md");
    if std::env::var_os("HEBRA_WRITE").is_some() {
        std::fs::write(&file, &page).unwrap();
    }
    let found = std::fs::read_to_string(&file).unwrap_or_default();
    let differs = found.lines().zip(page.lines()).position(|(a, b)| a != b);
    assert!(
        found == page,
        "scenes/REFERENCE.md differs from the code, from line {:?} (from zero): write it by HEBRA_WRITE=1",
        differs
    );
}

/// The page as it is written, type by type, each where it is first used.
struct Page<'a> {
    code: &'a Code,
    defaults: BTreeMap<&'static str, Value>,
    /// The types in their order, with the paths at which they are used.
    sections: Vec<(String, Vec<String>)>,
}

impl<'a> Page<'a> {
    fn new(code: &'a Code) -> Self {
        let mut page = Self { code, defaults: defaults(), sections: Vec::new() };
        page.visit("Scene", "");
        page
    }

    fn visit(&mut self, name: &str, path: &str) {
        if let Some((_, paths)) = self.sections.iter_mut().find(|(known, _)| known == name) {
            if !paths.iter().any(|p| path.starts_with(p.as_str())) {
                paths.push(path.to_string());
            }
            return;
        }
        if !matches!(self.code.get(name).body, Body::Wrapped(_)) {
            self.sections.push((name.to_string(), vec![path.to_string()]));
        }
        match &self.code.get(name).body {
            Body::Record(fields) => {
                let dot = if path.is_empty() { "" } else { "." };
                fields.iter().for_each(|f| self.visit_kind(&f.kind, &format!("{path}{dot}{}", f.name)));
            }
            Body::Choice(variants) => {
                for variant in variants {
                    variant
                        .fields
                        .iter()
                        .for_each(|f| self.visit_kind(&f.kind, &format!("{path}.{}", f.name)));
                    variant
                        .holds
                        .iter()
                        .for_each(|k| self.visit_kind(k, &format!("{path}.{}", variant.name)));
                }
            }
            Body::Wrapped(kind) => self.visit_kind(kind, path),
        }
    }

    fn visit_kind(&mut self, kind: &Kind, path: &str) {
        match kind {
            Kind::Plain(..) => {}
            Kind::Several(_, inner) => self.visit_kind(inner, path),
            Kind::List(inner) => self.visit_kind(inner, &format!("{path}[]")),
            Kind::Map(inner) => self.visit_kind(inner, &format!("{path}.NAME")),
            Kind::Declared(name) => self.visit(name, path),
        }
    }

    fn written(&self) -> String {
        let mut out = INTRODUCTION.to_string();
        for (name, paths) in &self.sections {
            let declared = self.code.get(name);
            let level = 2 + paths[0].replace(".NAME", "").matches('.').count();
            write!(out, "\n{} {}\n\n{}", "#".repeat(level), title(&paths[0]), escaped(&declared.doc))
                .unwrap();
            if paths.len() > 1 {
                let others: Vec<String> = paths[1..].iter().map(|p| format!("`{p}`")).collect();
                write!(out, " Also {}.", others.join(", ")).unwrap();
            }
            out.push_str("\n\n");
            self.write_table(&mut out, name, declared);
        }
        out
    }

    fn write_table(&self, out: &mut String, name: &str, declared: &Declared) {
        let is_bare = |v: &Variant| v.fields.is_empty() && v.holds.is_empty();
        match &declared.body {
            Body::Record(fields) => {
                out.push_str("| key | type | unit | default | meaning |\n|---|---|---|---|---|\n");
                fields.iter().for_each(|f| self.write_field(out, name, f));
            }
            Body::Choice(variants) if variants.iter().all(is_bare) => {
                out.push_str("| value | meaning |\n|---|---|\n");
                let row = |v: &Variant| format!("| `{}` | {} |\n", v.name, escaped(&v.doc));
                out.extend(variants.iter().map(row));
            }
            Body::Choice(variants) => {
                out.push_str("| value | type | unit | default | meaning |\n|---|---|---|---|---|\n");
                variants.iter().for_each(|v| self.write_variant(out, name, v));
            }
            Body::Wrapped(_) => {}
        }
    }

    fn write_variant(&self, out: &mut String, choice: &str, variant: &Variant) {
        let holds: Vec<String> = variant.holds.iter().map(|k| self.kind(k)).collect();
        let keys: Vec<&str> = variant.fields.iter().map(|f| f.name.as_str()).collect();
        let brackets = match (holds.len(), keys.len()) {
            (0, 0) => String::new(),
            (0, _) => format!("({}: ...)", keys.join(": ..., ")),
            _ => "(...)".into(),
        };
        let (doc, unit) = unit_of(&variant.doc);
        writeln!(
            out,
            "| `{}{brackets}` | {} | {unit} | | {} |",
            variant.name,
            holds.join(", "),
            escaped(&doc)
        )
        .unwrap();
        let owner = format!("{choice}::{}", variant.name);
        variant.fields.iter().for_each(|f| self.write_field(out, &owner, f));
    }

    /// A row; fields of a choice are set in under it.
    fn write_field(&self, out: &mut String, owner: &str, field: &Field) {
        let inset = if owner.contains("::") { "&ensp;" } else { "" };
        let place = format!("{owner}.{}", field.name);
        assert!(!field.doc.is_empty(), "{place} has no doc");
        let (doc, words) = default_of(&field.doc);
        let (doc, unit) = unit_of(&doc);
        let value = field.is_optional.then(|| {
            let values =
                self.defaults.get(owner).unwrap_or_else(|| panic!("{owner} is not among the defaults"));
            self.value(&values[&field.name], &field.kind)
        });
        let default = match (value, words) {
            (None, None) => "*required*".to_string(),
            (Some(None), Some(words)) => words,
            (Some(None), None) => "none".into(),
            (Some(Some(value)), None) => value,
            (_, Some(words)) => panic!("{place} has a default; its doc need not say `{words}`"),
        };
        let kind = self.kind(&field.kind);
        writeln!(out, "| {inset}`{}` | {kind} | {unit} | {default} | {} |", field.name, escaped(&doc))
            .unwrap();
    }

    /// A kind in words, linked to its section.
    fn kind(&self, kind: &Kind) -> String {
        match kind {
            Kind::Plain(one, _) => (*one).to_string(),
            Kind::Several(n, inner) => format!("{n} {}", self.plural(inner)),
            Kind::List(inner) => format!("list of {}", self.plural(inner)),
            Kind::Map(inner) => format!("map of {}", self.plural(inner)),
            Kind::Declared(name) => match &self.code.get(name).body {
                Body::Wrapped(inner) => self.kind(inner),
                _ => self.link(name),
            },
        }
    }

    fn plural(&self, kind: &Kind) -> String {
        match kind {
            Kind::Plain(_, several) => (*several).to_string(),
            Kind::Several(n, inner) => format!("{n} {} each", self.plural(inner)),
            other => self.kind(other),
        }
    }

    fn link(&self, name: &str) -> String {
        let (_, paths) = self.sections.iter().find(|(known, _)| known == name).unwrap();
        format!("[{}](#{})", words(name.trim_end_matches("Params")), anchor(&title(&paths[0])))
    }

    /// A default in a scene's notation; none if nothing is there, as of texts without a letter.
    fn value(&self, value: &Value, kind: &Kind) -> Option<String> {
        let notation = match (value, kind) {
            (Value::Null, _) => return None,
            (Value::String(text), _) if text.is_empty() => return None,
            (Value::Array(items), Kind::List(_)) if items.is_empty() => return None,
            (Value::Object(keys), Kind::Map(_)) if keys.is_empty() => return None,
            (Value::Array(items), Kind::Declared(_)) if items.is_empty() => return None,
            (Value::Object(_), Kind::Declared(name)) if self.is_record(name) => "()".into(),
            (Value::Array(items), Kind::List(_)) if items.iter().all(Value::is_object) => {
                format!("[{}]", vec!["()"; items.len()].join(", "))
            }
            _ => notation(value, kind),
        };
        Some(format!("`{notation}`"))
    }

    fn is_record(&self, name: &str) -> bool {
        matches!(self.code.get(name).body, Body::Record(_))
    }
}

fn notation(value: &Value, kind: &Kind) -> String {
    let join =
        |items: &[Value]| items.iter().map(|i| notation(i, inner(kind))).collect::<Vec<_>>().join(", ");
    match (value, kind) {
        (Value::Array(items), Kind::List(_)) => format!("[{}]", join(items)),
        (Value::Array(items), _) => format!("({})", join(items)),
        (Value::String(text), Kind::Declared(_)) => text.clone(),
        (Value::Object(variant), _) => {
            let one = |(name, inner): (&String, &Value)| match inner {
                Value::Object(keys) => {
                    let key = |(k, v): (&String, &Value)| format!("{k}: {}", notation(v, kind));
                    format!("{name}({})", keys.iter().map(key).collect::<Vec<_>>().join(", "))
                }
                other => format!("{name}({})", notation(other, kind)),
            };
            variant.iter().map(one).collect()
        }
        (Value::Number(number), _) => short(number.as_f64().unwrap()),
        _ => value.to_string(),
    }
}

fn inner(kind: &Kind) -> &Kind {
    match kind {
        Kind::Several(_, inner) | Kind::List(inner) | Kind::Map(inner) => inner,
        other => other,
    }
}

fn short(number: f64) -> String {
    let is_plain = number == 0.0 || (1e-2..1e5).contains(&number.abs());
    if is_plain { number.to_string() } else { format!("{number:e}") }
}

/// What a doc says of the default, in brackets, and the doc without it.
fn default_of(doc: &str) -> (String, Option<String>) {
    for start in ["(default: ", "(default "] {
        if let Some((before, rest)) = doc.split_once(start) {
            let (words, after) =
                rest.split_once(')').unwrap_or_else(|| panic!("a bracket is open in `{doc}`"));
            return (format!("{}{after}", before.trim_end()), Some(words.to_string()));
        }
    }
    (doc.to_string(), None)
}

/// The unit of a doc, the first behind a comma, and the doc without it.
fn unit_of(doc: &str) -> (String, String) {
    for (place, _) in doc.match_indices(", ") {
        let rest = &doc[place + 2..];
        let end = rest.find([',', '.', ';', ':', '(']).unwrap_or(rest.len());
        let unit = rest[..end].trim_end();
        if UNITS.contains(&unit) {
            let after = &rest[unit.len()..];
            return (format!("{}{after}", &doc[..place]), unit.to_string());
        }
    }
    (doc.to_string(), String::new())
}

fn escaped(text: &str) -> String {
    text.replace('|', "\\|")
}

/// `KnitStart` as `knit start`.
fn words(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !out.is_empty() {
            out.push(' ');
        }
        out.extend(letter.to_lowercase());
    }
    out
}

fn title(path: &str) -> String {
    if path.is_empty() { "The scene".into() } else { format!("`{path}`") }
}

/// The anchor that a heading gets.
pub(crate) fn anchor(title: &str) -> String {
    let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn anchors_are_unique() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let code = Code::read(&[&root.join("src"), &root.join("solver/src")]);
    let page = Page::new(&code);
    let anchors: BTreeSet<String> =
        page.sections.iter().map(|(_, paths)| anchor(&title(&paths[0]))).collect();
    assert_eq!(anchors.len(), page.sections.len());
}
