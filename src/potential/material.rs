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

use hebra_solver::stencil::Stencils;
use rayon::prelude::*;

use super::dissipation::{Damping, Dissipation};
#[cfg(test)]
use super::family::add_product;
use super::family::{Arranged, Element, StepStart, gather};
use super::forms::{add_form, add_gradients, outside, times};
use super::strain::{Density, Measure, Strain, dot};
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
    is_exact: bool,
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
    share: f64,
    q: [f64; N],
}

/// Change of a vector strain over a step, over the strain, up to which it counts as a rotation and is left
/// to the scalar strain, and from which it counts as a passage through zero. A body that turns by 0.3 rad a
/// step is at the edge of what a time step can follow; a vibration passes through zero when the change
/// exceeds the strain itself.
const VECTOR_CHANGE: [f64; 2] = [0.3, 1.0];

/// Vector elongation, rad, from which a node counts as bent, and up to which as straight: then it passes through zero
/// whatever its velocity says, when the front of a wave arrives within the step. The scalar strain has a cusp
/// there, and forces on either side of it that no step of Newton's method brings together. A rod as straight as
/// this loses nothing to speak of when it spins.
const STRAIGHT: [f64; 2] = [2e-4, 1e-4];

/// How much of the damping of a step acts on the vector strain, 0 to 1, from the vector elongation at its start and
/// where the velocity leads: smooth in both, and blind to the fineness of the division.
fn vector_share(start: Vec3, predicted: Vec3) -> f64 {
    let passing = smooth_step((predicted - start).norm(), VECTOR_CHANGE.map(|c| c * start.norm()));
    passing.max(smooth_step(start.norm(), STRAIGHT))
}

/// Rises smoothly from 0 at the first of two places to 1 at the second.
fn smooth_step(x: f64, [zero, one]: [f64; 2]) -> f64 {
    let t = ((x - zero) / (one - zero)).clamp(0.0, 1.0);
    if t.is_nan() { 0.0 } else { t * t * (3.0 - 2.0 * t) }
}

/// A dissipation density, and the time in which the strain has changed, s.
type Over<'a, const M: usize> = (&'a dyn Dissipation<M>, f64);

/// Part of a step that stands for its start: over the whole step a body that turns has turned its strain's gradient,
/// and a force along the turned one brakes it. Round-off leaves ten digits of the rate.
const INSTANT: f64 = 1e-5;

/// The part of a dissipation potential that acts on the vector strain.
struct Across {
    vector: Vec3,
    rate: Vec3,
    value: f64,
    /// Stress over rate.
    secant: f64,
}

impl<S: Strain<N, M>, const N: usize, const M: usize> Material<S, N, M> {
    /// A term with a stiffness per element.
    pub fn new(strain: S, stiffness: Vec<f64>, damping: Damping<M>) -> Self {
        let (start, tangents) = (Vec::new(), Vec::new());
        Self { strain, stiffness, damping, is_exact: false, start, tangents, dt: 0.0, whole_step: 1.0 }
    }

    /// `Hess V`, whole (`project` false) or with the indefinite part of `psi' . Hess e` left out.
    pub fn tangent(&self, element: usize, q: &[f64; N], project: bool) -> [[f64; N]; N] {
        let m = self.strain.measure(element, q);
        let (form, curvature) = self.elastic_forms(element, &m);
        let mut h = [[0.0; N]; N];
        add_form(&mut h, &form, &m.strain_gradient());
        self.strain.add_curvature(element, q, (&curvature, project), &mut h);
        h
    }

