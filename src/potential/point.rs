//! Inertia and weight of the vertices of a sheet.

use hebra_solver::stencil::Stencils;
use rayon::prelude::*;

use super::family::{Element, gather};
use super::term::StepStart;
use crate::geometry::Vec3;
use crate::model::ids::BLOCK;

/// Kinetic energy of point masses as the potential of a time step.
///
/// ```text
/// value = c m |x - x_n - h v_n|^2/2 + s alpha m |x - x_n|^2/(2 h)
/// ```
/// `c` and `s` are the time scheme's weights, `alpha` is Rayleigh's mass coefficient.
#[derive(Debug, Clone, Default)]
pub(crate) struct PointInertia {
    /// Mass of every vertex, kg.
    pub(crate) mass: Vec<f64>,
    /// Rayleigh's mass coefficient, 1/s.
    pub(crate) mass_damping: f64,
    start: Vec<[Vec3; 2]>,
    inertia: f64,
    damping: f64,
    whole_step: f64,
}

impl PointInertia {
    /// For vertices of the given masses, kg.
    pub(crate) fn new(mass: Vec<f64>, mass_damping: f64) -> Self {
        Self { mass, mass_damping, ..Self::default() }
    }

    /// Kinetic energy, J.
    pub(crate) fn kinetic_energy(&self, dofs: &Stencils<BLOCK, 3>, v: &[f64]) -> f64 {
        dofs.sum(v, |e, v| 0.5 * self.mass[e] * Vec3::from(*v).norm_squared())
    }

    /// Linear momentum, kg m/s.
    pub(crate) fn momentum(&self, dofs: &Stencils<BLOCK, 3>, v: &[f64]) -> Vec3 {
        (0..dofs.len()).map(|e| Vec3::from(gather(v, dofs.dofs(e))) * self.mass[e]).sum()
    }
}

impl Element<3> for PointInertia {
    fn value(&self, element: usize, q: &[f64; 3]) -> f64 {
        let ([start, predicted], x) = (self.start[element], Vec3::from(*q));
        let moved = self.inertia * (x - predicted).norm_squared() + self.damping * (x - start).norm_squared();
        0.5 * self.mass[element] * moved
    }

    fn gradient(&self, element: usize, q: &[f64; 3]) -> [f64; 3] {
        let ([start, predicted], x) = (self.start[element], Vec3::from(*q));
        (((x - predicted) * self.inertia + (x - start) * self.damping) * self.mass[element]).into()
    }

    fn hessian(&self, element: usize, _: &[f64; 3]) -> [[f64; 3]; 3] {
        super::strain::diagonal((self.inertia + self.damping) * self.mass[element])
    }

    fn dissipated(&self, element: usize, q: &[f64; 3]) -> f64 {
        let d = Vec3::from(*q) - self.start[element][0];
        self.damping / self.whole_step * self.mass[element] * d.norm_squared()
    }

    fn begin_step(&mut self, start: &StepStart<'_>, dofs: &Stencils<BLOCK, 3>) {
        self.inertia = start.weights.inertia;
        self.whole_step = start.weights.whole_step;
        self.damping = self.whole_step * self.mass_damping / start.dt;
        let freeze = |e: usize| {
            let (x, v) = (gather(start.q, dofs.dofs(e)), gather(start.v, dofs.dofs(e)));
            [Vec3::from(x), Vec3::from(x) + Vec3::from(v) * start.dt]
        };
        self.start = (0..dofs.len()).into_par_iter().map(freeze).collect();
    }
}

/// Weight of point masses: `V = -m g.x`.
#[derive(Debug, Clone, Default)]
pub(crate) struct PointGravity {
    /// Mass of every vertex, kg.
    pub(crate) mass: Vec<f64>,
    /// Acceleration, m/s2.
    pub(crate) acceleration: Vec3,
}

impl Element<3> for PointGravity {
    fn value(&self, element: usize, q: &[f64; 3]) -> f64 {
        self.energy(element, q)
    }

    fn gradient(&self, element: usize, q: &[f64; 3]) -> [f64; 3] {
        self.energy_gradient(element, q)
    }

    fn hessian(&self, _: usize, _: &[f64; 3]) -> [[f64; 3]; 3] {
        [[0.0; 3]; 3]
    }

    fn is_linear(&self) -> bool {
        true
    }

    fn energy(&self, element: usize, q: &[f64; 3]) -> f64 {
        -self.mass[element] * self.acceleration.dot(&Vec3::from(*q))
    }

    fn energy_gradient(&self, element: usize, _: &[f64; 3]) -> [f64; 3] {
        (self.acceleration * -self.mass[element]).into()
    }
}
