//! Shear of a woven crossing: the angle of one of its corners.

use hebra_solver::stencil::Stencils;
use rayon::prelude::*;

use super::strain::{Density, Measure, Strain, add_angle_curvature};
use super::term::Arranged;
use crate::geometry::Vec3;
use crate::geometry::angle::Angle;
use crate::model::ids::{BLOCK, NodeId};

/// Shear strain of the corner at `x0` between its neighbours `x1` on one yarn and `x2` on the other.
///
/// ```text
/// w = 1      e = phi - phi0      V = ks [e^2 + J ((-e - ej)+)^2]/2
/// ```
/// `phi` is the corner's angle, `ej` the closing at which the yarns jam (they lie side by side when
/// `sin phi = (r1 + r2)/spacing`), `J` = [`JAMMING`]. Source: Cirio et al. 2014. Fails when two of the
/// nodes coincide.
#[derive(Debug, Clone, Default)]
pub struct Shear {
    /// `phi0` of every corner, rad.
    pub rest: Vec<f64>,
    /// `ej` of every corner, rad.
    pub jamming: Vec<f64>,
    /// The crossing's node and its neighbour on either yarn; empty where nodes keep their roles.
    pub nodes: Vec<[NodeId; 4]>,
    /// Corners that are gone because one of these is not in its yarn's chain: it has no position of its own, or is
    /// as near to another, or to the yarn's end, as makes nothing of the angle. Empty while there is none.
    pub gone: Vec<bool>,
}

/// How much stiffer a jammed corner is: a KES shear curve steepens ten- to thirtyfold past locking.
pub const JAMMING: f64 = 20.0;

fn edges(q: &[f64; 9]) -> (Vec3, Vec3) {
    let x = |k: usize| Vec3::new(q[k], q[k + 1], q[k + 2]);
    (x(3) - x(0), x(6) - x(0))
}

fn on_nodes([a, b]: [Vec3; 2]) -> [f64; 9] {
    let c = -a - b;
    [c.x, c.y, c.z, a.x, a.y, a.z, b.x, b.y, b.z]
}

impl Strain<9> for Shear {
    fn weight_and_elongation(&self, element: usize, q: &[f64; 9]) -> (f64, [f64; 1]) {
        let (a, b) = edges(q);
        (1.0, [a.cross(&b).norm().atan2(a.dot(&b)) - self.rest[element]])
    }

    fn measure(&self, element: usize, q: &[f64; 9]) -> Measure<9> {
        let (a, b) = edges(q);
        let angle = Angle::new(a, b);
        Measure {
            weight: 1.0,
            weight_gradient: [0.0; 9],
            elongation: [angle.theta - self.rest[element]],
            elongation_gradient: [on_nodes(angle.gradient())],
        }
    }

    fn add_curvature(
        &self,
        _: usize,
        q: &[f64; 9],
        ([c], project): (&[f64; 1], bool),
        h: &mut [[f64; 9]; 9],
    ) {
        let (a, b) = edges(q);
        add_angle_curvature(&Angle::new(a, b), *c, project, on_nodes, h);
    }

    fn rearrange(&mut self, now: &Arranged<'_>, _: &Stencils<BLOCK, 9>) {
        let is_gone = |nodes: &[NodeId; 4]| nodes.iter().any(|&n| !now.arrangement.is_active(n));
        self.gone = self.nodes.par_iter().map(is_gone).collect();
    }

    fn is_gone(&self, element: usize) -> bool {
        self.gone.get(element).is_some_and(|&gone| gone)
    }

    fn density(&self, element: usize, &[eps]: &[f64; 1]) -> Density<1> {
        let over = (-eps - self.jamming[element]).max(0.0);
        let stiff = if over > 0.0 { JAMMING } else { 0.0 };
        Density::scalar([0.5 * (eps * eps + JAMMING * over * over), eps - JAMMING * over, 1.0 + stiff])
    }
}
