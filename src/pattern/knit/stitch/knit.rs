//! Knit: the new loop comes through the held ones towards the front.

use super::Stitch;
use crate::pattern::knit::topology::Face;

pub(super) const KNIT: Stitch = Stitch {
    letter: 'k',
    name: "knit",
    holds: false,
    form: |machine, wale| {
        machine.pull_through(wale, Face::Front);
    },
};
