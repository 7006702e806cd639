//! Newton's method with inexact steps and a line search.

mod convergence;
mod elimination;
mod forcing;
mod form;
mod levenberg_marquardt;
mod line_search;
mod options;
mod report;

use std::sync::Arc;

use self::convergence::Convergence;
use self::forcing::Forcing;
use self::form::Form;
use self::line_search::{Descent, LineSearch, Point};
pub use self::options::{Accelerators, NewtonOptions};
pub use self::report::{NewtonError, NewtonReport};
use crate::cholesky::Cholesky;
use crate::interrupt::Interrupt;
use crate::linear::{Choice, Guides, LinearSolver, Sequel, System};
use crate::matrix::{BlockMatrix, ProductScratch};
use crate::objective::{HessianForm, Objective};
use crate::pattern::BlockPattern;
use crate::stats::{SolveStatistics, timed};
use crate::vector::{dot, infinity_norm};

/// A gradient this far below its tolerance needs no correction to confirm it.
const TINY_RESIDUAL: f64 = 1e-3;

/// What single iterations that were cut short may leave of the way to go.
const WAY_LEFT: f64 = 0.1;

/// When an iteration has cut the residual by this much, the next one needs no help: with it the published test of a pulled
/// tag takes a tenth longer.
const CLOSE_RATIO: f64 = 1e-2;

/// Minimises an [`Objective`] by Newton's method.
///
/// ```text
/// |H d + g| <= eta |g|,    q <- q + t d,    E(q + t d) <= E(q) + 1e-4 t g.d
/// ```
/// | part | what it decides |
/// |---|---|
/// | convergence | residual and correction below their tolerances, or the estimated error below its own |
/// | forcing | `eta`, how exactly a system is solved |
/// | line search | `t`, how far a step goes |
/// | form | whether the Hessian is projected or full |
/// | elimination | which regions are minimised by themselves between two iterations |
///
/// The last two are [`Accelerators`]. Reports count iterations on all unknowns only.
///
/// Source: Nocedal and Wright, *Numerical optimization*, chapters 3 and 7.
#[derive(Debug)]
pub struct Newton<const B: usize> {
    options: NewtonOptions,
    linear: LinearSolver<B>,
    hessian: BlockMatrix<B>,
    gradient: Vec<f64>,
    negative_gradient: Vec<f64>,
    direction: Vec<f64>,
    trial: Vec<f64>,
    /// The factor of shifted iterations, once there are any.
    shifted: Option<Cholesky<B, f64>>,
    interrupt: Interrupt,
    statistics: SolveStatistics,
}

/// What one iteration hands on to the next.
struct Progress {
    forcing: Forcing,
    form: Form,
    sequel: Sequel,
    /// What iterations that were cut short have left of the way to go.
    way_left: f64,
}

