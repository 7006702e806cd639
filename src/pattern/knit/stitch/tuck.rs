//! Tuck: the yarn is laid into the needle beside the loops that it holds.

use super::Stitch;

pub(super) const TUCK: Stitch =
    Stitch { letter: 't', name: "tuck", holds: true, form: |machine, wale| machine.lay_in(wale) };
