//! A spring that pulls a node to a point, as a hand does.

use hebra_solver::stencil::Stencils;

use super::family::Element;
use super::term::StepStart;
use crate::geometry::Vec3;
use crate::model::ids::BLOCK;

/// A spring of no length from a node's position `x` to a point `p` that may move between steps.
///
/// ```text
/// value = k/2 |x - p|^2
/// ```
/// | symbol | meaning | unit |
/// |---|---|---|
/// | `k` | stiffness | N/m |
/// | `p` | the hand | m |
#[derive(Debug, Clone, Default)]
pub(crate) struct Grab {
    /// N/m.
    pub(crate) stiffness: f64,
    /// m.
    pub(crate) target: Vec3,
    /// What the time scheme makes of forces over the whole step.
    scale: f64,
}

impl Grab {
    /// A hand at a point, m, on a spring of a stiffness, N/m.
    pub(crate) fn new(target: Vec3, stiffness: f64) -> Self {
        Self { stiffness, target, scale: 0.0 }
    }
}

impl Element<3> for Grab {
    fn value(&self, _: usize, q: &[f64; 3]) -> f64 {
        0.5 * self.scale * self.stiffness * (Vec3::from(*q) - self.target).norm_squared()
    }

    fn gradient(&self, _: usize, q: &[f64; 3]) -> [f64; 3] {
        ((Vec3::from(*q) - self.target) * (self.scale * self.stiffness)).into()
    }

    fn hessian(&self, _: usize, _: &[f64; 3]) -> [[f64; 3]; 3] {
        (nalgebra::Matrix3::identity() * (self.scale * self.stiffness)).into()
    }

    fn begin_step(&mut self, start: &StepStart<'_>, _: &Stencils<BLOCK, 3>) {
        self.scale = start.weights.whole_step;
    }
}
