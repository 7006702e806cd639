//! One way in to all linear solvers: which one is used, what happens when it fails.

mod choice;
mod preconditioner;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use self::choice::Choice;
use self::choice::{Demand, Sizes};
use self::preconditioner::Combined;
pub use self::preconditioner::Stage;
use crate::cholesky::{Cholesky, FactorWork, NotPositiveDefinite, Workspace};
use crate::coarse::CELL_SIDE;
use crate::matrix::BlockMatrix;
use crate::pattern::BlockPattern;
use crate::pcg::{ConjugateGradients, Ending, Outcome, Preconditioner};
use crate::stats::timed;

/// How linear systems are solved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LinearMethod {
    /// By whichever of the others is expected to be cheaper.
    #[default]
    Auto,
    /// By a Cholesky factorisation in f32, refined by conjugate gradients in f64.
    Direct,
    /// By conjugate gradients with strips and a coarse level, or with patches where those fail: memory and
    /// time grow linearly.
    Iterative,
}

/// Options of [`LinearSolver`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LinearOptions {
    /// The method.
    pub method: LinearMethod,
    /// Cap on conjugate gradient iterations.
    pub max_iterations: usize,
    /// Values of a factor, 4 B each, above which `Auto` never factors.
    pub max_factor_values: usize,
}

impl Default for LinearOptions {
    fn default() -> Self {
        Self { method: LinearMethod::Auto, max_iterations: 2000, max_factor_values: 2_000_000_000 }
    }
}

/// What is known of a system besides its pattern: both may be empty, and then less is gained.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Guides {
    /// Rest coordinates of the blocks, in any unit, for the ordering of the direct factor, the coarse level of
    /// [`TwoLevel`](crate::two_level::TwoLevel) and [`Patches`](crate::patches::Patches): two in the plane of
    /// the cloth and the height of its layer; one for each, or none.
    pub coordinates: Vec<[f64; 3]>,
    /// Ordered lists of blocks for [`Strips`](crate::strips::Strips).
    pub groups: Vec<Vec<u32>>,
}

impl Guides {
    /// The coordinates, if there are any.
    pub fn points(&self) -> Option<&[[f64; 3]]> {
        Some(self.coordinates.as_slice()).filter(|c| !c.is_empty())
    }
}

/// How a system stands to the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sequel {
    /// It is the first of a minimisation.
    First,
    /// It is the second.
    Second,
    /// It is a later one.
    Later,
    /// It is a later one with nearly the same matrix, so that the last factor may do once more.
    Close,
}

impl Sequel {
    /// Whether it is nearly the same as the one before.
    pub fn is_close(self) -> bool {
        self == Self::Close
    }

    /// The same where no factor of the one before is left.
    #[must_use]
    pub fn without_factor(self) -> Self {
        if self.is_close() { Self::Later } else { self }
    }
}

/// A symmetric system to be solved.
#[derive(Debug)]
pub struct System<'a, const B: usize> {
    /// The matrix, with identity rows for the inactive unknowns.
    pub matrix: &'a mut BlockMatrix<B>,
    /// Which unknowns are active.
    pub active: &'a [bool],
    /// How it stands to the system before.
    pub sequel: Sequel,
    /// Whether its diagonal is raised where it is indefinite; else it is then given back unsolved.
    pub repair: bool,
}

/// How a system was solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinearReport {
    /// The method that gave the solution, never `Auto`.
    pub method: LinearMethod,
    /// Conjugate gradient iterations, those of failed attempts included.
    pub iterations: usize,
    /// Direct factorisations.
    pub factorisations: usize,
    /// What was added to the diagonal, in the units of the matrix.
    pub shift: f64,
    /// `|b - A x| / |b|`, Euclidean; above the tolerance when the iterations stagnated.
    pub relative_residual: f64,
    /// Whether the matrix is indefinite and was not to be repaired: there is no solution then.
    pub is_indefinite: bool,
    /// Whether the first method failed.
    pub fell_back: bool,
    /// Factoring and preparing preconditioners, s.
    pub setup_seconds: f64,
    /// Conjugate gradients, s.
    pub solve_seconds: f64,
}

