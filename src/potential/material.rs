//! Elasticity and damping of any strain.
//!
//! ```text
//! elasticity    V   = w k psi(eps)
//!   grad V = k [psi' . grad e + (psi - eps . psi') grad w]
//!   Hess V = k [w grad eps' psi'' grad eps + psi' . Hess e],        grad eps = (grad e - eps grad w)/w
//! strain rate   V_d = h w_n Psi_d((eps - eps_n)/h)                  over the step from q_n to q
//! Rayleigh      V_d = beta (q - q_n)' K_n (q - q_n)/(2 h)           K_n = Hess V(q_n), whole
//! ```
//! The incremental dissipation potential has no `grad w` term (w is the step's start's), its Hessian is
//! symmetric, and a rigid motion costs nothing.
//!
//! Source: Sanchez-Banderas, *Strain Rate Dissipation*, equations (3.4) to (3.12) and (3.18), there with
//! the rate `grad eps . q'` in place of the difference over the step.

use hebra_solver::objective::HessianForm;
use hebra_solver::stencil::Stencils;
use nalgebra::SymmetricEigen;
use rayon::prelude::*;

use super::displaced::LineElement;
use super::dissipation::{Damping, Dissipation};
use super::family::{Element, add_product, add_square, gather};
use super::forms::{add_form, add_gradients, outside, times};
use super::strain::{Density, Measure, Strain, dot};
use super::term::{Arranged, StepStart};
use super::through_zero::Across;
use crate::geometry::Vec3;
use crate::model::ids::BLOCK;

/// A material term: a strain, its stiffness, and its damping.
#[derive(Debug)]
pub struct Material<S, const N: usize, const M: usize = 1> {
    /// The strain.
    pub strain: S,
    /// `k` of every element.
    stiffness: Vec<f64>,
    damping: Damping<M>,
    start: Vec<Start<N, M>>,
    tangents: Vec<[[f64; N]; N]>,
    /// `h`, s.
    dt: f64,
    /// Weight of forces that act over the whole step.
    whole_step: f64,
}

/// What is frozen at the start of a step, for one element.
#[derive(Debug, Clone, Copy)]
struct Start<const N: usize, const M: usize> {
    weight: f64,
    strain: [f64; M],
    vector: Vec3,
    /// `|vector|^2`, zero of one that is as good as zero.
    squared: f64,
    q: [f64; N],
}

/// Elongation below which a vector strain's direction is that of round-off, as near zero as 1e-10 where no scalar
/// strain is computed any more.
const STRAIGHT: f64 = 1e-8;

/// A dissipation density, and the time in which the strain has changed, s.
type Over<'a, const M: usize> = (&'a dyn Dissipation<M>, f64);

/// Where and in which form a Hessian is taken.
struct At<'a, const N: usize, const M: usize> {
    element: usize,
    q: &'a [f64; N],
    m: &'a Measure<N, M>,
    form: HessianForm,
}

/// What a Hessian is put together from.
struct Parts<const N: usize, const M: usize> {
    /// `k w psi''`, between the strain's gradients.
    stiffness: [[f64; M]; M],
    /// `k psi'`, on the elongations' Hessians.
    stress: [f64; M],
    /// Everything else, of the unknowns themselves.
    rest: [[f64; N]; N],
}

/// Part of a step that stands for its start: over the whole step a body that turns has turned its strain's gradient,
/// and a force along the turned one brakes it. Round-off leaves ten digits of the rate.
pub(super) const INSTANT: f64 = 1e-5;

impl<S: Strain<N, M>, const N: usize, const M: usize> Material<S, N, M> {
    /// A term with a stiffness per element.
    pub fn new(strain: S, stiffness: Vec<f64>, damping: Damping<M>) -> Self {
        let (start, tangents) = (Vec::new(), Vec::new());
        Self { strain, stiffness, damping, start, tangents, dt: 0.0, whole_step: 1.0 }
    }

    /// `k` of an element.
    pub(super) fn stiffness(&self, element: usize) -> f64 {
        self.stiffness[element]
    }

