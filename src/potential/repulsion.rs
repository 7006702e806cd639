//! Repulsion and friction of pieces of cloth that touch without a contact.

use hebra_solver::stencil::Stencils;
use rayon::prelude::*;

use super::coulomb::Huber;
use super::family::{Element, add_square, gather};
use super::side::{Pressed, Side};
use super::sliding::{Sliding, combine, spread};
use super::term::StepStart;
use crate::geometry::Vec3;
use crate::geometry::pair::{Nearest, Pair};
use crate::model::ids::BLOCK;

/// Contact of two segments `a0 a1` and `b0 b1`, or of a point `a` and a triangle `b0 b1 b2`.
///
/// ```text
/// V = B(d, D) + 4 B(d', D/4),  B(d, D) = -k p^2 ln(d/D),  p = (D - d)+,  k = stiffness * D
/// friction: H(|(I - n n')(w - w_n) + e|),  stiffness k, limit mu Fn,  w = a(s) - b(t)
/// ```
/// | symbol | meaning | unit |
/// |---|---|---|
/// | `d` | distance of the segments, blurred by `0.02 D^2` ([`Pair::nearest`]) | m |
/// | `d'` | distance without blur | m |
/// | `D` | thickness | m |
/// | `s`, `t`, `n`, `Fn` | closest points, normal and normal force at the start of the step | -, N |
/// | `w_n`, `e` | `w` at the start of the step, and what was stretched before | m |
///
/// `V` has two derivatives at the onset, is soft there and grows without bounds, so that light contacts are
/// easy to solve for and heavy ones stay apart: the force is `0.14 k D` when pressed in by a fifth and
/// `1.2 k D` by a half. It has one derivative where segments are parallel or pass an end. The blurred distance
/// does not vanish where segments cross, so the core, a quarter as thick, goes by the true one, whose gradient
/// jumps where they are parallel: nothing is ever driven through it. The Hessian leaves out the curvature of
/// `d`. Yarns of layers on one another, which have no distance to keep, are kept on their [`Side`]s. When the closest
/// points go over to neighbouring segments, what their friction had stretched is lost. Source of the barrier: Li et
/// al., *Incremental potential contact*, 2020, section 4.
#[derive(Debug, Clone, Default)]
pub(crate) struct Repulsion {
    bodies: Vec<Body>,
    /// Tangential stretch of the friction spring, m; not a number where there is none.
    stretch: Vec<Vec3>,
    touches: Vec<Option<Sliding>>,
    weight: f64,
}

/// A pair of segments, or of a point and a triangle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Body {
    /// Which of both.
    pub(crate) pair: Pair,
    /// Distance that they keep, m.
    pub(crate) thickness: f64,
    /// `k`, N/m.
    pub(crate) stiffness: f64,
    /// `mu`.
    pub(crate) friction: f64,
    /// Yarns of layers keep no distance but stay on their sides.
    pub(crate) side: Option<Side>,
}

/// Blur of the distance over the square of the thickness: with it the closest points of parallel yarns pass
/// from end to end within a few degrees, and distances are at most a hundredth too long.
const BLUR: f64 = 0.02;

/// Thickness of the core over that of the yarn.
const CORE: f64 = 0.25;

impl Repulsion {
    /// Pairs with the stretch of their friction springs, m, not a number where there is none.
    pub(crate) fn new(bodies: Vec<Body>, stretch: Vec<Vec3>) -> Self {
        let touches = vec![None; bodies.len()];
        Self { bodies, stretch, touches, weight: 1.0 }
    }

    /// Stretch of the friction spring of a pair, m.
    pub(crate) fn stretch(&self, element: usize) -> Vec3 {
        self.stretch[element]
    }

