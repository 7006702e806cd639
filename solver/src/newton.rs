//! Newton's method with inexact steps and a line search.

mod guarded;
mod line_search;
mod regions;
mod report;
mod whole;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use self::line_search::{Descent, LineSearch, Point};
pub use self::report::{NewtonError, NewtonReport};
use self::whole::Whole;
use crate::cholesky::Cholesky;
use crate::interrupt::Interrupt;
use crate::linear::{Choice, Guides, LinearError, LinearOptions, LinearReport, LinearSolver, Sequel, System};
use crate::matrix::{BlockMatrix, ProductScratch};
use crate::objective::{HessianForm, Objective, Tangent};
use crate::pattern::BlockPattern;
use crate::stats::{SolveStatistics, timed};
use crate::vector::{dot, infinity_norm};

/// Options of [`Newton`]; units for unknowns in metres and energies in joules.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NewtonOptions {
    /// Infinity norm of the gradient at which it counts as zero, N.
    pub residual_tolerance: f64,
    /// Infinity norm of the last correction at which it counts as zero, m.
    pub correction_tolerance: f64,
    /// Estimated distance to the minimum, infinity norm, at which it counts as reached with a larger residual, m; 0: at
    /// none.
    pub error_tolerance: f64,
    /// That larger residual, root of the mean square, N.
    pub loose_residual: f64,
    /// Cap on iterations.
    pub max_iterations: usize,
    /// One whole iteration and no test of convergence, a linearly implicit step. An iteration that may go a part of
    /// its way only is followed by others until at most a tenth of the way is left.
    pub single_iteration: bool,
    /// Smallest relative residual asked of a linear solve.
    pub min_forcing: f64,
    /// Largest relative residual asked of a linear solve, unless more is enough to converge.
    pub max_forcing: f64,
    /// Relative residual of the linear solve of a single iteration.
    pub single_forcing: f64,
    /// Linear solver.
    pub linear: LinearOptions,
}

impl Default for NewtonOptions {
    fn default() -> Self {
        Self {
            residual_tolerance: 1e-6,
            correction_tolerance: 1e-7,
            error_tolerance: 0.0,
            loose_residual: f64::INFINITY,
            max_iterations: 50,
            single_iteration: false,
            min_forcing: 1e-3,
            max_forcing: 1e-2,
            single_forcing: 1e-4,
            linear: LinearOptions::default(),
        }
    }
}

/// A gradient this far below its tolerance needs no correction to confirm it.
const TINY_RESIDUAL: f64 = 1e-3;

/// Relative residual of the first linear solve. Stiff unknowns make up the residual, soft ones the error:
/// at 1e-2 a hanging cloth keeps an error in its soft unknowns that costs a further iteration.
const FIRST_FORCING: f64 = 1e-3;

/// A step that the problem allows less of than this is short, and so many short ones in a row are not
/// going to get there.
const SHORT_STEP: f64 = 0.25;
const BLOCKED_ITERATIONS: usize = 4;

/// One of less than this is none at all.
const NO_STEP: f64 = 1e-6;

/// What single iterations that were cut short may leave of the way to go.
const WAY_LEFT: f64 = 0.1;

/// By how much the largest residual may be above the root of the mean square that counts as converged.
const SPIKES: f64 = 10.0;

/// When an iteration has cut the residual by this much, the Hessian has hardly changed.
const CLOSE_RATIO: f64 = 1e-2;

/// What part of what counts as converged a linear solve may leave, and the largest relative residual that it may.
const FORCING_SAFETY: f64 = 0.3;
const LOOSEST_FORCING: f64 = 0.1;

/// Minimises an [`Objective`] by Newton's method.
///
/// ```text
/// |H d + g| <= eta |g|        eta_k = 0.9 (|g_k| / |g_(k-1)|)^2, bounded from below by what is enough to converge
/// q <- q + t d                E(q + t d) <= E(q) + 1e-4 t g.d
/// ```
/// It has converged when the residual and the last correction are both below their tolerances, or when what is left to
/// go is and the residual is below a looser one. No unknown's residual need be smaller than what rounding the unknowns
/// to double precision makes of it, `eps sum_j |H_ij| |q|_j`. What is left to go is estimated after two whole steps, of
/// which the second has cut both the correction and the residual to 0.3 or less, by the geometric series of corrections
/// that go on shrinking like this: forces that balance within something stiff may be far above their tolerance and yet
/// move nothing. Where the expected decrease drowns in round-off, a step counts as good when the residual does not grow,
/// or when the slope at its end says that the value fell. Where the residual sticks out in a few places after an
/// iteration, these are settled by themselves before the next one, if the objective can be restricted to them; reports
/// count iterations on all unknowns only.
///
/// Sources: Eisenstat and Walker, SIAM J. Sci. Comput. 17, 1996 (choice 2); Nocedal and Wright,
/// *Numerical optimization*, chapters 3 and 7; Hairer and Wanner, *Solving ordinary differential equations II*,
/// IV.8 (what is left to go).
#[derive(Debug)]
pub struct Newton<const B: usize> {
    options: NewtonOptions,
    linear: LinearSolver<B>,
    hessian: BlockMatrix<B>,
    gradient: Vec<f64>,
    negative_gradient: Vec<f64>,
    direction: Vec<f64>,
    trial: Vec<f64>,
    /// The iterate before, empty for the first.
    previous: Vec<f64>,
    /// The factor of guarded iterations, once there are any.
    whole: Option<Cholesky<B, f64>>,
    /// Whether it settles a region for another.
    is_inner: bool,
    interrupt: Interrupt,
    statistics: SolveStatistics,
}

