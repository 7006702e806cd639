//! Bending of a yarn that is set, against the frame of the crossing where it bends.

use nalgebra::Matrix3;

use super::bending::{Bending, edges, on_nodes};
use super::displaced::{LineElement, at};
use super::family::Element;
use super::material::Material;
use super::strain::{Measure, Strain};
use super::term::StepStart;
use crate::geometry::Vec3;
use crate::geometry::angle::{
    curvature_binormal, curvature_binormal_curvature, curvature_binormal_pull_back,
};
use crate::geometry::framed::Framed;

/// Bending strain at a crossing, in the middle of three nodes `(y0, u0, y1, u1, y2, u2)` of a centre line, of a yarn that
/// was set there.
///
/// ```text
/// w = u2 - u0      e = k - w K,   k the curvature binormal,  K = k1 n + k2 s x n + k3 s      V = EI |e|^2/w
/// ```
/// | symbol | meaning | unit |
/// |---|---|---|
/// | `n`, `t` | normal of the crossing and chord of the yarn there, of the shared points | -, m |
/// | `s` | `t/sqrt(|t|^2 + d^2)`, [`Framed`] | - |
/// | `k1, k2, k3` | curvature at rest in that frame | 1/m |
///
/// A scalar curvature at rest leaves free in which plane the yarn bends: a loop could fold about any of its chords. The yarn
/// that crosses holds this one from turning about itself, so that the frame of the crossing is that of the yarn.
///
/// Eighteen unknowns: the nodes, then `n` and `t`. A rigid motion turns all three components, and damping by their rates
/// would brake it; it goes by the angle, see [`Bending`]. Fails when a segment has no length, or
/// where the yarn turns back on itself.
#[derive(Debug, Clone, Default)]
pub struct Turned {
    /// `k1, k2, k3` of every element, 1/m.
    pub rest: Vec<Vec3>,
    /// `d` of every element, m.
    pub short: Vec<f64>,
}

/// Unknowns of the nodes.
const NODES: usize = 12;
const NORMAL: usize = 12;
const CHORD: usize = 15;

fn nodes(q: &[f64; 18]) -> [f64; NODES] {
    std::array::from_fn(|i| q[i])
}

impl Turned {
    /// The edges, `w` and `K`.
    fn parts(&self, element: usize, q: &[f64; 18]) -> ((Vec3, Vec3), f64, Framed) {
        let framed = Framed::new(self.rest[element], at(q, NORMAL), at(q, CHORD), self.short[element]);
        (edges(&nodes(q)), q[11] - q[3], framed)
    }
}

fn put(row: &mut [f64; 18], k: usize, v: Vec3) {
    row[k..k + 3].copy_from_slice(v.as_slice());
}

/// Adds a block and, where it is not on the diagonal, its transpose.
fn add_block(h: &mut [[f64; 18]; 18], [rows, columns]: [usize; 2], block: &Matrix3<f64>) {
    for i in 0..3 {
        for j in 0..3 {
            h[rows + i][columns + j] += block[(i, j)];
            if rows != columns {
                h[columns + j][rows + i] += block[(i, j)];
            }
        }
    }
}

impl Strain<18, 3> for Turned {
    fn weight_and_elongation(&self, element: usize, q: &[f64; 18]) -> (f64, [f64; 3]) {
        let ((a, b), w, framed) = self.parts(element, q);
        (w, (curvature_binormal(a, b) - framed.value() * w).into())
    }

    fn measure(&self, element: usize, q: &[f64; 18]) -> Measure<18, 3> {
        let ((a, b), weight, framed) = self.parts(element, q);
        let value = framed.value();
        let elongation = (curvature_binormal(a, b) - value * weight).into();
        let mut weight_gradient = [0.0; 18];
        (weight_gradient[3], weight_gradient[11]) = (-1.0, 1.0);
        let row = |k: usize| {
            let axis = Vec3::ith(k, 1.0);
            let mut row = [0.0; 18];
            row[..NODES].copy_from_slice(&on_nodes(curvature_binormal_pull_back(a, b, axis)));
            row[3] += value[k];
            row[11] -= value[k];
            let [normal, chord] = framed.pull_back(axis);
            put(&mut row, NORMAL, normal * -weight);
            put(&mut row, CHORD, chord * -weight);
            row
        };
        Measure { weight, weight_gradient, elongation, elongation_gradient: [0, 1, 2].map(row) }
    }