/// Why a system has no solution.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum LinearError {
    /// No reasonable shift makes the matrix positive definite.
    #[error("the matrix is indefinite even with {shift:e} added to its diagonal (mean {mean_diagonal:e})")]
    Indefinite {
        /// The last shift.
        shift: f64,
        /// Mean of the diagonal.
        mean_diagonal: f64,
    },
    /// The matrix or the right-hand side holds numbers that are not finite.
    #[error("the linear system has entries that are not finite or overflow")]
    NotFinite,
}

/// Iterations risked, over those that cost as much as a direct solve, where the system is to be solved in any case.
const RISK: f64 = 2.0;

/// Iterations that a preconditioner is given where there is one that copes with more: strips take up to a
/// hundred on stiff cloth, and many hundreds on layers bound by stiff springs, on which patches take 15.
const PATIENCE: usize = 200;

/// Iterations that a factor of a close matrix is given: a factorisation costs about six of them on a sheet
/// of 10,000 blocks, eight on one of 100,000.
const REUSE_ITERATIONS: usize = 5;

/// First shift over the mean of the diagonal, its growth, and where it ends.
const FIRST_SHIFT: f64 = 1e-8;
const SHIFT_GROWTH: f64 = 4.0;
const LAST_SHIFT: f64 = 1e2;

/// Solves symmetric positive definite systems of one pattern by the method that suits them.
///
/// The direct method is an f32 factor with about three iterations of conjugate gradients in f64; the
/// iterative one starts with [`TwoLevel`](crate::two_level::TwoLevel) and goes on to
/// [`Patches`](crate::patches::Patches) where that takes too long, see [`Stage`]. `Auto` compares counted work
/// and falls back on the direct method when the other stagnates. Whatever is not used is never allocated.
#[derive(Debug)]
pub struct LinearSolver<const B: usize> {
    options: LinearOptions,
    pattern: Arc<BlockPattern>,
    guides: Guides,
    /// Active unknowns of the last system.
    n_active: usize,
    combined: Combined<B>,
    factor: Option<Cholesky<B, f32>>,
    cg: ConjugateGradients,
    choice: Choice,
}

enum Attempt {
    Done(Outcome),
    Stalled(Outcome),
    Indefinite(usize),
    NotFinite,
}

impl<const B: usize> LinearSolver<B> {
    /// A solver for matrices of the pattern.
    pub fn new(pattern: Arc<BlockPattern>, guides: Guides, options: LinearOptions) -> Self {
        let cg = ConjugateGradients::new(B * pattern.n_blocks());
        let (combined, factor, choice) = (Combined::default(), None, Choice::default());
        let n_active = B * pattern.n_blocks();
        Self { options, pattern, guides, n_active, combined, factor, cg, choice }
    }

    /// What is known of its systems.
    pub fn guides(&self) -> &Guides {
        &self.guides
    }

    /// What future choices depend on.
    pub fn choice(&self) -> Choice {
        self.choice
    }

    /// Restores [`Self::choice`].
    pub fn set_choice(&mut self, choice: Choice) {
        self.choice = choice;
    }

    /// Goes on with matrices of another pattern of as many blocks.
    pub fn set_pattern(&mut self, pattern: Arc<BlockPattern>) {
        self.pattern = pattern;
        self.combined.follow_pattern();
        self.factor = None;
    }

