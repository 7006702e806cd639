//! Inertia of segments whose ends may slide.

use hebra_solver::stencil::Stencils;
use rayon::prelude::*;

use super::family::{Element, gather};
use super::term::StepStart;
use crate::geometry::Vec3;
use crate::model::ids::BLOCK;

/// Kinetic energy of a segment between two nodes `(x0, u0, x1, u1)` as the potential of a time step.
///
/// ```text
/// w = (x1 - x0)/Du     J = [I, -w]     M = rho Du/6 [[2 J'J, J'J], [J'J, 2 J'J]]
/// value = c/2 |q - q_n - h v_n|_M^2 + s alpha/(2 h) |q - q_n|_M^2 - s f_conv.q        M = M(q_n)
/// ```
/// `c` and `s` are the time scheme's weights, `alpha` is Rayleigh's mass coefficient. The mass matrix
/// depends on the configuration, which gives the convective forces `f_conv` of the Euler-Lagrange
/// equations, taken at the start of the step: the change of momentum inside the segment and its flux
/// through the moving ends. Source: Sanchez-Banderas' thesis, equations (4.9), which drops `f_conv`, and (4.10). The
/// closed form of `f_conv` was checked against Euler-Lagrange symbolically.
#[derive(Debug, Clone, Default)]
pub(crate) struct Inertia {
    /// Mass per rest length of every segment, kg/m.
    pub(crate) line_density: Vec<f64>,
    /// Rayleigh's mass coefficient, 1/s.
    pub(crate) mass_damping: f64,
    /// Whether the convective forces are kept.
    pub(crate) convective: bool,
    start: Vec<Start>,
    inertia: f64,
    damping: f64,
    whole_step: f64,
}

#[derive(Debug, Clone, Copy)]
struct Start {
    /// `rho Du/6`, kg.
    mass: f64,
    w: Vec3,
    q: [f64; 8],
    predicted: [f64; 8],
    convective: [f64; 8],
}

fn x(q: &[f64; 8], node: usize) -> Vec3 {
    Vec3::new(q[4 * node], q[4 * node + 1], q[4 * node + 2])
}

/// `J d` at both ends.
fn material_change(w: Vec3, d: &[f64; 8]) -> (Vec3, Vec3) {
    (x(d, 0) - w * d[3], x(d, 1) - w * d[7])
}

/// `J'` applied at both ends.
fn to_unknowns(w: Vec3, p0: Vec3, p1: Vec3) -> [f64; 8] {
    [p0.x, p0.y, p0.z, -w.dot(&p0), p1.x, p1.y, p1.z, -w.dot(&p1)]
}

fn difference(a: &[f64; 8], b: &[f64; 8]) -> [f64; 8] {
    std::array::from_fn(|i| a[i] - b[i])
}

/// `d' M d/2` with `m = rho Du/6`.
fn half_square(m: f64, w: Vec3, d: &[f64; 8]) -> f64 {
    let (a, b) = material_change(w, d);
    m * (a.norm_squared() + a.dot(&b) + b.norm_squared())
}

/// `M d`.
fn mass_times(m: f64, w: Vec3, d: &[f64; 8]) -> [f64; 8] {
    let (a, b) = material_change(w, d);
    to_unknowns(w, (a * 2.0 + b) * m, (a + b * 2.0) * m)
}

impl Inertia {
    /// For segments of the given line densities, kg/m.
    pub(crate) fn new(line_density: Vec<f64>, mass_damping: f64, convective: bool) -> Self {
        Self { line_density, mass_damping, convective, ..Self::default() }
    }

    /// `f_conv` of a segment.
    fn convective_force(rho: f64, q: &[f64; 8], v: &[f64; 8]) -> [f64; 8] {
        let du = q[7] - q[3];
        let w = (x(q, 1) - x(q, 0)) / du;
        let (u0, u1) = (v[3], v[7]);
        let w_rate = (x(v, 1) - x(v, 0) - w * (u1 - u0)) / du;
        let (a0, a1) = material_change(w, v);
        // p0 = 2 rho Du (u0'/3 + u1'/6) w'      p1 = 2 rho Du (u0'/6 + u1'/3) w'
        let p0 = w_rate * (2.0 * rho * du * (u0 / 3.0 + u1 / 6.0));
        let p1 = w_rate * (2.0 * rho * du * (u0 / 6.0 + u1 / 3.0));
        let (f0, f1) = (p0 + a0 * (rho * u0), p1 - a1 * (rho * u1));
        let g0 = -w.dot(&f0) - 0.5 * rho * a0.norm_squared();
        let g1 = -w.dot(&f1) + 0.5 * rho * a1.norm_squared();
        [f0.x, f0.y, f0.z, g0, f1.x, f1.y, f1.z, g1]
    }

