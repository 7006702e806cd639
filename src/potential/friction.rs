//! Friction of yarns that slide through a contact.

use hebra_solver::stencil::Stencils;

use super::coulomb::Huber;
use super::family::{Element, StepStart};
use crate::model::ids::BLOCK;

/// Friction at a contact: an anchored spring on its two arc coordinates `(u, v)`, limited together.
///
/// ```text
/// H(r),  r^2 = du^2 + dv^2 - 2 c du dv,  du = u - u_bar,  dv = v - v_bar,  stiffness kf, limit mu Fn
/// ```
/// `Fn` is the contact's normal force, `c` the cosine between its rods where fabrics slide on one another,
/// both at the start of the step: `r` is how far the rods' surfaces slid. Limiting the coordinates together
/// gives a cone: a patch starts to slide at the same slope in every direction. Inside a fabric `c` is zero. Source: Cirio et al. 2014, with
/// the limit inside the solve.
#[derive(Debug, Clone, Default)]
pub struct Friction {
    /// `kf`, N/m.
    pub stiffness: Vec<f64>,
    /// `mu`.
    pub coefficient: Vec<f64>,
    /// `u_bar, v_bar`, m.
    pub anchors: Vec<[f64; 2]>,
    limits: Vec<f64>,
    slants: Vec<f64>,
    weight: f64,
}

impl Friction {
    /// Contacts that start unstrained at the given arc coordinates.
    pub fn new(stiffness: Vec<f64>, coefficient: Vec<f64>, anchors: Vec<[f64; 2]>) -> Self {
        let (limits, slants) = (vec![0.0; anchors.len()], vec![0.0; anchors.len()]);
        Self { stiffness, coefficient, anchors, limits, slants, weight: 1.0 }
    }

    /// The law, the offset, and its length.
    fn spring(&self, element: usize, q: &[f64; 2]) -> (Huber, [f64; 2], f64) {
        let a = self.anchors[element];
        let d = [q[0] - a[0], q[1] - a[1]];
        let law = Huber { stiffness: self.stiffness[element], limit: self.limits[element] };
        let c = self.slants[element];
        (law, d, (d[0] * d[0] + d[1] * d[1] - 2.0 * c * d[0] * d[1]).max(0.0).sqrt())
    }

    /// `r dr/d(u, v)` of an offset.
    fn lowered(&self, element: usize, d: [f64; 2]) -> [f64; 2] {
        let c = self.slants[element];
        [d[0] - c * d[1], d[1] - c * d[0]]
    }
}

impl Element<2> for Friction {
    fn value(&self, element: usize, q: &[f64; 2]) -> f64 {
        let (law, _, r) = self.spring(element, q);
        self.weight * law.value(r)
    }

    fn gradient(&self, element: usize, q: &[f64; 2]) -> [f64; 2] {
        let (law, d, r) = self.spring(element, q);
        let k = self.weight * law.secant(r);
        self.lowered(element, d).map(|d| k * d)
    }

    fn hessian(&self, element: usize, q: &[f64; 2]) -> [[f64; 2]; 2] {
        let (law, d, r) = self.spring(element, q);
        let secant = self.weight * law.secant(r);
        let bend = self.weight * (law.tangent(r) - law.secant(r)) / (r * r).max(f64::MIN_POSITIVE);
        let d = self.lowered(element, d);
        let off = bend * d[0] * d[1] - secant * self.slants[element];
        [[secant + bend * d[0] * d[0], off], [off, secant + bend * d[1] * d[1]]]
    }

    fn begin_step(&mut self, start: &StepStart<'_>, _: &Stencils<BLOCK, 2>) {
        self.weight = start.weights.whole_step;
        for (slant, now) in self.slants.iter_mut().zip(start.slants) {
            *slant = *now;
        }
        for ((limit, mu), force) in self.limits.iter_mut().zip(&self.coefficient).zip(start.normal_forces) {
            *limit = mu * force.max(0.0);
        }
    }

    fn end_step(&mut self, q: &[f64], dofs: &Stencils<BLOCK, 2>) {
        for e in 0..self.anchors.len() {
            let now = super::family::gather(q, dofs.dofs(e));
            let (law, d, r) = self.spring(e, &now);
            let slip = law.slip(r);
            self.anchors[e][0] += slip * d[0];
            self.anchors[e][1] += slip * d[1];
        }
    }

    fn save(&self) -> Vec<f64> {
        self.anchors.as_flattened().to_vec()
    }

    fn load(&mut self, state: &[f64]) {
        self.anchors.as_flattened_mut().copy_from_slice(state);
    }
}
