//! The choice among the linear solvers, and the fallback where one fails.

mod choice;
mod preconditioner;
mod system;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use self::choice::Choice;
use self::choice::{Demand, Sizes};
use self::preconditioner::Combined;
pub use self::preconditioner::Stage;
pub use self::system::{Guides, LinearError, LinearReport, Sequel, System};
use crate::cholesky::{Cholesky, FactorError, FactorWork, Workspace};
use crate::coarse::CELL_SIDE;
use crate::interrupt::Interrupt;
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
    /// By conjugate gradients with overlapping additive Schwarz preconditioners: memory and time grow linearly.
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

/// Iterations risked, over those that cost as much as a direct solve, where the system is to be solved in any case.
const RISK: f64 = 2.0;

/// Iterations that a preconditioner is given where there is one that copes with more: strips take up to a
/// hundred on stiff cloth, and many hundreds on layers bound by stiff springs, on which patches take 15.
const PATIENCE: usize = 200;

/// First Levenberg-Marquardt shift over the mean of the diagonal, its growth, and its end.
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
    interrupt: Interrupt,
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
        let (n_active, interrupt) = (B * pattern.n_blocks(), Interrupt::default());
        Self { options, pattern, guides, n_active, combined, factor, cg, choice, interrupt }
    }

    /// The same solver, that ends early where the flag is raised.
    #[must_use]
    pub fn with_interrupt(mut self, interrupt: Interrupt) -> Self {
        (self.combined, self.factor) = (Combined::new(interrupt.clone()), None);
        self.cg.interrupt = interrupt.clone();
        Self { interrupt, ..self }
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
    /// When no reasonable shift makes the matrix positive definite, numbers are not finite, or it is interrupted.
    pub fn solve(
        &mut self,
        system: &mut System<'_, B>,
        b: &[f64],
        x: &mut [f64],
        tolerance: f64,
    ) -> Result<LinearReport, LinearError> {
        self.n_active = system.active.iter().filter(|on| **on).count();
        let demand = Demand { sequel: system.sequel, tolerance };
        let mut report = LinearReport { method: self.plan(demand), ..Default::default() };
        self.cg.tolerance = tolerance;
        let mut mean_diagonal = None;
        loop {
            let attempt = match report.method {
                LinearMethod::Direct => self.direct(system, b, x, &mut report),
                _ => self.iterative(system, b, x, &mut report),
            };
            report.iterations += attempt.iterations();
            // An attempt that was broken off says nothing of the system.
            if self.interrupt.is_raised() {
                return Err(LinearError::Interrupted);
            }
            match (attempt, report.method) {
                (Attempt::NotFinite, _) => return Err(LinearError::NotFinite),
                // Slow convergence counts as well: whoever has another matrix gets along better with that.
                (Attempt::Stalled(_) | Attempt::Indefinite(_), _) if !system.repair => {
                    report.is_indefinite = true;
                    return Ok(report);
                }
                (Attempt::Stalled(outcome), LinearMethod::Iterative) => {
                    self.choice.iterative_stalled(&outcome, demand);
                    if !self.go_on(system.active, demand) {
                        if !self.may_factor() {
                            report.relative_residual = outcome.relative_residual;
                            return Ok(report);
                        }
                        report.method = LinearMethod::Direct;
                    }
                    report.fell_back = true;
                }
                (Attempt::Indefinite(_), LinearMethod::Iterative) if self.may_factor() => {
                    self.choice.iterative_failed(&self.sizes(), demand);
                    (report.method, report.fell_back) = (LinearMethod::Direct, true);
                }
                (Attempt::Done(outcome) | Attempt::Stalled(outcome), _) => {
                    report.relative_residual = outcome.relative_residual;
                    self.learn(&report, outcome.iterations, demand);
                    return Ok(report);
                }
                (Attempt::Indefinite(_), _) => self.raise(system, &mut mean_diagonal, &mut report.shift)?,
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
            strips_bytes: self.choice.strips_bytes,
        }
    }

    /// Whether `Auto` may fall back on a factor.
    fn may_factor(&self) -> bool {
        let values = self.choice.factor_values(&self.sizes());
        self.options.method == LinearMethod::Auto && values <= self.options.max_factor_values as f64
    }

    /// The method that is expected to be cheaper, of those that may be used.
    fn plan(&self, demand: Demand) -> LinearMethod {
        match self.options.method {
            LinearMethod::Auto if self.may_factor() => self.choice.cheaper(&self.sizes(), demand),
            LinearMethod::Auto => LinearMethod::Iterative,
            method => method,
        }
    }

    /// Whether patches may take over from strips.
    fn may_take_patches(&self) -> bool {
        self.choice.stage == Stage::Strips && self.guides.coordinates.len() == self.pattern.n_blocks()
    }

    /// Goes on to patches where strips have stalled, unless a factor is expected to be cheaper, whose work is counted from
    /// then on and not estimated; whether it does.
    fn go_on(&mut self, active: &[bool], demand: Demand) -> bool {
        if !self.may_take_patches() {
            return false;
        }
        if self.options.method == LinearMethod::Auto && self.choice.factor_flops.is_none() {
            let work = FactorWork::of::<B>(&self.pattern, self.guides.points(), active);
            self.choice.count_factor(work.flops, work.n_values);
        }
        let strips = self.choice;
        self.choice = strips.with_patches();
        let goes_on = self.plan(demand) == LinearMethod::Iterative;
        if !goes_on {
            self.choice = strips;
        }
        goes_on
    }

    /// `last` are the iterations with the method that succeeded.
    fn learn(&mut self, report: &LinearReport, last: usize, demand: Demand) {
        match report.method {
            LinearMethod::Direct => self.choice.direct_took(last, demand),
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
        let Self { factor, guides, pattern, choice, cg, interrupt, .. } = self;
        *factor = factor.take().filter(|f| f.is_of(system.active));
        report.factorisations += 1;
        let factored = timed(&mut report.setup_seconds, || {
            let factor = factor.get_or_insert_with(|| {
                let workspace = Workspace::new(interrupt.clone());
                Cholesky::of_active(pattern, guides.points(), system.active).with_workspace(&workspace)
            });
            choice.count_factor(factor.flops(), factor.n_values());
            if system.repair { factor.factor(a) } else { factor.factor_once(a) }?;
            Ok::<_, FactorError>(factor)
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
        self.prepare(system, report);
        self.cg.max_iterations = self.options.max_iterations;
        if self.may_take_patches() {
            self.cg.max_iterations = self.cg.max_iterations.min(PATIENCE);
        }
        if self.may_factor() {
            let risk = if system.repair { RISK } else { 1.0 };
            let worthwhile = risk * self.choice.break_even(&self.sizes());
            self.cg.max_iterations = self.cg.max_iterations.min(worthwhile.max(1.0) as usize);
        }
        let Self { combined, cg, .. } = self;
        let a = &*system.matrix;
        Attempt::from(timed(&mut report.solve_seconds, || cg.solve(a, combined, b, x)))
    }

    /// Factors the preconditioner of the stage in use.
    fn prepare(&mut self, system: &System<'_, B>, report: &mut LinearReport) {
        let Self { combined, guides, pattern, choice, .. } = self;
        timed(&mut report.setup_seconds, || combined.factor(choice.stage, (pattern, guides), system));
        if let Some(bytes) = combined.strips_bytes() {
            choice.count_strips(bytes);
        }
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
            Ending::IterationCap | Ending::Stagnation | Ending::Interrupted => Self::Stalled(outcome),
            Ending::NegativeCurvature => Self::Indefinite(outcome.iterations),
            Ending::NotFinite => Self::NotFinite,
        }
    }
}
