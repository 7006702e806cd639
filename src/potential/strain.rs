//! One form for every elastic and dissipative term: a strain is given once, and elasticity, strain-rate
//! damping and Rayleigh damping follow.
//!
//! ```text
//! strain        eps = e/w             w: integration weight, linear in q;  e: elongation
//! elasticity    V   = w k psi(eps)    psi = eps^2/2 unless the strain says otherwise
//!   grad V = k [psi' grad e + (psi - eps psi') grad w]
//!   Hess V = k [w psi'' (grad eps)(grad eps)' + psi' Hess e],       grad eps = (grad e - eps grad w)/w
//! strain rate   V_d = k beta w_n (eps - eps_n)^2/(2 h)              over the step from q_n to q
//! Rayleigh      V_d = beta (q - q_n)' K_n (q - q_n)/(2 h)           K_n = Hess V(q_n), whole
//! ```
//! The incremental dissipation potential has no `grad w` term (w is the step's start's), its Hessian is
//! symmetric, and a rigid motion of any size costs nothing.
//!
//! Source: Sanchez-Banderas, *Strain Rate Dissipation*, equations (3.4) to (3.12) and (3.18), there with
//! the rate `grad eps . q'` in place of the difference over the step.

use hebra_solver::stencil::Stencils;
use rayon::prelude::*;

use super::damping::DampingKind;
use super::family::{Arranged, Element, StepStart, add_square, gather};
use crate::geometry::Vec3;
use crate::geometry::angle::Angle;
use crate::model::ids::BLOCK;

/// Weight and elongation of one element with their gradients.
#[derive(Debug, Clone, Copy)]
pub struct Measure<const N: usize> {
    /// `w`.
    pub weight: f64,
    /// Gradient of `w`.
    pub weight_gradient: [f64; N],
    /// `e`.
    pub elongation: f64,
    /// Gradient of `e`.
    pub elongation_gradient: [f64; N],
}

impl<const N: usize> Measure<N> {
    /// `eps = e/w`.
    pub fn strain(&self) -> f64 {
        self.elongation / self.weight
    }

    /// `grad eps = (grad e - eps grad w)/w`.
    pub fn strain_gradient(&self) -> [f64; N] {
        let eps = self.strain();
        std::array::from_fn(|i| (self.elongation_gradient[i] - eps * self.weight_gradient[i]) / self.weight)
    }
}

/// A strain of `N` unknowns: everything that a material term has of its own.
pub trait Strain<const N: usize>: Send + Sync {
    /// `w` and `e`.
    fn weight_and_elongation(&self, element: usize, q: &[f64; N]) -> (f64, f64);

    /// `w` and `e` with their gradients.
    fn measure(&self, element: usize, q: &[f64; N]) -> Measure<N>;

    /// Adds `c Hess e`; only its positive part if `project`.
    fn add_curvature(&self, q: &[f64; N], c: f64, project: bool, h: &mut [[f64; N]; N]);

    /// `psi`, `psi'` and `psi''` of a unit stiffness.
    fn density(&self, _element: usize, eps: f64) -> [f64; 3] {
        [0.5 * eps * eps, eps, 1.0]
    }

    /// Follows a change of the nodes' roles.
    fn rearrange(&mut self, _now: &Arranged<'_>, _dofs: &Stencils<BLOCK, N>) {}

    /// Whether an element takes no part.
    fn is_gone(&self, _element: usize) -> bool {
        false
    }

    /// For a strain whose gradient has no direction at zero: the vector elongation of which it is the
    /// length to first order.
    fn vector(&self, _q: &[f64; N]) -> Vec3 {
        Vec3::zeros()
    }

    /// The transposed Jacobian of [`Strain::vector`] times a vector.
    fn vector_pull_back(&self, _q: &[f64; N], _d: Vec3) -> [f64; N] {
        [0.0; N]
    }

    /// How much of the damping near zero strain acts on the vector elongation, 0 to 1.
    fn vector_share(&self, _element: usize, _elongation: f64) -> f64 {
        0.0
    }
}

/// A material term: a strain, its stiffness, and its damping.
#[derive(Debug)]
pub struct Material<S, const N: usize> {
    /// The strain.
    pub strain: S,
    /// `k` of every element.
    stiffness: Vec<f64>,
    /// `beta` of every element, s.
    damping: Vec<f64>,
    kind: DampingKind,
    is_exact: bool,
    start: Vec<Start<N>>,
    tangents: Vec<[[f64; N]; N]>,
    /// `whole_step/h`, 1/s; zero without damping.
    rate: f64,
    /// Weight of forces that act over the whole step.
    whole_step: f64,
}

/// What is frozen at the start of a step, for one element.
#[derive(Debug, Clone, Copy)]
struct Start<const N: usize> {
    weight: f64,
    strain: f64,
    vector: Vec3,
    share: f64,
    q: [f64; N],
}

impl<S: Strain<N>, const N: usize> Material<S, N> {
    /// A term with a stiffness and a damping coefficient per element.
    pub fn new(strain: S, stiffness: Vec<f64>, damping: Vec<f64>, kind: DampingKind) -> Self {
        Self {
            strain,
            stiffness,
            damping,
            kind,
            is_exact: false,
            start: Vec::new(),
            tangents: Vec::new(),
            rate: 0.0,
            whole_step: 1.0,
        }
    }

