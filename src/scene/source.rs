//! The text of a scene: read, overridden by `--set`, and asked where its values stand.

use std::ops::Range;
use std::path::{Path as FilePath, PathBuf};

use super::error::{Located, Place, Problem, SceneError, SyntaxError};
use super::path::{Part, Path, unwrapped};
use super::scan::{Kind, Value, scan};
use super::words::counted;
use crate::input::{MOST_TEXT, read};

/// A scene's text, with comments, and the overrides applied to it.
#[derive(Debug, Clone)]
pub struct Source {
    file: PathBuf,
    original: String,
    text: String,
    edits: Vec<Edit>,
}

/// Bytes of the text that an override wrote.
#[derive(Debug, Clone)]
struct Edit {
    argument: String,
    span: Range<usize>,
    /// Bytes that stood there before.
    replaced: usize,
}

impl Source {
    /// Reads a file.
    ///
    /// # Errors
    /// [`SceneError::Read`], or [`SceneError::Syntax`] where the file is not UTF-8.
    pub fn read(file: &FilePath) -> Result<Self, SceneError> {
        let bytes = read(file, MOST_TEXT).map_err(|source| SceneError::Read { file: file.into(), source })?;
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Self::new(file, text)),
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let byte = error.as_bytes()[at];
                let text = String::from_utf8_lossy(&error.as_bytes()[..at]).into_owned();
                let source = Self::new(file, text);
                Err(source.syntax(at, format!("byte {byte:#04x} is not UTF-8; save the scene as UTF-8")))
            }
        }
    }

    /// From a text; the file's name appears in messages.
    pub fn new(file: &FilePath, text: String) -> Self {
        Self { file: file.into(), original: text.clone(), text, edits: Vec::new() }
    }

    /// The text, overrides included.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The folder that the file is in, where relative paths of a scene start.
    pub fn folder(&self) -> &FilePath {
        self.file.parent().unwrap_or(FilePath::new(""))
    }

    /// The file's name without its ending: the scene's name by default.
    pub fn stem(&self) -> String {
        self.file.file_stem().map_or_else(|| "scene".into(), |s| s.to_string_lossy().into_owned())
    }

    /// Scans the text.
    ///
    /// # Errors
    /// [`SceneError::Syntax`] at the bracket, string or comment that is not closed.
    pub fn scan(&self) -> Result<Value, SceneError> {
        scan(&self.text).map_err(|e| self.syntax(e.at, e.message))
    }

    /// Applies an override `path=value`: replaces the value, or inserts the fields that are missing.
    ///
    /// # Errors
    /// [`SceneError::Override`] when the path or the value is malformed or leads nowhere.
    pub fn set(&mut self, argument: &str) -> Result<(), SceneError> {
        let refuse = |message: String| SceneError::Override { argument: argument.into(), message };
        let (path, value) = argument
            .split_once('=')
            .ok_or_else(|| refuse("expected PATH=VALUE, as in solver.dt=5e-4".into()))?;
        let path = Path::parse(path).ok_or_else(|| {
            refuse(format!("`{path}` is not a path; expected one like fabrics[0].warp.count"))
        })?;
        let value = value.trim();
        scan(value).map_err(|SyntaxError { at, message }| {
            refuse(format!("character {} of the value: {message}", at + 1))
        })?;
        let root = self.scan()?;
        let (span, text) = edit(&self.text, &root, &path, value).map_err(refuse)?;
        self.replace(span, &text, argument);
        Ok(())
    }

    /// The place of a byte of the text.
    pub fn place(&self, at: usize) -> Place {
        let written = self.edits.iter().rev().find(|e| e.span.contains(&at));
        if let Some(edit) = written {
            return Place::Override(edit.argument.clone());
        }
        let before = self.edits.iter().filter(|e| e.span.end <= at);
        let (added, removed) = before.fold((0, 0), |(a, r), e| (a + e.span.len(), r + e.replaced));
        let (line, column) = line_and_column(&self.original, at + removed - added);
        Place::File { file: self.file.clone(), line, column }
    }

    /// The byte at a line and a column in characters, both from one.
    pub fn offset(&self, line: usize, column: usize) -> usize {
        let start: usize = self.text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
        let rest = &self.text[start.min(self.text.len())..];
        start + rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(i, _)| i)
    }

    /// Problems with the places of the values that they speak of.
    pub fn locate(&self, problems: &[Problem]) -> SceneError {
        let root = scan(&self.text).ok();
        let place = |path: &str| {
            let span = root.as_ref().zip(Path::parse(path)).map(|(root, path)| path.span(root));
            self.place(span.map_or(0, |s| s.start))
        };
        let located = |p: &Problem| Located { place: place(&p.path), message: p.to_string() };
        SceneError::Invalid(problems.iter().map(located).collect())
    }

    /// A syntax error at a byte of the text.
    pub fn syntax(&self, at: usize, message: String) -> SceneError {
        SceneError::Syntax(Box::new(Located { place: self.place(at), message }))
    }

    fn replace(&mut self, span: Range<usize>, text: &str, argument: &str) {
        let (old, new) = (span.len(), text.len());
        let is_inside = |e: &Edit| e.span.start >= span.start && e.span.end <= span.end && old > 0;
        let dropped = self.edits.iter().filter(|e| is_inside(e));
        let grown: usize = dropped.clone().map(|e| e.span.len()).sum();
        let was: usize = dropped.map(|e| e.replaced).sum();
        self.edits.retain(|e| !is_inside(e));
        let mut is_nested = false;
        for e in &mut self.edits {
            if e.span.start >= span.end {
                e.span = e.span.start + new - old..e.span.end + new - old;
            } else if e.span.end > span.start {
                e.span.end = e.span.end + new - old;
                is_nested = true;
            }
        }
        self.text.replace_range(span.clone(), text);
        let replaced = if is_nested { new } else { old + was - grown };
        self.edits.push(Edit { argument: argument.into(), span: span.start..span.start + new, replaced });
    }
}

