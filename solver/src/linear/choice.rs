//! Choice of the linear method by a model of counted work, never by a clock.

use serde::{Deserialize, Serialize};

use super::Sequel;
use super::preconditioner::Stage;
use crate::pcg::Outcome;

/// Arithmetic of the f32 factorisation, flop/s on two cores, between what a Zen 4 and a Zen 3 reach (2.0 and 0.9e11) where
/// [`BANDWIDTH`] is as below. With a half or twice that ratio, the choice is off by at most a factor 2.
const FACTOR_RATE: f64 = 1.4e11;

/// Memory traffic of one iteration, B/s on the same machine.
const BANDWIDTH: f64 = 2.0e10;

/// Memory traffic of substitution with the factor, whose upper levels have little to share out, B/s.
const SUBSTITUTION_BANDWIDTH: f64 = 1.0e10;

/// Work of the factorisation of a weave of `n` crossings with `b` active unknowns each, in nested dissection,
/// flop per `b^3 n^(3/2)`, for as long as no analysis has counted it.
const FLOPS_PER_BLOCK: f64 = 65.0;

/// Values of the factor per `b^2 n log2 n`, from weaves of 10 to 230 thousand crossings: 5.2 to 5.8.
const VALUES_PER_BLOCK: f64 = 5.6;

/// Iterations expected for each e-fold of the residual before any have been counted: woven cotton that hangs from two
/// corners takes 30 to 1e-3.
const FIRST_EXPECTATION: f64 = 4.3;

/// Set-up of the strips over one iteration: 0.14 s over 17 ms for 100 thousand crossings.
const SETUP_ITERATIONS: f64 = 8.0;

/// Values of the factors of patches per `b^2` of a block, and work of factoring them, flop per `b^3`: three
/// layers at angles to one another have 78 and 3,200, two that are aligned 75 and 2,800.
const PATCH_VALUES: f64 = 78.0;
const PATCH_FLOPS: f64 = 3200.0;

/// Arithmetic of the assembly of the coarse matrix, flop/s on the same machine.
const ASSEMBLY_RATE: f64 = 5.0e9;

/// Pairs of cells that a block has couplings for, on average.
const PAIRS_PER_BLOCK: f64 = 1.5;

/// Factorisations that a solve is expected to need before any have been counted: Newton's method keeps a factor for its
/// last iterations.
const FIRST_FACTORS: f64 = 0.55;

/// Iterations on top of an f32 factor before any have been counted.
const FIRST_REFINEMENTS: f64 = 2.0;

/// By how much the expectation falls with each solve by other means, so that a stage is tried again some time.
const FORGETTING: f64 = 0.95;

/// Expectation after a matrix that the iterative method found indefinite, over the break-even: 40 direct solves until it
/// is tried again.
const FAILURE: f64 = 8.0;

/// What is kept of a factor's shift from one to the next, and the part of it at which it is forgotten: a factor
/// without it is tried after six with it.
const SHIFT_KEPT: f64 = 0.9;
const SHIFT_FORGOTTEN: f64 = 0.55;

/// Kinds of systems by their place in a minimisation, and of preconditioners.
const PLACES: usize = 3;
const STAGES: usize = 3;

/// What the choice of the linear method depends on; restore it to have a resumed run decide alike.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// Iterations that each stage is expected to take for each e-fold of the residual, in the first system of a
    /// minimisation, the second, and later ones. The first residual is stiff and local; after the nonlinear elimination of
    /// local regions it is smooth; later corrections are local again.
    pub iterations_per_fold: [[f64; PLACES]; STAGES],
    /// The last stage that systems have asked for.
    pub stage: Stage,
    /// Counted work of a factorisation, flop, once it has been analysed.
    pub factor_flops: Option<f64>,
    /// Values of the factor, once it has been analysed.
    pub factor_values: Option<f64>,
    /// Factorisations that a direct solve is expected to need.
    pub factors_per_solve: f64,
    /// And iterations on top of them.
    pub refinements: f64,
    /// Relative shift of the factor's diagonal below which rounding is expected to make a pivot negative.
    pub factor_shift: f64,
    /// Bytes of the strips, once there are any.
    pub strips_bytes: Option<f64>,
    /// Levenberg-Marquardt shift of the last indefinite system, N/m, or 0.
    pub last_shift: f64,
}

