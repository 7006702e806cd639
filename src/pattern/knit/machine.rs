//! A flat-bed machine: needles that hold loops, and a carriage that forms new ones.

mod layout;

use super::chart::Level;
use super::topology::{Contact, Face, Role, Strand, Topology, Yarn};

/// Where the contacts of a stitch lie: half the width of a loop at its feet and at its head, in wales, and
/// half the height of the region where two loops hook, in courses. They are the crossings in plan of the loop
/// of arcs and tangents of Peirce, *Geometrical principles applicable to the design of functional fabrics*,
/// Textile Research Journal 17, 1947: wales 4, courses 3.46 and arcs 1.5 yarn diameters.
const FOOT: f64 = 0.291;
const HEAD: f64 = 0.209;
const HOOK: f64 = 0.36;
/// Where a float crosses the legs of a held loop, and how far apart those of several loops are, in wales.
const FLOAT: f64 = 0.25;
const FLOAT_STEP: f64 = 0.03;
/// How high over the loops that it binds off a loop lies, and half the distance between its two strands there, in courses.
const CHAIN: f64 = 0.8;
const CHAIN_STRANDS: f64 = 0.2;

/// A loop, its contacts listed from its foot to its head.
#[derive(Debug, Default)]
struct Loop {
    wale: usize,
    level: Level,
    /// Whether its yarn came from the left.
    rightward: bool,
    /// Rows from its own to that which knits it off.
    held: f64,
    left: Vec<Strand>,
    right: Vec<Strand>,
    is_twisted: bool,
    is_tuck: bool,
    is_open: bool,
    binds_off: bool,
}

#[derive(Debug)]
enum Item {
    Loop(usize),
    /// The yarn's end drawn through the last loops.
    End(usize),
    Float(usize, Vec<Strand>),
}

/// One yarn once across the bed.
#[derive(Debug)]
struct Pass {
    course: u32,
    level: Level,
    rightward: bool,
    items: Vec<Item>,
}

/// A yarn on the machine: its passes so far.
#[derive(Debug)]
struct Feed {
    feed: usize,
    passes: Vec<Pass>,
}

/// The machine at work.
#[derive(Debug)]
pub(super) struct Machine {
    needles: Vec<Vec<usize>>,
    loops: Vec<Loop>,
    contacts: Vec<Contact>,
    done: Vec<Feed>,
    current: Feed,
}

impl Machine {
    /// A bed without loops.
    pub(super) fn new(wales: usize) -> Self {
        let current = Feed { feed: 0, passes: Vec::new() };
        Self {
            needles: vec![Vec::new(); wales],
            loops: Vec::new(),
            contacts: Vec::new(),
            done: Vec::new(),
            current,
        }
    }

    /// Takes up a feed for a course at a level, from the side where its yarn is.
    pub(super) fn begin_course(&mut self, feed: usize, course: usize, level: Level) {
        if self.current.feed != feed || self.current.passes.is_empty() {
            let next = self.done.iter().position(|f| f.feed == feed);
            let next = next.map_or(Feed { feed, passes: Vec::new() }, |k| self.done.swap_remove(k));
            let last = std::mem::replace(&mut self.current, next);
            if !last.passes.is_empty() {
                self.done.push(last);
            }
        }
        let rightward = self.current.passes.last().is_none_or(|p| !p.rightward);
        self.current.passes.push(Pass { course: course as u32, level, rightward, items: Vec::new() });
    }

    /// The needles in the order in which the carriage passes them.
    pub(super) fn way(&self) -> Vec<usize> {
        let n = self.needles.len();
        if self.pass().rightward { (0..n).collect() } else { (0..n).rev().collect() }
    }

    /// Winds a loop round a needle, crossed at its base.
    pub(super) fn cast_on(&mut self, wale: usize) {
        let is_first = self.loops.is_empty();
        let place = [wale as f64, self.pass().level.height];
        let k = self.new_loop(wale);
        let (upper, sign) = (Face::Front, sign(true, Face::Front));
        let contact = self.add_contact(Contact { role: Role::Twist, upper, sign, place, knotted: is_first });
        let l = &mut self.loops[k];
        l.is_twisted = true;
        l.right.push(Strand { contact, strand: 0 });
        l.left.push(Strand { contact, strand: 1 });
        self.needles[wale] = vec![k];
        self.lay(Item::Loop(k));
    }

    /// Pulls a new loop through all that the needle holds, towards a face.
    pub(super) fn pull_through(&mut self, wale: usize, towards: Face) -> usize {
        let k = self.new_loop(wale);
        let held = std::mem::replace(&mut self.needles[wale], vec![k]);
        self.hook(k, &held, (towards, [true, true]));
        self.lay(Item::Loop(k));
        k
    }