    /// How deep a pair is in contact, over its thickness; negative apart from it.
    pub(crate) fn depth(&self, element: usize, q: &[f64; 12]) -> f64 {
        let (x, Body { pair, thickness, side, .. }) = (points(q), self.bodies[element]);
        match side {
            Some(side) => side.pressed(&x).map_or(0.0, |p| p.depth) / thickness,
            None => 1.0 - pair.nearest(&x, 0.0).squared_distance.sqrt() / thickness,
        }
    }

    /// How far a pair of yarns that stay on their sides is pressed through; none of others.
    pub(crate) fn pressed(&self, element: usize, q: &[f64; 12]) -> Option<Pressed> {
        self.bodies[element].side?.pressed(&points(q))
    }

    /// The largest part of a motion in which a pair does not pass through itself.
    pub(crate) fn safe_motion(&self, element: usize, q: &[f64; 12], motion: &[f64; 12]) -> f64 {
        let Body { pair, side, .. } = self.bodies[element];
        if side.is_some() { 1.0 } else { pair.safe_motion(&points(q), &points(motion)) }
    }

    /// Of a pair that keeps a distance.
    fn layers(&self, element: usize) -> [Layer; 2] {
        let Body { pair, thickness, stiffness, .. } = self.bodies[element];
        let outer = Layer { pair, thickness, stiffness, blur: BLUR * thickness * thickness };
        [outer, Layer { thickness: CORE * thickness, stiffness: stiffness / CORE, blur: 0.0, ..outer }]
    }

    /// What presses on a pair.
    fn pushes(&self, element: usize, x: &[Vec3; 4]) -> impl Iterator<Item = Push> {
        let Body { side, stiffness, .. } = self.bodies[element];
        let of_side = |side: Side| {
            let pressed = side.pressed(x)?;
            Some(Push { force: stiffness * pressed.depth, curvature: stiffness, slope: pressed.gradient() })
        };
        let both = match side {
            Some(side) => [of_side(side), None],
            None => self.layers(element).map(|l| l.push(x)),
        };
        both.into_iter().flatten()
    }

    /// Parts of the four points in what slides, and the normal from the second piece to the first.
    fn contact(&self, element: usize, x: &[Vec3; 4]) -> Option<([f64; 4], Vec3)> {
        if let Some(side) = self.bodies[element].side {
            return side.pressed(x).map(|p| (p.parts, p.normal));
        }
        let Nearest { parts, offset, .. } = self.layers(element)[0].distance(x).0;
        Some((parts, offset.try_normalize(0.0)?))
    }
}

/// A force on a pair, N, its derivative by the distance, N/m, and the distance's gradient.
struct Push {
    force: f64,
    curvature: f64,
    slope: [f64; 12],
}

/// One of the two barriers of a pair.
#[derive(Clone, Copy)]
struct Layer {
    pair: Pair,
    thickness: f64,
    stiffness: f64,
    blur: f64,
}

impl Layer {
    fn distance(&self, x: &[Vec3; 4]) -> (Nearest, f64) {
        let nearest = self.pair.nearest(x, self.blur);
        (nearest, nearest.squared_distance.sqrt())
    }

    fn value(&self, x: &[Vec3; 4]) -> f64 {
        let p = self.thickness - self.distance(x).1;
        if p > 0.0 { -self.stiffness * p * p * (-p / self.thickness).ln_1p() } else { 0.0 }
    }

    /// None out of reach.
    fn push(&self, x: &[Vec3; 4]) -> Option<Push> {
        let (nearest, d) = self.distance(x);
        let p = self.thickness - d;
        if p <= 0.0 || d == 0.0 {
            return None;
        }
        let (log, part) = ((-p / self.thickness).ln_1p(), p / d);
        // P = -p^2 ln(1 - p/D):  P' = p^2/d - 2 p ln,  P'' = (p/d)^2 + 4 p/d - 2 ln
        let [force, curvature] = [p * (part - 2.0 * log), part * part + 4.0 * part - 2.0 * log];
        Some(Push {
            force: self.stiffness * force,
            curvature: self.stiffness * curvature,
            slope: spread(&nearest.parts, nearest.offset / d),
        })
    }
}