    /// The second derivatives are indefinite and left out where only a positive part is wanted.
    fn add_curvature(
        &self,
        element: usize,
        q: &[f64; 18],
        (c, project): (&[f64; 3], bool),
        h: &mut [[f64; 18]; 18],
    ) {
        if project {
            return;
        }
        let (((a, b), w, framed), c) = (self.parts(element, q), Vec3::from(*c));
        let [aa, ab, bb] = curvature_binormal_curvature(a, b, c);
        // a = y1 - y0, b = y2 - y1
        let ba = ab.transpose();
        add_block(h, [0, 0], &aa);
        add_block(h, [0, 4], &(ab - aa));
        add_block(h, [0, 8], &-ab);
        add_block(h, [4, 4], &(aa + bb - ab - ba));
        add_block(h, [4, 8], &(ab - bb));
        add_block(h, [8, 8], &bb);
        let [nt, tt] = framed.curvature(c);
        add_block(h, [NORMAL, CHORD], &(nt * -w));
        add_block(h, [CHORD, CHORD], &(tt * -w));
        for (k, pull) in [NORMAL, CHORD].into_iter().zip(framed.pull_back(c)) {
            for (u, sign) in [(3, 1.0), (11, -1.0)] {
                for i in 0..3 {
                    h[k + i][u] += sign * pull[i];
                    h[u][k + i] += sign * pull[i];
                }
            }
        }
    }
}

/// Bending of a yarn that is set: stored against the frame of its crossing, damped by its angle.
#[derive(Debug)]
pub struct SetBending {
    /// What it stores; after Rayleigh it is damped by it too.
    pub(crate) stored: Material<Turned, 18, 3>,
    /// What damps it by strain rate, without stiffness.
    pub(crate) damped: Material<Bending, 12>,
}

/// A form on the nodes as one on all unknowns, added to another.
fn plus(mut all: [f64; 18], own: [f64; NODES]) -> [f64; 18] {
    all.iter_mut().zip(own).for_each(|(all, own)| *all += own);
    all
}

fn plus_form(mut all: [[f64; 18]; 18], own: [[f64; NODES]; NODES]) -> [[f64; 18]; 18] {
    all.iter_mut().zip(own).for_each(|(all, own)| all.iter_mut().zip(own).for_each(|(all, own)| *all += own));
    all
}

impl Element<18> for SetBending {
    fn value(&self, element: usize, q: &[f64; 18]) -> f64 {
        self.stored.value(element, q) + self.damped.value(element, &nodes(q))
    }

    fn gradient(&self, element: usize, q: &[f64; 18]) -> [f64; 18] {
        plus(self.stored.gradient(element, q), self.damped.gradient(element, &nodes(q)))
    }

    fn hessian(&self, element: usize, q: &[f64; 18]) -> [[f64; 18]; 18] {
        plus_form(self.stored.hessian(element, q), self.damped.hessian(element, &nodes(q)))
    }

    fn whole_hessian(&self, element: usize, q: &[f64; 18]) -> [[f64; 18]; 18] {
        plus_form(self.stored.whole_hessian(element, q), self.damped.whole_hessian(element, &nodes(q)))
    }

    fn explicit_gradient(&self, element: usize, q: &[f64; 18], v: &[f64; 18], h: f64) -> [f64; 18] {
        let damped = self.damped.explicit_gradient(element, &nodes(q), &nodes(v), h);
        plus(self.stored.explicit_gradient(element, q, v, h), damped)
    }

    fn energy(&self, element: usize, q: &[f64; 18]) -> f64 {
        self.stored.energy(element, q)
    }

    fn energy_gradient(&self, element: usize, q: &[f64; 18]) -> [f64; 18] {
        self.stored.energy_gradient(element, q)
    }

    fn dissipated(&self, element: usize, q: &[f64; 18]) -> f64 {
        self.stored.dissipated(element, q) + self.damped.dissipated(element, &nodes(q))
    }

    fn damping_force(&self, element: usize, q: &[f64; 18]) -> [[f64; 18]; 2] {
        let [all, outside] = self.stored.damping_force(element, q);
        let [own, own_outside] = self.damped.damping_force(element, &nodes(q));
        [plus(all, own), plus(outside, own_outside)]
    }
}

impl LineElement<18> for SetBending {
    fn freeze(&mut self, start: &StepStart<'_>, n: usize, at: &(dyn Fn(usize) -> [f64; 18] + Sync)) {
        self.stored.freeze(start, n, at);
        self.damped.freeze(start, n, &|e| nodes(&at(e)));
    }
}
