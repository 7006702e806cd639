//! A time step as a function to be minimised.

use std::sync::Arc;

use hebra_solver::matrix::BlockMatrix;
use hebra_solver::objective::{HessianForm, Objective, Restricted};
use hebra_solver::pattern::{BlockPattern, PatternBuilder};
use hebra_solver::time::Scheme;
use rayon::prelude::*;

use crate::model::arrangement::Arrangement;
use crate::model::ids::{BLOCK, BlockId, NodeId, RodId};
use crate::model::yarns::{Model, State};
use crate::potential::collision::Collision;
use crate::potential::region::Region;
use crate::potential::term::{EnergyKind, Potential, Term};
use crate::potential::terms::Terms;

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
    /// What the scheme takes at the end of the step.
    pub(super) implicit: Vec<&'a dyn Potential>,
    pub(super) collision: Option<&'a Collision>,
    pub(super) explicit: Option<Vec<f64>>,
    pub(super) start: &'a [f64],
    /// What is left of a gap between consecutive nodes after one iteration, at least, over itself.
    pub(super) gap_kept: f64,
}

/// A step's potential as a function of the unknowns of a region, where all others stay as they are.
struct Part<'a> {
    problem: &'a Problem<'a>,
    pattern: Arc<BlockPattern>,
    active: Vec<bool>,
    terms: Vec<Box<dyn Term + 'a>>,
    region: Region<'a>,
    explicit: Option<Vec<f64>>,
    start: Vec<f64>,
    /// All unknowns.
    whole: Vec<f64>,
}

/// The sum of some terms and `g.(q - q_n)`.
fn value<'a>(
    terms: impl Iterator<Item = &'a dyn Term>,
    explicit: Option<&[f64]>,
    start: &[f64],
    q: &[f64],
) -> f64 {
    let along = |g: &[f64]| g.iter().zip(q.iter().zip(start)).map(|(g, (q, s))| g * (q - s)).sum();
    terms.map(|t| t.value(q)).sum::<f64>() + explicit.map_or(0.0, along)
}

fn gradient<'a>(
    terms: impl Iterator<Item = &'a dyn Term>,
    explicit: Option<&[f64]>,
    pattern: &BlockPattern,
    q: &[f64],
    out: &mut [f64],
) {
    match explicit {
        Some(g) => out.copy_from_slice(g),
        None => out.fill(0.0),
    }
    terms.for_each(|t| t.add_gradient(pattern, q, out));
}

fn hessian<'a>(
    terms: impl Iterator<Item = &'a dyn Term>,
    (q, form): (&[f64], HessianForm),
    out: &mut BlockMatrix<BLOCK>,
) {
    out.set_zero();
    terms.for_each(|t| t.add_hessian(q, form, out));
}

impl Problem<'_> {
    fn terms(&self) -> impl Iterator<Item = &dyn Term> {
        self.implicit.iter().map(|p| *p as &dyn Term)
    }

    /// The longest step of nodes and pieces of yarn of which a block counts.
    fn longest_step_of(&self, q: &[f64], direction: &[f64], counts: impl Fn(BlockId) -> bool + Sync) -> f64 {
        let apart = self.collision.map_or(1.0, |c| c.longest_step(q, direction, &counts));
        let counts = |pair: [NodeId; 2]| pair.iter().any(|&n| counts(self.model.node(n).block));
        apart.min(longest_step(
            self.model,
            self.arrangement,
            [self.start, q, direction],
            self.gap_kept,
            counts,
        ))
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
        value(self.terms(), self.explicit.as_deref(), self.start, q)
    }

    fn gradient(&self, q: &[f64], out: &mut [f64]) {
        gradient(self.terms(), self.explicit.as_deref(), self.pattern, q, out);
    }

    fn hessian(&self, q: &[f64], form: HessianForm, out: &mut BlockMatrix<BLOCK>) {
        hessian(self.terms(), (q, form), out);
    }

    fn restricted<'a>(&'a self, q: &[f64], free: &'a [bool]) -> Option<Restricted<'a, BLOCK>> {
        let part = Part::new(self, q, free);
        let blocks = part.region.blocks().to_vec();
        Some(Restricted { objective: Box::new(part), blocks })
    }

    fn longest_step(&self, q: &[f64], direction: &[f64]) -> f64 {
        self.longest_step_of(q, direction, |_| true)
    }
}

