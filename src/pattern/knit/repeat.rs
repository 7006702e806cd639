//! After how many stitches a knit repeats.

use std::collections::BTreeMap;

use super::chart::{Extent, Knit, KnitError};

/// The repeat of a knit, in which each yarn comes back to the side that it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repeat {
    /// Rows of the chart.
    pub rows: usize,
    /// Courses of the machine.
    pub courses: usize,
    /// Stitches in a row.
    pub wales: usize,
}

impl Knit {
    /// The repeat of a chart whose rows are knitted from feeds in turn (none: always from one).
    ///
    /// # Errors
    /// Those of the chart.
    pub fn repeat(&self, feeds: &[usize]) -> Result<Repeat, KnitError> {
        let [rows, wales] = self.size();
        let rows = least_common_multiple(rows.max(1), feeds.len().max(1));
        let courses = |n: usize| {
            self.courses(&Extent { courses: n, wales: wales.max(1), feeds, bound: false }).map(|all| {
                let mut uses = BTreeMap::new();
                all.iter().for_each(|c| *uses.entry(c.feed).or_insert(0) += 1);
                (all.len(), uses)
            })
        };
        let ((none, before), (one, after)) = (courses(0)?, courses(rows)?);
        let uses = |feed: &usize| after[feed] - before.get(feed).copied().unwrap_or(0);
        let times = if after.keys().any(|feed| uses(feed) % 2 == 1) { 2 } else { 1 };
        Ok(Repeat { rows: times * rows, courses: times * (one - none), wales: wales.max(1) })
    }

    /// Rows of the chart and stitches in each.
    fn size(&self) -> [usize; 2] {
        match self {
            Self::Jersey => [1, 1],
            Self::Garter => [2, 1],
            Self::Moss => [2, 2],
            &Self::Rib { knit, purl } => [1, knit + purl],
            Self::Chart(rows) | Self::Jacquard(rows) => {
                [rows.len(), rows.first().map_or(0, |r| r.chars().count())]
            }
            Self::File(_) => [0, 0],
        }
    }
}

fn least_common_multiple(a: usize, b: usize) -> usize {
    (1..=b).map(|k| k * a).find(|m| m % b == 0).unwrap_or(a * b)
}
