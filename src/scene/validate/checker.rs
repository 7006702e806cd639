//! Collects problems.

use std::collections::BTreeSet;

use super::super::error::Problem;
use super::super::params::Scene;
use super::super::parse::hint;

/// A scene under examination and what was found so far.
pub(super) struct Checker<'a> {
    pub(super) scene: &'a Scene,
    pub(super) problems: Vec<Problem>,
}

impl<'a> Checker<'a> {
    pub(super) fn new(scene: &'a Scene) -> Self {
        Self { scene, problems: Vec::new() }
    }

    pub(super) fn report(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.problems.push(Problem::new(path, message));
    }

    /// A value that must be greater than zero.
    pub(super) fn positive(&mut self, path: impl Into<String>, value: f64, unit: &str) {
        if value <= 0.0 {
            self.report(path, format!("{}; it must be greater than zero", quantity(value, unit)));
        }
    }

    /// A value that must be zero or more.
    pub(super) fn not_negative(&mut self, path: impl Into<String>, value: f64, unit: &str) {
        if value < 0.0 {
            self.report(path, format!("{}; it must not be negative", quantity(value, unit)));
        }
    }

    /// A count that must be at least one.
    pub(super) fn at_least_one(&mut self, path: impl Into<String>, count: usize, what: &str) {
        if count == 0 {
            self.report(path, format!("0 {what}; there must be at least one"));
        }
    }

    /// The red, green and blue of a colour.
    pub(super) fn colour(&mut self, path: &str, colour: [f32; 3]) {
        for (i, c) in colour.into_iter().enumerate() {
            if !(0.0..=1.0).contains(&c) {
                self.report(format!("{path}[{i}]"), format!("{c}; red, green and blue go from 0 to 1"));
            }
        }
    }

    /// The name of a material that must be known.
    pub(super) fn material(&mut self, path: impl Into<String>, name: &str) {
        let known = self.scene.material_names();
        if !known.contains(&name) {
            self.report(path, format!("unknown material `{name}`{}", hint(name, known)));
        }
    }

    /// Names that must differ: `list[i].name`.
    pub(super) fn distinct<'n>(&mut self, list: &str, names: impl Iterator<Item = &'n String>) {
        let mut seen = BTreeSet::new();
        for (i, name) in names.enumerate() {
            if !seen.insert(name) {
                self.report(format!("{list}[{i}].name"), format!("the name `{name}` is taken; give another"));
            }
        }
    }
}

fn quantity(value: f64, unit: &str) -> String {
    if unit.is_empty() { format!("{value}") } else { format!("{value} {unit}") }
}