    fn elastic_parts(&self, element: usize, m: &Measure<N, M>) -> Parts<N, M> {
        let (k, d) = (self.stiffness[element], self.strain.density(element, &m.strain()));
        let stiffness = d.stiffness.map(|row| row.map(|c| k * m.weight * c));
        Parts { stiffness, stress: d.stress.map(|s| k * s), rest: [[0.0; N]; N] }
    }

    /// `k [psi' . grad e + (psi - eps . psi') grad w]`.
    fn elastic_gradient(&self, element: usize, m: &Measure<N, M>) -> [f64; N] {
        let (k, eps) = (self.stiffness[element], m.strain());
        let d = self.strain.density(element, &eps);
        let b = k * (d.value - dot(&eps, &d.stress));
        let mut g = m.weight_gradient.map(|w| b * w);
        add_gradients(&mut g, &d.stress.map(|s| k * s), &m.elongation_gradient);
        g
    }

    /// `(eps - eps_n)/h` and its density.
    fn along(&self, (law, dt): Over<'_, M>, element: usize, eps: &[f64; M]) -> ([f64; M], Density<M>) {
        let start = &self.start[element].strain;
        let rate = std::array::from_fn(|k| (eps[k] - start[k]) / dt);
        (rate, law.density(element, &rate))
    }

    /// What damping adds of the vector strain, where it takes part.
    fn across(&self, (law, dt): Over<'_, M>, element: usize, q: &[f64; N], weight: f64) -> Option<Across<M>> {
        let vector = self.strain.vector(element, q)? / weight;
        let start = &self.start[element];
        Across::new([start.vector, vector], start.squared, dt, |rate| law.density(element, rate))
    }

    /// The transposed Jacobian of the vector strain times a vector.
    fn pull_back(
        &self,
        (element, q): (usize, &[f64; N]),
        m: &Measure<N, M>,
        vector: Vec3,
        d: Vec3,
    ) -> [f64; N] {
        let (pull, along) = (self.strain.vector_pull_back(element, q, d), d.dot(&vector));
        std::array::from_fn(|i| (pull[i] - along * m.weight_gradient[i]) / m.weight)
    }

    /// `V_d` over the step so far.
    fn dissipation(&self, element: usize, q: &[f64; N]) -> f64 {
        let s = &self.start[element];
        match &self.damping {
            Damping::None => 0.0,
            Damping::StrainRate(law) => {
                let (w, e) = self.strain.weight_and_elongation(element, q);
                let over = (&**law, self.dt);
                let along = self.along(over, element, &e.map(|e| e / w)).1.value;
                let sum = self.across(over, element, q, w).map_or(along, |a| a.value(along));
                self.dt * s.weight * sum
            }
            Damping::Rayleigh(beta) => {
                let d: [f64; N] = std::array::from_fn(|i| q[i] - s.q[i]);
                0.5 * beta[element] / self.dt * dot(&d, &times(&self.tangents[element], &d))
            }
        }
    }

    /// `dV_d/dq` of a motion that has taken `dt` seconds since the start of the step.
    fn damping_gradient(&self, element: usize, q: &[f64; N], m: &Measure<N, M>, dt: f64) -> [f64; N] {
        let s = &self.start[element];
        match &self.damping {
            Damping::None => [0.0; N],
            Damping::StrainRate(law) => {
                let along = self.along((&**law, dt), element, &m.strain()).1;
                let across = self.across((&**law, dt), element, q, m.weight);
                let scalar = s.weight * (1.0 - across.map_or(0.0, |a| a.share));
                let mut g = [0.0; N];
                add_gradients(&mut g, &along.stress.map(|x| scalar * x), &m.strain_gradient());
                if let Some(a) = across {
                    let pull = self.pull_back((element, q), m, a.vector, a.stress(along.value) * s.weight);
                    g.iter_mut().zip(pull).for_each(|(g, p)| *g += p);
                }
                g
            }
            Damping::Rayleigh(beta) => {
                let d: [f64; N] = std::array::from_fn(|i| q[i] - s.q[i]);
                times(&self.tangents[element], &d).map(|kd| beta[element] / dt * kd)
            }
        }
    }

