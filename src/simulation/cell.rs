//! A repeat of a fabric that comes to rest among copies of itself.

use std::ops::Range;
use std::sync::Arc;

use hebra_solver::linear::Guides;
use hebra_solver::matrix::BlockMatrix;
use hebra_solver::newton::Newton;
use hebra_solver::objective::{HessianForm, Objective};
use hebra_solver::pattern::{BlockPattern, PatternBuilder};

use super::arrange::Change;
use super::problem::longest_step;
use super::relax::{GAP_KEPT_AT_REST, Relaxation, STATIC};
use super::world::World;
use super::{Simulation, SimulationError};
use crate::geometry::Vec3;
use crate::model::cell::Cell;
use crate::model::ids::{BLOCK, BlockId, NodeId};
use crate::model::yarns::{State, block_position};
use crate::potential::term::{EnergyKind, Motion, Potential};
use crate::simulation::params::RelaxParams;

/// A patch whose crossings follow those of a repeat in its middle; the repeat comes to rest.
pub struct CellRelaxation {
    simulation: Simulation,
    cell: Cell,
    /// Of the repeat along `x` and `y`, m.
    periods: [f64; 2],
    /// The couplings of the patch, and of the repeat.
    patterns: [Arc<BlockPattern>; 2],
    newton: Newton<BLOCK>,
    /// Added to the Hessian's diagonal, and at least when a repeat starts to move, N/m.
    guard: f64,
    least_guard: f64,
    tolerance: f64,
    steps: u64,
}

/// Of the first guard of a relaxation. After many whole steps a guard would end below the smallest number.
const LEAST_GUARD: f64 = 1e-9;

/// Iterations until a repeat is at rest, at most.
const MAX_STEPS: u64 = 500;

impl CellRelaxation {
    /// Of a flat fabric of which the given places along `y` and `x` repeat, see [`Cell`].
    pub fn new(mut simulation: Simulation, repeat: &[Range<usize>; 2]) -> Self {
        let cell = Cell::new(&simulation.world.model, repeat);
        let freely = RelaxParams { friction: false, ..RelaxParams::default() };
        let tolerance = Relaxation::new(&mut simulation, freely).tolerance();
        let guard = simulation.rest.as_ref().map_or(0.0, |r| r.guard);
        let none = Arc::new(PatternBuilder::new(simulation.world.model.n_blocks()).build());
        let guides = Guides { coordinates: simulation.world.model.coordinates.clone(), groups: Vec::new() };
        let newton = Newton::new(Arc::clone(&none), guides, *simulation.stepper.newton.options())
            .with_interrupt(simulation.stepper.newton.interrupt());
        let patterns = [Arc::clone(&none), none];
        let least_guard = LEAST_GUARD * guard;
        let periods = cell.periods(&simulation.world.state.q);
        Self { simulation, cell, periods, patterns, newton, guard, least_guard, tolerance, steps: 0 }
    }

    /// Steps so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The patch, which lies as the repeat does but near its edges.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// The periods of the repeat along `x` and `y`, m.
    pub fn periods(&self) -> [f64; 2] {
        self.periods
    }

    /// Crimp of the warps and of the wefts of a weave.
    pub fn crimp(&self) -> [f64; 2] {
        let yarn = self.cell.yarn();
        [0, 1].map(|axis| yarn[axis] / self.periods[axis] - 1.0)
    }