impl<const B: usize> Newton<B> {
    /// A minimiser for objectives with this pattern.
    pub fn new(pattern: Arc<BlockPattern>, guides: Guides, options: NewtonOptions) -> Self {
        let n = B * pattern.n_blocks();
        let zero = || vec![0.0; n];
        Self {
            options,
            linear: LinearSolver::new(Arc::clone(&pattern), guides, options.linear),
            hessian: BlockMatrix::new(pattern),
            gradient: zero(),
            negative_gradient: zero(),
            direction: zero(),
            trial: zero(),
            previous: Vec::with_capacity(n),
            whole: None,
            is_inner: false,
            interrupt: Interrupt::default(),
            statistics: SolveStatistics::default(),
        }
    }

    /// The same minimiser, that ends early where the flag is raised.
    #[must_use]
    pub fn with_interrupt(mut self, interrupt: &Interrupt) -> Self {
        self.linear = self.linear.with_interrupt(interrupt.clone());
        Self { interrupt: interrupt.clone(), ..self }
    }

    /// The options.
    pub fn options(&self) -> &NewtonOptions {
        &self.options
    }

    /// What ends it early.
    pub fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    /// Goes on with another pattern of as many blocks; what depends on it is set up anew when it is used.
    pub fn set_pattern(&mut self, pattern: Arc<BlockPattern>) {
        self.linear.set_pattern(Arc::clone(&pattern));
        self.whole = None;
        self.hessian = BlockMatrix::new(pattern);
    }

    /// Sets [`NewtonOptions::error_tolerance`] and [`NewtonOptions::loose_residual`].
    pub fn set_error_tolerance(&mut self, error: f64, residual: f64) {
        (self.options.error_tolerance, self.options.loose_residual) = (error, residual);
    }

    /// What all minimisations together have cost.
    pub fn statistics(&self) -> &SolveStatistics {
        &self.statistics
    }

    /// What the future choices of a linear method depend on.
    pub fn choice(&self) -> Choice {
        self.linear.choice()
    }

    /// Restores [`Self::choice`], so that a resumed run decides alike.
    pub fn set_choice(&mut self, choice: Choice) {
        self.linear.set_choice(choice);
    }

    /// Moves the active unknowns of `q` to a minimum near by.
    ///
    /// # Errors
    /// See [`NewtonError`]; `q` then holds the best iterate.
    pub fn minimize(
        &mut self,
        objective: &dyn Objective<B>,
        q: &mut [f64],
    ) -> Result<NewtonReport, NewtonError> {
        self.statistics.minimisations += 1;
        let mut point = self.start(objective, q)?;
        let mut report = NewtonReport { value: point.value, residual: point.residual, ..Default::default() };
        if point.residual <= TINY_RESIDUAL * self.options.residual_tolerance {
            report.converged = true;
            return Ok(report);
        }
        let (mut forcing, mut sequel, mut way_left) = (FIRST_FORCING, Sequel::First, 1.0);
        let mut enough = 0.0;
        let mut whole = Whole::default();
        loop {
            let before = report;
            let eta = self.bounded_forcing(forcing, enough);
            self.iterate(objective, q, &mut point, (eta, sequel, &mut whole, &mut report))?;
            if report.converged {
                return Ok(report);
            }
            let cut = point.residual / report.residual;
            sequel = match report.iterations {
                _ if cut < CLOSE_RATIO => Sequel::Close,
                1 => Sequel::Second,
                _ => Sequel::Later,
            };
            report.converged = self.has_converged(objective, q, (&before, &report), &point);
            let may_settle = !self.options.single_iteration && !self.is_inner;
            if may_settle && !report.converged && !sequel.is_close() {
                self.settle(objective, q, &mut point);
                report.converged = self.has_converged(objective, q, (&before, &report), &point);
            }
            // What settles a region may have been broken off.
            if self.interrupt.is_raised() {
                return Err(NewtonError::Interrupted { iterations: report.iterations });
            }
            let ratio = point.residual / report.residual;
            (report.value, report.residual) = (point.value, point.residual);
            way_left *= 1.0 - report.step;
            if report.converged || self.options.single_iteration && way_left <= WAY_LEFT {
                return Ok(report);
            }
            if report.iterations >= self.options.max_iterations {
                return Err(NewtonError::TooManyIterations {
                    iterations: report.iterations,
                    residual: report.residual,
                    correction: report.correction,
                });
            }
            forcing = self.next_forcing(forcing, ratio);
            enough = self.enough(objective, cut * report.correction, &point);
        }
    }

