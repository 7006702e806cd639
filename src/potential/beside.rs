//! Contact of yarns that lie side by side in the waist of a stitch.

use hebra_solver::stencil::Stencils;
use rayon::prelude::*;

use super::family::add_square;
use super::strain::{Density, Measure, Strain};
use super::term::Arranged;
use crate::geometry::Vec3;
use crate::model::ids::{BLOCK, BlockId};

/// Approach of two hooks that follow each other on a yarn: the middles of their lenses, of which the first has the
/// crossings `x0, x1` and the second `x2, x3`.
///
/// ```text
/// w = 1      e = d - |x2 + x3 - x0 - x1|/2,  d = r + 3 R      V = kc (e+)^2/2
/// ```
/// | symbol | meaning | unit |
/// |---|---|---|
/// | `x` | crossings | m |
/// | `r`, `R` | radii of the yarn and of those that hook into it | m |
/// | `kc` | stiffness of contact between yarns | N/m |
///
/// In a hook two yarns lie side by side, each half of `r + R` from the chord that stands for both, and the inner
/// ones of two hooks cannot come closer than `2 R`. So four yarns side by side are the least width of a wale, as in
/// Peirce, *Geometrical principles applicable to the design of functional fabrics*, Textile Research Journal 17,
/// 1947. Fails when the middles coincide.
#[derive(Debug, Clone, Default)]
pub(crate) struct Beside {
    /// `d` of every pair of hooks, m.
    pub(crate) distance: Vec<f64>,
    /// Pairs of which a crossing has no position of its own any more; empty while there is none.
    pub(crate) gone: Vec<bool>,
}

/// How the distance of the middles depends on the crossings.
const SIGNS: [f64; 4] = [-0.5, -0.5, 0.5, 0.5];

fn between(q: &[f64; 12]) -> Vec3 {
    (0..4).map(|k| SIGNS[k] * Vec3::new(q[3 * k], q[3 * k + 1], q[3 * k + 2])).sum()
}

/// A linear form on the distance as one on the crossings.
fn on_nodes(form: Vec3) -> [f64; 12] {
    std::array::from_fn(|i| SIGNS[i / 3] * form[i % 3])
}

impl Strain<12> for Beside {
    fn weight_and_elongation(&self, element: usize, q: &[f64; 12]) -> (f64, [f64; 1]) {
        (1.0, [self.distance[element] - between(q).norm()])
    }

    fn measure(&self, element: usize, q: &[f64; 12]) -> Measure<12> {
        let m = between(q);
        let length = m.norm();
        Measure {
            weight: 1.0,
            weight_gradient: [0.0; 12],
            elongation: [self.distance[element] - length],
            elongation_gradient: [on_nodes(-m / length)],
        }
    }

    /// `Hess e = -(I - n n')/|m|`, along `m = |m| n`: there is no positive part while the yarns press.
    fn add_curvature(
        &self,
        _: usize,
        q: &[f64; 12],
        (&[c], project): (&[f64; 1], bool),
        h: &mut [[f64; 12]; 12],
    ) {
        if project && c >= 0.0 {
            return;
        }
        let m = between(q);
        let (length, n) = (m.norm(), m.normalize());
        for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
            add_square(h, -c / length, &on_nodes(axis));
        }
        add_square(h, c / length, &on_nodes(n));
    }

    fn rearrange(&mut self, now: &Arranged<'_>, dofs: &Stencils<BLOCK, 12>) {
        let is_gone =
            |d: &u32| now.is_gone(*d) || now.arrangement.is_removed(now.model, BlockId(d / BLOCK as u32));
        self.gone = (0..dofs.len()).into_par_iter().map(|e| dofs.dofs(e).iter().any(is_gone)).collect();
    }

    fn is_gone(&self, element: usize) -> bool {
        self.gone.get(element).is_some_and(|&gone| gone)
    }

    fn density(&self, _: usize, &[eps]: &[f64; 1]) -> Density<1> {
        Density::scalar(if eps > 0.0 { [0.5 * eps * eps, eps, 1.0] } else { [0.0; 3] })
    }
}
