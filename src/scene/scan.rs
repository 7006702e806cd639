//! A scanner of RON text: where each value of a scene stands.
//!
//! It checks brackets, not types: the types are the parser's business.

use std::ops::Range;

use super::error::SyntaxError;
use super::words::number_with_unit;

/// A value and the bytes of the text that it takes, without surrounding spaces and comments.
#[derive(Debug, Clone, PartialEq)]
pub struct Value {
    /// Bytes of the text.
    pub span: Range<usize>,
    /// What stands there.
    pub kind: Kind,
}

/// The shape of a value.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// A number, a string, a character, or a bare name.
    Scalar,
    /// `( key: value )`, with or without a name before it; or nothing in the brackets.
    Struct(Vec<Entry>),
    /// `( value, value )`, with or without a name before it.
    Tuple {
        /// Whether a name stands before the bracket, as of an enum's variant.
        named: bool,
        /// The values.
        items: Vec<Value>,
    },
    /// `[ value, value ]`.
    List(Vec<Value>),
    /// `{ key: value }`.
    Map(Vec<Entry>),
}

/// A key with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The key, without quotation marks.
    pub key: String,
    /// Bytes of the key.
    pub key_span: Range<usize>,
    /// Its value.
    pub value: Value,
}

/// Scans a whole text into the tree of its values.
///
/// # Errors
/// [`SyntaxError`] where a bracket, a string or a comment does not end, or a value is missing.
pub fn scan(text: &str) -> Result<Value, SyntaxError> {
    let mut scanner = Scanner { text, at: 0, depth: 0 };
    scanner.skip_space()?;
    while scanner.rest().starts_with("#!") {
        scanner.at += scanner.rest().find(']').map_or(scanner.rest().len(), |i| i + 1);
        scanner.skip_space()?;
    }
    let value = scanner.value()?;
    scanner.skip_space()?;
    match scanner.peek() {
        None => Ok(value),
        Some(c) => Err(scanner.unexpected(format!("the scene ended before this `{c}`"))),
    }
}

