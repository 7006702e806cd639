//! The stitches: what each letter of a chart does.

mod knit;
mod purl;
mod slip;
mod tuck;

use super::machine::Machine;

/// A stitch: a row of [`STITCHES`].
#[derive(Clone, Copy)]
pub struct Stitch {
    /// Its letter in charts.
    pub letter: char,
    /// Its name.
    pub name: &'static str,
    /// Whether it leaves the needle's loops where they are, so that some must be there.
    pub holds: bool,
    /// What it does at a needle.
    pub(super) form: fn(&mut Machine, wale: usize),
}

/// All stitches.
pub const STITCHES: [Stitch; 5] = [knit::KNIT, purl::PURL, slip::BEHIND, slip::IN_FRONT, tuck::TUCK];

/// The stitch of a letter.
pub fn stitch(letter: char) -> Option<&'static Stitch> {
    STITCHES.iter().find(|s| s.letter == letter)
}

impl std::fmt::Debug for Stitch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Stitch {
    fn eq(&self, other: &Self) -> bool {
        self.letter == other.letter
    }
}
