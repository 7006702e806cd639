//! Purl: the new loop comes through the held ones towards the back.

use super::Stitch;
use crate::pattern::knit::topology::Face;

pub(super) const PURL: Stitch = Stitch {
    letter: 'p',
    name: "purl",
    holds: false,
    form: |machine, wale| {
        machine.pull_through(wale, Face::Back);
    },
};
