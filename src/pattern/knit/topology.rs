//! What comes off the machine: yarns as sequences of nodes, and the contacts that join them.

/// A face of the fabric. Flat in the `x, y` plane, the front looks towards `z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Face {
    /// Towards `z`.
    Front,
    /// Away from `z`.
    Back,
}

impl Face {
    /// The other face.
    pub fn opposite(self) -> Self {
        match self {
            Self::Front => Self::Back,
            Self::Back => Self::Front,
        }
    }
}

/// What crosses at a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The two legs of a cast-on loop at its base.
    Twist,
    /// A leg of the lower loop and a foot of the upper.
    Foot,
    /// The head of the lower loop and a leg of the upper.
    Head,
    /// A leg of a held loop and the float of a slipped yarn.
    Float,
}

/// A contact of two strands: of a held (lower) loop, `0`, and of what is knitted into it (upper), `1`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// What crosses.
    pub role: Role,
    /// Where the strand of the upper lies.
    pub upper: Face,
    /// Sign of the crossing, that of `(t_a x t_b).(x_a - x_b)`: of the tangents of either strand and the other, in the
    /// directions in which their yarns run, and the way from the other to it. The same for either.
    pub sign: i8,
    /// Where it lies in the machine: in wales from the left, in courses from the cast-on.
    pub place: [f64; 2],
    /// Whether it is knotted: no yarn slides through it.
    pub knotted: bool,
}

/// One of the two strands of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strand {
    /// Index of the contact.
    pub contact: u32,
    /// `0`: lower, `1`: upper.
    pub strand: u8,
}

/// A length of yarn that is measured by itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Piece {
    /// A loop that was held for so many courses beyond the next one.
    Loop {
        /// Courses for which it was slipped, or that it is longer by.
        held: f64,
    },
    /// A loop laid in beside another.
    Tuck {
        /// Courses for which it was slipped.
        held: f64,
    },
    /// A float past a held loop, the way to another course at an edge, a tail: as long as it is drawn.
    Straight,
}

/// A node of a yarn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Node {
    /// Where it lies in the machine: in wales from the left, in courses from the cast-on.
    pub place: [f64; 2],
    /// Its contact; none for a plain point of the yarn.
    pub strand: Option<Strand>,
    /// The course and the wale of the stitch that it is part of.
    pub stitch: [u32; 2],
    /// Index of its piece of yarn.
    pub piece: u32,
}

/// One yarn from end to end.
#[derive(Debug, Clone, PartialEq)]
pub struct Yarn {
    /// Which of the machine's feeds it came from.
    pub feed: usize,
    /// Its pieces in order.
    pub pieces: Vec<Piece>,
    /// Its nodes in order.
    pub nodes: Vec<Node>,
}

/// A knit.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Topology {
    /// The yarns.
    pub yarns: Vec<Yarn>,
    /// The contacts.
    pub contacts: Vec<Contact>,
    /// Number of loops.
    pub n_loops: usize,
}
