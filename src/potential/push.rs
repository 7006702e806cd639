//! Constant forces on chosen nodes.

use hebra_solver::stencil::Stencils;

use super::family::Element;
use super::term::StepStart;
use crate::geometry::Vec3;
use crate::model::ids::BLOCK;

/// A force on a node's position while its time window lasts: `value = -f.x`.
#[derive(Debug, Clone, Default)]
pub struct Push {
    /// The force on every chosen node, N.
    pub force: Vec3,
    /// When it starts, s.
    pub start: f64,
    /// When it ends, s.
    pub end: f64,
    now: Vec3,
}

impl Push {
    /// A force, N, from `start` to `end`, s.
    pub fn new(force: Vec3, start: f64, end: f64) -> Self {
        Self { force, start, end, now: Vec3::zeros() }
    }
}

impl Element<3> for Push {
    fn value(&self, _: usize, q: &[f64; 3]) -> f64 {
        -self.now.dot(&Vec3::from(*q))
    }

    fn gradient(&self, _: usize, _: &[f64; 3]) -> [f64; 3] {
        (-self.now).into()
    }

    fn hessian(&self, _: usize, _: &[f64; 3]) -> [[f64; 3]; 3] {
        [[0.0; 3]; 3]
    }

    fn is_linear(&self) -> bool {
        true
    }

    fn begin_step(&mut self, start: &StepStart<'_>, _: &Stencils<BLOCK, 3>) {
        let middle = start.time + 0.5 * start.dt;
        let on = middle >= self.start && middle < self.end;
        self.now = if on { self.force * start.weights.whole_step } else { Vec3::zeros() };
    }
}