    /// Height of the repeat, from its lowest yarn's lower side to its highest's upper side, m.
    pub fn thickness(&self) -> f64 {
        let World { model, arrangement, state: State { q, .. }, .. } = &self.simulation.world;
        let own = (0..model.nodes.len() as u32).map(NodeId);
        let sides = own.filter(|&n| self.cell.is_own(model.node(n).block)).flat_map(|n| {
            let beside = arrangement.crossing(model, n).map(|c| c.displacement(model, q).z);
            let height = model.position(q, n).z + beside.unwrap_or(0.0);
            [-1.0, 1.0].map(|side| height + side * model.rod_of(n).material.radius)
        });
        let [low, high] =
            sides.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], z| [low.min(z), high.max(z)]);
        high - low
    }

    /// What the repeat stores, J.
    pub fn energy(&self) -> f64 {
        self.simulation.energy_of(&|block| self.cell.is_own(block))
    }

    /// Brings the repeat to rest with these periods along `x` and `y`, m. Returns by what its energy grows, J, over its
    /// strain along them.
    ///
    /// # Errors
    /// When no step decreases the energy, when rest is not reached in as many as are allowed, when the repeat touches
    /// what is no copy of it, or when it is interrupted.
    pub fn settle(&mut self, periods: [f64; 2]) -> Result<[f64; 2], SimulationError> {
        let by = [0, 1].map(|axis| periods[axis] / self.periods[axis]);
        self.cell.stretch(&mut self.simulation.world.state.q, by);
        self.periods = periods;
        self.guard = self.guard.max(self.least_guard);
        let mut force = f64::INFINITY;
        for _ in 0..MAX_STEPS {
            force = self.step()?;
            if force <= self.tolerance {
                let stretched = [|x: Vec3| Vec3::new(x.x, 0.0, 0.0), |x: Vec3| Vec3::new(0.0, x.y, 0.0)];
                return Ok(stretched.map(|motion| self.power_of(&motion)));
            }
        }
        Err(SimulationError::NotAtRest { steps: MAX_STEPS, force, tolerance: self.tolerance })
    }

    /// By what the repeat's energy grows, J, over the curvature, 1/m, to which the fabric is bent along `x` and along `y`
    /// about its middle height, its edges towards `z`.
    pub fn moments(&self) -> [f64; 2] {
        let q = &self.simulation.world.state.q;
        let own = (0..self.simulation.world.model.n_blocks() as u32).map(BlockId);
        let heights: Vec<f64> =
            own.filter(|&b| self.cell.is_own(b)).map(|b| block_position(q, b).z).collect();
        let middle = heights.iter().sum::<f64>() / heights.len() as f64;
        [0, 1].map(|axis| {
            self.power_of(&|x: Vec3| {
                let mut way = Vec3::z() * (0.5 * x[axis] * x[axis]);
                way[axis] = -x[axis] * (x.z - middle);
                way
            })
        })
    }

    fn power_of(&self, motion: Motion<'_>) -> f64 {
        self.simulation.power_of(&|block| self.cell.is_own(block), motion)
    }

    /// One guarded iteration; returns the largest force left, N.
    fn step(&mut self) -> Result<f64, SimulationError> {
        let Self { simulation, cell, newton, guard, patterns, periods, .. } = self;
        let periods = *periods;
        cell.follow(&mut simulation.world.state.q, periods);
        let mut change = Change::new(simulation);
        simulation.arrange_at_rest(&mut change, STATIC);
        simulation.begin(STATIC);
        let patch = simulation.terms.pattern();
        if !Arc::ptr_eq(patch, &patterns[0]) {
            let folded = folded(patch, cell).ok_or(SimulationError::NoCopy)?;
            *patterns = [Arc::clone(patch), Arc::new(folded)];
            newton.set_pattern(Arc::clone(&patterns[1]));
        }
        let mut q = simulation.world.state.q.clone();
        let folded = Folded::new(simulation, cell, (periods, &patterns[1]));
        self.steps += 1;
        let step = self.steps;
        let done = newton.iterate_guarded(&folded, &mut q, guard);
        let done = done.map_err(|cause| SimulationError::at_rest(step, 0.0, cause))?;
        cell.follow(&mut q, periods);
        simulation.take_over(q, None);
        Ok(done.residual)
    }
}

/// The couplings of a repeat's own blocks with one another and with what the copies lie as; none if one of them is
/// coupled to what is no copy.
fn folded(pattern: &BlockPattern, cell: &Cell) -> Option<BlockPattern> {
    let mut builder = PatternBuilder::new(pattern.n_blocks());
    for (i, j) in couplings(pattern) {
        for (own, other) in [(i, j), (j, i)] {
            if cell.is_own(own) {
                builder.couple(&[own.0, cell.source(other)?.0]);
            }
        }
    }
    Some(builder.build())
}

fn couplings(pattern: &BlockPattern) -> impl Iterator<Item = (BlockId, BlockId)> + '_ {
    (0..pattern.n_blocks())
        .flat_map(|i| pattern.columns(i).iter().map(move |&j| (BlockId(i as u32), BlockId(j))))
}