impl Default for Progress {
    fn default() -> Self {
        let (forcing, form) = (Forcing::default(), Form::default());
        Self { forcing, form, sequel: Sequel::First, way_left: 1.0 }
    }
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
            shifted: None,
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
        self.shifted = None;
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
        let mut point = self.start(objective, q)?;
        let mut report = NewtonReport { value: point.value, residual: point.residual, ..Default::default() };
        report.converged = point.residual <= TINY_RESIDUAL * self.options.residual_tolerance;
        let mut progress = Progress::default();
        while !report.converged {
            let before = report;
            let is_round_off = self.iterate(objective, q, &mut point, (&mut progress, &mut report))?;
            let cut = point.residual / report.residual;
            progress.sequel = if report.iterations == 1 { Sequel::Second } else { Sequel::Later };
            report.converged =
                is_round_off || self.convergence(objective).is_reached(q, (&before, &report), point.residual);
            if !report.converged && self.may_eliminate(cut) {
                self.eliminate(objective, q, &mut point);
                report.converged =
                    self.convergence(objective).is_reached(q, (&before, &report), point.residual);
            }
            // What eliminates a region may have been broken off.
            if self.interrupt.is_raised() {
                return Err(NewtonError::Interrupted { iterations: report.iterations });
            }
            (report.value, report.residual) = (point.value, point.residual);
            progress.way_left *= 1.0 - report.step;
            if self.options.single_iteration && progress.way_left <= WAY_LEFT {
                break;
            }
            if !report.converged && report.iterations >= self.options.max_iterations {
                return Err(NewtonError::too_many(&report));
            }
            if self.options.accelerators.loose_forcing {
                let enough = self.convergence(objective).enough(cut * report.correction, point.residual);
                progress.forcing.set_enough(enough);
            }
        }
        Ok(report)
    }

    /// Whether regions may be minimised by themselves after an iteration that has left this part of the residual.
    fn may_eliminate(&self, cut: f64) -> bool {
        let NewtonOptions { accelerators, single_iteration, .. } = &self.options;
        accelerators.elimination && !single_iteration && cut >= CLOSE_RATIO
    }

    fn start(&mut self, objective: &dyn Objective<B>, q: &[f64]) -> Result<Point, NewtonError> {
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
        let value = timed(&mut statistics.line_search_seconds, || objective.value(q));
        timed(&mut statistics.gradient_seconds, || objective.gradient(q, gradient));
        Point { value, residual: objective.residual(gradient) }
    }

    fn convergence<'a>(&'a self, objective: &'a dyn Objective<B>) -> Convergence<'a, B> {
        let Self { options, hessian, gradient, .. } = self;
        Convergence { options, objective, hessian, gradient }
    }

    /// One step along the solution of one system; whether what is left of the residual is round-off.
    fn iterate(
        &mut self,
        objective: &dyn Objective<B>,
        q: &mut [f64],
        point: &mut Point,
        (progress, report): (&mut Progress, &mut NewtonReport),
    ) -> Result<bool, NewtonError> {
        report.iterations += 1;
        let residual = point.residual;
        let is_full = self.solve(objective, q, point, (progress, report))?;
        let descent = match self.descend(objective, q, (point, report)) {
            Err(NewtonError::LineSearch { .. })
                if self.convergence(objective).is_round_off(q, &self.negative_gradient) =>
            {
                return Ok(true);
            }
            descent => descent?,
        };
        progress.form.learn(is_full, residual, &descent);
        report.check_blocked(&descent)?;
        Ok(false)
    }

    /// Solves `H d = -g` on the active unknowns; whether with the full Hessian.
    fn solve(
        &mut self,
        objective: &dyn Objective<B>,
        q: &[f64],
        point: &Point,
        (progress, report): (&Progress, &mut NewtonReport),
    ) -> Result<bool, NewtonError> {
        let eta = progress.forcing.term(&self.options);
        let is_tried = self.options.accelerators.full_hessian && progress.form.is_full_wanted(point.residual);
        let mut solve = |form: HessianForm| {
            self.assemble(objective, q, (form, None));
            let Self { hessian, negative_gradient, direction, .. } = self;
            let (sequel, repair) = (progress.sequel, form == HessianForm::Projected);
            let mut system = System { matrix: hessian, active: objective.active(), sequel, repair };
            let linear = self.linear.solve(&mut system, negative_gradient, direction, eta);
            let linear = linear.map_err(|e| NewtonError::linear(e, report, point))?;
            report.add_linear(&linear);
            self.statistics.add_linear(&linear);
            Ok(!linear.is_indefinite)
        };
        if is_tried && solve(HessianForm::Whole)? {
            return Ok(true);
        }
        solve(HessianForm::Projected)?;
        Ok(false)
    }

    /// The line search along the direction.
    fn descend(
        &mut self,
        objective: &dyn Objective<B>,
        q: &mut [f64],
        (point, report): (&mut Point, &mut NewtonReport),
    ) -> Result<Descent, NewtonError> {
        let slope = dot(&self.gradient, &self.direction);
        let tolerance = self.options.residual_tolerance;
        let search = LineSearch { objective, slope, tolerance };
        let Self { direction, trial, gradient, statistics, .. } = self;
        let descent = search.run(q, direction, (trial, gradient), (point, statistics)).ok_or(
            NewtonError::LineSearch { iterations: report.iterations, residual: report.residual, slope },
        )?;
        report.backtracks += descent.cuts;
        report.step = descent.step;
        report.correction = descent.step * infinity_norm(&self.direction);
        Ok(descent)
    }

    /// `H` and `-g` of the active unknowns, or `-g - H l` where the others are led by `l`.
    fn assemble(
        &mut self,
        objective: &dyn Objective<B>,
        q: &[f64],
        (form, lead): (HessianForm, Option<&[f64]>),
    ) {
        let Self { hessian, negative_gradient, gradient, statistics, .. } = self;
        let active = objective.active();
        timed(&mut statistics.hessian_seconds, || {
            objective.hessian(q, form, hessian);
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
}
