//! A time step as a function to be minimised.

use std::sync::Arc;

use hebra_solver::matrix::BlockMatrix;
use hebra_solver::objective::{Objective, Tangent};
use hebra_solver::pattern::BlockPattern;
use hebra_solver::time::Scheme;
use rayon::prelude::*;

use crate::model::arrangement::Arrangement;
use crate::model::ids::{BLOCK, NodeId, RodId};
use crate::model::yarns::{Model, State};
use crate::potential::collision::Collision;
use crate::potential::family::{Family, Potential, Region};
use crate::potential::inertia::Inertia;

/// One step's potential:
///
/// ```text
/// inertia(q) + sum over implicit potentials + g.(q - q_n)
/// ```
/// with the gradient `g` of whatever the time scheme takes at the start of the step.
pub(super) struct Problem<'a> {
    pub(super) model: &'a Model,
    pub(super) arrangement: &'a Arrangement,
    pub(super) pattern: &'a Arc<BlockPattern>,
    pub(super) active: &'a [bool],
    pub(super) inertia: [&'a dyn Potential; 2],
    pub(super) implicit: Vec<&'a dyn Potential>,
    pub(super) collision: Option<&'a Collision>,
    pub(super) explicit: Option<Vec<f64>>,
    pub(super) start: &'a [f64],
    /// What is left of a gap between consecutive nodes after one iteration, at least, over itself.
    pub(super) gap_kept: f64,
}

/// A step's potential as a function of the unknowns of some blocks, where all others stay as they are.
struct Restricted<'a> {
    problem: &'a Problem<'a>,
    blocks: &'a [bool],
    active: Vec<bool>,
}

impl Problem<'_> {
    fn potentials(&self) -> impl Iterator<Item = &dyn Potential> {
        self.inertia.iter().chain(&self.implicit).copied()
    }

    fn value_in(&self, q: &[f64], region: Region<'_>) -> f64 {
        let along =
            |g: &Vec<f64>| g.iter().zip(q.iter().zip(self.start)).map(|(g, (q, s))| g * (q - s)).sum();
        let explicit: f64 = self.explicit.as_ref().map_or(0.0, along);
        self.potentials().map(|p| p.value(q, region)).sum::<f64>() + explicit
    }

    fn gradient_in(&self, q: &[f64], region: Region<'_>, out: &mut [f64]) {
        match &self.explicit {
            Some(g) => out.copy_from_slice(g),
            None => out.fill(0.0),
        }
        self.potentials().for_each(|p| p.add_gradient(self.pattern, (q, region), out));
    }

    fn hessian_in(
        &self,
        q: &[f64],
        (Tangent { form, from }, region): (Tangent<'_>, Region<'_>),
        out: &mut BlockMatrix<BLOCK>,
    ) {
        let way = [from.unwrap_or(q), q];
        out.set_zero();
        self.potentials().for_each(|p| p.add_hessian(way, (form, region), out));
    }

    /// The force that holds every inactive unknown where it is, N.
    pub(super) fn reactions(&self, q: &[f64], whole_step: f64, out: &mut [f64]) {
        self.gradient(q, out);
        for (r, active) in out.iter_mut().zip(self.active) {
            *r = if *active { 0.0 } else { *r / whole_step };
        }
    }
}

