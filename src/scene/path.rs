//! Paths to the values of a scene: `fabrics[0].warp.spacing`.

use std::fmt;
use std::ops::Range;

use super::scan::{Entry, Kind, Value};

/// One part of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// A field or a key.
    Name(String),
    /// An index, from zero.
    Index(usize),
}

/// A path from the scene to one of its values.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Path(pub Vec<Part>);

impl Path {
    /// Reads `a.b[0].c`, `a.b.0.c` or `a["b c"].d`; `None` if it is neither.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = Vec::new();
        let mut rest = text.trim();
        while !rest.is_empty() {
            let (part, after) = if let Some(inside) = rest.strip_prefix('[') {
                let (part, after) = inside.split_once(']')?;
                (bracketed(part.trim())?, after)
            } else {
                let end = rest.find(['.', '[']).unwrap_or(rest.len());
                (named(rest[..end].trim())?, &rest[end..])
            };
            parts.push(part);
            rest = match after.strip_prefix('.') {
                Some("") => return None,
                Some(after) => after,
                None if after.is_empty() || after.starts_with('[') => after,
                None => return None,
            };
        }
        (!parts.is_empty()).then_some(Self(parts))
    }

    /// Follows the path as far as the text goes: the last value on it and the number of parts taken.
    pub fn follow<'a>(&self, root: &'a Value) -> (&'a Value, usize) {
        let mut value = root;
        for (taken, part) in self.0.iter().enumerate() {
            match child(value, part) {
                Some(next) => value = next,
                None => return (value, taken),
            }
        }
        (value, self.0.len())
    }

    /// The bytes of the value, or of the nearest one around it that is written in the text.
    pub fn span(&self, root: &Value) -> Range<usize> {
        self.follow(root).0.span.clone()
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, part) in self.0.iter().enumerate() {
            match part {
                Part::Index(index) => write!(f, "[{index}]")?,
                Part::Name(name) if is_plain(name) => write!(f, "{}{name}", if i == 0 { "" } else { "." })?,
                Part::Name(name) => write!(f, "[{name:?}]")?,
            }
        }
        Ok(())
    }
}

/// The value inside `Name(value)`, as of `Some(...)` or `Chart([...])`; other values are themselves.
pub fn unwrapped(value: &Value) -> &Value {
    match &value.kind {
        Kind::Tuple { named: true, items } if items.len() == 1 => unwrapped(&items[0]),
        _ => value,
    }
}

fn child<'a>(value: &'a Value, part: &Part) -> Option<&'a Value> {
    match (&unwrapped(value).kind, part) {
        (Kind::Struct(entries) | Kind::Map(entries), Part::Name(name)) => find(entries, name),
        (Kind::Map(entries), Part::Index(index)) => find(entries, &index.to_string()),
        (Kind::List(items) | Kind::Tuple { items, .. }, Part::Index(index)) => items.get(*index),
        _ => None,
    }
}

fn find<'a>(entries: &'a [Entry], key: &str) -> Option<&'a Value> {
    entries.iter().find(|e| e.key == key).map(|e| &e.value)
}

fn bracketed(text: &str) -> Option<Part> {
    match text.strip_prefix('"') {
        Some(rest) => Some(Part::Name(rest.strip_suffix('"')?.to_string())),
        None => text.parse().ok().map(Part::Index),
    }
}

fn named(text: &str) -> Option<Part> {
    if text.is_empty() || text.contains(char::is_whitespace) {
        return None;
    }
    Some(text.parse().map_or_else(|_| Part::Name(text.to_string()), Part::Index))
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
}

#[cfg(test)]
mod tests {
    use super::super::scan::scan;
    use super::*;

    #[test]
    fn paths_are_read_in_both_notations() {
        let expected =
            Path(vec![Part::Name("a".into()), Part::Index(2), Part::Name("c d".into()), Part::Index(0)]);
        assert_eq!(Path::parse("a[2][\"c d\"].0"), Some(expected.clone()));
        assert_eq!(Path::parse("a.2[\"c d\"][0]"), Some(expected.clone()));
        assert_eq!(expected.to_string(), "a[2][\"c d\"][0]");
        for wrong in ["", "a..b", "a.", ".a", "a[x]", "a[0", "a[0]b", "a b"] {
            assert_eq!(Path::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_path_goes_through_variants_and_stops_where_the_text_does() {
        let text = "( p: { \"top\": Position(Box(min: (1, 2, 3))) }, w: Chart([\"#.\", \".#\"]) )";
        let root = scan(text).unwrap();
        let at = |path: &str| &text[Path::parse(path).unwrap().span(&root)];
        assert_eq!(at("p.top.min[1]"), "2");
        assert_eq!(at("w[1]"), "\".#\"");
        assert_eq!(at("p.top.max"), "Position(Box(min: (1, 2, 3)))");
        assert_eq!(at("w[7]"), "Chart([\"#.\", \".#\"])");
    }
}
