//! Slip: the yarn passes the needle, whose loops are held, behind it or in front.

use super::Stitch;
use crate::pattern::knit::topology::Face;

pub(super) const BEHIND: Stitch = Stitch {
    letter: 's',
    name: "slip, the float behind",
    holds: true,
    form: |machine, wale| machine.pass_by(wale, Face::Back),
};

pub(super) const IN_FRONT: Stitch = Stitch {
    letter: 'f',
    name: "slip, the float in front",
    holds: true,
    form: |machine, wale| machine.pass_by(wale, Face::Front),
};
