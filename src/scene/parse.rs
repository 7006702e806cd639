//! RON to a scene, and RON's errors in words.

use std::ops::Range;
use std::path::{Path, PathBuf};

use ron::error::{Error as RonError, SpannedError};
use ron::extensions::Extensions;

use crate::input::{MOST_TEXT, read_text};
use crate::model::obstacle::Shape;
use crate::model::sheets::SheetShape;
use crate::pattern::knit::chart::Knit;

use super::error::{Located, Place, Problem, SceneError};
use super::params::Scene;
use super::scan::{Entry, Kind, Value};
use super::size::too_large;
use super::source::Source;
use super::words::number_with_unit;

/// Reads the scene that a text describes; its name is the file's unless the text gives one.
///
/// # Errors
/// [`SceneError::Syntax`] with the place, what was expected and the nearest known name, and
/// [`SceneError::Invalid`] for numbers that are not finite.
pub fn parse(source: &Source) -> Result<Scene, SceneError> {
    let root = source.scan()?;
    let endless = not_finite(source.text(), &root);
    if !endless.is_empty() {
        return Err(source.locate(&endless));
    }
    let options = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    let mut scene: Scene = options.from_str(source.text()).map_err(|e| explain(source, &root, &e))?;
    if scene.name.is_empty() {
        scene.name = source.stem();
    }
    scene = scene.with_names();
    place_files(&mut scene, source.folder());
    read_charts(&mut scene, source)?;
    Ok(scene)
}

/// The candidate most like a name: at most two edits away, or a third of its letters.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).max(2);
    let distance = |c: &str| strsim::damerau_levenshtein(&name.to_lowercase(), &c.to_lowercase());
    candidates.into_iter().map(|c| (distance(c), c)).filter(|&(d, _)| d <= limit).min().map(|(_, c)| c)
}

/// "; did you mean `x`?" or, when nothing is near, the list of what is known.
pub fn hint<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match nearest(name, candidates.clone()) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => {
            let known: Vec<String> = candidates.into_iter().map(|c| format!("`{c}`")).collect();
            if known.is_empty() { "; there is none".into() } else { format!("; known: {}", known.join(", ")) }
        }
    }
}

/// Makes paths of files that start at the scene's folder whole, so that they hold wherever the scene is written.
fn place_files(scene: &mut Scene, folder: &Path) {
    let files = &mut scene.files;
    let mut place = |path: &mut PathBuf| {
        *path = whole(&folder.join(&*path));
        files.insert(path.clone());
    };
    for sheet in &mut scene.sheets {
        if let SheetShape::File { path, .. } = &mut sheet.shape {
            place(path);
        }
    }
    for obstacle in &mut scene.obstacles {
        if let Shape::Mesh { files, .. } = &mut obstacle.shape {
            files.iter_mut().for_each(&mut place);
        }
    }
}

fn whole(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.into())
}

/// Reads the charts that are in files of their own; what cannot be knitted is refused with its place in them.
fn read_charts(scene: &mut Scene, source: &Source) -> Result<(), SceneError> {
    let mut refused = Vec::new();
    // Of what is too large the numbers are refused, and no chart is laid out.
    let can_be_laid_out = too_large(scene).is_none();
    for (i, knit) in scene.knits.iter_mut().enumerate() {
        let Knit::File(path) = &knit.pattern else { continue };
        let file = source.folder().join(path);
        scene.files.insert(whole(&file));
        let text = read_text(&file, MOST_TEXT).map_err(|why| {
            let message = format!("{} cannot be read: {why}", file.display());
            source.locate(&[Problem::new(format!("knits[{i}].pattern"), message)])
        })?;
        knit.pattern = Knit::read(&text);
        if !can_be_laid_out || knit.courses == 0 || knit.wales < 2 {
            continue;
        }
        if let Err(error) = knit.pattern.courses(&knit.extent()) {
            let [row, column] = error.cell().unwrap_or_default();
            let line = text.trim_end().lines().count().saturating_sub(row).max(1);
            let place = Place::File { file, line, column: column + 1 };
            refused.push(Located { place, message: error.explained() });
        }
    }
    if refused.is_empty() { Ok(()) } else { Err(SceneError::Invalid(refused)) }
}

