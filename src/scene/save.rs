//! Writes a camera into a scene's file and leaves everything else in it as it is.

use std::fs;
use std::io;
use std::path::{Path as FilePath, PathBuf};

use thiserror::Error;

use super::error::SceneError;
use super::scan::{Kind, Value};
use super::source::Source;
use crate::frame::Camera;

/// A camera that is not written.
#[derive(Debug, Error)]
pub enum SaveError {
    /// Somebody else wrote the file meanwhile.
    #[error("{} was changed by somebody else since it was read: open it again, or the change would be lost", file.display())]
    Changed {
        /// The file.
        file: PathBuf,
    },
    /// The file may not be written.
    #[error("{} is read-only: make it writable, or save the camera in a copy", file.display())]
    ReadOnly {
        /// The file.
        file: PathBuf,
    },
    /// The system refused.
    #[error("{}: {source}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The text is not a scene.
    #[error(transparent)]
    Scene(#[from] SceneError),
}

/// A scene's file as it was read.
#[derive(Debug, Clone)]
pub struct SceneFile {
    file: PathBuf,
    text: String,
}

impl SceneFile {
    /// Reads a file.
    ///
    /// # Errors
    /// [`SceneError`] if it cannot be read.
    pub fn read(file: &FilePath) -> Result<Self, SceneError> {
        Ok(Self { text: Source::read(file)?.text().into(), file: file.into() })
    }

    /// The file.
    pub fn path(&self) -> &FilePath {
        &self.file
    }

