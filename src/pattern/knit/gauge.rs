//! Lengths: how far apart stitches are on the machine and how much yarn each takes.

use super::topology::{Contact, Node, Piece, Yarn};

/// Wales that the yarn of a loop is long in Peirce's *Geometrical principles applicable to the design of functional
/// fabrics*, Textile Research Journal 17, 1947, and the polygon through the contacts of that loop.
const YARN: f64 = 4.17;
const POLYGON: f64 = 3.86;

/// Wales over courses of that loop.
const WALE_OVER_COURSE: f64 = 1.155;

/// The measures of a knit.
///
/// Yarns run straight from contact to contact here, on the chords of their arcs, and so have [`CHORDS`] of the
/// length, and of the weight, that the yarn in a loop has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gauge {
    /// Distance between wales on the machine, m.
    pub wale: f64,
    /// Distance between courses on the machine, m.
    pub course: f64,
    /// Yarn in a loop, m.
    pub loop_length: f64,
    /// Yarn that a held loop gets for every course that it spans, over twice the course's height.
    pub slip_factor: f64,
    /// Yarn in a tucked loop over that in another.
    pub tuck_factor: f64,
}

/// Length of the chords of a loop over that of its yarn.
pub const CHORDS: f64 = POLYGON / YARN;

impl Gauge {
    /// A machine's gauge at which loops of a length lie as they are drawn, in Peirce's proportions.
    pub fn of_loop(loop_length: f64) -> Self {
        let wale = loop_length / YARN;
        Self { wale, course: wale / WALE_OVER_COURSE, loop_length, slip_factor: 1.0, tuck_factor: 0.8 }
    }

    /// Where a node lies in the plane of the machine, m.
    pub fn place(&self, node: &Node) -> [f64; 2] {
        [node.place[0] * self.wale, node.place[1] * self.course]
    }

    /// Arc coordinates of a yarn's nodes, m: each piece has its length, shared out as it is drawn. Between two knots
    /// there is as much as is drawn, on both yarns: neither can give any to the other.
    pub fn arcs(&self, yarn: &Yarn, contacts: &[Contact]) -> Vec<f64> {
        let places: Vec<[f64; 2]> = yarn.nodes.iter().map(|n| self.place(n)).collect();
        let drawn: Vec<f64> =
            places.windows(2).map(|w| (w[1][0] - w[0][0]).hypot(w[1][1] - w[0][1])).collect();
        let pieces = |k: usize| [k, k + 1].map(|n| yarn.nodes[n].piece as usize);
        let mut of_piece = vec![0.0; yarn.pieces.len()];
        for (k, length) in drawn.iter().enumerate() {
            pieces(k).into_iter().for_each(|p| of_piece[p] += 0.5 * length);
        }
        let factor = |p: usize| self.length(yarn.pieces[p]).map_or(1.0, |l| l / of_piece[p]);
        let is_knotted = |n: &Node| n.strand.is_some_and(|s| contacts[s.contact as usize].knotted);
        let mut arcs = vec![0.0];
        for (k, length) in drawn.iter().enumerate() {
            let rest = if yarn.nodes[k..k + 2].iter().all(is_knotted) {
                *length
            } else {
                pieces(k).into_iter().map(|p| 0.5 * length * factor(p)).sum()
            };
            arcs.push(arcs[k] + rest);
        }
        arcs
    }

    /// The chords of a piece, m; none for one that is as long as it is drawn.
    fn length(&self, piece: Piece) -> Option<f64> {
        let extra = |held: f64| 2.0 * held * self.course * self.slip_factor;
        match piece {
            Piece::Loop { held } => Some(CHORDS * self.loop_length + extra(held)),
            Piece::Tuck { held } => Some(CHORDS * self.tuck_factor * self.loop_length + extra(held)),
            Piece::Straight => None,
        }
    }
}