/// Numbers that are not finite, wherever they stand.
pub(super) fn not_finite(text: &str, root: &Value) -> Vec<Problem> {
    let mut found = Vec::new();
    visit(root, &mut String::new(), &mut |path, value| {
        let word = &text[value.span.clone()];
        let number = word.replace('_', "").trim_end_matches("f64").trim_end_matches("f32").parse::<f64>();
        if number.is_ok_and(|n| !n.is_finite()) {
            found.push(Problem::new(path, format!("`{word}` is not a finite number")));
        }
    });
    found
}

fn visit(value: &Value, path: &mut String, each: &mut impl FnMut(&str, &Value)) {
    let length = path.len();
    let mut down = |part: String, child: &Value| {
        path.push_str(&part);
        visit(child, path, each);
        path.truncate(length);
    };
    match &value.kind {
        Kind::Scalar => each(path, value),
        Kind::Struct(entries) | Kind::Map(entries) => {
            let dot = if length == 0 { "" } else { "." };
            entries.iter().for_each(|e| down(format!("{dot}{}", e.key), &e.value));
        }
        Kind::Tuple { named: true, items } if items.len() == 1 => down(String::new(), &items[0]),
        Kind::Tuple { items, .. } | Kind::List(items) => {
            items.iter().enumerate().for_each(|(i, item)| down(format!("[{i}]"), item));
        }
    }
}

fn explain(source: &Source, root: &Value, error: &SpannedError) -> SceneError {
    let start = source.offset(error.span.start.line, error.span.start.col);
    let end = source.offset(error.span.end.line, error.span.end.col);
    let (at, message) = match &error.code {
        RonError::NoSuchStructField { expected, found, outer } => {
            let inside = outer.as_ref().map_or_else(String::new, |o| format!(" in {o}"));
            let hint = hint(found, expected.iter().copied());
            (key_before(root, found, end), format!("unknown field `{found}`{inside}{hint}"))
        }
        RonError::NoSuchEnumVariant { expected, found, outer } => {
            let kind = outer.as_ref().map_or_else(String::new, |o| format!(" of {o}"));
            (start, format!("unknown variant `{found}`{kind}{}", hint(found, expected.iter().copied())))
        }
        RonError::MissingStructField { field, outer } => {
            let inside = outer.as_ref().map_or_else(|| "this value".into(), |o| format!("this {o}"));
            (bracket_around(root, start).unwrap_or(start), format!("{inside} lacks the field `{field}`"))
        }
        RonError::DuplicateStructField { field, .. } => {
            (key_before(root, field, end), format!("the field `{field}` is given twice"))
        }
        other @ RonError::ExpectedDifferentLength { .. } => {
            (bracket_around(root, start).unwrap_or(start), lowered(&other.to_string()))
        }
        other => wrong_value(source.text(), innermost(root, &(start..end), &|_| true), start, other),
    };
    source.syntax(at, message)
}

/// The last key of this name that starts before a byte.
fn key_before(root: &Value, name: &str, before: usize) -> usize {
    let mut found = 0;
    each_entry(root, &mut |e: &Entry| {
        if e.key == name && e.key_span.start <= before {
            found = found.max(e.key_span.start);
        }
    });
    found
}

fn each_entry(value: &Value, each: &mut impl FnMut(&Entry)) {
    match &value.kind {
        Kind::Scalar => {}
        Kind::Struct(entries) | Kind::Map(entries) => entries.iter().for_each(|e| {
            each(e);
            each_entry(&e.value, each);
        }),
        Kind::Tuple { items, .. } | Kind::List(items) => items.iter().for_each(|v| each_entry(v, each)),
    }
}

/// Start of the innermost bracketed value around a byte.
fn bracket_around(root: &Value, at: usize) -> Option<usize> {
    innermost(root, &(at..at), &|v| !matches!(v.kind, Kind::Scalar) && v.span.end > at).map(|v| v.span.start)
}