/// Top-level fields whose keys are the user's own names.
const MAPS: [&str; 2] = ["materials", "probes"];

/// The bytes to replace and their replacement.
fn edit(text: &str, root: &Value, path: &Path, value: &str) -> Result<(Range<usize>, String), String> {
    let (found, taken) = path.follow(root);
    let rest = &path.0[taken..];
    let Some(part) = rest.first() else {
        return Ok((found.span.clone(), value.to_string()));
    };
    let here = Path(path.0[..taken].to_vec());
    let inner = unwrapped(found);
    match (&inner.kind, part) {
        (Kind::Struct(entries), Part::Name(_)) | (Kind::Map(entries), _) => {
            let new = body(path, taken, value)?;
            Ok(match entries.last() {
                Some(last) => (last.value.span.end..last.value.span.end, format!(", {new}")),
                None => (inner.span.end - 1..inner.span.end - 1, new),
            })
        }
        (Kind::Scalar, Part::Name(_)) if &text[inner.span.clone()] == "None" => {
            Ok((inner.span.clone(), made(path, taken, value)?))
        }
        (Kind::List(items) | Kind::Tuple { items, .. }, Part::Index(index)) => {
            let count = counted(items.len() as u64, "value");
            Err(format!("`{here}` has {count}, so there is none at index {index}"))
        }
        (_, Part::Name(name)) => {
            Err(format!("`{here}` is `{}`: it has no field `{name}`", &text[inner.span.clone()]))
        }
        (_, Part::Index(index)) => Err(format!("`{here}` is not a list: it has nothing at index {index}")),
    }
}

/// The missing part `path[taken..]` with its brackets.
fn made(path: &Path, taken: usize, value: &str) -> Result<String, String> {
    if taken == path.0.len() {
        return Ok(value.to_string());
    }
    let inside = body(path, taken, value)?;
    Ok(if is_map(path, taken) { format!("{{{inside}}}") } else { format!("({inside})") })
}