    fn is_damped(&self, kind: DampingKind) -> bool {
        self.kind == kind && self.rate > 0.0
    }

    /// `Hess V`, whole (`project` false) or with the indefinite part of `psi' Hess e` left out.
    pub fn tangent(&self, element: usize, q: &[f64; N], project: bool) -> [[f64; N]; N] {
        let m = self.strain.measure(element, q);
        let k = self.stiffness[element];
        let [_, d1, d2] = self.strain.density(element, m.strain());
        let mut h = [[0.0; N]; N];
        add_square(&mut h, k * m.weight * d2, &m.strain_gradient());
        self.strain.add_curvature(q, k * d1, project, &mut h);
        h
    }

    /// `h V_d` of the step so far; twice this over `h` is the energy that it took.
    fn dissipation(&self, element: usize, q: &[f64; N]) -> f64 {
        let c = 0.5 * self.stiffness[element] * self.damping[element];
        match self.kind {
            DampingKind::None => 0.0,
            DampingKind::StrainRate => {
                let s = &self.start[element];
                let (w, e) = self.strain.weight_and_elongation(element, q);
                let along = e / w - s.strain;
                let mut sum = (1.0 - s.share) * along * along;
                if s.share > 0.0 {
                    sum += s.share * (self.strain.vector(q) / w - s.vector).norm_squared();
                }
                c * s.weight * sum
            }
            DampingKind::Rayleigh => {
                let d: [f64; N] = std::array::from_fn(|i| q[i] - self.start[element].q[i]);
                let kd = times(&self.tangents[element], &d);
                0.5 * self.damping[element] * d.iter().zip(kd).map(|(a, b)| a * b).sum::<f64>()
            }
        }
    }

    fn add_damping_gradient(&self, element: usize, q: &[f64; N], m: &Measure<N>, g: &mut [f64; N]) {
        let s = &self.start[element];
        if self.kind == DampingKind::Rayleigh {
            let d: [f64; N] = std::array::from_fn(|i| q[i] - s.q[i]);
            let kd = times(&self.tangents[element], &d);
            for i in 0..N {
                g[i] += self.rate * self.damping[element] * kd[i];
            }
            return;
        }
        let c = self.rate * self.stiffness[element] * self.damping[element] * s.weight;
        let gradient = m.strain_gradient();
        let along = c * (1.0 - s.share) * (m.strain() - s.strain);
        for i in 0..N {
            g[i] += along * gradient[i];
        }
        if s.share > 0.0 {
            let vector = self.strain.vector(q) / m.weight;
            let change = (vector - s.vector) * (c * s.share / m.weight);
            let pull = self.strain.vector_pull_back(q, change);
            for i in 0..N {
                g[i] += pull[i] - change.dot(&vector) * m.weight_gradient[i];
            }
        }
    }
}

impl<S: Strain<N>, const N: usize> Element<N> for Material<S, N> {
    fn value(&self, element: usize, q: &[f64; N]) -> f64 {
        let damping = if self.rate > 0.0 { self.rate * self.dissipation(element, q) } else { 0.0 };
        self.energy(element, q) + damping
    }

    fn gradient(&self, element: usize, q: &[f64; N]) -> [f64; N] {
        let m = self.strain.measure(element, q);
        let mut g = self.elastic_gradient(element, &m);
        if self.kind != DampingKind::None && self.rate > 0.0 {
            self.add_damping_gradient(element, q, &m, &mut g);
        }
        g
    }

    fn hessian(&self, element: usize, q: &[f64; N]) -> [[f64; N]; N] {
        if self.is_exact {
            return self.exact_hessian(element, q);
        }
        let m = self.strain.measure(element, q);
        let (k, eps, gradient) = (self.stiffness[element], m.strain(), m.strain_gradient());
        let [_, d1, d2] = self.strain.density(element, eps);
        let mut h = [[0.0; N]; N];
        let (mut square, mut curvature) = (k * m.weight * d2, k * d1);
        if self.is_damped(DampingKind::StrainRate) {
            let s = &self.start[element];
            let c = self.rate * k * self.damping[element] * s.weight;
            // The vector strain is small wherever it takes part; there its Hessian is that of the
            // squared scalar strain, as for elasticity.
            square += c;
            let change = (1.0 - s.share) * (eps - s.strain) + s.share * eps;
            curvature += c * change / m.weight;
        } else if self.is_damped(DampingKind::Rayleigh) {
            let factor = 1.0 + self.rate * self.damping[element];
            (square, curvature) = (square * factor, curvature * factor);
        }
        add_square(&mut h, square, &gradient);
        self.strain.add_curvature(q, curvature, true, &mut h);
        h
    }