    /// Writes a camera into the file, in the place of the one that it has.
    ///
    /// # Errors
    /// [`SaveError`]; the file is then as it was.
    pub fn save_camera(&mut self, camera: &Camera) -> Result<(), SaveError> {
        let failed = |source| SaveError::Io { file: self.file.clone(), source };
        // A link stays one, to the file that is written.
        let file = fs::canonicalize(&self.file).map_err(failed)?;
        if fs::read(&file).map_err(failed)? != self.text.as_bytes() {
            return Err(SaveError::Changed { file: self.file.clone() });
        }
        let permissions = fs::metadata(&file).map_err(failed)?.permissions();
        if permissions.readonly() {
            return Err(SaveError::ReadOnly { file: self.file.clone() });
        }
        let text = with_camera(&self.file, &self.text, camera)?;
        // Whole or not at all: a full disk must not leave half a scene.
        let draft = file.with_extension("ron.new");
        fs::write(&draft, &text)
            .and_then(|()| fs::set_permissions(&draft, permissions))
            .and_then(|()| fs::rename(&draft, &file))
            .map_err(|source| {
                drop(fs::remove_file(&draft));
                SaveError::Io { file: self.file.clone(), source }
            })?;
        self.text = text;
        Ok(())
    }
}

/// The text of a scene with another camera.
fn with_camera(file: &FilePath, text: &str, camera: &Camera) -> Result<String, SceneError> {
    let mut source = Source::new(file, text.into());
    let root = source.scan()?;
    let Kind::Struct(entries) = &root.kind else { return whole(source, camera) };
    match entries.iter().find(|e| e.key == "camera").map(|e| &e.value) {
        Some(Value { kind: Kind::Struct(_), .. }) => {
            for (name, value) in fields(camera) {
                source.set(&format!("camera.{name}={value}"))?;
            }
            Ok(source.text().into())
        }
        Some(_) => whole(source, camera),
        None => Ok(appended(text, entries.last().map(|e| e.value.span.end), &root, camera)),
    }
}

fn whole(mut source: Source, camera: &Camera) -> Result<String, SceneError> {
    source.set(&format!("camera={}", value(camera)))?;
    Ok(source.text().into())
}

/// The text with a camera behind its last value, on a line of its own if that value has one.
fn appended(text: &str, last: Option<usize>, root: &Value, camera: &Camera) -> String {
    let entry = format!("camera: {}", value(camera));
    let close = root.span.end - 1;
    let Some(last) = last else { return format!("{}{entry}{}", &text[..close], &text[close..]) };
    let behind = &text[last..close];
    if !behind.contains('\n') {
        return format!("{}, {entry}{}", &text[..last], &text[last..]);
    }
    // A comma that is there stands behind spaces and comments.
    let has_comma = comma(behind);
    let indent: String = {
        let start = text[..last].rfind('\n').map_or(0, |i| i + 1);
        let line = &text[start..last];
        if text[..last].contains('\n') {
            line[..line.len() - line.trim_start().len()].into()
        } else {
            "    ".into()
        }
    };
    let indent = if indent.is_empty() { "    ".into() } else { indent };
    let before_close = text[..close].rfind('\n').map_or(close, |i| i + 1);
    let comma = if has_comma { "" } else { "," };
    let (kept, rest) = (&text[last..before_close], &text[before_close..]);
    format!("{}{comma}{kept}{indent}{entry},\n{rest}", &text[..last])
}

/// Whether a comma stands in a text of spaces and comments.
fn comma(text: &str) -> bool {
    let (mut rest, mut open) = (text, 0usize);
    while let Some(c) = rest.chars().next() {
        let skip = match c {
            _ if rest.starts_with("/*") => {
                open += 1;
                2
            }
            _ if rest.starts_with("*/") => {
                open = open.saturating_sub(1);
                2
            }
            _ if open == 0 && rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            ',' if open == 0 => return true,
            c => c.len_utf8(),
        };
        rest = &rest[skip..];
    }
    false
}

fn value(camera: &Camera) -> String {
    format!("({})", fields(camera).map(|(name, value)| format!("{name}: {value}")).join(", "))
}

/// The camera's fields, with as many digits as show in a picture.
fn fields(camera: &Camera) -> [(&'static str, String); 4] {
    let distance = (0..3).map(|k| (camera.eye[k] - camera.target[k]).powi(2)).sum::<f64>().sqrt();
    let point = |v: [f64; 3], unit: f64| format!("({})", v.map(|x| number(x, unit)).join(", "));
    [
        ("eye", point(camera.eye, distance)),
        ("target", point(camera.target, distance)),
        ("up", point(camera.up, 1.0)),
        ("field_of_view", number(camera.field_of_view, camera.field_of_view)),
    ]
}

/// A number rounded to a hundred-thousandth of a unit or less.
fn number(x: f64, unit: f64) -> String {
    let digits = (5.0 - unit.abs().max(1e-9).log10().floor()).clamp(0.0, 12.0) as i32;
    let scale = 10_f64.powi(digits);
    let rounded = (x * scale).round() / scale;
    format!("{:?}", if rounded == 0.0 { 0.0 } else { rounded })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::parse::parse;

    const CAMERA: Camera = Camera {
        eye: [0.123456789, -1.0, 0.5],
        target: [0.0, 1e-9, 0.25],
        up: [0.0, 0.0, 1.0],
        field_of_view: 35.0,
    };

    const WRITTEN: &str =
        "eye: (0.12346, -1.0, 0.5), target: (0.0, 0.0, 0.25), up: (0.0, 0.0, 1.0), field_of_view: 35.0";

    fn after(text: &str) -> String {
        let written = with_camera(FilePath::new("a.ron"), text, &CAMERA).unwrap();
        let scene = parse(&Source::new(FilePath::new("a.ron"), written.clone())).unwrap();
        let found = scene.camera.unwrap();
        assert!((found.eye[0] - CAMERA.eye[0]).abs() < 1e-5 && found.field_of_view == 35.0, "{found:?}");
        written
    }

    #[test]
    fn a_camera_is_added_behind_the_last_value() {
        let cases = [
            ("()", format!("(camera: ({WRITTEN}))")),
            ("(until: 1)", format!("(until: 1, camera: ({WRITTEN}))")),
            ("(until: 1,)", format!("(until: 1, camera: ({WRITTEN}),)")),
            (
                "// head\n(\n    until: 1, // one, two\n    /* end, */\n)\n// tail\n",
                format!(
                    "// head\n(\n    until: 1, // one, two\n    /* end, */\n    camera: ({WRITTEN}),\n)\n// tail\n"
                ),
            ),
            ("(\n  until: 1 // a, b\n)", format!("(\n  until: 1, // a, b\n  camera: ({WRITTEN}),\n)")),
            ("(until: 1,\n)", format!("(until: 1,\n    camera: ({WRITTEN}),\n)")),
        ];
        for (text, expected) in cases {
            assert_eq!(after(text), expected);
        }
    }

    #[test]
    fn a_camera_is_replaced_where_it_stands() {
        let text = "(\n    camera: (\n        eye: (1, 1, 1), // m\n        target: (0, 0, 0),\n    ), // c\n    until: 1,\n)";
        assert_eq!(
            after(text),
            "(\n    camera: (\n        eye: (0.12346, -1.0, 0.5), // m\n        target: (0.0, 0.0, 0.25), up: (0.0, \
             0.0, 1.0), field_of_view: 35.0,\n    ), // c\n    until: 1,\n)"
        );
        assert_eq!(after("(camera: None, until: 1)"), format!("(camera: ({WRITTEN}), until: 1)"));
    }

    #[test]
    fn files_that_others_changed_or_guard_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ron");
        fs::write(&path, "(until: 1)").unwrap();
        let mut scene = SceneFile::read(&path).unwrap();
        scene.save_camera(&CAMERA).unwrap();
        scene.save_camera(&CAMERA).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("(until: 1, camera: ({WRITTEN}))"));
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        let refused = scene.save_camera(&CAMERA).unwrap_err();
        assert!(matches!(refused, SaveError::ReadOnly { .. }), "{refused}");
        fs::remove_file(&path).unwrap();
        fs::write(&path, "(until: 2)").unwrap();
        let refused = scene.save_camera(&CAMERA).unwrap_err();
        assert!(matches!(refused, SaveError::Changed { .. }), "{refused}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "(until: 2)");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no draft is left");
    }
}