/// `key: value` of the missing part `path[taken..]`.
fn body(path: &Path, taken: usize, value: &str) -> Result<String, String> {
    let inner = made(path, taken + 1, value)?;
    match &path.0[taken] {
        Part::Name(name) if is_map(path, taken) => Ok(format!("{name:?}: {inner}")),
        Part::Name(name) => Ok(format!("{name}: {inner}")),
        Part::Index(index) if is_map(path, taken) => Ok(format!("\"{index}\": {inner}")),
        Part::Index(index) => {
            let list = Path(path.0[..taken].to_vec());
            Err(format!("the scene gives no `{list}`, so there is none at index {index}"))
        }
    }
}

fn is_map(path: &Path, taken: usize) -> bool {
    taken == 1 && matches!(&path.0[0], Part::Name(name) if MAPS.contains(&name.as_str()))
}

fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at.min(text.len())).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |i| i + 1);
    (1 + before.matches('\n').count(), 1 + before[start..].chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source {
        Source::new(FilePath::new("a.ron"), text.into())
    }

    fn after(text: &str, arguments: &[&str]) -> String {
        let mut s = source(text);
        for a in arguments {
            s.set(a).unwrap();
        }
        s.text().to_string()
    }

    #[test]
    fn overrides_replace_values_and_keep_comments() {
        let text = "(\n  a: [(c: 1 /* one */), (c: 2)], // list\n)";
        assert_eq!(after(text, &["a[1].c=3.5"]), "(\n  a: [(c: 1 /* one */), (c: 3.5)], // list\n)");
        assert_eq!(after(text, &["a.0.c = [1, 2]"]), "(\n  a: [(c: [1, 2] /* one */), (c: 2)], // list\n)");
    }

    #[test]
    fn overrides_insert_what_is_missing() {
        assert_eq!(after("()", &["solver.dt=1"]), "(solver: (dt: 1))");
        assert_eq!(after("(a: 1, /* x */)", &["solver.dt=1"]), "(a: 1, solver: (dt: 1), /* x */)");
        assert_eq!(after("(solver: ())", &["solver.dt=1", "solver.n=2"]), "(solver: (dt: 1, n: 2))");
        assert_eq!(after("()", &["materials.m.radius=1"]), "(materials: {\"m\": (radius: 1)})");
        assert_eq!(after("(materials: {})", &["materials.m.radius=1"]), "(materials: {\"m\": (radius: 1)})");
        assert_eq!(after("(f: (wind: None))", &["f.wind.gust=1"]), "(f: (wind: (gust: 1)))");
        assert_eq!(after("(w: Twill(over: 1))", &["w.under=2"]), "(w: Twill(over: 1, under: 2))");
    }

    #[test]
    fn overrides_that_lead_nowhere_are_refused() {
        let cases = [
            ("a", "expected PATH=VALUE"),
            ("a..b=1", "is not a path"),
            ("a=(1", "has no `)`"),
            ("a=", "expected a value"),
            ("a[2]=1", "has 2 values"),
            ("a.b=1", "has no field `b`"),
            ("b[0].c=1", "gives no `b`"),
        ];
        for (argument, expected) in cases {
            let message = source("(a: [1, 2])").set(argument).unwrap_err().to_string();
            assert!(
                message.starts_with(&format!("--set {argument}: ")) && message.contains(expected),
                "{message}"
            );
        }
    }

    #[test]
    fn places_are_those_of_the_file_or_of_the_override() {
        let mut s = source("(a: 1, b: (c: 22), d: 3)");
        for argument in ["a=1000", "b=(c: 5, e: 6)", "b.c=12345", "x=7", "a=2"] {
            s.set(argument).unwrap();
        }
        assert_eq!(s.text(), "(a: 2, b: (c: 12345, e: 6), d: 3, x: 7)");
        let place = |needle: &str| s.place(s.text().find(needle).unwrap()).to_string();
        assert_eq!(place("2, b"), "--set a=2");
        assert_eq!(place("b:"), "a.ron:1:8");
        assert_eq!(place("12345"), "--set b.c=12345");
        assert_eq!(place("6"), "--set b=(c: 5, e: 6)");
        assert_eq!(place("d:"), "a.ron:1:20");
        assert_eq!(place("7"), "--set x=7");
    }
}
