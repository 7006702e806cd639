//! What a machine has knitted, laid out along its yarns.

use super::{CHAIN, Feed, HEAD, HOOK, Item, Machine, Pass};
use crate::pattern::knit::topology::{Contact, Node, Piece, Strand, Yarn};

/// How far a yarn's ends go beyond the outermost wale, in wales.
const MARGIN: f64 = 1.5;
/// Yarn, in courses there and back, by which a loop is longer that binds others off: it lies along the edge, and
/// knitters bind off loosely so that the edge does not pull in.
const BIND_OFF_SLACK: f64 = 1.05;
/// Height of a loop that nothing is knitted into, in courses.
const OPEN_HEAD: f64 = 0.7;

impl Machine {
    /// A yarn with all its passes.
    pub(super) fn yarn(&self, feed: &Feed) -> Yarn {
        let mut out = Draft { contacts: &self.contacts, pieces: Vec::new(), nodes: Vec::new() };
        let edge = |right: bool| if right { self.needles.len() as f64 - 1.0 + MARGIN } else { -MARGIN };
        if let Some(pass) = feed.passes.first() {
            let first = if pass.rightward { 0 } else { self.needles.len() - 1 };
            out.begin(Piece::Straight);
            out.point([edge(!pass.rightward), pass.level.height - HOOK], [pass.course, first as u32]);
        }
        for pass in &feed.passes {
            pass.items.iter().for_each(|item| self.lay_out(pass, item, &mut out));
        }
        if let Some(pass) = feed.passes.last() {
            let last = if pass.rightward { self.needles.len() - 1 } else { 0 };
            out.begin(Piece::Straight);
            let height = if matches!(pass.items.last(), Some(Item::End(_))) { CHAIN } else { -HOOK };
            out.point([edge(pass.rightward), pass.level.height + height], [pass.course, last as u32]);
        }
        Yarn { feed: feed.feed, pieces: out.pieces, nodes: out.nodes }
    }

    fn lay_out(&self, pass: &Pass, item: &Item, out: &mut Draft<'_>) {
        match item {
            Item::Float(wale, across) => {
                out.begin(Piece::Straight);
                let stitch = [pass.course, *wale as u32];
                across.iter().copied().in_order(pass.rightward, |s| out.strand(s, stitch));
            }
            Item::End(k) => {
                out.begin(Piece::Straight);
                let l = &self.loops[*k];
                let leg = if pass.rightward { &l.left } else { &l.right };
                leg.iter().for_each(|&s| out.strand(s, [pass.course, l.wale as u32]));
            }
            Item::Loop(k) => {
                let l = &self.loops[*k];
                let held = (l.held - 1.0).max(0.0) + if l.binds_off { BIND_OFF_SLACK } else { 0.0 };
                out.begin(if l.is_tuck { Piece::Tuck { held } } else { Piece::Loop { held } });
                let stitch = [pass.course, l.wale as u32];
                let [up, down] = if l.goes_up(0) { [0, 1] } else { [1, 0] };
                let legs = [&l.left, &l.right];
                legs[up].iter().for_each(|&s| out.strand(s, stitch));
                if l.is_open {
                    for side in [up, down] {
                        let x = l.wale as f64 + [-1.0, 1.0][side] * HEAD;
                        out.point([x, l.level.height + OPEN_HEAD], stitch);
                    }
                }
                legs[down].iter().rev().for_each(|&s| out.strand(s, stitch));
            }
        }
    }
}

/// A yarn as it is laid out.
struct Draft<'a> {
    contacts: &'a [Contact],
    pieces: Vec<Piece>,
    nodes: Vec<Node>,
}

impl Draft<'_> {
    fn begin(&mut self, piece: Piece) {
        self.pieces.push(piece);
    }

    fn point(&mut self, place: [f64; 2], stitch: [u32; 2]) {
        self.nodes.push(Node { place, strand: None, stitch, piece: self.pieces.len() as u32 - 1 });
    }

    fn strand(&mut self, strand: Strand, stitch: [u32; 2]) {
        let place = self.contacts[strand.contact as usize].place;
        self.nodes.push(Node { place, strand: Some(strand), stitch, piece: self.pieces.len() as u32 - 1 });
    }
}

trait InOrder<T> {
    /// Every item, from the first or from the last.
    fn in_order(self, forward: bool, f: impl FnMut(T));
}

impl<T, I: DoubleEndedIterator<Item = T>> InOrder<T> for I {
    fn in_order(self, forward: bool, f: impl FnMut(T)) {
        if forward { self.for_each(f) } else { self.rev().for_each(f) }
    }
}