/// What a repeat stores, as a function of its own unknowns.
///
/// Its gradient is that of the whole patch, which holds everything that touches the repeat; in the Hessian what is
/// coupled to a copy is coupled to the original.
struct Folded<'a> {
    simulation: &'a Simulation,
    cell: &'a Cell,
    periods: [f64; 2],
    pattern: &'a Arc<BlockPattern>,
    active: Vec<bool>,
}

impl<'a> Folded<'a> {
    fn new(
        simulation: &'a Simulation,
        cell: &'a Cell,
        (periods, pattern): ([f64; 2], &'a Arc<BlockPattern>),
    ) -> Self {
        let mut active = simulation.world.active.clone();
        let is_thick = simulation.world.model.rods.iter().any(|r| r.is_thick());
        let mut is_first = true;
        for (block, own) in active.chunks_exact_mut(BLOCK).enumerate() {
            let is_own = cell.is_own(BlockId(block as u32));
            // Lines through shared points are held in the plane by nothing but symmetry.
            own[2] &= is_thick;
            if !is_own {
                own.fill(false);
            } else if std::mem::take(&mut is_first) {
                own[..3].fill(false);
            }
        }
        cell.first_arcs().iter().for_each(|&arc| active[arc as usize] = false);
        Self { simulation, cell, periods, pattern, active }
    }

    fn potentials(&self) -> impl Iterator<Item = &'a dyn Potential> {
        self.simulation.terms.all().filter(|t| t.kind() != EnergyKind::Inertial)
    }

    fn patch(&self, q: &[f64]) -> Vec<f64> {
        let mut q = q.to_vec();
        self.cell.follow(&mut q, self.periods);
        q
    }
}

impl Objective<BLOCK> for Folded<'_> {
    fn pattern(&self) -> &Arc<BlockPattern> {
        self.pattern
    }

    fn active(&self) -> &[bool] {
        &self.active
    }

    fn value(&self, q: &[f64]) -> f64 {
        let q = self.patch(q);
        self.potentials().map(|p| p.energy_of(&q, &|block| self.cell.is_own(block))).sum()
    }

    fn gradient(&self, q: &[f64], out: &mut [f64]) {
        let q = self.patch(q);
        out.fill(0.0);
        let pattern = self.simulation.terms.pattern();
        self.potentials().for_each(|p| p.add_energy_gradient(pattern, &q, out));
    }

    fn hessian(&self, q: &[f64], form: HessianForm, out: &mut BlockMatrix<BLOCK>) {
        let q = self.patch(q);
        let pattern = self.simulation.terms.pattern();
        let mut patch = BlockMatrix::new(Arc::clone(pattern));
        self.potentials().for_each(|p| p.add_hessian(&q, form, &mut patch));
        out.set_zero();
        for ((i, j), block) in couplings(pattern).zip(patch.values()) {
            let transposed = std::array::from_fn(|a| std::array::from_fn(|b| block[b][a]));
            self.fold(i, j, block, out);
            if i != j {
                self.fold(j, i, &transposed, out);
            }
        }
    }

    fn longest_step(&self, q: &[f64], direction: &[f64]) -> f64 {
        let ahead: Vec<f64> = q.iter().zip(direction).map(|(q, d)| q + d).collect();
        let [from, to] = [q, &ahead].map(|q| self.patch(q));
        let World { model, arrangement, .. } = &self.simulation.world;
        let along: Vec<f64> = to.iter().zip(&from).map(|(to, from)| to - from).collect();
        // What follows nothing, near the edges of the patch, may be in the way of copies.
        let is_own = |pair: [NodeId; 2]| pair.iter().any(|&n| self.cell.is_own(model.node(n).block));
        longest_step(model, arrangement, [&from, &from, &along], GAP_KEPT_AT_REST, is_own)
    }
}

impl Folded<'_> {
    /// Adds what couples a block to another where the first is the repeat's own, the upper triangle of it.
    fn fold(&self, i: BlockId, j: BlockId, block: &[[f64; BLOCK]; BLOCK], out: &mut BlockMatrix<BLOCK>) {
        let source = self.cell.source(j).filter(|source| self.cell.is_own(i) && *source >= i);
        let Some(slot) = source.and_then(|source| self.pattern.slot(i.0, source.0)) else { return };
        let sum = &mut out.values_mut()[slot];
        for (sum, row) in sum.iter_mut().flatten().zip(block.as_flattened()) {
            *sum += row;
        }
    }
}
