//! What can be wrong with a scene, and where.

use std::fmt;
use std::path::PathBuf;

use thiserror::Error;

use super::words::escaped;

/// A text that is not RON.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct SyntaxError {
    /// Byte of the text.
    pub at: usize,
    /// What was expected.
    pub message: String,
}

/// Something in a scene that cannot be simulated, at a path such as `fabrics[0].warp.spacing`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Path from the scene to the value, as [`Path::parse`](super::path::Path::parse) reads it.
    pub path: String,
    /// What is wrong and what was expected.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => f.write_str(&self.message),
            path => write!(f, "{path}: {}", self.message),
        }
    }
}

impl Problem {
    /// From a path and a message.
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into() }
    }
}

/// Where a message points to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A character of the scene's file.
    File {
        /// The file.
        file: PathBuf,
        /// Line, from one.
        line: usize,
        /// Column in characters, from one.
        column: usize,
    },
    /// A value given by `--set`.
    Override(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { file, line, column } => write!(f, "{}:{line}:{column}", file.display()),
            Self::Override(argument) => write!(f, "--set {argument}"),
        }
    }
}

/// A message with its place.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{place}: {}", escaped(message))]
pub struct Located {
    /// Where.
    pub place: Place,
    /// What.
    pub message: String,
}

/// A scene that cannot be run.
#[derive(Debug, Error)]
pub enum SceneError {
    /// The file cannot be read.
    #[error("{}: cannot be read: {source}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The text is not RON, or not a scene.
    #[error(transparent)]
    Syntax(Box<Located>),
    /// A `--set` that cannot be applied.
    #[error("--set {argument}: {message}")]
    Override {
        /// The argument as given.
        argument: String,
        /// Why.
        message: String,
    },
    /// A scene whose values cannot be simulated.
    #[error("{}", lines(.0))]
    Invalid(Vec<Located>),
    /// A scene made in code whose values cannot be simulated.
    #[error("{}", lines(.0))]
    Problems(Vec<Problem>),
}

impl From<Vec<Problem>> for SceneError {
    fn from(problems: Vec<Problem>) -> Self {
        Self::Problems(problems)
    }
}

fn lines(problems: &[impl ToString]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
