//! Distances of crossings along a yarn: contact of the parallel yarns that cross it, and the yarn in a hook.

use hebra_solver::stencil::Stencils;

use super::strain::{Density, Measure, Strain};
use super::term::Arranged;
use crate::model::ids::{BLOCK, BlockId};

/// Approach of two consecutive crossings `(u0, u1)` of a rod.
///
/// ```text
/// w = 1      e = d - (u1 - u0),  d = r1 + r2 of the crossing yarns      V = kc (e+)^2/2
/// ```
/// In the hook of two loops, where `d` is what each yarn has in it at rest, both signs count: `V = kc e^2/2`.
/// Source: Cirio et al. 2014 and 2017.
#[derive(Debug, Clone, Default)]
pub struct Parallel {
    /// `d` of every pair, m.
    pub distance: Vec<f64>,
    /// Pairs of which a crossing was removed; empty while there is none.
    pub gone: Vec<bool>,
    /// Whether crossings that are too far apart cost as much as those that are too close.
    pub is_two_sided: bool,
}

impl Strain<2> for Parallel {
    fn weight_and_elongation(&self, element: usize, q: &[f64; 2]) -> (f64, [f64; 1]) {
        (1.0, [self.distance[element] - (q[1] - q[0])])
    }

    fn measure(&self, element: usize, q: &[f64; 2]) -> Measure<2> {
        let (weight, elongation) = self.weight_and_elongation(element, q);
        Measure { weight, weight_gradient: [0.0; 2], elongation, elongation_gradient: [[1.0, -1.0]] }
    }

    fn add_curvature(&self, _: usize, _: &[f64; 2], _: (&[f64; 1], bool), _: &mut [[f64; 2]; 2]) {}

    fn rearrange(&mut self, now: &Arranged<'_>, dofs: &Stencils<BLOCK, 2>) {
        let is_removed = |dof: &u32| now.arrangement.is_removed(now.model, BlockId(dof / BLOCK as u32));
        self.gone = (0..dofs.len()).map(|e| dofs.dofs(e).iter().any(is_removed)).collect();
    }

    fn is_gone(&self, element: usize) -> bool {
        self.gone.get(element).is_some_and(|&gone| gone)
    }

    fn density(&self, _: usize, &[eps]: &[f64; 1]) -> Density<1> {
        let acts = eps > 0.0 || self.is_two_sided;
        Density::scalar(if acts { [0.5 * eps * eps, eps, 1.0] } else { [0.0; 3] })
    }
}
