//! Weave drafts: which yarn is on top at each crossing.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::crimp::CrimpError;

/// A weave, named or drawn.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Weave {
    /// Over one, under one.
    #[default]
    Plain,
    /// Each warp passes over `over` and under `under` wefts, one weft further from warp to warp: `over: 3, under: 1`
    /// shows the warp, `over: 1, under: 3` the weft, both with the diagonal of a right-hand (Z) twill.
    Twill {
        /// Wefts that the warp passes over.
        over: usize,
        /// Wefts that the warp passes under.
        under: usize,
    },
    /// Each weft passes under one warp of `ends`, `step` warps further every row: a sateen, which shows the weft.
    Satin {
        /// Warps in a repeat.
        ends: usize,
        /// Advance a row; it must share no factor with `ends`.
        step: usize,
    },
    /// A plain weave of groups of `size` yarns.
    Basket {
        /// Yarns in a group.
        size: usize,
    },
    /// Rows from the bottom: `#` where the warp is on top, `.` where the weft is.
    Chart(Vec<String>),
}

/// A weave that cannot be woven.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum WeaveError {
    /// A chart without cells.
    #[error("the chart is empty: give at least one row of `#` (warp on top) and `.` (weft on top)")]
    Empty,
    /// Rows of unequal length.
    #[error("row {row} of the chart is {found} wide, the first row is {expected}: all have as many cells")]
    Ragged {
        /// Row from the bottom, from zero.
        row: usize,
        /// Its cells.
        found: usize,
        /// Cells of the first row.
        expected: usize,
    },
    /// A character that means nothing.
    #[error(
        "row {row}, column {column} of the chart is `{found}`; `#` (warp on top) or `.` (weft on top) was expected"
    )]
    UnknownCell {
        /// Row from the bottom, from zero.
        row: usize,
        /// Column from zero.
        column: usize,
        /// What stands there.
        found: char,
    },
    /// A repeat of no or too many yarns, or yarns that never cross over.
    #[error("{0}")]
    Impossible(String),
    /// Yarns without the room to wave.
    #[error(transparent)]
    Crimp(#[from] CrimpError),
}

/// A repeat of a weave: whether the warp is on top, by weft row and warp column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    rows: usize,
    columns: usize,
    warp_on_top: Vec<bool>,
}

impl Draft {
    /// Whether the warp yarn is on top where it crosses the weft yarn; the repeat tiles the plane.
    pub fn warp_on_top(&self, warp: usize, weft: usize) -> bool {
        self.warp_on_top[(weft % self.rows) * self.columns + warp % self.columns]
    }

    /// Weft rows and warp columns of a repeat.
    pub fn size(&self) -> (usize, usize) {
        (self.rows, self.columns)
    }

    /// The part of the distances between wefts on which the warp passes from one face to the other: one in a plain weave.
    pub fn interlaced(&self) -> f64 {
        let passes = |&(row, column): &(usize, usize)| {
            self.warp_on_top(column, row) != self.warp_on_top(column, row + 1)
        };
        let steps = (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| (row, column)));
        steps.filter(passes).count() as f64 / self.warp_on_top.len() as f64
    }

    /// The warps and the wefts of a repeat that lie on top of all other yarns, where there are such: the fabric falls
    /// apart there, because nothing holds them.
    ///
    /// Of two yarns that cross one is above, and the fabric hangs together if from every yarn all others are reached by
    /// going up from yarn to yarn (Clapham, When a fabric hangs together, Bulletin of the London Mathematical Society 12,
    /// 1980).
    pub fn loose(&self) -> Option<[Vec<usize>; 2]> {
        let mut on_top = self.reached(true);
        if !on_top.contains(&false) {
            on_top = self.reached(false).iter().map(|below| !below).collect();
        }
        let (warps, wefts) = on_top.split_at(self.columns);
        let loose = [warps, wefts].map(|set| (0..set.len()).filter(|&k| set[k]).collect::<Vec<_>>());
        loose.iter().any(|set| !set.is_empty()).then_some(loose)
    }

    /// The yarns, warps before wefts, that are reached from the first warp by going up, or down, at crossings.
    fn reached(&self, upward: bool) -> Vec<bool> {
        let n = self.columns + self.rows;
        let (mut reached, mut open) = (vec![false; n], vec![0]);
        reached[0] = true;
        while let Some(yarn) = open.pop() {
            for other in if yarn < self.columns { self.columns..n } else { 0..self.columns } {
                let (warp, weft) = (yarn.min(other), yarn.max(other) - self.columns);
                let is_above = self.warp_on_top(warp, weft) == (other < self.columns);
                if is_above == upward && !reached[other] {
                    reached[other] = true;
                    open.push(other);
                }
            }
        }
        reached
    }

    fn from_fn(rows: usize, columns: usize, f: impl Fn(usize, usize) -> bool) -> Self {
        let cell = |k: usize| f(k / columns, k % columns);
        Self { rows, columns, warp_on_top: (0..rows * columns).map(cell).collect() }
    }
}

