//! Friction of yarns that slide through a contact.

use std::sync::{Mutex, PoisonError};

use hebra_solver::stencil::Stencils;

use super::coulomb::{Cone, Huber, Multiplier};
use super::family::{Element, gather};
use super::term::StepStart;
use crate::model::ids::BLOCK;

/// Friction at a contact: an anchored spring on its two arc coordinates `(u, v)`, limited together.
///
/// ```text
/// H(r),  r^2 = du^2 + dv^2 - 2 c du dv,  du = u - u_bar,  dv = v - v_bar,  stiffness kf, limit mu Fn
/// ```
/// `Fn` is the contact's normal force, `c` the cosine between its rods where fabrics slide on one another,
/// both at the start of the step: `r` is how far the rods' surfaces slid. Limiting the coordinates together
/// gives a cone: a patch starts to slide at the same slope in every direction. Inside a fabric `c` is zero.
/// Source: Cirio et al. 2014, with the limit inside the solve.
#[derive(Debug, Default)]
pub(crate) struct Friction {
    /// `kf`, N/m.
    pub(crate) stiffness: Vec<f64>,
    /// `mu`.
    pub(crate) coefficient: Vec<f64>,
    /// `u_bar, v_bar`, m.
    pub(crate) anchors: Vec<[f64; 2]>,
    limits: Vec<f64>,
    slants: Vec<f64>,
    /// What the iterations of a step know of each contact. Each is used by one thread at a time.
    multipliers: Vec<Mutex<Multiplier>>,
    weight: f64,
}

impl Friction {
    /// Contacts that start unstrained at the given arc coordinates.
    pub(crate) fn new(stiffness: Vec<f64>, coefficient: Vec<f64>, anchors: Vec<[f64; 2]>) -> Self {
        let (limits, slants) = (vec![0.0; anchors.len()], vec![0.0; anchors.len()]);
        Self { stiffness, coefficient, anchors, limits, slants, multipliers: Vec::new(), weight: 1.0 }
    }

    /// The law and the offset.
    fn spring(&self, element: usize, q: &[f64; 2]) -> (Cone, [f64; 2]) {
        let a = self.anchors[element];
        let law = Huber { stiffness: self.stiffness[element], limit: self.limits[element] };
        (Cone { law, slant: self.slants[element] }, [q[0] - a[0], q[1] - a[1]])
    }
}

impl Element<2> for Friction {
    fn value(&self, element: usize, q: &[f64; 2]) -> f64 {
        let (cone, d) = self.spring(element, q);
        self.weight * cone.value(d)
    }

    fn gradient(&self, element: usize, q: &[f64; 2]) -> [f64; 2] {
        let (cone, d) = self.spring(element, q);
        cone.gradient(d).map(|f| self.weight * f)
    }

    fn hessian(&self, element: usize, q: &[f64; 2]) -> [[f64; 2]; 2] {
        let (cone, d) = self.spring(element, q);
        let mut multiplier = self.multipliers[element].lock().unwrap_or_else(PoisonError::into_inner);
        cone.hessian_with(d, &mut multiplier).map(|r| r.map(|h| self.weight * h))
    }

    fn begin_step(&mut self, start: &StepStart<'_>, dofs: &Stencils<BLOCK, 2>) {
        self.weight = start.weights.whole_step;
        for (slant, now) in self.slants.iter_mut().zip(start.slants) {
            *slant = *now;
        }
        for ((limit, mu), force) in self.limits.iter_mut().zip(&self.coefficient).zip(start.normal_forces) {
            *limit = mu * force.max(0.0);
        }
        let at_start = |e: usize| {
            let (cone, d) = self.spring(e, &gather(start.q, dofs.dofs(e)));
            Mutex::new(cone.multiplier(d))
        };
        self.multipliers = (0..self.anchors.len()).map(at_start).collect();
    }

    fn end_step(&mut self, q: &[f64], dofs: &Stencils<BLOCK, 2>) {
        for e in 0..self.anchors.len() {
            let now = gather(q, dofs.dofs(e));
            let (cone, d) = self.spring(e, &now);
            let slip = cone.slip(d);
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
