//! The terms of the function that a step minimises, and what each may be asked.

use hebra_solver::matrix::BlockMatrix;
use hebra_solver::objective::HessianForm;
use hebra_solver::pattern::{BlockPattern, PatternBuilder};

use super::region::Region;
use crate::geometry::Vec3;
use crate::model::arrangement::Arrangement;
use crate::model::ids::{BLOCK, BlockId};
use crate::model::yarns::{Model, State};

/// What an energy is in the balance of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EnergyKind {
    /// Inertia: counted as kinetic energy, from the velocities.
    Inertial,
    /// Stored by deformation.
    Elastic,
    /// Of position in the field of gravity.
    Gravitational,
    /// Stored in contacts with obstacles and between neighbouring yarns.
    Contact,
    /// A force without a stored energy: friction, drag, pushes.
    External,
}

/// What every potential may freeze at the start of a step.
#[derive(Debug, Clone, Copy)]
pub struct StepStart<'a> {
    /// The unknowns.
    pub q: &'a [f64],
    /// Their velocities.
    pub v: &'a [f64],
    /// Time at the start, s.
    pub time: f64,
    /// The step, s.
    pub dt: f64,
    /// What the time scheme makes of masses and of forces.
    pub weights: Weights,
    /// Normal force of every contact, then of every held node, N.
    pub normal_forces: &'a [f64],
    /// Cosine between the rods of every contact between fabrics, zero of every other.
    pub slants: &'a [f64],
}

/// What potentials of the weave and of the surroundings follow when nodes change their roles.
#[derive(Debug, Clone, Copy)]
pub struct Arranged<'a> {
    /// The yarns.
    pub model: &'a Model,
    /// The roles of the nodes now.
    pub arrangement: &'a Arrangement,
    /// The unknowns.
    pub q: &'a [f64],
}

impl Arranged<'_> {
    /// Whether the block of an unknown has no active node, so that nothing has its position.
    pub fn is_gone(&self, dof: u32) -> bool {
        !self.arrangement.is_position_active(self.model, BlockId(dof / BLOCK as u32))
    }
}

/// Factors by which a time scheme weighs the parts of a step's potential.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// Inertia: `inertia/2 |q - q_n - h v_n|^2_M`, 1/s2.
    pub inertia: f64,
    /// Forces that act over the whole step: damping, friction, convection.
    pub whole_step: f64,
}

/// Which blocks count.
pub type Counts<'a> = &'a (dyn Fn(BlockId) -> bool + Sync);

/// By how much a motion takes every place, m over its size.
pub type Motion<'a> = &'a (dyn Fn(Vec3) -> Vec3 + Sync);

/// A term of the function that a step minimises.
pub trait Term: Send + Sync {
    /// Declares its couplings.
    fn couple(&self, pattern: &mut PatternBuilder);
    /// Prepares the scatter.
    fn bind(&mut self, pattern: &BlockPattern);
    /// Value, J.
    fn value(&self, q: &[f64]) -> f64;
    /// Adds its gradient.
    fn add_gradient(&self, pattern: &BlockPattern, q: &[f64], out: &mut [f64]);
    /// Adds its Hessian.
    fn add_hessian(&self, q: &[f64], form: HessianForm, out: &mut BlockMatrix<BLOCK>);
}

/// A term of a step in time, whatever its elements.
pub trait Potential: Term + Audit {
    /// Marks what the elements that depend on free blocks depend on.
    fn mark(&self, free: &[bool], marked: &mut [bool]);
    /// The elements that depend on the free blocks of a region, as a term of the region's unknowns.
    fn restricted<'a>(&'a self, region: &Region<'_>) -> Box<dyn Term + 'a>;
    /// Adds the gradient of what acts over the whole step, for schemes that take it at the step's start; `dt` is the
    /// step, s.
    fn add_explicit_gradient(&self, pattern: &BlockPattern, start: &State, dt: f64, out: &mut [f64]);
    /// Adds the gradient of the stored energy.
    fn add_energy_gradient(&self, pattern: &BlockPattern, q: &[f64], out: &mut [f64]);
    /// Whether a step from one state must not end in another, because it has gone through something.
    fn refuses(&self, way: [&[f64]; 2]) -> bool;
    /// Follows a change of the nodes' roles.
    fn rearrange(&mut self, now: &Arranged<'_>);
    /// Freezes what is lagged.
    fn begin_step(&mut self, start: &StepStart<'_>);
    /// Takes over an accepted step.
    fn end_step(&mut self, q: &[f64]);
    /// Saved state.
    fn save(&self) -> Vec<f64>;
    /// Restores it.
    fn load(&mut self, state: &[f64]);
}

/// What is measured of a term and does not change the motion.
pub trait Audit {
    /// Its name in statistics.
    fn name(&self) -> &'static str;
    /// What its stored energy is.
    fn kind(&self) -> EnergyKind;
    /// Stored energy, J.
    fn energy(&self, q: &[f64]) -> f64;
    /// Energy stored in the elements whose first block counts, J.
    fn energy_of(&self, q: &[f64], counts: Counts<'_>) -> f64;
    /// By what that energy grows, J, over the size of a small motion, which takes a place to the given one: the sum of
    /// `motion(x) . dV/dx`.
    fn power_of(&self, q: &[f64], counts: Counts<'_>, motion: Motion<'_>) -> f64;
    /// Energy dissipated over the step that ends at `q`, J.
    fn dissipated(&self, q: &[f64]) -> f64;
    /// Sums over the elements of the squares of the damping force at the end of a step, and of its part outside
    /// the space of the strain's gradients, N2.
    fn squared_damping_forces(&self, q: &[f64]) -> [f64; 2];
    /// How far the deepest element is pressed into something solid, over its own half thickness.
    fn deepest(&self, q: &[f64]) -> f64;
}