impl Default for Choice {
    fn default() -> Self {
        Self {
            iterations_per_fold: [[FIRST_EXPECTATION; PLACES]; STAGES],
            stage: Stage::default(),
            factor_flops: None,
            factor_values: None,
            factors_per_solve: FIRST_FACTORS,
            refinements: FIRST_REFINEMENTS,
            factor_shift: 0.0,
            strips_bytes: None,
            last_shift: 0.0,
        }
    }
}

/// Sizes that the costs of both methods follow from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    /// Number of blocks.
    pub(super) blocks: usize,
    /// Unknowns per block.
    pub(super) block: usize,
    /// Those of them that are active, on average.
    pub(super) active: f64,
    /// Number of stored blocks of the matrix.
    pub(super) slots: usize,
    /// Number of nodes of the coarse level, about; 0 without one.
    pub(super) coarse: usize,
    /// Bytes of the strips where they have been counted.
    pub(super) strips_bytes: Option<f64>,
}

impl Sizes {
    /// Work of the factorisation of a weave of `n` crossings, flop, where it has not been counted.
    fn factor_flops(&self, n: usize) -> f64 {
        FLOPS_PER_BLOCK * (self.active * (n as f64).sqrt()).powi(3)
    }

    /// Values of the factor of a weave of `n` crossings, where they have not been counted.
    fn factor_values(&self, n: usize) -> f64 {
        let n = n as f64;
        VALUES_PER_BLOCK * self.active.powi(2) * n * n.max(2.0).log2()
    }

    /// Bytes of the matrix.
    fn matrix_bytes(&self) -> f64 {
        (8 * self.block * self.block * self.slots) as f64
    }

    /// An iteration of conjugate gradients without its preconditioner, s: the product and a dozen vectors.
    fn bare_iteration(&self) -> f64 {
        (self.matrix_bytes() + 12.0 * 8.0 * self.block as f64 * self.blocks as f64) / BANDWIDTH
    }

    /// What the strips add to it, s: they are read forward and back.
    fn strips_iteration(&self) -> f64 {
        // A weave's are two bands of about five blocks per block.
        let weave = || 2.0 * 4.0 * 5.0 * (self.block * self.block * self.blocks) as f64;
        2.0 * self.strips_bytes.unwrap_or_else(weave) / BANDWIDTH
    }

    /// What the patches add to it, s.
    fn patches_iteration(&self) -> f64 {
        2.0 * 4.0 * PATCH_VALUES * self.active.powi(2) * self.blocks as f64 / BANDWIDTH
    }

    /// An iteration, s.
    fn iteration(&self, stage: Stage) -> f64 {
        let strips = if stage.has_strips() { self.strips_iteration() + self.coarse_iteration() } else { 0.0 };
        let patches = if stage.has_patches() { self.patches_iteration() } else { 0.0 };
        self.bare_iteration() + strips + patches
    }

    /// The set-up of the iterative method, s.
    fn setup(&self, stage: Stage) -> f64 {
        let strips =
            SETUP_ITERATIONS * (self.bare_iteration() + self.strips_iteration()) + self.coarse_setup();
        let patches = PATCH_FLOPS * self.active.powi(3) * self.blocks as f64 / FACTOR_RATE;
        let share = |has: bool, cost: f64| if has { cost } else { 0.0 };
        share(stage.has_strips(), strips) + share(stage.has_patches(), patches)
    }

    /// What the coarse level adds to an iteration, s.
    fn coarse_iteration(&self) -> f64 {
        if self.coarse == 0 {
            return 0.0;
        }
        let (n, b) = (self.blocks as f64, self.block as f64);
        // Four weights and indices per block, there and back, and three vectors.
        let transfer = (2.0 * 4.0 * 8.0 + 3.0 * 8.0 * b) * n;
        transfer / BANDWIDTH + substitution(self.factor_values(self.coarse))
    }

