//! Families of elements: gathering, the parallel loop and the scatter, once for every potential.

use hebra_solver::matrix::BlockMatrix;
use hebra_solver::objective::HessianForm;
use hebra_solver::pattern::{BlockPattern, PatternBuilder};
pub use hebra_solver::stencil::Stencils;
use rayon::prelude::*;

use super::region::{Chosen, Region};
use super::term::{Arranged, Audit, Counts, EnergyKind, Motion, Potential, StepStart, Term};
use crate::geometry::Vec3;
use crate::model::ids::{BLOCK, BlockId};
use crate::model::yarns::State;

/// One kind of element with `N` unknowns each: the leaf that computes on its own stencil.
///
/// An element has a conservative part, whose forces the trapezoidal rule averages, and a part that acts
/// over the whole step (damping, friction), written as an incremental potential of the step. `value`,
/// `gradient` and `hessian` are those of the sum.
pub trait Element<const N: usize>: Send + Sync {
    /// Whether [`Self::refuses`] and [`Self::pressed_in`] are asked: of what meets something solid.
    const MEETS_SOLIDS: bool = false;

    /// The element's part of the step's potential, J (default: what it stores).
    fn value(&self, element: usize, q: &[f64; N]) -> f64 {
        self.energy(element, q)
    }

    /// Its gradient, N.
    fn gradient(&self, element: usize, q: &[f64; N]) -> [f64; N] {
        self.energy_gradient(element, q)
    }

    /// A positive semi-definite stand-in for its Hessian, N/m.
    fn hessian(&self, element: usize, q: &[f64; N]) -> [[f64; N]; N];

    /// Its Hessian, N/m, indefinite parts included (default: it has none).
    fn whole_hessian(&self, element: usize, q: &[f64; N]) -> [[f64; N]; N] {
        self.hessian(element, q)
    }

    /// Whether the Hessian is left out of the system.
    fn is_linear(&self) -> bool {
        false
    }

    /// Gradient of the part that acts over the whole step, N, for schemes that take it at the step's start: where the
    /// velocities lead in a step of `h` seconds.
    fn explicit_gradient(&self, element: usize, q: &[f64; N], v: &[f64; N], h: f64) -> [f64; N] {
        let ahead = std::array::from_fn(|i| q[i] + h * v[i]);
        let (all, stored) = (self.gradient(element, &ahead), self.energy_gradient(element, &ahead));
        std::array::from_fn(|i| all[i] - stored[i])
    }

    /// Energy stored at a configuration, J.
    fn energy(&self, _element: usize, _q: &[f64; N]) -> f64 {
        0.0
    }

    /// Gradient of the stored energy, N.
    fn energy_gradient(&self, _element: usize, _q: &[f64; N]) -> [f64; N] {
        [0.0; N]
    }

    /// Energy that damping takes over the step that ends at `q`, J.
    fn dissipated(&self, _element: usize, _q: &[f64; N]) -> f64 {
        0.0
    }

    /// The damping force at the end of a step, N, and the part of it that is at right angles to the strain's
    /// gradients, which good damping has not (3.1).
    fn damping_force(&self, _element: usize, _q: &[f64; N]) -> [[f64; N]; 2] {
        [[0.0; N]; 2]
    }

    /// Whether a step from one state must not end in another, because it has gone through something.
    fn refuses(&self, _element: usize, _way: [&[f64; N]; 2]) -> bool {
        false
    }

    /// How far it is pressed into something solid, over its own half thickness.
    fn pressed_in(&self, _element: usize, _q: &[f64; N]) -> f64 {
        0.0
    }

