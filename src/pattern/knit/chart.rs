//! Charts: what is to be knitted, row by row from the bottom, as seen from the front.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::machine::Machine;
use super::stitch::{STITCHES, Stitch, stitch};
use super::topology::Topology;

/// What is knitted, named or drawn; a repeat tiles the fabric.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Knit {
    /// Knit stitches only: wales of `V` in front, bumps behind.
    #[default]
    Jersey,
    /// Wales of knit stitches between wales of purl stitches.
    Rib {
        /// Wales of knit stitches.
        knit: usize,
        /// Wales of purl stitches.
        purl: usize,
    },
    /// Courses of knit and of purl stitches by turns.
    Garter,
    /// Knit and purl stitches by turns along courses and wales.
    Moss,
    /// Rows from the bottom: `k` knit, `p` purl, `s` slip with the float behind, `f` slip with the float in
    /// front, `t` tuck.
    Chart(Vec<String>),
    /// Rows from the bottom, of the numbers of the feeds, two a row at most: each feed knits its cells and
    /// floats behind the others.
    Jacquard(Vec<String>),
    /// A text that has either as it is seen: its last line is the first row.
    File(PathBuf),
}

/// A chart that cannot be knitted. Rows count from the bottom, columns from the left, both from zero.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum KnitError {
    /// A chart without cells.
    #[error("the chart is empty: give at least one row of {}", letters())]
    Empty,
    /// Rows of unequal length.
    #[error("row {row} of the chart is {found} wide, the first row is {expected}: all have as many cells")]
    Ragged {
        /// The row.
        row: usize,
        /// Its cells.
        found: usize,
        /// Cells of the first row.
        expected: usize,
    },
    /// A character that means nothing.
    #[error("row {row}, column {column} of the chart is `{found}`; {expected} was expected")]
    UnknownCell {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// What stands there.
        found: char,
        /// What might stand there.
        expected: String,
    },
    /// A stitch in the first row that leaves its needle's loops where they are.
    #[error(
        "row {row}, column {column} of the chart is a {stitch}, but the first row must take up every cast-on loop: \
         knit or purl it"
    )]
    Unfounded {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// Name of the stitch.
        stitch: &'static str,
    },
    /// A needle that is not knitted for too long.
    #[error(
        "row {row}, column {column} of the chart is the {count}th stitch in a row that holds its needle's loops; a \
         needle holds them for {MAX_HELD} rows at most"
    )]
    HeldTooLong {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// Rows for which the loops are held.
        count: usize,
    },
    /// A row that forms no loop.
    #[error("row {row} of the chart forms no loop: knit, purl or tuck at least one of its cells")]
    NoLoop {
        /// The row.
        row: usize,
    },
    /// A row of more than two feeds.
    #[error("row {row}, column {column} of the chart is a third feed, {found}; a row knits two at most")]
    ThirdFeed {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// The feed.
        found: usize,
    },
    /// A repeat of no wales.
    #[error("{0}")]
    Impossible(String),
    /// A chart in a file that has not been [read](Knit::read).
    #[error("the chart in {} has not been read", .0.display())]
    NotRead(PathBuf),
}

impl KnitError {
    /// The message, and how it counts.
    pub fn explained(&self) -> String {
        let how = if self.cell().is_some() { " (rows count from the bottom, both from 0)" } else { "" };
        format!("{self}{how}")
    }

    /// The row and the column that cannot be knitted.
    pub fn cell(&self) -> Option<[usize; 2]> {
        match *self {
            Self::Ragged { row, found, expected } => Some([row, found.min(expected)]),
            Self::NoLoop { row } => Some([row, 0]),
            Self::UnknownCell { row, column, .. }
            | Self::Unfounded { row, column, .. }
            | Self::HeldTooLong { row, column, .. }
            | Self::ThirdFeed { row, column, .. } => Some([row, column]),
            Self::Empty | Self::Impossible(_) | Self::NotRead(_) => None,
        }
    }
}

/// Rows for which a needle may hold its loops: beyond six the yarns of most fabrics break.
pub const MAX_HELD: usize = 6;

/// Height between the passes of a row of jacquard that has two, in courses: the feet of a loop must lie above the
/// heads of one that was knitted a pass before.
const PASS: f64 = 0.75;

