//! Bending of a sheet of triangles at an edge.

use std::f64::consts::TAU;

use super::strain::{Measure, Strain};
use crate::geometry::Vec3;
use crate::geometry::dihedral::{Dihedral, OnCorners};
use crate::model::sheets::RestHinge;

/// Bending strain of the hinge between two triangles: edge `x0`, `x1`, apices `x2` and `x3`.
///
/// ```text
/// w = A      e = l (theta - theta0)      V = D e^2/(2 A) = D l^2 (theta - theta0)^2/(2 A)
/// ```
/// | symbol | meaning | unit |
/// |---|---|---|
/// | `theta` | angle between the triangles, signed | rad |
/// | `l`, `A` | length of the edge and area of both triangles at rest | m, m2 |
/// | `D` | bending rigidity per width | N m |
///
/// How stiff that is depends on the mesh, which can share a bend among its edges. Of squares with alternating
/// diagonals a unit of area costs, for principal curvatures `k1`, `k2` along the squares and the least of all ways
/// to fold them, `D [5/6 (k1^2 + k2^2) - k1 k2/3]/2`: it is a plate of 5/6 the rigidity that curls the way that it
/// bends, and a free strip has 4/5 of it. Of equal-sided triangles it is `D [k1^2 + k2^2 - 2/3 k1 k2]/2`, a free strip
/// has 8/9. The angle has a sign, so the strain and its gradient are smooth where
/// the sheet is flat, and damping needs no special case. Only `D grad e grad e'` is kept for the solver.
/// Source: Grinspun et al. 2003, Discrete shells. Fails when a triangle has no area.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hinge {
    /// The hinges at rest.
    pub(crate) rest: Vec<RestHinge>,
}

fn corners(q: &[f64; 12]) -> OnCorners {
    std::array::from_fn(|k| Vec3::new(q[3 * k], q[3 * k + 1], q[3 * k + 2]))
}

fn on_unknowns(form: OnCorners) -> [f64; 12] {
    std::array::from_fn(|i| form[i / 3][i % 3])
}

/// `l (theta - theta0)`, the shorter way round where the sheet is folded back on itself.
fn elongation(rest: &RestHinge, theta: f64) -> f64 {
    let turn = theta - rest.angle;
    rest.length * (turn - TAU * (turn / TAU).round())
}

impl Strain<12> for Hinge {
    fn weight_and_elongation(&self, element: usize, q: &[f64; 12]) -> (f64, [f64; 1]) {
        let rest = &self.rest[element];
        (rest.area, [elongation(rest, Dihedral::new(corners(q)).theta)])
    }

    fn measure(&self, element: usize, q: &[f64; 12]) -> Measure<12> {
        let (rest, dihedral) = (&self.rest[element], Dihedral::new(corners(q)));
        Measure {
            weight: rest.area,
            weight_gradient: [0.0; 12],
            elongation: [elongation(rest, dihedral.theta)],
            elongation_gradient: [on_unknowns(dihedral.gradient().map(|g| g * rest.length))],
        }
    }

    fn add_curvature(
        &self,
        element: usize,
        q: &[f64; 12],
        (&[c], project): (&[f64; 1], bool),
        h: &mut [[f64; 12]; 12],
    ) {
        if project {
            return;
        }
        let (dihedral, c) = (Dihedral::new(corners(q)), c * self.rest[element].length);
        for j in 0..12 {
            let unit: [f64; 12] = std::array::from_fn(|i| f64::from(i == j));
            let column = on_unknowns(dihedral.change(corners(&unit)));
            (0..12).for_each(|i| h[i][j] += c * column[i]);
        }
    }
}