    /// Follows a change of the nodes' roles; `dofs` are the unknowns of each element.
    fn rearrange(&mut self, _now: &Arranged<'_>, _dofs: &Stencils<BLOCK, N>) {}

    /// Whether an element takes no part, because nodes of it are gone; its unknowns mean nothing then.
    fn is_gone(&self, _element: usize) -> bool {
        false
    }

    /// Freezes what is lagged over the step; `dofs` are the unknowns of each element.
    fn begin_step(&mut self, _start: &StepStart<'_>, _dofs: &Stencils<BLOCK, N>) {}

    /// Takes over what the accepted step has changed (anchors).
    fn end_step(&mut self, _q: &[f64], _dofs: &Stencils<BLOCK, N>) {}

    /// State that a resumed run needs, beyond the unknowns.
    fn save(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Takes back what [`Element::save`] gave.
    fn load(&mut self, _state: &[f64]) {}
}

/// All elements of one kind.
#[derive(Debug)]
pub struct Family<E, const N: usize> {
    name: &'static str,
    kind: EnergyKind,
    /// The unknowns of each element.
    pub stencils: Stencils<BLOCK, N>,
    /// What each element computes.
    pub element: E,
}

impl<E: Element<N>, const N: usize> Family<E, N> {
    /// A family by its name in statistics, from the unknowns of its elements.
    pub fn new(name: &'static str, kind: EnergyKind, stencils: Stencils<BLOCK, N>, element: E) -> Self {
        Self { name, kind, stencils, element }
    }

    /// Whether an element is there and its first block counts.
    fn counts(&self, element: usize, counts: Counts<'_>) -> bool {
        !self.element.is_gone(element) && counts(BlockId(self.stencils.dofs(element)[0] / BLOCK as u32))
    }

    /// What an element has to say, or nothing if it is gone.
    fn of<T>(&self, element: usize, what: impl FnOnce(&E) -> T) -> Option<T> {
        (!self.element.is_gone(element)).then(|| what(&self.element))
    }

    /// The elements that depend on free blocks, ascending.
    fn touching(&self, free: &[bool]) -> Vec<u32> {
        let touches = |&e: &u32| {
            let e = e as usize;
            !self.element.is_gone(e) && self.stencils.blocks(e).any(|b| free[b as usize])
        };
        (0..self.stencils.len() as u32).into_par_iter().filter(touches).collect()
    }
}

impl<E: Element<N>, const N: usize> Term for Family<E, N> {
    fn couple(&self, pattern: &mut PatternBuilder) {
        if !self.element.is_linear() {
            self.stencils.couple(pattern);
        }
    }

    fn bind(&mut self, pattern: &BlockPattern) {
        self.stencils.bind(pattern);
    }

    fn value(&self, q: &[f64]) -> f64 {
        self.stencils.sum(q, |e, x| self.of(e, |one| one.value(e, x)).unwrap_or(0.0))
    }

    fn add_gradient(&self, pattern: &BlockPattern, q: &[f64], out: &mut [f64]) {
        let gradient = |e, x: &[f64; N]| self.of(e, |one| one.gradient(e, x));
        self.stencils.add_gradient(pattern, q, out, gradient);
    }

    fn add_hessian(&self, q: &[f64], form: HessianForm, out: &mut BlockMatrix<BLOCK>) {
        let hessian = |e, x: &[f64; N]| {
            self.of(e, |one| match form {
                HessianForm::Projected => one.hessian(e, x),
                HessianForm::Whole => one.whole_hessian(e, x),
            })
        };
        if !self.element.is_linear() {
            self.stencils.add_hessian(q, out, hessian);
        }
    }
}

impl<E: Element<N>, const N: usize> Potential for Family<E, N> {
    fn mark(&self, free: &[bool], marked: &mut [bool]) {
        for e in self.touching(free) {
            self.stencils.blocks(e as usize).for_each(|b| marked[b as usize] = true);
        }
    }

    fn restricted<'a>(&'a self, region: &Region<'_>) -> Box<dyn Term + 'a> {
        let chosen = self.touching(region.free());
        let dofs = chosen.iter().map(|&e| self.stencils.dofs(e as usize).map(|d| region.dof(d))).collect();
        let (name, kind) = (self.name, self.kind);
        let stencils = self.stencils.alike(dofs);
        Box::new(Family { name, kind, stencils, element: Chosen { element: &self.element, chosen } })
    }

    fn add_explicit_gradient(&self, pattern: &BlockPattern, start: &State, dt: f64, out: &mut [f64]) {
        let gradient = |e, x: &[f64; N]| {
            let rate = gather(&start.v, self.stencils.dofs(e));
            self.of(e, |one| one.explicit_gradient(e, x, &rate, dt))
        };
        self.stencils.add_gradient(pattern, &start.q, out, gradient);
    }

    fn add_energy_gradient(&self, pattern: &BlockPattern, q: &[f64], out: &mut [f64]) {
        let gradient = |e, x: &[f64; N]| self.of(e, |one| one.energy_gradient(e, x));
        self.stencils.add_gradient(pattern, q, out, gradient);
    }

    fn refuses(&self, way: [&[f64]; 2]) -> bool {
        let of_element = |e| {
            let [from, to] = way.map(|q| gather(q, self.stencils.dofs(e)));
            self.element.refuses(e, [&from, &to])
        };
        E::MEETS_SOLIDS && (0..self.stencils.len()).into_par_iter().any(of_element)
    }

    fn rearrange(&mut self, now: &Arranged<'_>) {
        self.element.rearrange(now, &self.stencils);
    }

    fn begin_step(&mut self, start: &StepStart<'_>) {
        self.element.begin_step(start, &self.stencils);
    }

    fn end_step(&mut self, q: &[f64]) {
        self.element.end_step(q, &self.stencils);
    }

    fn save(&self) -> Vec<f64> {
        self.element.save()
    }

    fn load(&mut self, state: &[f64]) {
        self.element.load(state);
    }
}

impl<E: Element<N>, const N: usize> Audit for Family<E, N> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn kind(&self) -> EnergyKind {
        self.kind
    }

    fn energy(&self, q: &[f64]) -> f64 {
        self.stencils.sum(q, |e, x| self.of(e, |one| one.energy(e, x)).unwrap_or(0.0))
    }

    fn energy_of(&self, q: &[f64], counts: Counts<'_>) -> f64 {
        self.stencils.sum(q, |e, x| if self.counts(e, counts) { self.element.energy(e, x) } else { 0.0 })
    }

    fn power_of(&self, q: &[f64], counts: Counts<'_>, motion: Motion<'_>) -> f64 {
        let of_element = |e: usize, x: &[f64; N]| {
            if !self.counts(e, counts) {
                return 0.0;
            }
            let (dofs, g) = (self.stencils.dofs(e), self.element.energy_gradient(e, x));
            let at = |v: &[f64; N], k: usize| Vec3::new(v[k], v[k + 1], v[k + 2]);
            let places = (0..N).filter(|&k| (dofs[k] as usize).is_multiple_of(BLOCK));
            places.map(|k| motion(at(x, k)).dot(&at(&g, k))).sum()
        };
        self.stencils.sum(q, of_element)
    }

    fn dissipated(&self, q: &[f64]) -> f64 {
        self.stencils.sum(q, |e, x| self.of(e, |one| one.dissipated(e, x)).unwrap_or(0.0))
    }

    fn squared_damping_forces(&self, q: &[f64]) -> [f64; 2] {
        let square = |part: usize| {
            let part = |one: &E, e, x: &[f64; N]| one.damping_force(e, x)[part].iter().map(|f| f * f).sum();
            self.stencils.sum(q, |e, x| self.of(e, |one| part(one, e, x)).unwrap_or(0.0))
        };
        [square(0), square(1)]
    }

    fn deepest(&self, q: &[f64]) -> f64 {
        let of_element = |e| self.element.pressed_in(e, &gather(q, self.stencils.dofs(e)));
        let n = if E::MEETS_SOLIDS { self.stencils.len() } else { 0 };
        (0..n).into_par_iter().map(of_element).reduce(|| 0.0, f64::max)
    }
}

/// The values of an element's unknowns.
pub fn gather<const N: usize>(q: &[f64], dofs: &[u32; N]) -> [f64; N] {
    dofs.map(|d| q[d as usize])
}

/// `h += c f f'`.
#[inline]
pub fn add_square<const N: usize>(h: &mut [[f64; N]; N], c: f64, f: &[f64; N]) {
    for i in 0..N {
        let cf = c * f[i];
        for j in 0..N {
            h[i][j] += cf * f[j];
        }
    }
}

/// `h += c (f g' + g f')`.
#[inline]
pub fn add_product<const N: usize>(h: &mut [[f64; N]; N], c: f64, f: &[f64; N], g: &[f64; N]) {
    for i in 0..N {
        let (cf, cg) = (c * f[i], c * g[i]);
        for j in 0..N {
            h[i][j] += cf * g[j] + cg * f[j];
        }
    }
}