    /// Adds what damping adds to a Hessian.
    fn add_damping(&self, at: &At<'_, N, M>, to: &mut Parts<N, M>) {
        match &self.damping {
            Damping::None => {}
            Damping::StrainRate(law) => self.add_dissipation((&**law, self.dt), at, to),
            Damping::Rayleigh(beta) if at.form == HessianForm::Whole => {
                let c = self.whole_step / self.dt * beta[at.element];
                let tangent = self.tangents[at.element].as_flattened();
                to.rest.as_flattened_mut().iter_mut().zip(tangent).for_each(|(h, k)| *h += c * k);
            }
            Damping::Rayleigh(beta) => {
                let factor = 1.0 + self.whole_step / self.dt * beta[at.element];
                to.stiffness.as_flattened_mut().iter_mut().for_each(|c| *c *= factor);
                to.stress.iter_mut().for_each(|c| *c *= factor);
            }
        }
    }

    fn add_dissipation(&self, over: Over<'_, M>, at: &At<'_, N, M>, to: &mut Parts<N, M>) {
        let &At { element, q, m, form } = at;
        let (c, eps, dt) = (self.whole_step * self.start[element].weight, m.strain(), over.1);
        let along = self.along(over, element, &eps).1;
        let Some(across) = self.across(over, element, q, m.weight) else {
            for i in 0..M {
                to.stress[i] += c * along.stress[i] / m.weight;
                for j in 0..M {
                    to.stiffness[i][j] += c * along.stiffness[i][j] / dt;
                }
            }
            if form == HessianForm::Whole {
                // Hess eps = Hess e/w - (grad eps grad w' + grad w grad eps')/w
                for (gradient, stress) in m.strain_gradient().iter().zip(along.stress) {
                    add_product(&mut to.rest, -c * stress / m.weight, gradient, &m.weight_gradient);
                }
            }
            return;
        };
        if across.share == 1.0 {
            // The Hessian of the squared scalar strain, as for elasticity.
            let secant = c * across.secant() / dt;
            to.stiffness[0][0] += secant;
            to.stress[0] += secant * eps[0] / m.weight;
            return;
        }
        let SymmetricEigen { eigenvalues, eigenvectors } = across.stiffness(&along).symmetric_eigen();
        for (k, d) in eigenvectors.column_iter().enumerate() {
            let row = self.pull_back((element, q), m, across.vector, d.into());
            add_square(&mut to.rest, c * eigenvalues[k].max(0.0), &row);
        }
    }

    /// `Hess V`, with `Hess V_d` where it is damped.
    fn hessian_of(&self, element: usize, q: &[f64; N], form: HessianForm, is_damped: bool) -> [[f64; N]; N] {
        let mut m = self.strain.measure(element, q);
        m.elongation = self.strain.beside_cusp(element, &m);
        let mut parts = self.elastic_parts(element, &m);
        if is_damped {
            self.add_damping(&At { element, q, m: &m, form }, &mut parts);
        }
        let mut h = parts.rest;
        add_form(&mut h, &parts.stiffness, &m.strain_gradient());
        self.strain.add_curvature(element, q, (&parts.stress, form == HessianForm::Projected), &mut h);
        h
    }

    /// Whether damping acts in this step.
    fn is_damped(&self) -> bool {
        !matches!(self.damping, Damping::None) && self.dt > 0.0
    }
}

impl<S: Strain<N, M>, const N: usize, const M: usize> LineElement<N> for Material<S, N, M> {
    fn freeze(&mut self, start: &StepStart<'_>, n: usize, at: &(dyn Fn(usize) -> [f64; N] + Sync)) {
        if matches!(self.damping, Damping::None) {
            return;
        }
        let freeze = |e: usize| {
            let q = at(e);
            let (weight, elongation) = self.strain.weight_and_elongation(e, &q);
            let vector = self.strain.vector(e, &q).unwrap_or_default() / weight;
            let least = self.strain.least_vector(e).max(STRAIGHT / weight);
            let squared = if vector.norm() < least { 0.0 } else { vector.norm_squared() };
            Start { weight, strain: elongation.map(|e| e / weight), vector, squared, q }
        };
        self.start = (0..n).into_par_iter().map(freeze).collect();
        if matches!(self.damping, Damping::Rayleigh(_)) {
            let tangent = |e: usize| self.hessian_of(e, &self.start[e].q, HessianForm::Whole, false);
            self.tangents = (0..n).into_par_iter().map(tangent).collect();
        }
        self.whole_step = start.weights.whole_step;
        self.dt = start.dt;
    }
}