impl Weave {
    /// The repeat of the weave.
    ///
    /// # Errors
    /// [`WeaveError`] says which row or number cannot be woven.
    pub fn draft(&self) -> Result<Draft, WeaveError> {
        let impossible = |text: String| Err(WeaveError::Impossible(text));
        match self {
            Self::Plain => Ok(Draft::from_fn(2, 2, |row, column| (row + column) % 2 == 0)),
            &Self::Twill { over, under } => {
                if over == 0 || under == 0 {
                    return impossible(format!(
                        "a twill of {over} over and {under} under has no interlacing: both must be at least 1"
                    ));
                }
                let n = over + under;
                Ok(Draft::from_fn(n, n, |row, column| (column + n - row % n) % n >= under))
            }
            &Self::Satin { ends, step } => {
                if ends < 5 || step < 2 || step + 1 >= ends || gcd(ends, step) != 1 {
                    return impossible(format!(
                        "a satin with ends: {ends} and step: {step} does not exist: at least 5 ends, and a step between 2 and \
                         ends - 2 that shares no factor with them (5 and 2, or 8 and 3)"
                    ));
                }
                Ok(Draft::from_fn(ends, ends, |row, column| column == row * step % ends))
            }
            &Self::Basket { size } => {
                if size == 0 {
                    return impossible("a basket weave needs groups of at least 1 yarn".into());
                }
                Ok(Draft::from_fn(2 * size, 2 * size, |row, column| (row / size + column / size) % 2 == 0))
            }
            Self::Chart(rows) => chart(rows),
        }
    }
}

fn chart(rows: &[String]) -> Result<Draft, WeaveError> {
    let columns = rows.first().map_or(0, |r| r.chars().count());
    if columns == 0 {
        return Err(WeaveError::Empty);
    }
    let mut warp_on_top = Vec::with_capacity(rows.len() * columns);
    for (row, text) in rows.iter().enumerate() {
        let found = text.chars().count();
        if found != columns {
            return Err(WeaveError::Ragged { row, found, expected: columns });
        }
        for (column, cell) in text.chars().enumerate() {
            warp_on_top.push(match cell {
                '#' => true,
                '.' => false,
                found => return Err(WeaveError::UnknownCell { row, column, found }),
            });
        }
    }
    Ok(Draft { rows: rows.len(), columns, warp_on_top })
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(weave: &Weave) -> Vec<String> {
        let d = weave.draft().unwrap();
        let cell = |r, c| if d.warp_on_top(c, r) { '#' } else { '.' };
        (0..d.rows).map(|r| (0..d.columns).map(|c| cell(r, c)).collect()).collect()
    }

    #[test]
    fn named_weaves_are_the_charts_of_the_textbooks() {
        assert_eq!(text(&Weave::Plain), ["#.", ".#"]);
        assert_eq!(text(&Weave::Twill { over: 2, under: 2 }), ["..##", "#..#", "##..", ".##."]);
        assert_eq!(text(&Weave::Twill { over: 3, under: 1 }), [".###", "#.##", "##.#", "###."]);
        assert_eq!(text(&Weave::Twill { over: 1, under: 2 }), ["..#", "#..", ".#."]);
        assert_eq!(text(&Weave::Satin { ends: 5, step: 2 }), ["#....", "..#..", "....#", ".#...", "...#."]);
        assert_eq!(text(&Weave::Basket { size: 2 }), ["##..", "##..", "..##", "..##"]);
    }

    #[test]
    fn yarns_that_nothing_holds_are_found() {
        let loose = |rows: &[&str]| {
            Weave::Chart(rows.iter().map(|r| r.to_string()).collect()).draft().unwrap().loose()
        };
        for weave in [
            Weave::Plain,
            Weave::Twill { over: 3, under: 1 },
            Weave::Satin { ends: 5, step: 2 },
            Weave::Basket { size: 2 },
        ] {
            assert_eq!(weave.draft().unwrap().loose(), None, "{weave:?}");
        }
        assert_eq!(loose(&["##", "##"]), Some([vec![0], vec![]]));
        assert_eq!(loose(&["#.", "#."]), Some([vec![0], vec![]]), "the second warp is below");
        assert_eq!(loose(&[".#.", "..#", "#.."]), None);
        // Two plain cloths, the one of odd warps and wefts above the other.
        assert_eq!(loose(&["##.#", ".#..", ".###", "...#"]), Some([vec![1, 3], vec![1, 3]]));
    }

    #[test]
    fn a_chart_is_refused_with_its_place() {
        let chart = |rows: &[&str]| Weave::Chart(rows.iter().map(|r| r.to_string()).collect()).draft();
        assert_eq!(chart(&["#.", "."]), Err(WeaveError::Ragged { row: 1, found: 1, expected: 2 }));
        assert_eq!(chart(&["#.", ".x"]), Err(WeaveError::UnknownCell { row: 1, column: 1, found: 'x' }));
        assert_eq!(chart(&[]), Err(WeaveError::Empty));
        assert!(Weave::Satin { ends: 6, step: 2 }.draft().is_err());
    }

    #[test]
    fn yarns_interlace_as_often_as_textbooks_say() {
        let part = |weave: Weave| weave.draft().unwrap().interlaced();
        assert_eq!(part(Weave::Plain), 1.0);
        assert_eq!(part(Weave::Twill { over: 2, under: 2 }), 0.5);
        assert_eq!(part(Weave::Satin { ends: 5, step: 2 }), 0.4);
    }
}