    /// `k w psi''` and `k psi'`.
    fn elastic_forms(&self, element: usize, m: &Measure<N, M>) -> ([[f64; M]; M], [f64; M]) {
        let (k, d) = (self.stiffness[element], self.strain.density(element, &m.strain()));
        (d.stiffness.map(|row| row.map(|c| k * m.weight * c)), d.stress.map(|s| k * s))
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

    fn across(&self, (law, dt): Over<'_, M>, element: usize, q: &[f64; N], weight: f64) -> Across {
        let vector = self.strain.vector(element, q).unwrap_or_default() / weight;
        let rate = (vector - self.start[element].vector) / dt;
        let mut size = [0.0; M];
        size[0] = rate.norm();
        let density = law.density(element, &size);
        let secant = if size[0] > 0.0 { density.stress[0] / size[0] } else { density.stiffness[0][0] };
        Across { vector, rate, value: density.value, secant }
    }

    /// `V_d` over the step so far.
    fn dissipation(&self, element: usize, q: &[f64; N]) -> f64 {
        let s = &self.start[element];
        match &self.damping {
            Damping::None => 0.0,
            Damping::StrainRate(law) => {
                let (w, e) = self.strain.weight_and_elongation(element, q);
                let mut sum =
                    (1.0 - s.share) * self.along((&**law, self.dt), element, &e.map(|e| e / w)).1.value;
                if s.share > 0.0 {
                    sum += s.share * self.across((&**law, self.dt), element, q, w).value;
                }
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
                let stress = self.along((&**law, dt), element, &m.strain()).1.stress;
                let mut g = [0.0; N];
                add_gradients(&mut g, &stress.map(|x| (1.0 - s.share) * s.weight * x), &m.strain_gradient());
                if s.share > 0.0 {
                    let a = self.across((&**law, dt), element, q, m.weight);
                    let force = a.rate * (a.secant * s.share * s.weight / m.weight);
                    let pull = self.strain.vector_pull_back(q, force);
                    for i in 0..N {
                        g[i] += pull[i] - force.dot(&a.vector) * m.weight_gradient[i];
                    }
                }
                g
            }
            Damping::Rayleigh(beta) => {
                let d: [f64; N] = std::array::from_fn(|i| q[i] - s.q[i]);
                times(&self.tangents[element], &d).map(|kd| beta[element] / dt * kd)
            }
        }
    }

    /// Adds to `k w psi''` and `k psi'` what damping adds to the Hessian for the solver.
    fn add_damping_forms(
        &self,
        element: usize,
        q: &[f64; N],
        m: &Measure<N, M>,
        (form, curvature): (&mut [[f64; M]; M], &mut [f64; M]),
    ) {
        match &self.damping {
            Damping::None => {}
            Damping::StrainRate(law) => {
                let (s, eps) = (&self.start[element], m.strain());
                let c = self.whole_step * s.weight;
                let density = self.along((&**law, self.dt), element, &eps).1;
                let scalar = c * (1.0 - s.share);
                for i in 0..M {
                    curvature[i] += scalar * density.stress[i] / m.weight;
                    for j in 0..M {
                        form[i][j] += scalar * density.stiffness[i][j] / self.dt;
                    }
                }
                if s.share > 0.0 {
                    // The vector strain is small wherever it takes part; there its Hessian is that of the
                    // squared scalar strain, as for elasticity.
                    let secant =
                        c * s.share * self.across((&**law, self.dt), element, q, m.weight).secant / self.dt;
                    form[0][0] += secant;
                    curvature[0] += secant * eps[0] / m.weight;
                }
            }
            Damping::Rayleigh(beta) => {
                let factor = 1.0 + self.whole_step / self.dt * beta[element];
                form.as_flattened_mut().iter_mut().for_each(|c| *c *= factor);
                curvature.iter_mut().for_each(|c| *c *= factor);
            }
        }
    }

    /// Whether damping acts in this step.
    fn is_damped(&self) -> bool {
        !matches!(self.damping, Damping::None) && self.dt > 0.0
    }

    /// The whole Hessian of `V`, and of the dissipation too where no vector strain takes part.
    #[cfg(test)]
    pub(crate) fn exact_hessian(&self, element: usize, q: &[f64; N]) -> [[f64; N]; N] {
        let mut h = self.tangent(element, q, false);
        match &self.damping {
            Damping::None => {}
            Damping::StrainRate(law) => {
                let (m, s) = (self.strain.measure(element, q), &self.start[element]);
                let density = self.along((&**law, self.dt), element, &m.strain()).1;
                let c = self.whole_step * s.weight;
                let (gradient, stress) = (m.strain_gradient(), density.stress.map(|x| c * x / m.weight));
                add_form(&mut h, &density.stiffness.map(|r| r.map(|x| c / self.dt * x)), &gradient);
                for k in 0..M {
                    // Hess eps = Hess e/w - (grad eps grad w' + grad w grad eps')/w
                    add_product(&mut h, -stress[k], &gradient[k], &m.weight_gradient);
                }
                self.strain.add_curvature(element, q, (&stress, false), &mut h);
            }
            Damping::Rayleigh(beta) => {
                let c = self.whole_step / self.dt * beta[element];
                let tangent = self.tangents[element].as_flattened();
                h.as_flattened_mut().iter_mut().zip(tangent).for_each(|(h, k)| *h += c * k);
            }
        }
        h
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

    fn set_exact(&mut self, exact: bool) {
        self.is_exact = exact;
    }

    fn hessian(&self, element: usize, q: &[f64; N]) -> [[f64; N]; N] {
        if self.is_exact && !self.is_damped() {
            return self.tangent(element, q, false);
        }
        let m = self.strain.measure(element, q);
        let (mut form, mut curvature) = self.elastic_forms(element, &m);
        if self.is_damped() {
            self.add_damping_forms(element, q, &m, (&mut form, &mut curvature));
        }
        let mut h = [[0.0; N]; N];
        add_form(&mut h, &form, &m.strain_gradient());
        self.strain.add_curvature(element, q, (&curvature, true), &mut h);
        h
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
        let mut power = (1.0 - s.share) * dot(&rate, &density.stress);
        if s.share > 0.0 {
            let a = self.across((&**law, self.dt), element, q, w);
            power += s.share * a.secant * a.rate.norm_squared();
        }
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
        if matches!(self.damping, Damping::None) {
            return;
        }
        let freeze = |e: usize| {
            let q = gather(start.q, dofs.dofs(e));
            let (weight, elongation) = self.strain.weight_and_elongation(e, &q);
            let (mut vector, mut share) = (Vec3::zeros(), 0.0);
            if let Some(elongation) = self.strain.vector(e, &q) {
                let v = gather(start.v, dofs.dofs(e));
                let predicted: [f64; N] = std::array::from_fn(|i| q[i] + start.dt * v[i]);
                share = vector_share(elongation, self.strain.vector(e, &predicted).unwrap_or(elongation));
                vector = elongation / weight;
            }
            Start { weight, strain: elongation.map(|e| e / weight), vector, share, q }
        };
        self.start = (0..dofs.len()).into_par_iter().map(freeze).collect();
        if matches!(self.damping, Damping::Rayleigh(_)) {
            let tangent = |e: usize| self.tangent(e, &self.start[e].q, false);
            self.tangents = (0..dofs.len()).into_par_iter().map(tangent).collect();
        }
        self.whole_step = start.weights.whole_step;
        self.dt = start.dt;
    }
}
