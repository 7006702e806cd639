//! How good the damping of a scene is: what of its forces acts on motions that change no strain.

use crate::geometry::Vec3;
use crate::model::ids::{BLOCK, BlockId};
use crate::model::yarns::block_position;
use crate::potential::term::Potential;
use crate::simulation::Simulation;

/// The damping of one term, measured on a deformed state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DampingCheck {
    /// The term.
    pub name: &'static str,
    /// Part of the damping force that lies outside the space of the strains' gradients (3.1), 0 to 1.
    pub outside: f64,
    /// Energy that a rigid turn loses over a step, over that which a random motion of the same speed loses.
    pub rigid: f64,
}

/// Size of the random displacements that deform the state, over the shortest segment or edge.
const DEFORMATION: f64 = 0.05;

/// Distance moved over the step, over the shortest segment or edge.
const MOTION: f64 = 0.01;

/// Measures the damping of every term that has one, on the present state with its positions moved at
/// random by a twentieth of the shortest segment: a state with strain of every kind. The simulation
/// goes on as if nothing had been measured.
pub fn check_damping(simulation: &mut Simulation) -> Vec<DampingCheck> {
    let length = shortest_segment(simulation);
    let mut random = Random(1);
    let mut start = simulation.state().q.clone();
    each_position(simulation, |x| (0..3).for_each(|k| start[x + k] += DEFORMATION * length * random.next()));
    let (mut end, mut turned) = (start.clone(), start.clone());
    each_position(simulation, |x| (0..3).for_each(|k| end[x + k] += MOTION * length * random.next()));
    let (centre, radius) = extent(simulation, &start);
    let turn = nalgebra::Rotation3::from_scaled_axis(
        Vec3::new(0.6, -0.5, 0.4).normalize() * (MOTION * length / radius),
    );
    each_position(simulation, |x| {
        let block = BlockId((x / BLOCK) as u32);
        let place = centre + turn * (block_position(&start, block) - centre);
        turned[x..x + 3].copy_from_slice(place.as_slice());
    });
    let random_motion = measure(simulation, &start, &end);
    let rigid_motion = measure(simulation, &start, &turned);
    let both = random_motion.iter().zip(&rigid_motion).filter(|(r, _)| r.lost > 0.0);
    both.map(|(r, t)| DampingCheck { name: r.name, outside: r.outside, rigid: t.lost / r.lost }).collect()
}

/// What damping does in a step between two states.
fn measure(simulation: &mut Simulation, start: &[f64], end: &[f64]) -> Vec<Measured> {
    let measured = |term: &dyn Potential| {
        let [force, outside] = term.squared_damping_forces(end).map(f64::sqrt);
        let outside = if force > 0.0 { outside / force } else { 0.0 };
        Measured { name: term.name(), outside, lost: term.dissipated(end) }
    };
    simulation.terms_between(start, end).map(measured).collect()
}

/// Calls with the first unknown of every position that is free to move.
fn each_position(simulation: &Simulation, f: impl FnMut(usize)) {
    (0..simulation.state().q.len()).step_by(BLOCK).filter(|&x| simulation.model().free[x]).for_each(f);
}

/// The mean of all positions and the mean distance from it, m.
fn extent(simulation: &Simulation, q: &[f64]) -> (Vec3, f64) {
    let points: Vec<Vec3> =
        (0..simulation.model().n_blocks() as u32).map(|b| block_position(q, BlockId(b))).collect();
    let n = points.len().max(1) as f64;
    let centre = points.iter().sum::<Vec3>() / n;
    (centre, points.iter().map(|x| (x - centre).norm()).sum::<f64>() / n)
}

fn shortest_segment(simulation: &Simulation) -> f64 {
    let segments = simulation.model().segments();
    let segments = segments.map(|[a, b]| {
        simulation.model().arc(&simulation.state().q, b) - simulation.model().arc(&simulation.state().q, a)
    });
    let edges = simulation.model().sheets.hinges.iter().map(|h| h.rest.length);
    segments.chain(edges).filter(|&l| l > 0.0).fold(f64::INFINITY, f64::min)
}

struct Measured {
    name: &'static str,
    outside: f64,
    lost: f64,
}

/// A reproducible sequence of numbers between -1 and 1 (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}