fn points(q: &[f64; 12]) -> [Vec3; 4] {
    std::array::from_fn(|k| Vec3::new(q[3 * k], q[3 * k + 1], q[3 * k + 2]))
}

impl Element<12> for Repulsion {
    const MEETS_SOLIDS: bool = true;

    fn value(&self, element: usize, q: &[f64; 12]) -> f64 {
        let friction = self.touches[element].map_or(0.0, |t| t.value(&points(q)));
        self.energy(element, q) + self.weight * friction
    }

    fn gradient(&self, element: usize, q: &[f64; 12]) -> [f64; 12] {
        let mut g = self.energy_gradient(element, q);
        if let Some(t) = &self.touches[element] {
            let pull = t.gradient(&points(q), self.weight);
            g.iter_mut().zip(pull).for_each(|(g, p)| *g += p);
        }
        g
    }

    fn hessian(&self, element: usize, q: &[f64; 12]) -> [[f64; 12]; 12] {
        let (x, mut h) = (points(q), [[0.0; 12]; 12]);
        for push in self.pushes(element, &x) {
            add_square(&mut h, push.curvature, &push.slope);
        }
        if let Some(t) = &self.touches[element] {
            t.add_hessian(&x, self.weight, &mut h);
        }
        h
    }

    fn energy(&self, element: usize, q: &[f64; 12]) -> f64 {
        let (x, Body { side, stiffness, .. }) = (points(q), self.bodies[element]);
        match side {
            Some(side) => side.pressed(&x).map_or(0.0, |p| 0.5 * stiffness * p.depth * p.depth),
            None => self.layers(element).iter().map(|l| l.value(&x)).sum(),
        }
    }

    fn energy_gradient(&self, element: usize, q: &[f64; 12]) -> [f64; 12] {
        let (x, mut g) = (points(q), [0.0; 12]);
        for Push { force, slope, .. } in self.pushes(element, &x) {
            g.iter_mut().zip(slope).for_each(|(g, s)| *g -= force * s);
        }
        g
    }

    /// Where a solve strays so far that pieces meet elsewhere than where they are watched, they can pass through each
    /// other on the straight way.
    fn refuses(&self, element: usize, way: [&[f64; 12]; 2]) -> bool {
        let ([from, to], Body { pair, side, .. }) = (way.map(points), self.bodies[element]);
        side.is_none() && pair.touch_between(&from, &std::array::from_fn(|k| to[k] - from[k]))
    }

    fn begin_step(&mut self, start: &StepStart<'_>, dofs: &Stencils<BLOCK, 12>) {
        let touch = |e: usize| {
            let body = &self.bodies[e];
            let x = points(&gather(start.q, dofs.dofs(e)));
            let normal_force: f64 = self.pushes(e, &x).map(|p| p.force).sum();
            if normal_force == 0.0 || body.friction == 0.0 {
                return None;
            }
            let (parts, normal) = self.contact(e, &x)?;
            let old = self.stretch[e];
            let stretch = if old.x.is_nan() { Vec3::zeros() } else { old - normal * normal.dot(&old) };
            let law = Huber { stiffness: body.stiffness, limit: body.friction * normal_force };
            Some(Sliding { parts, normal, anchor: combine(&parts, &x) - stretch, law })
        };
        self.touches = (0..self.bodies.len()).into_par_iter().map(touch).collect();
        self.weight = start.weights.whole_step;
    }

    fn end_step(&mut self, q: &[f64], dofs: &Stencils<BLOCK, 12>) {
        for (e, stretch) in self.stretch.iter_mut().enumerate() {
            *stretch = self.touches[e].as_ref().map_or(Vec3::repeat(f64::NAN), |t| {
                let d = t.offset(&points(&gather(q, dofs.dofs(e))));
                d * (1.0 - t.law.slip(d.norm()))
            });
        }
    }
}