    /// What the coarse level adds to the set-up, s.
    fn coarse_setup(&self) -> f64 {
        if self.coarse == 0 {
            return 0.0;
        }
        let (n, b) = (self.blocks as f64, self.block as f64);
        // Four shares of each coupling, and 16 of their sums for each pair of cells.
        let assembly = 2.0 * b * b * (4.0 * self.slots as f64 + 16.0 * PAIRS_PER_BLOCK * n);
        assembly / ASSEMBLY_RATE + self.factor_flops(self.coarse) / FACTOR_RATE
    }
}

/// Substitution forward and back with a factor of this many values, s.
fn substitution(values: f64) -> f64 {
    2.0 * 4.0 * values / SUBSTITUTION_BANDWIDTH
}

/// What is asked of a solve.
#[derive(Debug, Clone, Copy)]
pub(super) struct Demand {
    /// How the system stands to the one before.
    pub(super) sequel: Sequel,
    /// What may be left of the residual.
    pub(super) tolerance: f64,
}

impl Demand {
    /// E-folds of the residual.
    fn folds(self) -> f64 {
        -self.tolerance.min(MOST_LEFT).ln()
    }

    fn index(self) -> usize {
        match self.sequel {
            Sequel::First => 0,
            Sequel::Second => 1,
            Sequel::Later | Sequel::Close => 2,
        }
    }
}

/// No solve is thought to leave more than this.
const MOST_LEFT: f64 = 0.5;

impl Choice {
    /// Iterations that a stage is expected to take.
    fn expected_iterations(&self, stage: Stage, demand: Demand) -> f64 {
        self.iterations_per_fold[stage as usize][demand.index()] * demand.folds()
    }

    /// What a solve with a stage is expected to cost, s.
    fn cost(&self, stage: Stage, (sizes, demand): (&Sizes, Demand)) -> f64 {
        sizes.setup(stage) + self.expected_iterations(stage, demand) * sizes.iteration(stage)
    }

    /// The cheapest of some stages, or none if a factor is expected to be cheaper.
    pub(super) fn cheapest(
        &self,
        stages: &[Stage],
        may_factor: bool,
        (sizes, demand): (&Sizes, Demand),
    ) -> Option<Stage> {
        let costs = stages.iter().map(|&stage| (self.cost(stage, (sizes, demand)), stage));
        let (cost, stage) = costs.min_by(|(a, _), (b, _)| a.total_cmp(b))?;
        (!may_factor || cost < self.direct_cost(sizes)).then_some(stage)
    }

    /// Values of the factor, counted or estimated.
    pub(super) fn factor_values(&self, sizes: &Sizes) -> f64 {
        self.factor_values.unwrap_or_else(|| sizes.factor_values(sizes.blocks))
    }

    /// What a direct solve is expected to cost, s.
    fn direct_cost(&self, sizes: &Sizes) -> f64 {
        let flops = self.factor_flops.unwrap_or_else(|| sizes.factor_flops(sizes.blocks));
        let refinement = substitution(self.factor_values(sizes)) + sizes.matrix_bytes() / BANDWIDTH;
        self.factors_per_solve * flops / FACTOR_RATE + self.refinements * refinement
    }

    /// Iterations with a stage that cost as much as the cheapest of the others; negative when none does, infinite when
    /// there are no others.
    pub(super) fn break_even(
        &self,
        (stage, others): (Stage, &[Stage]),
        may_factor: bool,
        (sizes, demand): (&Sizes, Demand),
    ) -> f64 {
        let others = others.iter().map(|&other| self.cost(other, (sizes, demand)));
        let direct = may_factor.then(|| self.direct_cost(sizes));
        let best = others.chain(direct).fold(f64::INFINITY, f64::min);
        (best - sizes.setup(stage)) / sizes.iteration(stage)
    }

    /// Takes down what a factorisation costs: work, flop, and values.
    pub(super) fn count_factor(&mut self, flops: f64, values: usize) {
        (self.factor_flops, self.factor_values) = (Some(flops), Some(values as f64));
    }