    /// Solves `A x = b` to `|b - A x| <= tolerance |b|`, or as far as it goes: see the report.
    ///
    /// # Errors
    /// When no reasonable shift makes the matrix positive definite, or numbers are not finite.
    pub fn solve(
        &mut self,
        system: &mut System<'_, B>,
        b: &[f64],
        x: &mut [f64],
        tolerance: f64,
    ) -> Result<LinearReport, LinearError> {
        self.n_active = system.active.iter().filter(|on| **on).count();
        let demand = Demand { sequel: system.sequel, tolerance };
        let mut report = LinearReport {
            method: self.first_method(demand),
            iterations: 0,
            factorisations: 0,
            shift: 0.0,
            relative_residual: 1.0,
            is_indefinite: false,
            fell_back: false,
            setup_seconds: 0.0,
            solve_seconds: 0.0,
        };
        self.cg.tolerance = tolerance;
        let mut mean_diagonal = None;
        loop {
            let attempt = match report.method {
                LinearMethod::Direct => self.direct(system, b, x, &mut report),
                _ => self.iterative(system, b, x, &mut report),
            };
            report.iterations += attempt.iterations();
            let may_factor = report.method == LinearMethod::Iterative && self.may_factor();
            match attempt {
                Attempt::NotFinite => return Err(LinearError::NotFinite),
                // Slow convergence counts as well: whoever has another matrix gets along better with that.
                Attempt::Stalled(_) | Attempt::Indefinite(_) if !system.repair => {
                    report.is_indefinite = true;
                    return Ok(report);
                }
                Attempt::Stalled(_)
                    if report.method == LinearMethod::Iterative && self.go_on(system.active, demand) =>
                {
                    report.fell_back = true;
                }
                Attempt::Stalled(_) | Attempt::Indefinite(_) if may_factor => {
                    self.choice.iterative_failed(&self.sizes(), demand);
                    report.method = LinearMethod::Direct;
                    report.fell_back = true;
                }
                Attempt::Done(outcome) | Attempt::Stalled(outcome) => {
                    report.relative_residual = outcome.relative_residual;
                    self.learn(&report, outcome.iterations, demand);
                    return Ok(report);
                }
                Attempt::Indefinite(_) => self.raise(system, &mut mean_diagonal, &mut report.shift)?,
            }
        }
    }

    fn sizes(&self) -> Sizes {
        let coordinates = self.guides.coordinates.len();
        let (blocks, slots) = (self.pattern.n_blocks(), self.pattern.n_slots());
        Sizes {
            blocks,
            block: B,
            active: self.n_active as f64 / blocks.max(1) as f64,
            slots,
            coarse: (coordinates as f64 / (CELL_SIDE * CELL_SIDE)) as usize,
            stage: self.choice.stage,
            strips_bytes: self.choice.strips_bytes,
        }
    }

    /// Whether `Auto` may fall back on a factor.
    fn may_factor(&self) -> bool {
        let values = self.choice.factor_values(&self.sizes());
        self.options.method == LinearMethod::Auto && values <= self.options.max_factor_values as f64
    }

    fn first_method(&self, demand: Demand) -> LinearMethod {
        let is_dear = || !self.choice.prefers_iterative(&self.sizes(), demand);
        match self.options.method {
            LinearMethod::Auto if self.may_factor() && is_dear() => LinearMethod::Direct,
            LinearMethod::Auto => LinearMethod::Iterative,
            method => method,
        }
    }

    /// The stage after the present one, if there is one for the pattern.
    fn next_stage(&self) -> Option<Stage> {
        self.choice.stage.next().filter(|_| self.guides.coordinates.len() == self.pattern.n_blocks())
    }

    /// Goes on to the next stage, unless a factor is expected to be cheaper, whose work is counted from then on and not
    /// estimated.
    fn go_on(&mut self, active: &[bool], demand: Demand) -> bool {
        let Some(next) = self.next_stage() else { return false };
        if self.options.method == LinearMethod::Auto && self.choice.factor_flops.is_none() {
            let work = FactorWork::of::<B>(&self.pattern, self.guides.points(), active);
            self.choice.count_factor(work.flops, work.n_values);
        }
        let before = self.choice;
        self.choice.go_on_to(next);
        let goes_on = self.first_method(demand) == LinearMethod::Iterative;
        if !goes_on {
            self.choice = before;
        }
        goes_on
    }

    /// `last` are the iterations with the method that succeeded.
    fn learn(&mut self, report: &LinearReport, last: usize, demand: Demand) {
        match report.method {
            LinearMethod::Direct => self.choice.direct_took(report.factorisations, last, demand),
            _ => self.choice.iterative_took(last, demand),
        }
        if report.shift > 0.0 {
            self.choice.last_shift = report.shift;
        }
    }