/// One course of the machine.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    /// The feed that knits it.
    pub feed: usize,
    /// Where it lies.
    pub level: Level,
    /// The stitch of every wale.
    pub stitches: Vec<&'static Stitch>,
}

/// Where a course of the machine lies.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Level {
    /// Its height as it is drawn, in courses from the cast-on.
    pub height: f64,
    /// Rows from the cast-on: a row of two passes makes fabric of the height of one.
    pub row: f64,
}

impl Level {
    /// Of a row that is one course.
    fn course(k: usize) -> Self {
        Self { height: k as f64, row: k as f64 }
    }
}

/// The size of a knit and where its yarn comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extent<'a> {
    /// Rows of the chart that are knitted, the cast-on not counted.
    pub courses: usize,
    /// Needles.
    pub wales: usize,
    /// The feed of each row, repeated; empty: always feed 0.
    pub feeds: &'a [usize],
    /// Whether the last loops are bound off.
    pub bound: bool,
}

impl Knit {
    /// A chart from a text that shows it as it is seen, so that the last line is the first row: of stitches, or of the
    /// numbers of feeds where it has nothing else.
    pub fn read(text: &str) -> Self {
        let rows: Vec<String> = text.trim_end().lines().rev().map(|row| row.trim_end().to_string()).collect();
        let is_jacquard = rows.iter().all(|row| row.chars().all(|c| c.is_ascii_digit()));
        if is_jacquard { Self::Jacquard(rows) } else { Self::Chart(rows) }
    }

    /// Knits a fabric from the cast-on to the bind-off.
    ///
    /// # Errors
    /// [`KnitError`] says which row and column cannot be knitted.
    pub fn knit(&self, extent: &Extent<'_>) -> Result<Topology, KnitError> {
        let courses = self.courses(extent)?;
        let mut machine = Machine::new(extent.wales);
        let first = courses.first().map_or(0, |c| c.feed);
        machine.begin_course(first, 0, Level::default());
        machine.way().into_iter().for_each(|wale| machine.cast_on(wale));
        for (k, course) in courses.iter().enumerate() {
            machine.begin_course(course.feed, k + 1, course.level);
            machine.way().into_iter().for_each(|wale| (course.stitches[wale].form)(&mut machine, wale));
        }
        if let Some(last) = courses.last().filter(|_| extent.bound) {
            let level = Level { height: last.level.height + 1.0, row: last.level.row.floor() + 1.0 };
            machine.begin_course(last.feed, courses.len() + 1, level);
            machine.bind_off();
        }
        Ok(machine.finish())
    }

    /// The courses of the machine.
    ///
    /// # Errors
    /// Those of the chart.
    pub fn courses(&self, extent: &Extent<'_>) -> Result<Vec<Course>, KnitError> {
        if let Self::Jacquard(rows) = self {
            return jacquard(rows, extent);
        }
        let rows = self.rows()?;
        let course = |k: usize| Course {
            feed: if extent.feeds.is_empty() { 0 } else { extent.feeds[k % extent.feeds.len()] },
            level: Level::course(k + 1),
            stitches: tiled(&rows[k % rows.len()], extent.wales),
        };
        let courses: Vec<Course> = (0..extent.courses).map(course).collect();
        check_held(&courses, &rows)?;
        Ok(courses)
    }

    /// The repeat of a chart of stitches.
    fn rows(&self) -> Result<Vec<Vec<&'static Stitch>>, KnitError> {
        let drawn = |rows: &[&str]| chart(rows);
        match self {
            Self::Jersey => drawn(&["k"]),
            Self::Garter => drawn(&["k", "p"]),
            Self::Moss => drawn(&["kp", "pk"]),
            &Self::Rib { knit, purl } => {
                if knit + purl == 0 {
                    return Err(KnitError::Impossible("a rib needs at least one wale".into()));
                }
                drawn(&[&("k".repeat(knit) + &"p".repeat(purl))])
            }
            Self::Chart(rows) | Self::Jacquard(rows) => {
                drawn(&rows.iter().map(String::as_str).collect::<Vec<_>>())
            }
            Self::File(path) => Err(KnitError::NotRead(path.clone())),
        }
    }
}