    /// Takes down how large the strips are.
    pub(super) fn count_strips(&mut self, bytes: usize) {
        self.strips_bytes = Some(bytes as f64);
    }

    /// Learns from a solve that took this many iterations.
    pub(super) fn iterative_took(&mut self, iterations: usize, stage: Stage, demand: Demand) {
        let place = demand.index();
        let others = self.stage.in_use().iter().filter(|other| **other != stage);
        others.for_each(|&other| self.iterations_per_fold[other as usize][place] *= FORGETTING);
        let rate = &mut self.iterations_per_fold[stage as usize][place];
        *rate = 0.5 * (*rate + iterations as f64 / demand.folds());
    }

    /// Learns from iterations that were broken off.
    pub(super) fn iterative_stalled(&mut self, outcome: &Outcome, stage: Stage, demand: Demand) {
        let folds = Demand { tolerance: outcome.relative_residual, ..demand }.folds();
        self.iterations_per_fold[stage as usize][demand.index()] = outcome.iterations as f64 / folds;
    }

    /// Learns that the iterative method failed.
    pub(super) fn iterative_failed(&mut self, sizes: &Sizes, stage: Stage, demand: Demand) {
        let break_even = self.break_even((stage, &[]), true, (sizes, demand));
        let rate = (break_even / demand.folds()).max(FIRST_EXPECTATION);
        self.iterations_per_fold[stage as usize][demand.index()] = FAILURE * rate;
    }

    /// Learns what shift a factor took, over its diagonal. Each time less is kept of it, so that none is tried again
    /// after some factors.
    pub(super) fn factor_took(&mut self, shift: f64) {
        let is_more = SHIFT_FORGOTTEN * shift > self.factor_shift;
        let kept = if is_more { shift } else { SHIFT_KEPT * self.factor_shift };
        self.factor_shift = if kept < SHIFT_FORGOTTEN * shift { 0.0 } else { kept };
    }

    /// Learns from a direct solve, and forgets a little of what was learnt of the iterative method.
    pub(super) fn direct_took(&mut self, factorisations: usize, iterations: usize, demand: Demand) {
        self.factors_per_solve = 0.5 * (self.factors_per_solve + factorisations as f64);
        self.refinements = 0.5 * (self.refinements + iterations as f64);
        for &stage in self.stage.in_use() {
            self.iterations_per_fold[stage as usize][demand.index()] *= FORGETTING;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expectations_follow_the_tolerance_and_the_place_of_a_system() {
        let mut choice = Choice::default();
        let demand = |sequel, tolerance| Demand { sequel, tolerance };
        let stage = Stage::Strips;
        (0..40).for_each(|_| choice.iterative_took(12, stage, demand(Sequel::First, 1e-3)));
        (0..40).for_each(|_| choice.iterative_took(60, stage, demand(Sequel::Later, 1e-2)));
        for (sequel, tolerance, expected) in [
            (Sequel::First, 1e-3, 12.0),
            (Sequel::First, 1e-6, 24.0),
            (Sequel::Second, 1e-6, FIRST_EXPECTATION * 1e6f64.ln()),
            (Sequel::Later, 1e-2, 60.0),
            (Sequel::Close, 1e-3, 90.0),
        ] {
            let found = choice.expected_iterations(stage, demand(sequel, tolerance));
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
    }

    #[test]
    fn a_shift_is_tried_again_and_then_less() {
        let mut choice = Choice::default();
        let factor = |choice: &mut Choice, needed: f64| {
            let taken = if choice.factor_shift > 0.0 { 1e-6 } else { needed };
            choice.factor_took(taken);
            taken
        };
        assert_eq!(factor(&mut choice, 0.0), 0.0);
        assert_eq!(factor(&mut choice, 1e-6), 1e-6);
        let without = (0..20).position(|_| factor(&mut choice, 0.0) == 0.0);
        assert!(without.is_some_and(|n| (3..10).contains(&n)), "{without:?}");
    }
}