    /// What part of the residual, and of what is left to go, the next iteration may leave to be the last.
    fn enough(&self, objective: &dyn Objective<B>, left_to_go: f64, point: &Point) -> f64 {
        let NewtonOptions { residual_tolerance, error_tolerance, loose_residual, .. } = self.options;
        let loose = (loose_residual / self.mean_residual(objective)).min(error_tolerance / left_to_go);
        (residual_tolerance / point.residual).max(loose)
    }

    /// Whether an iteration, with the regions that it settled, has come to the minimum; the reports are that before it and
    /// its own.
    fn has_converged(
        &self,
        objective: &dyn Objective<B>,
        q: &[f64],
        (before, report): (&NewtonReport, &NewtonReport),
        point: &Point,
    ) -> bool {
        let NewtonOptions { residual_tolerance, correction_tolerance, .. } = self.options;
        let NewtonOptions { error_tolerance, loose_residual, .. } = self.options;
        let is_at_rest = report.correction <= correction_tolerance
            && (point.residual <= residual_tolerance || self.is_round_off(objective, (q, &self.gradient)));
        let is_near = || report.left_to_go(before, point.residual / report.residual) <= error_tolerance;
        let is_calm =
            || self.mean_residual(objective) <= loose_residual && point.residual <= SPIKES * loose_residual;
        is_at_rest || is_near() && is_calm()
    }

    /// Whether every active unknown's residual is below its tolerance or below what rounding the unknowns changes it by.
    ///
    /// ```text
    /// |g_i| <= max(tolerance, eps sum_j |H_ij| |q|_j)
    /// ```
    /// `|q|_j` is the largest unknown of the block of `j`, so that it does not matter how axes lie.
    fn is_round_off(&self, objective: &dyn Objective<B>, (q, residual): (&[f64], &[f64])) -> bool {
        let largest = |block: &[f64]| [infinity_norm(block); B];
        let sizes: Vec<f64> = q.chunks_exact(B).flat_map(largest).collect();
        let changes = self.hessian.multiply_absolute(&sizes);
        let is_small =
            |(r, c): (&f64, &f64)| r.abs() <= self.options.residual_tolerance.max(f64::EPSILON * c);
        let mut all = residual.iter().zip(&changes).zip(objective.active());
        all.all(|(pair, on)| !on || is_small(pair))
    }

    /// Root of the mean square of the gradient over the active unknowns.
    fn mean_residual(&self, objective: &dyn Objective<B>) -> f64 {
        let on = self.gradient.iter().zip(objective.active()).filter(|(_, on)| **on);
        let (n, sum) = on.fold((0_usize, 0.0), |(n, sum), (g, _)| (n + 1, sum + g * g));
        (sum / n.max(1) as f64).sqrt()
    }

    fn start(&mut self, objective: &dyn Objective<B>, q: &[f64]) -> Result<Point, NewtonError> {
        self.previous.clear();
        let Point { value, residual } = self.look(objective, q);
        if value.is_finite() && residual.is_finite() {
            Ok(Point { value, residual })
        } else {
            Err(NewtonError::NotFinite { iterations: 0, value, residual })
        }
    }

    /// Value and gradient.
    fn look(&mut self, objective: &dyn Objective<B>, q: &[f64]) -> Point {
        let Self { gradient, statistics, .. } = self;
        statistics.values += 1;
        let value = timed(&mut statistics.line_search_seconds, || objective.value(q));
        timed(&mut statistics.gradient_seconds, || objective.gradient(q, gradient));
        Point { value, residual: objective.residual(gradient) }
    }