impl<'a> Part<'a> {
    fn new(problem: &'a Problem<'a>, q: &[f64], free: &'a [bool]) -> Self {
        let mut marked = free.to_vec();
        problem.implicit.iter().for_each(|p| p.mark(free, &mut marked));
        let region = Region::new(free, &marked);
        let mut terms: Vec<_> = problem.implicit.iter().map(|p| p.restricted(&region)).collect();
        let mut builder = PatternBuilder::new(region.blocks().len());
        terms.iter().for_each(|t| t.couple(&mut builder));
        let pattern = builder.build();
        terms.iter_mut().for_each(|t| t.bind(&pattern));
        let dofs =
            || region.blocks().iter().flat_map(|&b| (0..BLOCK).map(move |k| BlockId(b).dof(k) as usize));
        let of = |values: &[f64]| dofs().map(|d| values[d]).collect::<Vec<f64>>();
        Self {
            problem,
            active: dofs().map(|d| problem.active[d] && free[d / BLOCK]).collect(),
            explicit: problem.explicit.as_deref().map(of),
            start: of(problem.start),
            whole: q.to_vec(),
            pattern: Arc::new(pattern),
            terms,
            region,
        }
    }

    fn terms(&self) -> impl Iterator<Item = &dyn Term> {
        self.terms.iter().map(|t| &**t)
    }

    /// Writes the region's unknowns among all.
    fn spread(&self, own: &[f64], all: &mut [f64]) {
        for (&b, own) in self.region.blocks().iter().zip(own.chunks_exact(BLOCK)) {
            all[BLOCK * b as usize..][..BLOCK].copy_from_slice(own);
        }
    }
}

impl Objective<BLOCK> for Part<'_> {
    fn pattern(&self) -> &Arc<BlockPattern> {
        &self.pattern
    }

    fn active(&self) -> &[bool] {
        &self.active
    }

    fn value(&self, q: &[f64]) -> f64 {
        value(self.terms(), self.explicit.as_deref(), &self.start, q)
    }

    fn gradient(&self, q: &[f64], out: &mut [f64]) {
        gradient(self.terms(), self.explicit.as_deref(), &self.pattern, q, out);
    }

    fn hessian(&self, q: &[f64], form: HessianForm, out: &mut BlockMatrix<BLOCK>) {
        hessian(self.terms(), (q, form), out);
    }

    fn longest_step(&self, q: &[f64], direction: &[f64]) -> f64 {
        let (mut at, mut along) = (self.whole.clone(), vec![0.0; self.whole.len()]);
        self.spread(q, &mut at);
        self.spread(direction, &mut along);
        self.problem.longest_step_of(&at, &along, |block| self.region.free()[block.index()])
    }
}

/// The terms that a scheme takes at the end of the step: inertia always.
pub(super) fn implicit_terms(scheme: Scheme, terms: &Terms) -> Vec<&dyn Potential> {
    let is_implicit = |t: &&dyn Potential| scheme.implicit() > 0.0 || t.kind() == EnergyKind::Inertial;
    terms.all().filter(is_implicit).collect()
}

/// The gradient of what the scheme takes at the start of the step, if it takes anything there: the
/// conservative forces for Newmark, all forces for symplectic Euler.
pub(super) fn explicit_gradient(scheme: Scheme, terms: &Terms, state: &State, dt: f64) -> Option<Vec<f64>> {
    if scheme.explicit() == 0.0 {
        return None;
    }
    let (pattern, mut out) = (terms.pattern(), vec![0.0; state.q.len()]);
    terms.all().for_each(|t| t.add_energy_gradient(pattern, &state.q, &mut out));
    if scheme.implicit() == 0.0 {
        let forces = terms.all().filter(|t| t.kind() != EnergyKind::Inertial);
        forces.for_each(|t| t.add_explicit_gradient(pattern, state, dt, &mut out));
    }
    Some(out)
}

/// A gap between consecutive nodes keeps at least this part of itself in one iteration: nodes of a rod stay
/// in order. A half would slow the approach of sliding contacts, a hundredth invites round-off.
pub(super) const GAP_KEPT: f64 = 0.1;

/// And this part in the whole step: a yarn of which next to nothing is left between two contacts is no spring any more,
/// and those in each other's way are known by then.
const GAP_LEFT: f64 = 1e-2;

/// The largest `t` in `(0, 1]` for which every gap between consecutive nodes of a chain that counts keeps a part of
/// itself, and of what it was at the start of the step, at `q + t d`; `[start, q, d]`.
pub(super) fn longest_step(
    model: &Model,
    arrangement: &Arrangement,
    [start, q, direction]: [&[f64]; 3],
    gap_kept: f64,
    counts: impl Fn([NodeId; 2]) -> bool + Sync,
) -> f64 {
    let of_rod = |rod: usize| {
        let mut t: f64 = 1.0;
        let pairs = arrangement.chain(RodId(rod as u32)).windows(2).map(|pair| [pair[0], pair[1]]);
        for pair in pairs.filter(|&pair| counts(pair)) {
            let [a, b] = pair.map(|n| model.node(n).arc_dof() as usize);
            let (gap, closing) = (q[b] - q[a], direction[a] - direction[b]);
            let least = (gap_kept * gap).max(GAP_LEFT * (start[b] - start[a]));
            if closing > 0.0 && closing * t > gap - least {
                t = ((gap - least) / closing).max(0.0);
            }
        }
        t
    };
    (0..model.rods.len()).into_par_iter().map(of_rod).reduce(|| 1.0, f64::min)
}
