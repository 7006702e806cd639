//! Choice of the linear method by a model of counted work, never by a clock.

use serde::{Deserialize, Serialize};

use super::preconditioner::Stage;
use super::{LinearMethod, Sequel};
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

/// Iterations on top of an f32 factor before any have been counted.
const FIRST_REFINEMENTS: f64 = 2.0;

/// By how much the expectation falls with each solve by other means, so that a stage is tried again some time.
const FORGETTING: f64 = 0.95;

/// Expectation after a matrix that the iterative method found indefinite, over the break-even: 40 direct solves until it
/// is tried again.
const FAILURE: f64 = 8.0;

/// Kinds of systems by their place in a minimisation.
const PLACES: usize = 3;

/// What the choice of the linear method depends on; restore it to have a resumed run decide alike.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// The stage in use.
    pub stage: Stage,
    /// Iterations that it is expected to take for each e-fold of the residual, in the first system of a minimisation, the
    /// second, and later ones. The first residual is stiff and local; after the nonlinear elimination of local regions it
    /// is smooth; later corrections are local again.
    pub iterations_per_fold: [f64; PLACES],
    /// Counted work of a factorisation, flop, once it has been analysed.
    pub factor_flops: Option<f64>,
    /// Values of the factor, once it has been analysed.
    pub factor_values: Option<f64>,
    /// Iterations that a direct solve is expected to need.
    pub refinements: f64,
    /// Bytes of the strips, once there are any.
    pub strips_bytes: Option<f64>,
    /// Levenberg-Marquardt shift of the last indefinite system, N/m, or 0.
    pub last_shift: f64,
}

impl Default for Choice {
    fn default() -> Self {
        Self {
            stage: Stage::default(),
            iterations_per_fold: [FIRST_EXPECTATION; PLACES],
            factor_flops: None,
            factor_values: None,
            refinements: FIRST_REFINEMENTS,
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
        let preconditioner = match stage {
            Stage::Strips => self.strips_iteration() + self.coarse_iteration(),
            Stage::Patches => self.patches_iteration(),
        };
        self.bare_iteration() + preconditioner
    }

    /// The set-up of the iterative method, s.
    fn setup(&self, stage: Stage) -> f64 {
        match stage {
            Stage::Strips => {
                SETUP_ITERATIONS * (self.bare_iteration() + self.strips_iteration()) + self.coarse_setup()
            }
            Stage::Patches => PATCH_FLOPS * self.active.powi(3) * self.blocks as f64 / FACTOR_RATE,
        }
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
            Sequel::Later => 2,
        }
    }
}

/// No solve is thought to leave more than this.
const MOST_LEFT: f64 = 0.5;

impl Choice {
    /// The same with patches, of which nothing is known yet.
    pub(super) fn with_patches(&self) -> Self {
        Self { stage: Stage::Patches, iterations_per_fold: [FIRST_EXPECTATION; PLACES], ..*self }
    }

    /// Iterations that are expected.
    fn expected_iterations(&self, demand: Demand) -> f64 {
        self.iterations_per_fold[demand.index()] * demand.folds()
    }

    /// The method that is expected to be cheaper.
    pub(super) fn cheaper(&self, sizes: &Sizes, demand: Demand) -> LinearMethod {
        let is_iterative = self.expected_iterations(demand) < self.break_even(sizes);
        if is_iterative { LinearMethod::Iterative } else { LinearMethod::Direct }
    }

    /// Values of the factor, counted or estimated.
    pub(super) fn factor_values(&self, sizes: &Sizes) -> f64 {
        self.factor_values.unwrap_or_else(|| sizes.factor_values(sizes.blocks))
    }

    /// What a direct solve is expected to cost, s.
    fn direct_cost(&self, sizes: &Sizes) -> f64 {
        let flops = self.factor_flops.unwrap_or_else(|| sizes.factor_flops(sizes.blocks));
        let refinement = substitution(self.factor_values(sizes)) + sizes.matrix_bytes() / BANDWIDTH;
        flops / FACTOR_RATE + self.refinements * refinement
    }

    /// Iterations that cost as much as a direct solve; negative where their set-up alone does.
    pub(super) fn break_even(&self, sizes: &Sizes) -> f64 {
        (self.direct_cost(sizes) - sizes.setup(self.stage)) / sizes.iteration(self.stage)
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
    pub(super) fn iterative_took(&mut self, iterations: usize, demand: Demand) {
        let rate = &mut self.iterations_per_fold[demand.index()];
        *rate = 0.5 * (*rate + iterations as f64 / demand.folds());
    }

    /// Learns from iterations that were broken off.
    pub(super) fn iterative_stalled(&mut self, outcome: &Outcome, demand: Demand) {
        let folds = Demand { tolerance: outcome.relative_residual, ..demand }.folds();
        self.iterations_per_fold[demand.index()] = outcome.iterations as f64 / folds;
    }

    /// Learns that the iterative method failed.
    pub(super) fn iterative_failed(&mut self, sizes: &Sizes, demand: Demand) {
        let rate = (self.break_even(sizes) / demand.folds()).max(FIRST_EXPECTATION);
        self.iterations_per_fold[demand.index()] = FAILURE * rate;
    }

    /// Learns from a direct solve, and forgets a little of what was learnt of the iterative method.
    pub(super) fn direct_took(&mut self, iterations: usize, demand: Demand) {
        self.refinements = 0.5 * (self.refinements + iterations as f64);
        self.iterations_per_fold[demand.index()] *= FORGETTING;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expectations_follow_the_tolerance_and_the_place_of_a_system() {
        let mut choice = Choice::default();
        let demand = |sequel, tolerance| Demand { sequel, tolerance };
        (0..40).for_each(|_| choice.iterative_took(12, demand(Sequel::First, 1e-3)));
        (0..40).for_each(|_| choice.iterative_took(60, demand(Sequel::Later, 1e-2)));
        for (sequel, tolerance, expected) in [
            (Sequel::First, 1e-3, 12.0),
            (Sequel::First, 1e-6, 24.0),
            (Sequel::Second, 1e-6, FIRST_EXPECTATION * 1e6f64.ln()),
            (Sequel::Later, 1e-2, 60.0),
        ] {
            let found = choice.expected_iterations(demand(sequel, tolerance));
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
    }
}