    /// Leads the yarn past a needle, behind its loops or in front.
    pub(super) fn pass_by(&mut self, wale: usize, side: Face) {
        let held = self.needles[wale].clone();
        let height = self.pass().level.height;
        let mut strands = [Vec::new(), Vec::new()];
        for (n, &k) in held.iter().enumerate() {
            for (s, aside) in [(0, -1.0), (1, 1.0)] {
                let place = [wale as f64 + aside * (FLOAT - FLOAT_STEP * n as f64), height];
                let sign = sign(self.pass().rightward == self.loops[k].goes_up(s), side);
                let contact =
                    self.add_contact(Contact { role: Role::Float, upper: side, sign, place, knotted: false });
                self.loops[k].leg(s).push(Strand { contact, strand: 0 });
                strands[s].push(Strand { contact, strand: 1 });
            }
        }
        let [mut across, right] = strands;
        across.extend(right.into_iter().rev());
        self.lay(Item::Float(wale, across));
    }

    /// Lays the yarn into a needle beside the loops that it holds.
    pub(super) fn lay_in(&mut self, wale: usize) {
        let k = self.new_loop(wale);
        self.loops[k].is_tuck = true;
        self.needles[wale].push(k);
        self.lay(Item::Loop(k));
    }

    /// Knits the loops off one after another, each through the needle's and then through the one before, which lies along the
    /// edge; then draws the yarn's end through.
    pub(super) fn bind_off(&mut self) {
        let way = self.way();
        let mut before: Option<usize> = None;
        for (n, &wale) in way.iter().enumerate() {
            if n + 1 < way.len() {
                let k = self.pull_through(wale, Face::Front);
                self.loops[k].binds_off = true;
                self.needles[wale].clear();
                self.chain(k, before, [true, true]);
                before = Some(k);
            } else {
                self.fasten(wale, before);
            }
        }
    }

    /// What was knitted; loops that are still on needles stay open.
    pub(super) fn finish(mut self) -> Topology {
        let live: Vec<usize> = self.needles.concat();
        live.into_iter().for_each(|k| self.loops[k].is_open = true);
        let mut feeds = std::mem::take(&mut self.done);
        feeds.push(std::mem::replace(&mut self.current, Feed { feed: 0, passes: Vec::new() }));
        feeds.sort_by_key(|f| f.feed);
        let yarns: Vec<Yarn> = feeds.iter().filter(|f| !f.passes.is_empty()).map(|f| self.yarn(f)).collect();
        self.knot_ends(&yarns);
        Topology { yarns, contacts: self.contacts, n_loops: self.loops.len() }
    }

    /// Knots the yarns' ends where they begin and end inside the fabric; where loops are open an end unravels them.
    fn knot_ends(&mut self, yarns: &[Yarn]) {
        let is_open = |contact: u32| {
            let holds = |l: &Loop| l.left.iter().chain(&l.right).any(|s| s.contact == contact);
            self.loops.iter().any(|l| l.is_open && holds(l))
        };
        let ends = |yarn: &Yarn| {
            let mut strands = yarn.nodes.iter().filter_map(|n| n.strand.map(|s| s.contact));
            [strands.next(), strands.next_back()]
        };
        let knots: Vec<u32> =
            yarns.iter().flat_map(ends).flatten().filter(|&contact| !is_open(contact)).collect();
        knots.into_iter().for_each(|k| self.contacts[k as usize].knotted = true);
    }

    fn fasten(&mut self, wale: usize, before: Option<usize>) {
        let k = self.new_loop(wale);
        let held = std::mem::take(&mut self.needles[wale]);
        let rightward = self.pass().rightward;
        let legs = [rightward, !rightward];
        self.hook(k, &held, (Face::Front, legs));
        self.chain(k, before, legs);
        let leg = self.loops[k].leg(usize::from(!rightward)).clone();
        leg.into_iter().for_each(|s| self.contacts[s.contact as usize].knotted = true);
        self.lay(Item::End(k));
    }