impl Objective<BLOCK> for Problem<'_> {
    fn pattern(&self) -> &Arc<BlockPattern> {
        self.pattern
    }

    fn active(&self) -> &[bool] {
        self.active
    }

    fn value(&self, q: &[f64]) -> f64 {
        self.value_in(q, None)
    }

    fn gradient(&self, q: &[f64], out: &mut [f64]) {
        self.gradient_in(q, None, out);
    }

    fn hessian(&self, q: &[f64], tangent: Tangent<'_>, out: &mut BlockMatrix<BLOCK>) {
        self.hessian_in(q, (tangent, None), out);
    }

    fn restricted<'a>(&'a self, blocks: &'a [bool]) -> Option<Box<dyn Objective<BLOCK> + 'a>> {
        let of_block =
            |(own, is_in): (&[bool], &bool)| own.iter().map(|on| *on && *is_in).collect::<Vec<_>>();
        let active = self.active.chunks_exact(BLOCK).zip(blocks).flat_map(of_block).collect();
        Some(Box::new(Restricted { problem: self, blocks, active }))
    }

    fn longest_step(&self, q: &[f64], direction: &[f64]) -> f64 {
        let apart = self.collision.map_or(1.0, |c| c.longest_step(q, direction));
        apart.min(longest_step((self.model, self.arrangement), (q, direction), self.gap_kept, |_| true))
    }
}

impl Objective<BLOCK> for Restricted<'_> {
    fn pattern(&self) -> &Arc<BlockPattern> {
        self.problem.pattern
    }

    fn active(&self) -> &[bool] {
        &self.active
    }

    fn value(&self, q: &[f64]) -> f64 {
        self.problem.value_in(q, Some(self.blocks))
    }

    fn gradient(&self, q: &[f64], out: &mut [f64]) {
        self.problem.gradient_in(q, Some(self.blocks), out);
    }

    fn hessian(&self, q: &[f64], tangent: Tangent<'_>, out: &mut BlockMatrix<BLOCK>) {
        self.problem.hessian_in(q, (tangent, Some(self.blocks)), out);
    }

    fn longest_step(&self, q: &[f64], direction: &[f64]) -> f64 {
        self.problem.longest_step(q, direction)
    }
}

/// The gradient of what the scheme takes at the start of the step, if it takes anything there: the
/// conservative forces for Newmark, all forces for symplectic Euler.
pub(super) fn explicit_gradient<'a, I: Iterator<Item = &'a dyn Potential>>(
    scheme: Scheme,
    inertia: &Family<Inertia, 8>,
    potentials: impl Fn() -> I,
    (pattern, state, dt): (&BlockPattern, &State, f64),
) -> Option<Vec<f64>> {
    if scheme.explicit() == 0.0 {
        return None;
    }
    let mut out = vec![0.0; state.q.len()];
    inertia.add_energy_gradient(pattern, &state.q, &mut out);
    potentials().for_each(|p| p.add_energy_gradient(pattern, &state.q, &mut out));
    if scheme.implicit() == 0.0 {
        let motion = (&state.q[..], &state.v[..], dt);
        potentials().for_each(|p| p.add_explicit_gradient(pattern, motion, &mut out));
    }
    Some(out)
}

/// A gap between consecutive nodes keeps at least this part of itself in one step: nodes of a rod stay
/// in order. A half would slow the approach of sliding contacts, a hundredth invites round-off.
pub(super) const GAP_KEPT: f64 = 0.1;

/// The largest `t` in `(0, 1]` for which every gap between consecutive nodes of a chain that counts keeps a part of
/// itself at `q + t d`.
pub(super) fn longest_step(
    (model, arrangement): (&Model, &Arrangement),
    (q, direction): (&[f64], &[f64]),
    gap_kept: f64,
    counts: impl Fn([NodeId; 2]) -> bool + Sync,
) -> f64 {
    let of_rod = |rod: usize| {
        let mut t: f64 = 1.0;
        let pairs = arrangement.chain(RodId(rod as u32)).windows(2).map(|pair| [pair[0], pair[1]]);
        for pair in pairs.filter(|&pair| counts(pair)) {
            let [a, b] = pair.map(|n| model.node(n).arc_dof() as usize);
            let (gap, closing) = (q[b] - q[a], direction[a] - direction[b]);
            if closing * t > (1.0 - gap_kept) * gap {
                t = (1.0 - gap_kept) * gap / closing;
            }
        }
        t
    };
    (0..model.rods.len()).into_par_iter().map(of_rod).reduce(|| 1.0, f64::min)
}