/// Where the parser's cursor stood, and what was expected of the scalar in it or just before it.
fn wrong_value(text: &str, value: Option<&Value>, start: usize, error: &RonError) -> (usize, String) {
    let Some(value) = value.filter(|v| matches!(v.kind, Kind::Scalar)) else {
        return (start, lowered(&error.to_string()));
    };
    let word = &text[value.span.clone()];
    if let Some(message) = number_with_unit(word) {
        return (value.span.start, message);
    }
    let expected = match error {
        // The parser stops within a word like `1_x` and asks for the next field.
        RonError::ExpectedComma if word.parse::<f64>().is_err() => "expected a number".into(),
        RonError::ExpectedFloat => "expected a number".into(),
        // So it does at the point of `2.5`.
        RonError::ExpectedInteger | RonError::ExpectedComma => "expected a whole number".into(),
        RonError::IntegerOutOfBounds => "this whole number is out of range".into(),
        other => lowered(&other.to_string()),
    };
    (value.span.start, format!("{expected}, found `{word}`"))
}

/// The innermost value of a sort that touches a range of bytes.
fn innermost<'a>(
    value: &'a Value,
    range: &Range<usize>,
    sort: &impl Fn(&Value) -> bool,
) -> Option<&'a Value> {
    if value.span.start > range.end || value.span.end < range.start {
        return None;
    }
    let within = match &value.kind {
        Kind::Scalar => None,
        Kind::Struct(entries) | Kind::Map(entries) => {
            entries.iter().rev().find_map(|e| innermost(&e.value, range, sort))
        }
        Kind::Tuple { items, .. } | Kind::List(items) => {
            items.iter().rev().find_map(|v| innermost(v, range, sort))
        }
    };
    within.or_else(|| sort(value).then_some(value))
}

fn lowered(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_lowercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn message(text: &str) -> String {
        parse(&Source::new(Path::new("a.ron"), text.into())).unwrap_err().to_string()
    }

    #[test]
    fn messages_say_where_and_what_was_expected() {
        let cases = [
            ("(until: 1,\n  untill: 2)", "a.ron:2:3: unknown field `untill`", "did you mean `until`?"),
            ("(solver: (\n dt: 1, dtt: 2))", "a.ron:2:9: unknown field `dtt`", "`dt`"),
            ("(solver: (scheme: Newmarc))", "a.ron:1:19: unknown variant `Newmarc`", "`Newmark`"),
            ("(until: \"1\")", "a.ron:1:9: ", "expected a number, found `\"1\"`"),
            ("(until: 1, until: 2)", "a.ron:1:12: ", "twice"),
            ("(fabrics: [(\n weft: (count: 1, spacing: 1),\n)])", "a.ron:1:12: ", "lacks the field `warp`"),
            ("(\n solver: (max_iterations: -3))", "a.ron:2:27: ", "out of range, found `-3`"),
            ("(until: NaN)", "a.ron:1:9: until: `NaN`", "finite"),
            (
                "(forces: (gravity: (0, -inf, 1e999)))",
                "a.ron:1:24: forces.gravity[1]: `-inf`",
                "a.ron:1:30: ",
            ),
            ("(fabrics: [(warp: (count: 2.5, spacing: 1))])", "a.ron:1:27: ", "whole number"),
            (
                "(solver: (dt: 1ms))",
                "a.ron:1:15: found `1ms`",
                "without units, in SI units (m, s, kg, N, Pa): `1e-3`",
            ),
            ("(solver: (dt: 1 ms))", "a.ron:1:15: found `1 ms`", "`1e-3` for `1 ms`"),
            ("(forces: (gravity: (0, 0, -10N)))", "a.ron:1:27: found `-10N`", "`-10` for `-10N`"),
            ("(solver: (max_iterations: 5x))", "a.ron:1:27: found `5x`", "without units"),
            ("(until: 1_x)", "a.ron:1:9: ", "expected a number, found `1_x`"),
            ("(fabrics: 3)", "a.ron:1:11: ", "["),
            ("(forces: (gravity: (0, 1)))", "a.ron:1:20: ", "3"),
            ("(camera: (eye: (0, 1, 2)))", "a.ron:1:10: ", "lacks the field `target`"),
        ];
        for (text, start, expected) in cases {
            let found = message(text);
            assert!(found.starts_with(start) && found.contains(expected), "{text}\n{found}");
        }
    }

    #[test]
    fn a_scene_of_nothing_has_defaults_and_the_files_name() {
        let scene = parse(&Source::new(Path::new("scenes/nothing.ron"), "()".into())).unwrap();
        assert_eq!(scene, Scene { name: "nothing".into(), ..Scene::default() });
    }
}