    fn set_exact(&mut self, exact: bool) {
        self.is_exact = exact;
    }

    fn energy(&self, element: usize, q: &[f64; N]) -> f64 {
        let (w, e) = self.strain.weight_and_elongation(element, q);
        w * self.stiffness[element] * self.strain.density(element, e / w)[0]
    }

    fn energy_gradient(&self, element: usize, q: &[f64; N]) -> [f64; N] {
        self.elastic_gradient(element, &self.strain.measure(element, q))
    }

    fn dissipated(&self, element: usize, q: &[f64; N]) -> f64 {
        if self.rate > 0.0 { 2.0 * self.rate / self.whole_step * self.dissipation(element, q) } else { 0.0 }
    }

    fn rearrange(&mut self, now: &Arranged<'_>, dofs: &Stencils<BLOCK, N>) {
        self.strain.rearrange(now, dofs);
    }

    fn is_gone(&self, element: usize) -> bool {
        self.strain.is_gone(element)
    }

    fn begin_step(&mut self, start: &StepStart<'_>, dofs: &Stencils<BLOCK, N>) {
        self.rate = 0.0;
        if self.kind == DampingKind::None || self.damping.iter().all(|&b| b == 0.0) {
            return;
        }
        let freeze = |e: usize| {
            let q = gather(start.q, dofs.dofs(e));
            let (weight, elongation) = self.strain.weight_and_elongation(e, &q);
            let share = self.strain.vector_share(e, elongation);
            let vector = self.strain.vector(&q) / weight;
            Start { weight, strain: elongation / weight, vector, share, q }
        };
        self.start = (0..dofs.len()).into_par_iter().map(freeze).collect();
        if self.kind == DampingKind::Rayleigh {
            let tangent = |e: usize| self.tangent(e, &self.start[e].q, false);
            self.tangents = (0..dofs.len()).into_par_iter().map(tangent).collect();
        }
        self.whole_step = start.weights.whole_step;
        self.rate = self.whole_step / start.dt;
    }
}

impl<S: Strain<N>, const N: usize> Material<S, N> {
    /// `k [psi' grad e + (psi - eps psi') grad w]`.
    fn elastic_gradient(&self, element: usize, m: &Measure<N>) -> [f64; N] {
        let (k, eps) = (self.stiffness[element], m.strain());
        let [d0, d1, _] = self.strain.density(element, eps);
        let (a, b) = (k * d1, k * (d0 - eps * d1));
        std::array::from_fn(|i| a * m.elongation_gradient[i] + b * m.weight_gradient[i])
    }

    /// The whole Hessian of `V`, and of the strain-rate dissipation too where no vector strain takes part.
    pub(crate) fn exact_hessian(&self, element: usize, q: &[f64; N]) -> [[f64; N]; N] {
        let mut h = self.tangent(element, q, false);
        if self.is_damped(DampingKind::StrainRate) {
            let (m, s) = (self.strain.measure(element, q), &self.start[element]);
            let c = self.rate * self.stiffness[element] * self.damping[element] * s.weight;
            let change = c * (m.strain() - s.strain);
            add_square(&mut h, c, &m.strain_gradient());
            // Hess eps = Hess e/w - (grad eps grad w' + grad w grad eps')/w
            super::family::add_product(&mut h, -change / m.weight, &m.strain_gradient(), &m.weight_gradient);
            self.strain.add_curvature(q, change / m.weight, false, &mut h);
        } else if self.is_damped(DampingKind::Rayleigh) {
            for i in 0..N {
                for j in 0..N {
                    h[i][j] += self.rate * self.damping[element] * self.tangents[element][i][j];
                }
            }
        }
        h
    }
}

/// Adds `c Hess theta` of an angle between two edges; `on_nodes` turns linear forms on the edges into ones on
/// the unknowns. Of its positive part only that out of the plane of the turn is kept: the products of
/// rotation and stretch of one edge are small beside the stretch energy.
pub(super) fn add_angle_curvature<const N: usize>(
    angle: &Angle,
    c: f64,
    project: bool,
    on_nodes: impl Fn([Vec3; 2]) -> [f64; N],
    h: &mut [[f64; N]; N],
) {
    for (k, form) in angle.curvature_out_of_plane() {
        if !project || c * k > 0.0 {
            add_square(h, c * k, &on_nodes(form));
        }
    }
    if !project {
        for (k, form) in angle.curvature_in_plane() {
            add_square(h, c * k, &on_nodes(form));
        }
    }
}

fn times<const N: usize>(a: &[[f64; N]; N], x: &[f64; N]) -> [f64; N] {
    a.map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum())
}