    fn direct(
        &mut self,
        system: &System<'_, B>,
        b: &[f64],
        x: &mut [f64],
        report: &mut LinearReport,
    ) -> Attempt {
        let (a, max_iterations) = (&*system.matrix, self.options.max_iterations);
        let Self { factor, guides, pattern, choice, cg, .. } = self;
        *factor = factor.take().filter(|f| f.is_of(system.active));
        if let Some(factor) = factor.as_mut().filter(|_| system.sequel.is_close() && report.shift == 0.0) {
            (cg.max_iterations, cg.is_hasty) = (REUSE_ITERATIONS, true);
            let outcome = timed(&mut report.solve_seconds, || cg.solve(a, factor, b, x));
            cg.is_hasty = false;
            if matches!(outcome.ending, Ending::Converged) {
                return Attempt::Done(outcome);
            }
            report.iterations += outcome.iterations;
        }
        report.factorisations += 1;
        let factored = timed(&mut report.setup_seconds, || {
            let factor = factor.get_or_insert_with(|| {
                Cholesky::of_active(pattern, guides.points(), system.active, &Workspace::default())
            });
            choice.count_factor(factor.flops(), factor.n_values());
            if system.repair {
                factor.factor_from(a, choice.factor_shift)?;
                choice.factor_took(factor.shift());
            } else {
                factor.factor_once(a, choice.factor_shift)?;
            }
            Ok::<_, NotPositiveDefinite>(factor)
        });
        let Ok(factor) = factored else { return Attempt::Indefinite(0) };
        cg.max_iterations = max_iterations;
        Attempt::from(timed(&mut report.solve_seconds, || cg.solve(a, factor, b, x)))
    }

    fn iterative(
        &mut self,
        system: &System<'_, B>,
        b: &[f64],
        x: &mut [f64],
        report: &mut LinearReport,
    ) -> Attempt {
        let patience = if self.next_stage().is_some() { PATIENCE } else { usize::MAX };
        let worthwhile = self.worthwhile_iterations(if system.repair { RISK } else { 1.0 });
        self.cg.max_iterations = self.options.max_iterations.min(worthwhile).min(patience);
        let Self { combined, guides, pattern, cg, choice, .. } = self;
        timed(&mut report.setup_seconds, || combined.factor(choice.stage, (pattern, guides), system));
        if let Some(bytes) = combined.strips_bytes() {
            choice.count_strips(bytes);
        }
        let a = &*system.matrix;
        Attempt::from(timed(&mut report.solve_seconds, || cg.solve(a, combined, b, x)))
    }

    /// No more than so many times the work of the direct method is risked where that could do it.
    fn worthwhile_iterations(&self, risk: f64) -> usize {
        if !self.may_factor() {
            return usize::MAX;
        }
        (risk * self.choice.break_even(&self.sizes())).max(1.0) as usize
    }

    /// Raises the diagonal to the next shift.
    fn raise(
        &self,
        system: &mut System<'_, B>,
        mean_diagonal: &mut Option<f64>,
        shift: &mut f64,
    ) -> Result<(), LinearError> {
        let old = *shift;
        let mean = *mean_diagonal.get_or_insert_with(|| system.matrix.mean_diagonal(system.active));
        if old >= LAST_SHIFT * mean {
            return Err(LinearError::Indefinite { shift: old, mean_diagonal: mean });
        }
        // The last shift that was needed is tried a step lower first.
        let first = (FIRST_SHIFT * mean).max(self.choice.last_shift / SHIFT_GROWTH);
        *shift = if old == 0.0 { first } else { SHIFT_GROWTH * old };
        system.matrix.add_to_diagonal(system.active, *shift - old);
        Ok(())
    }
}

impl<const B: usize> Preconditioner for Cholesky<B, f32> {
    fn apply(&mut self, r: &[f64], z: &mut [f64]) {
        self.solve(r, z);
    }
}

impl Attempt {
    fn iterations(&self) -> usize {
        match self {
            Self::Done(outcome) | Self::Stalled(outcome) => outcome.iterations,
            Self::Indefinite(iterations) => *iterations,
            Self::NotFinite => 0,
        }
    }
}

impl From<Outcome> for Attempt {
    fn from(outcome: Outcome) -> Self {
        match outcome.ending {
            Ending::Converged => Self::Done(outcome),
            Ending::IterationCap | Ending::Stagnation => Self::Stalled(outcome),
            Ending::NegativeCurvature => Self::Indefinite(outcome.iterations),
            Ending::NotFinite => Self::NotFinite,
        }
    }
}
