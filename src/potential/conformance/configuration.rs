//! Where the suite evaluates an element.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::super::term::{StepStart, Weights};

pub(super) const UNKNOWNS: usize = 20;

/// s
pub(super) const DT: f64 = 0.01;

/// Random configurations beside the given one.
const RANDOM: usize = 6;

/// How far they are from the given one, in every unknown.
const SPREAD: f64 = 0.1;

/// A step's start and a point that it may end at.
#[derive(Clone)]
pub(super) struct Configuration {
    pub(super) q: [f64; UNKNOWNS],
    pub(super) start: [f64; UNKNOWNS],
    pub(super) velocity: [f64; UNKNOWNS],
}

/// Three blocks, whose positions bend and stretch, and one aside; arcs in the two last components of each. The step
/// started a little elsewhere.
pub(super) const GIVEN: Configuration = Configuration {
    q: [
        0.0, 0.1, -0.2, 0.05, 0.0, 0.9, 0.35, 0.1, 0.95, 0.0, 1.7, -0.15, 0.45, 1.80, 0.02, -0.2, 0.9, 0.5,
        0.0, 0.0,
    ],
    start: [
        0.02, 0.07, -0.18, 0.04, 0.01, 0.93, 0.31, 0.06, 0.97, 0.0, 1.66, -0.1, 0.41, 1.83, 0.01, -0.3, 0.8,
        0.45, 0.0, 0.0,
    ],
    velocity: [
        0.3, -0.2, 0.5, 0.4, 0.1, -0.6, 0.1, 0.2, -0.3, 0.2, 0.5, 0.7, -0.4, 0.2, 0.1, 0.0, 0.0, 0.0, 0.0,
        0.0,
    ],
};

impl Configuration {
    /// The step from the start.
    pub(super) fn step_start(&self) -> StepStart<'_> {
        StepStart {
            q: &self.start,
            v: &self.velocity,
            time: 0.3,
            dt: DT,
            weights: Weights { inertia: 1e4, whole_step: 1.0 },
            normal_forces: &[0.7, 0.3],
            slants: &[0.4],
        }
    }

    /// The same end, reached from nearer by: a part of the way is left.
    pub(super) fn nearer(mut self, part: f64) -> Self {
        self.start = std::array::from_fn(|i| (1.0 - part) * self.q[i] + part * self.start[i]);
        self
    }

    /// The unknowns of an element.
    pub(super) fn values<const N: usize>(&self, dofs: &[u32; N]) -> [f64; N] {
        dofs.map(|d| self.q[d as usize])
    }
}

/// Random configurations, always the same, then the given one.
pub(super) fn configurations() -> impl Iterator<Item = Configuration> {
    let mut runner = TestRunner::deterministic();
    let displacements = proptest::array::uniform20(-SPREAD..SPREAD);
    let random = move |_| {
        let mut displaced = GIVEN;
        // The end and the start go together, so that the step stays as short as it is.
        let by = displacements.new_tree(&mut runner).expect("numbers of an interval").current();
        for i in 0..UNKNOWNS {
            displaced.q[i] += by[i];
            displaced.start[i] += by[UNKNOWNS - 1 - i] * 0.1 + by[i];
            displaced.velocity[i] += by[(i + 7) % UNKNOWNS];
        }
        displaced
    };
    (0..RANDOM).map(random).chain([GIVEN])
}