    fn iterate(
        &mut self,
        objective: &dyn Objective<B>,
        q: &mut [f64],
        point: &mut Point,
        (eta, sequel, whole, report): (f64, Sequel, &mut Whole, &mut NewtonReport),
    ) -> Result<(), NewtonError> {
        report.iterations += 1;
        self.statistics.newton_iterations += 1;
        let mut solve = |form: HessianForm, sequel: Sequel| {
            let linear = self.solve(objective, q, (eta, sequel, form));
            let linear = linear.map_err(|e| NewtonError::linear(e, report, point))?;
            report.add_linear(&linear);
            self.statistics.add_linear(&linear);
            Ok(!linear.is_indefinite)
        };
        let residual = point.residual;
        let is_tried = whole.is_wanted(residual);
        let is_whole = is_tried && solve(HessianForm::Whole, sequel)?;
        if !is_whole {
            // Where the whole one has failed, the last factor is gone.
            solve(HessianForm::Projected, if is_tried { sequel.without_factor() } else { sequel })?;
        }
        let descent = match self.descend(objective, q, (point, report), true) {
            Err(NewtonError::LineSearch { .. })
                if self.is_round_off(objective, (q, &self.negative_gradient)) =>
            {
                report.converged = true;
                return Ok(());
            }
            descent => descent?,
        };
        whole.learn(is_whole, residual, &descent);
        let cuts = descent.cuts;
        let limit = report.step * 2f64.powi(cuts as i32);
        report.blocked = if limit < SHORT_STEP { report.blocked + 1 } else { 0 };
        if report.blocked >= BLOCKED_ITERATIONS || limit < NO_STEP {
            return Err(NewtonError::Blocked { iterations: report.iterations, step: limit });
        }
        Ok(())
    }

    /// The line search along the direction.
    fn descend(
        &mut self,
        objective: &dyn Objective<B>,
        q: &mut [f64],
        (point, report): (&mut Point, &mut NewtonReport),
        may_lengthen: bool,
    ) -> Result<Descent, NewtonError> {
        let slope = dot(&self.gradient, &self.direction);
        let tolerance = self.options.residual_tolerance;
        let search = LineSearch { objective, slope, tolerance, may_lengthen };
        let Self { direction, trial, previous, gradient, statistics, .. } = self;
        previous.clear();
        previous.extend_from_slice(q);
        let descent = search.run(q, direction, (trial, gradient), (point, statistics)).ok_or(
            NewtonError::LineSearch { iterations: report.iterations, residual: report.residual, slope },
        )?;
        report.backtracks += descent.cuts;
        report.step = descent.step;
        report.correction = descent.step * infinity_norm(&self.direction);
        Ok(descent)
    }

    /// `H d = -g` on the active unknowns.
    fn solve(
        &mut self,
        objective: &dyn Objective<B>,
        q: &[f64],
        (eta, sequel, form): (f64, Sequel, HessianForm),
    ) -> Result<LinearReport, LinearError> {
        self.assemble(objective, q, (form, None));
        let Self { hessian, negative_gradient, direction, linear, .. } = self;
        let repair = form == HessianForm::Projected;
        let mut system = System { matrix: hessian, active: objective.active(), sequel, repair };
        linear.solve(&mut system, negative_gradient, direction, eta)
    }

    /// `H` and `-g` of the active unknowns, or `-g - H l` where the others are led by `l`.
    fn assemble(
        &mut self,
        objective: &dyn Objective<B>,
        q: &[f64],
        (form, lead): (HessianForm, Option<&[f64]>),
    ) {
        let Self { hessian, negative_gradient, gradient, previous, statistics, .. } = self;
        let active = objective.active();
        let tangent = Tangent { form, from: (!previous.is_empty()).then_some(previous) };
        timed(&mut statistics.hessian_seconds, || {
            objective.hessian(q, tangent, hessian);
            negative_gradient.fill(0.0);
            if let Some(lead) = lead {
                hessian.multiply(lead, negative_gradient, &mut ProductScratch::default());
            }
            hessian.set_identity_rows(active);
        });
        for ((n, g), a) in negative_gradient.iter_mut().zip(gradient).zip(active) {
            *n = if *a { -*g - *n } else { 0.0 };
        }
    }

    /// No linear solve need leave less than what is enough for convergence.
    fn bounded_forcing(&self, forcing: f64, enough: f64) -> f64 {
        let NewtonOptions { min_forcing, single_iteration, single_forcing, .. } = self.options;
        let least = (FORCING_SAFETY * enough).min(LOOSEST_FORCING);
        if single_iteration { single_forcing } else { forcing.max(least).max(min_forcing) }
    }

    /// Eisenstat and Walker's choice 2, which does not fall faster than quadratically.
    fn next_forcing(&self, old: f64, ratio: f64) -> f64 {
        let safeguard = 0.9 * old * old;
        let next = 0.9 * ratio * ratio;
        (if safeguard > 0.1 { next.max(safeguard) } else { next }).min(self.options.max_forcing)
    }
}