    /// Hooks a loop into the held ones on its left and right as asked: feet of all, then heads, nested. The last that was held lies
    /// outside, as its yarn comes from beside the needle, but for the leg that turns into the new loop.
    fn hook(&mut self, new: usize, held: &[usize], (towards, legs): (Face, [bool; 2])) {
        let (wale, level) = (self.loops[new].wale as f64, self.loops[new].level);
        let height = level.height;
        let turned = (self.laid_last(), usize::from(!self.pass().rightward));
        for &k in held {
            self.loops[k].held = level.row - self.loops[k].level.row;
        }
        for (s, aside) in [(0, -1.0), (1, 1.0)].into_iter().filter(|(s, _)| legs[*s]) {
            let mut inward: Vec<usize> = held.iter().rev().copied().collect();
            inward.rotate_left(usize::from((held.last().copied(), s) == turned).min(held.len()));
            let nested = |n: usize| 1.0 - 0.6 * n as f64 / inward.len() as f64;
            let add = |machine: &mut Self, n: usize, role: Role| {
                let (x, y, upper) = match role {
                    Role::Head => (HEAD, HOOK, towards),
                    _ => (FOOT, -HOOK, towards.opposite()),
                };
                let middle = 0.5 * (FOOT + HEAD);
                let place = [wale + aside * (middle + (x - middle) * nested(n)), height + y * nested(n)];
                // Seen upwards the new loop comes into the held one through its legs, and leaves it over its head.
                let are_alike = machine.loops[inward[n]].goes_up(s) == machine.loops[new].goes_up(s);
                let sign = sign(((s == 0) == (role == Role::Foot)) == are_alike, upper);
                let contact = machine.add_contact(Contact { role, upper, sign, place, knotted: false });
                machine.loops[inward[n]].leg(s).push(Strand { contact, strand: 0 });
                machine.loops[new].leg(s).push(Strand { contact, strand: 1 });
            };
            (0..inward.len()).for_each(|n| add(self, n, Role::Foot));
            (0..inward.len()).rev().for_each(|n| add(self, n, Role::Head));
        }
    }

    /// Draws legs of a loop up through the one before it in a bound edge, which lies across them: behind its lower strand,
    /// before its upper one.
    fn chain(&mut self, new: usize, before: Option<usize>, legs: [bool; 2]) {
        let Some(before) = before else { return };
        let (wale, height) = (self.loops[new].wale as f64, self.loops[new].level.height + CHAIN);
        let rightward = self.pass().rightward;
        let sides = if rightward { [0, 1] } else { [1, 0] };
        for s in sides.into_iter().filter(|s| legs[*s]) {
            let [upper, lower] = sides;
            for (across, rise, role, face) in [
                (lower, -CHAIN_STRANDS, Role::Foot, Face::Back),
                (upper, CHAIN_STRANDS, Role::Head, Face::Front),
            ] {
                let place = [wale + [-1.0, 1.0][s] * HEAD, height + rise];
                let goes_right = self.loops[before].goes_up(across) == rightward;
                let sign = sign(self.loops[new].goes_up(s) != goes_right, face);
                let contact = self.add_contact(Contact { role, upper: face, sign, place, knotted: false });
                self.loops[before].leg(across).push(Strand { contact, strand: 0 });
                self.loops[new].leg(s).push(Strand { contact, strand: 1 });
            }
        }
    }

    fn pass(&self) -> &Pass {
        let last = self.current.passes.len() - 1;
        &self.current.passes[last]
    }

    /// The loop that the yarn comes from.
    fn laid_last(&self) -> Option<usize> {
        match self.current.passes.iter().rev().find_map(|p| p.items.last())? {
            Item::Loop(k) => Some(*k),
            Item::End(_) | Item::Float(..) => None,
        }
    }

    fn lay(&mut self, item: Item) {
        let last = self.current.passes.len() - 1;
        self.current.passes[last].items.push(item);
    }

    fn new_loop(&mut self, wale: usize) -> usize {
        let Pass { level, rightward, .. } = *self.pass();
        self.loops.push(Loop { wale, level, rightward, ..Loop::default() });
        self.loops.len() - 1
    }

    fn add_contact(&mut self, contact: Contact) -> u32 {
        self.contacts.push(contact);
        self.contacts.len() as u32 - 1
    }
}

/// Sign of a crossing of which the upper strand, seen from the front, comes from the left of the lower along its yarn
/// and goes to its right, or the other way round.
fn sign(to_the_right: bool, upper: Face) -> i8 {
    if to_the_right == (upper == Face::Front) { 1 } else { -1 }
}

impl Loop {
    /// Whether its yarn goes up its left leg, `0`, or its right, `1`, and down the other.
    fn goes_up(&self, side: usize) -> bool {
        (side == 0) == (self.rightward != self.is_twisted)
    }

    fn leg(&mut self, side: usize) -> &mut Vec<Strand> {
        if side == 0 { &mut self.left } else { &mut self.right }
    }
}