impl<S: Strain<N, M>, const N: usize, const M: usize> Element<N> for Material<S, N, M> {
    fn value(&self, element: usize, q: &[f64; N]) -> f64 {
        let damping = if self.is_damped() { self.whole_step * self.dissipation(element, q) } else { 0.0 };
        self.energy(element, q) + damping
    }

    fn gradient(&self, element: usize, q: &[f64; N]) -> [f64; N] {
        let m = self.strain.measure(element, q);
        let mut g = self.elastic_gradient(element, &m);
        if self.is_damped() {
            let d = self.damping_gradient(element, q, &m, self.dt);
            g.iter_mut().zip(d).for_each(|(g, d)| *g += self.whole_step * d);
        }
        g
    }

    fn hessian(&self, element: usize, q: &[f64; N]) -> [[f64; N]; N] {
        self.hessian_of(element, q, HessianForm::Projected, self.is_damped())
    }

    fn whole_hessian(&self, element: usize, q: &[f64; N]) -> [[f64; N]; N] {
        self.hessian_of(element, q, HessianForm::Whole, self.is_damped())
    }

    /// At the rate `grad eps . q'` of the start of the step.
    fn explicit_gradient(&self, element: usize, q: &[f64; N], v: &[f64; N], h: f64) -> [f64; N] {
        if !self.is_damped() {
            return [0.0; N];
        }
        let dt = INSTANT * h;
        let ahead = std::array::from_fn(|i| q[i] + dt * v[i]);
        let m = self.strain.measure(element, &ahead);
        self.damping_gradient(element, &ahead, &m, dt).map(|d| self.whole_step * d)
    }

    fn energy(&self, element: usize, q: &[f64; N]) -> f64 {
        let (w, e) = self.strain.weight_and_elongation(element, q);
        w * self.stiffness[element] * self.strain.density(element, &e.map(|e| e / w)).value
    }

    fn energy_gradient(&self, element: usize, q: &[f64; N]) -> [f64; N] {
        self.elastic_gradient(element, &self.strain.measure(element, q))
    }

    /// `h w_n S_d . eps'`.
    fn dissipated(&self, element: usize, q: &[f64; N]) -> f64 {
        if !self.is_damped() {
            return 0.0;
        }
        let s = &self.start[element];
        let Damping::StrainRate(law) = &self.damping else { return 2.0 * self.dissipation(element, q) };
        let (w, e) = self.strain.weight_and_elongation(element, q);
        let (rate, density) = self.along((&**law, self.dt), element, &e.map(|e| e / w));
        let power = dot(&rate, &density.stress);
        let across = self.across((&**law, self.dt), element, q, w);
        let power = across.map_or(power, |a| a.power(density.value, power));
        self.dt * s.weight * power
    }

    fn rearrange(&mut self, now: &Arranged<'_>, dofs: &Stencils<BLOCK, N>) {
        self.strain.rearrange(now, dofs);
    }

    fn is_gone(&self, element: usize) -> bool {
        self.strain.is_gone(element)
    }

    fn damping_force(&self, element: usize, q: &[f64; N]) -> [[f64; N]; 2] {
        if !self.is_damped() {
            return [[0.0; N]; 2];
        }
        let m = self.strain.measure(element, q);
        let force = self.damping_gradient(element, q, &m, self.dt).map(|g| -g);
        [force, outside(&force, m.strain_gradient())]
    }

    fn begin_step(&mut self, start: &StepStart<'_>, dofs: &Stencils<BLOCK, N>) {
        self.freeze(start, dofs.len(), &|e| gather(start.q, dofs.dofs(e)));
    }
}