    /// Kinetic energy, J.
    pub(crate) fn kinetic_energy(&self, dofs: &Stencils<BLOCK, 8>, q: &[f64], v: &[f64]) -> f64 {
        dofs.sum(q, |e, q| {
            let du = q[7] - q[3];
            let w = (x(q, 1) - x(q, 0)) / du;
            half_square(self.line_density[e] * du / 6.0, w, &gather(v, dofs.dofs(e)))
        })
    }

    /// Linear momentum, kg m/s.
    pub(crate) fn momentum(&self, dofs: &Stencils<BLOCK, 8>, q: &[f64], v: &[f64]) -> Vec3 {
        let one = |e: usize| {
            let (q, v) = (gather(q, dofs.dofs(e)), gather(v, dofs.dofs(e)));
            let du = q[7] - q[3];
            let (a, b) = material_change((x(&q, 1) - x(&q, 0)) / du, &v);
            (a + b) * (0.5 * self.line_density[e] * du)
        };
        (0..dofs.len()).map(one).sum()
    }
}

impl Element<8> for Inertia {
    fn value(&self, element: usize, q: &[f64; 8]) -> f64 {
        let s = &self.start[element];
        let push: f64 = s.convective.iter().zip(q).zip(&s.q).map(|((f, q), q0)| f * (q - q0)).sum();
        self.inertia * half_square(s.mass, s.w, &difference(q, &s.predicted))
            + self.damping * half_square(s.mass, s.w, &difference(q, &s.q))
            - push
    }

    fn gradient(&self, element: usize, q: &[f64; 8]) -> [f64; 8] {
        let s = &self.start[element];
        let d =
            std::array::from_fn(|i| self.inertia * (q[i] - s.predicted[i]) + self.damping * (q[i] - s.q[i]));
        difference(&mass_times(s.mass, s.w, &d), &s.convective)
    }

    fn hessian(&self, element: usize, _: &[f64; 8]) -> [[f64; 8]; 8] {
        let s = &self.start[element];
        let m = (self.inertia + self.damping) * s.mass;
        let w = [s.w.x, s.w.y, s.w.z];
        let mut h = [[0.0; 8]; 8];
        for (r, c, k) in [(0, 0, 2.0 * m), (0, 4, m), (4, 0, m), (4, 4, 2.0 * m)] {
            for i in 0..3 {
                h[r + i][c + i] = k;
                h[r + i][c + 3] = -k * w[i];
                h[r + 3][c + i] = -k * w[i];
            }
            h[r + 3][c + 3] = k * s.w.norm_squared();
        }
        h
    }

    fn dissipated(&self, element: usize, q: &[f64; 8]) -> f64 {
        let s = &self.start[element];
        2.0 * self.damping / self.whole_step * half_square(s.mass, s.w, &difference(q, &s.q))
    }

    fn begin_step(&mut self, start: &StepStart<'_>, dofs: &Stencils<BLOCK, 8>) {
        self.inertia = start.weights.inertia;
        self.whole_step = start.weights.whole_step;
        self.damping = self.whole_step * self.mass_damping / start.dt;
        let freeze = |(e, rho): (usize, &f64)| {
            let (q, v) = (gather(start.q, dofs.dofs(e)), gather(start.v, dofs.dofs(e)));
            let du = q[7] - q[3];
            let force = if self.convective { Self::convective_force(*rho, &q, &v) } else { [0.0; 8] };
            Start {
                mass: rho * du / 6.0,
                w: (x(&q, 1) - x(&q, 0)) / du,
                q,
                predicted: std::array::from_fn(|i| q[i] + start.dt * v[i]),
                convective: force.map(|f| f * start.weights.whole_step),
            }
        };
        self.start = self.line_density.par_iter().enumerate().map(freeze).collect();
    }
}