/// Brackets within brackets at most; beyond it a text is not a scene but an attack on the stack.
const MAX_DEPTH: usize = 100;

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn error(&self, message: String) -> SyntaxError {
        SyntaxError { at: self.at, message }
    }

    /// Something that does not belong here: a unit behind a number, or else what a message says.
    fn unexpected(&self, message: String) -> SyntaxError {
        let at = self.text[..self.at].trim_end().trim_end_matches(is_word).len();
        let behind = self.rest().trim_start_matches(is_word);
        let word = &self.text[at..self.text.len() - behind.len()];
        let is_key = behind.trim_start().starts_with(':') || word.contains('\n');
        match number_with_unit(word).filter(|_| !is_key) {
            Some(message) => SyntaxError { at, message },
            None => self.error(message),
        }
    }

    fn skip_space(&mut self) -> Result<(), SyntaxError> {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if trimmed.starts_with("//") {
                self.at += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if trimmed.starts_with("/*") {
                self.skip_block_comment()?;
            } else {
                return Ok(());
            }
        }
    }

    fn skip_block_comment(&mut self) -> Result<(), SyntaxError> {
        let (start, mut open) = (self.at, 0);
        loop {
            let rest = self.rest();
            let (advance, change) = match rest.chars().next() {
                None => return Err(SyntaxError { at: start, message: "this comment has no `*/`".into() }),
                _ if rest.starts_with("/*") => (2, 1),
                _ if rest.starts_with("*/") => (2, -1),
                Some(c) => (c.len_utf8(), 0),
            };
            self.at += advance;
            open += change;
            if open == 0 {
                return Ok(());
            }
        }
    }

    fn value(&mut self) -> Result<Value, SyntaxError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error(format!("more than {MAX_DEPTH} brackets within one another")));
        }
        let start = self.at;
        let kind = match self.peek() {
            Some('[') => Kind::List(self.items('[', ']')?),
            Some('{') => Kind::Map(self.entries('{', '}')?),
            Some('(') => self.parenthesised(false)?,
            Some('"') => self.string()?,
            Some('\'') => self.character()?,
            _ if self.raw_string_hashes().is_some() => self.raw_string()?,
            _ => self.word()?,
        };
        self.depth -= 1;
        Ok(Value { span: start..self.at, kind })
    }

    fn word(&mut self) -> Result<Kind, SyntaxError> {
        let length = self.rest().find(|c| !is_word(c)).unwrap_or(self.rest().len());
        if length == 0 {
            return Err(self.error(match self.peek() {
                Some(c) => format!("expected a value, found `{c}`"),
                None => "expected a value, found the end of the scene: a bracket is not closed".into(),
            }));
        }
        let is_name = self.rest().starts_with(|c: char| c.is_alphabetic() || c == '_');
        self.at += length;
        let end = self.at;
        self.skip_space()?;
        if is_name && self.peek() == Some('(') {
            return self.parenthesised(true);
        }
        self.at = end;
        Ok(Kind::Scalar)
    }

    fn parenthesised(&mut self, named: bool) -> Result<Kind, SyntaxError> {
        let start = self.at;
        self.at += 1;
        self.skip_space()?;
        if self.peek() == Some(')') {
            self.at += 1;
            return Ok(Kind::Struct(Vec::new()));
        }
        let has_keys = self.key_follows()?;
        self.at = start;
        if has_keys {
            Ok(Kind::Struct(self.entries('(', ')')?))
        } else {
            Ok(Kind::Tuple { named, items: self.items('(', ')')? })
        }
    }

    /// Whether `name :` comes next.
    fn key_follows(&mut self) -> Result<bool, SyntaxError> {
        let length = self.rest().find(|c| !is_word(c)).unwrap_or(self.rest().len());
        self.at += length;
        self.skip_space()?;
        Ok(length > 0 && self.peek() == Some(':'))
    }

    fn items(&mut self, open: char, close: char) -> Result<Vec<Value>, SyntaxError> {
        let mut items = Vec::new();
        self.separated(open, close, |scanner| {
            items.push(scanner.value()?);
            Ok(())
        })?;
        Ok(items)
    }

    fn entries(&mut self, open: char, close: char) -> Result<Vec<Entry>, SyntaxError> {
        let mut entries = Vec::new();
        self.separated(open, close, |scanner| {
            let key = scanner.value()?;
            let text = &scanner.text[key.span.clone()];
            scanner.skip_space()?;
            if scanner.peek() != Some(':') {
                return Err(scanner.error(format!("expected `:` after `{text}`")));
            }
            scanner.at += 1;
            scanner.skip_space()?;
            let key_text = text.trim_start_matches("r#").trim_matches('"').to_string();
            entries.push(Entry { key: key_text, key_span: key.span, value: scanner.value()? });
            Ok(())
        })?;
        Ok(entries)
    }

    fn separated(
        &mut self,
        open: char,
        close: char,
        mut each: impl FnMut(&mut Self) -> Result<(), SyntaxError>,
    ) -> Result<(), SyntaxError> {
        let start = self.at;
        self.at += 1;
        loop {
            self.skip_space()?;
            match self.peek() {
                Some(c) if c == close => break,
                None => {
                    return Err(SyntaxError {
                        at: start,
                        message: format!("this `{open}` has no `{close}`"),
                    });
                }
                Some(_) => each(self)?,
            }
            self.skip_space()?;
            match self.peek() {
                Some(',') => self.at += 1,
                Some(c) if c == close => break,
                None => {
                    return Err(SyntaxError {
                        at: start,
                        message: format!("this `{open}` has no `{close}`"),
                    });
                }
                Some(c) => return Err(self.unexpected(format!("expected `,` or `{close}`, found `{c}`"))),
            }
        }
        self.at += 1;
        Ok(())
    }

    fn string(&mut self) -> Result<Kind, SyntaxError> {
        let mut escaped = false;
        for (i, c) in self.rest().char_indices().skip(1) {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => {
                    self.at += i + 1;
                    return Ok(Kind::Scalar);
                }
                _ => {}
            }
        }
        Err(self.error("this string has no closing `\"`".into()))
    }

    fn character(&mut self) -> Result<Kind, SyntaxError> {
        let from = if self.rest().starts_with("'\\") { 3 } else { 2 };
        let end = self.rest().char_indices().skip(from).find(|&(_, c)| c == '\'');
        let Some((i, _)) = end else {
            return Err(self.error("this character has no closing `'`".into()));
        };
        self.at += i + 1;
        Ok(Kind::Scalar)
    }

    fn raw_string_hashes(&self) -> Option<usize> {
        let hashes = self.rest().strip_prefix('r')?;
        let rest = hashes.trim_start_matches('#');
        rest.starts_with('"').then(|| hashes.len() - rest.len())
    }

    fn raw_string(&mut self) -> Result<Kind, SyntaxError> {
        let hashes = self.raw_string_hashes().unwrap_or(0);
        let (opening, closing) = (hashes + 2, format!("\"{}", "#".repeat(hashes)));
        let Some(i) = self.rest()[opening..].find(&closing) else {
            return Err(self.error(format!("this raw string has no closing `{closing}`")));
        };
        self.at += opening + i + closing.len();
        Ok(Kind::Scalar)
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '+' | '-' | '#')
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r##"#![enable(implicit_some)]
// a comment with ( and "
( a: 1.5e-3, /* nested /* ) */ */ b: [ "x, )", r#"y " z"#, 'c', '\'' ],
  m: { "k": Name(1, 2), }, s: Some(( u: -1 )), e: (), p: Plain )
"##;

    fn field<'a>(value: &'a Value, name: &str) -> &'a Value {
        match &value.kind {
            Kind::Struct(entries) | Kind::Map(entries) => {
                &entries.iter().find(|e| e.key == name).unwrap().value
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn values_are_found_where_they_stand() {
        let root = scan(TEXT).unwrap();
        let text = |v: &Value| &TEXT[v.span.clone()];
        assert_eq!(text(field(&root, "a")), "1.5e-3");
        assert_eq!(text(field(field(&root, "m"), "k")), "Name(1, 2)");
        assert_eq!(text(field(&root, "p")), "Plain");
        assert_eq!(field(&root, "e").kind, Kind::Struct(Vec::new()));
        let Kind::List(items) = &field(&root, "b").kind else { panic!() };
        assert_eq!(items.iter().map(text).collect::<Vec<_>>(), ["\"x, )\"", "r#\"y \" z\"#", "'c'", "'\\''"]);
    }

    #[test]
    fn open_brackets_and_strings_are_refused_where_they_open() {
        let cases = [
            ("(a: [1, 2", 4, "has no `]`"),
            ("(a: \"x)", 4, "closing"),
            ("(a: )", 4, "expected a value"),
            ("(a: 1 b: 2)", 6, "expected `,`"),
            ("/* (", 0, "*/"),
            ("() x", 3, "ended"),
            ("(a: [1 ms])", 5, "`1e-3` for `1 ms`"),
            ("1.5 mm", 0, "`1.5e-3` for `1.5 mm`"),
            ("(a: 1\n m, b: 2)", 7, "expected `,`"),
            ("(a: 1 m: 2)", 6, "expected `,`"),
        ];
        for (text, at, message) in cases {
            let error = scan(text).unwrap_err();
            assert_eq!(error.at, at, "{text}: {}", error.message);
            assert!(error.message.contains(message), "{text}: {}", error.message);
        }
        assert!(scan(&"[".repeat(100_000)).unwrap_err().message.contains("within one another"));
    }
}
