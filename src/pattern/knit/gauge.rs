//! Lengths: how far apart stitches are on the machine and how much yarn each takes.

use super::topology::{Contact, Face, Node, Piece, Yarn};
use crate::geometry::Vec3;

/// The loop of Peirce's *Geometrical principles applicable to the design of functional fabrics*, Textile Research Journal
/// 17, 1947, whose yarns just touch: four diameters wide.
struct Peirce {
    /// Length of its yarn, in wales.
    yarn: f64,
    /// Length of the polygon through its contacts, in wales.
    polygon: f64,
}

/// As it is drawn, in the plane.
const FLAT: Peirce = Peirce { yarn: 4.17, polygon: 3.86 };

/// With yarns that pass over and under one another.
const THICK: Peirce = Peirce { yarn: 4.217, polygon: 4.055 };

/// Wales over courses of that loop.
const WALE_OVER_COURSE: f64 = 1.155;

/// Polygon of a loop between its contacts, in wales: the four sides that pass from over to under, and the other four.
const PASSING: f64 = 4.0 * 0.629;
const BESIDE: f64 = FLAT.polygon - PASSING;

impl Peirce {
    /// Length of the chords of a loop over that of its yarn.
    const fn chords(&self) -> f64 {
        self.polygon / self.yarn
    }
}

/// The measures of a knit.
///
/// Yarns run straight from contact to contact here, on the chords of their arcs, and so have [`Gauge::chords`] of the
/// length, and of the weight, that the yarn in a loop has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gauge {
    /// Distance between wales on the machine, m.
    pub wale: f64,
    /// Distance between courses on the machine, m.
    pub course: f64,
    /// Yarn in a loop, m.
    pub loop_length: f64,
    /// How far centre lines pass from where yarns touch, m: a radius, or nothing where yarns pass through one another.
    pub offset: f64,
    /// Yarn that a held loop gets for every course that it spans, over twice the course's height.
    pub slip_factor: f64,
    /// Yarn in a tucked loop over that in another.
    pub tuck_factor: f64,
}

impl Gauge {
    /// A machine's gauge at which loops of a length lie as they are drawn, in Peirce's proportions; `offset` of their
    /// centre lines from where they touch.
    pub fn of_loop(loop_length: f64, offset: f64) -> Self {
        let mut out =
            Self { wale: 0.0, course: 0.0, loop_length, offset, slip_factor: 1.0, tuck_factor: 0.8 };
        let polygon = out.chords() * loop_length;
        // sqrt((PASSING w)^2 + (8 offset)^2) + BESIDE w = polygon
        let a = PASSING * PASSING - BESIDE * BESIDE;
        let c = polygon * polygon - (8.0 * offset).powi(2);
        out.wale = (BESIDE * polygon).hypot((a * c).max(0.0).sqrt());
        out.wale = (out.wale - BESIDE * polygon) / a;
        out.course = out.wale / WALE_OVER_COURSE;
        out
    }

    /// Length of the chords of a loop over that of its yarn.
    pub fn chords(&self) -> f64 {
        if self.offset > 0.0 { THICK.chords() } else { FLAT.chords() }
    }

    /// Where a node lies in the plane of the machine, m.
    pub fn place(&self, node: &Node) -> [f64; 2] {
        [node.place[0] * self.wale, node.place[1] * self.course]
    }

    /// Where the centre line is drawn there, over the plane of the machine, m.
    fn centre(&self, node: &Node, contacts: &[Contact]) -> Vec3 {
        let [x, y] = self.place(node);
        let height = node.strand.map_or(0.0, |s| {
            let is_front = (contacts[s.contact as usize].upper == Face::Front) == (s.strand == 1);
            if is_front { self.offset } else { -self.offset }
        });
        Vec3::new(x, y, height)
    }

    /// Arc coordinates of a yarn's nodes, m: each piece has its length, shared out as it is drawn. Between two knots
    /// there is as much as is drawn, on both yarns: neither can give any to the other.
    pub fn arcs(&self, yarn: &Yarn, contacts: &[Contact]) -> Vec<f64> {
        let places: Vec<Vec3> = yarn.nodes.iter().map(|n| self.centre(n, contacts)).collect();
        let drawn: Vec<f64> = places.windows(2).map(|w| (w[1] - w[0]).norm()).collect();
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
            Piece::Loop { held } => Some(self.chords() * self.loop_length + extra(held)),
            Piece::Tuck { held } => Some(self.chords() * self.tuck_factor * self.loop_length + extra(held)),
            Piece::Straight => None,
        }
    }
}