fn tiled<T: Copy>(row: &[T], n: usize) -> Vec<T> {
    row.iter().copied().cycle().take(n).collect()
}

fn letters() -> String {
    let each: Vec<String> = STITCHES.iter().map(|s| format!("`{}` ({})", s.letter, s.name)).collect();
    each.join(", ")
}

/// Cells of a chart, each read from its character.
fn cells<T>(
    rows: &[&str],
    expected: &dyn Fn() -> String,
    read: impl Fn(char) -> Option<T>,
) -> Result<Vec<Vec<T>>, KnitError> {
    let columns = rows.first().map_or(0, |r| r.chars().count());
    if columns == 0 {
        return Err(KnitError::Empty);
    }
    let read_row = |(row, text): (usize, &&str)| {
        let found = text.chars().count();
        if found != columns {
            return Err(KnitError::Ragged { row, found, expected: columns });
        }
        let unknown = |column, found| KnitError::UnknownCell { row, column, found, expected: expected() };
        text.chars().enumerate().map(|(column, c)| read(c).ok_or_else(|| unknown(column, c))).collect()
    };
    rows.iter().enumerate().map(read_row).collect()
}

fn chart(rows: &[&str]) -> Result<Vec<Vec<&'static Stitch>>, KnitError> {
    let rows = cells(rows, &letters, stitch)?;
    if let Some(column) = rows[0].iter().position(|s| s.holds) {
        return Err(KnitError::Unfounded { row: 0, column, stitch: rows[0][column].name });
    }
    Ok(rows)
}

/// That every row forms a loop, and that no needle holds its loops for too long.
fn check_held(courses: &[Course], rows: &[Vec<&'static Stitch>]) -> Result<(), KnitError> {
    let mut held = vec![0; courses.first().map_or(0, |c| c.stitches.len())];
    for (k, course) in courses.iter().enumerate() {
        let row = k % rows.len();
        if course.stitches.iter().all(|s| s.holds && s.letter != 't') {
            return Err(KnitError::NoLoop { row });
        }
        for (wale, s) in course.stitches.iter().enumerate() {
            held[wale] = if s.holds { held[wale] + 1 } else { 0 };
            if held[wale] > MAX_HELD {
                let column = wale % rows[row].len();
                return Err(KnitError::HeldTooLong { row, column, count: held[wale] });
            }
        }
    }
    Ok(())
}

/// A course of knit stitches, then for every row a pass of each of its feeds.
fn jacquard(rows: &[String], extent: &Extent<'_>) -> Result<Vec<Course>, KnitError> {
    let texts: Vec<&str> = rows.iter().map(String::as_str).collect();
    let expected = || "the number of a feed, `0` to `9`,".to_string();
    let rows = cells(&texts, &expected, |c| c.to_digit(10).map(|d| d as usize))?;
    let [knit, slip] = ['k', 's'].map(stitch);
    let (Some(knit), Some(slip)) = (knit, slip) else { return Err(KnitError::Empty) };
    let mut out =
        vec![Course { feed: rows[0][0], level: Level::course(1), stitches: vec![knit; extent.wales] }];
    let mut height = 2.0;
    for k in 0..extent.courses {
        let cells: Vec<usize> = tiled(&rows[k % rows.len()], extent.wales);
        let feeds = feeds_of(k % rows.len(), &cells)?;
        for (pass, &feed) in feeds.iter().enumerate() {
            let stitches = cells.iter().map(|&cell| if cell == feed { knit } else { slip }).collect();
            let row = (k + 2) as f64 + pass as f64 / feeds.len() as f64;
            out.push(Course { feed, level: Level { height, row }, stitches });
            height += if feeds.len() > 1 { PASS } else { 1.0 };
        }
    }
    Ok(out)
}

fn feeds_of(row: usize, cells: &[usize]) -> Result<Vec<usize>, KnitError> {
    let mut feeds = Vec::new();
    for (column, &found) in cells.iter().enumerate() {
        if !feeds.contains(&found) {
            feeds.push(found);
        }
        if feeds.len() > 2 {
            return Err(KnitError::ThirdFeed { row, column, found });
        }
    }
    feeds.sort_unstable();
    Ok(feeds)
}
