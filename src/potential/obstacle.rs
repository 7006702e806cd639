//! Contact and friction with obstacles.

use hebra_solver::stencil::Stencils;
use rayon::prelude::*;

use super::coulomb::Huber;
use super::family::{Element, gather};
use super::press::Press;
use super::shield::shields;
use super::term::{Arranged, StepStart};
use crate::collision::passage::Sweep;
use crate::collision::surface::{Nearby, Surface};
use crate::geometry::Vec3;
use crate::model::ids::{BLOCK, BlockId, NodeId};
use crate::model::material::Material;
use crate::model::obstacle::Obstacle;
use crate::model::yarns::Model;

/// Contact of a place `x` of the cloth, a node or the middle between vertices, with every obstacle.
///
/// ```text
/// x = mean of the N/3 positions
/// V = Press(p),  p = r + thickness - distance(x)
/// friction: H(|(I - n n')(x - a)|),  stiffness Fn/p, limit mu Fn
/// ```
/// | symbol | meaning | unit |
/// |---|---|---|
/// | `r` | half the thickness of the cloth at the place | m |
/// | `Press` | a spring ([`Press`]) as stiff as the cloth there, or as the obstacle says per area | J |
/// | `a` | anchor, fixed to the obstacle | m |
/// | `n`, `Fn` | normal and normal force at the start of the step | -, N |
///
/// Obstacles are solid: whatever of the cloth is inside is pushed out the nearest way. A step whose solution has gone
/// through one, to the side from which it would be pushed out elsewhere, is refused ([`Sweep::is_passed`]).
#[derive(Debug, Clone, Default)]
pub(crate) struct ObstacleContact<const N: usize = 3> {
    obstacles: Vec<Obstacle>,
    bodies: Vec<Body>,
    /// Bodies that are gone; empty while there is none.
    gone: Vec<bool>,
    /// The obstacles over the step.
    sweeps: Vec<Sweep>,
    starts: Vec<Start>,
    /// Directions away from the fabrics that the bodies lie on; empty while there is none.
    shields: Vec<Vec3>,
    touches: Vec<Option<Touch>>,
    anchors: Vec<Vec3>,
    weight: f64,
}

/// Where a place is at the start of a step.
#[derive(Debug, Clone, Copy, Default)]
struct Start {
    x: Vec3,
    /// How far it may go without touching anything, m; not positive where it touches.
    free: f64,
}

/// Distance from which on an obstacle is not looked at, m: a place that goes farther in a step is looked at anew.
const LOOK: f64 = 0.03;

/// Radii: pressed in so far, a yarn resists in full. Without a ramp a weave of 32 by 32 yarns that lands on a ball takes 656
/// iterations in 130 steps, with this one 485; a longer one would leave a yarn under tension in the obstacle by more than
/// [`WELL_KEPT`](crate::simulation::report::WELL_KEPT).
const RAMP: f64 = 0.1;

/// Radii: what a yarn under tension gives way by grows with its segments, up to this length.
const LONGEST: f64 = 10.0;

/// What an obstacle meets at a place of the cloth.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Body {
    /// Half the thickness of the cloth, m.
    pub(crate) radius: f64,
    /// Area of yarn or sheet, m2.
    pub(crate) area: f64,
    /// What resists where an obstacle states no stiffness: of yarns as stiff as their own segments, so that a yarn under
    /// tension gives way no more than it stretches.
    pub(crate) press: Press,
    /// Coulomb's coefficient of the yarn.
    pub(crate) friction: f64,
}

/// What the obstacles meet at every block with own nodes, from half the lengths of the segments beside
/// every node, m.
pub(crate) fn bodies(model: &Model, lengths: &[f64]) -> Vec<(BlockId, Body)> {
    let body = |(block, nodes): (usize, &[Option<NodeId>; 2])| {
        let yarns = || nodes.iter().flatten().map(|&n| (n, model.rod_of(n).material));
        let radius = yarns().map(|(_, m)| m.radius).sum();
        let stiffness =
            |(n, m): (NodeId, Material)| m.stretch_stiffness() / lengths[n.index()].min(LONGEST * m.radius);
        let body = Body {
            radius,
            area: yarns().map(|(n, m)| 2.0 * m.radius * lengths[n.index()]).sum(),
            press: Press { stiffness: yarns().map(stiffness).sum(), ramp: RAMP * radius },
            friction: yarns().map(|(_, m)| m.friction).sum::<f64>() / yarns().count().max(1) as f64,
        };
        (body.area > 0.0).then_some((BlockId(block as u32), body))
    };
    model.block_nodes.iter().enumerate().filter_map(body).collect()
}

#[derive(Debug, Clone, Copy)]
struct Touch {
    normal: Vec3,
    anchor: Vec3,
    law: Huber,
}

impl Touch {
    fn offset(&self, x: Vec3) -> Vec3 {
        let d = x - self.anchor;
        d - self.normal * self.normal.dot(&d)
    }
}

impl<const N: usize> ObstacleContact<N> {
    /// Every body against every obstacle.
    pub(crate) fn new(obstacles: Vec<Obstacle>, bodies: Vec<Body>) -> Self {
        let n = obstacles.len() * bodies.len();
        let sweeps = obstacles.iter().map(|o| Sweep::between(o, [0.0; 2])).collect();
        Self {
            obstacles,
            gone: Vec::new(),
            sweeps,
            starts: vec![Start::default(); bodies.len()],
            shields: Vec::new(),
            touches: vec![None; n],
            anchors: vec![Vec3::repeat(f64::NAN); n],
            weight: 1.0,
            bodies,
        }
    }

    fn reach(&self, obstacle: usize, body: usize) -> f64 {
        self.bodies[body].radius + self.obstacles[obstacle].params.thickness
    }

    /// Penetration, m, and the surface, where it is near.
    fn penetration(&self, obstacle: usize, body: usize, surface: &Surface, x: Vec3) -> Option<(f64, Nearby)> {
        let reach = self.reach(obstacle, body);
        let nearby = surface.nearby(x, reach)?;
        Some((reach - nearby.distance, nearby))
    }

    fn press(&self, obstacle: usize, body: usize) -> Press {
        let Body { press, area, .. } = self.bodies[body];
        let stated = self.obstacles[obstacle].params.stiffness;
        stated.map_or(press, |k| Press { stiffness: k * area, ramp: 0.0 })
    }

    /// Touching obstacles: what resists, penetration, surface.
    fn penetrations(&self, body: usize, x: Vec3) -> impl Iterator<Item = (Press, f64, Nearby)> + '_ {
        let start = &self.starts[body];
        // A distance falls by no more than the way.
        let is_away = start.free > 0.0 && (x - start.x).norm() < start.free;
        let obstacles = if is_away || self.is_gone(body) { 0..0 } else { 0..self.obstacles.len() };
        obstacles.filter_map(move |o| {
            let (p, n) = self.penetration(o, body, &self.sweeps[o].after, x)?;
            (p > 0.0 && !self.is_shielded(body, n.gradient)).then(|| (self.press(o, body), p, n))
        })
    }

    /// How far a place may go without touching an obstacle at the end of the step, m.
    fn freedom(&self, body: usize, x: Vec3) -> f64 {
        let of_obstacle = |o: usize| {
            let (reach, after) = (self.reach(o, body), &self.sweeps[o].after);
            let gap = |(distance, _): (f64, Vec3)| distance - reach - after.blended();
            after.distance(x, reach + LOOK).map_or(LOOK, gap)
        };
        (0..self.obstacles.len()).map(of_obstacle).fold(f64::INFINITY, f64::min)
    }

    /// Whether other fabrics lie between a body and an obstacle with this normal.
    fn is_shielded(&self, body: usize, normal: Vec3) -> bool {
        self.shields.get(body).is_some_and(|s| s.dot(&normal) > 0.0)
    }

    fn is_gone(&self, body: usize) -> bool {
        self.gone.get(body).is_some_and(|&gone| gone)
    }

    fn touching(&self, body: usize) -> impl Iterator<Item = &Touch> + '_ {
        let n = self.obstacles.len();
        self.touches[n * body..n * (body + 1)].iter().flatten()
    }

    /// What a place touches at the start of a step.
    fn touch(&self, o: usize, body: usize, Start { x, free }: Start) -> Option<Touch> {
        let sweep = &self.sweeps[o];
        if free > sweep.approach(x) {
            return None;
        }
        let (before, after) = (&sweep.before, &sweep.after);
        let (p, near) = self.penetration(o, body, before, x)?;
        let normal = near.gradient.normalize();
        let mu = self.obstacles[o].params.friction.unwrap_or(self.bodies[body].friction);
        if p <= 0.0 || mu == 0.0 || self.is_gone(body) || self.is_shielded(body, normal) {
            return None;
        }
        let force = self.press(o, body).force(p);
        let anchor = self.anchors[self.obstacles.len() * body + o];
        let held = if anchor.x.is_nan() { before.attach(x) } else { anchor };
        let turned = before.turn(after, held, normal);
        let law = Huber { stiffness: force / p, limit: mu * force };
        Some(Touch { normal: turned, anchor: after.place(held), law })
    }
}

/// The place that an element's unknowns are at.
fn place<const N: usize>(q: &[f64; N]) -> Vec3 {
    let sum: Vec3 = q.as_chunks::<3>().0.iter().map(|x| Vec3::from(*x)).sum();
    sum * (3.0 / N as f64)
}

/// What a force on the place is on the unknowns.
fn on_unknowns<const N: usize>(force: Vec3) -> [f64; N] {
    std::array::from_fn(|i| force[i % 3] * (3.0 / N as f64))
}

impl<const N: usize> Element<N> for ObstacleContact<N> {
    const MEETS_SOLIDS: bool = true;

    fn value(&self, element: usize, q: &[f64; N]) -> f64 {
        let x = place(q);
        let friction: f64 = self.touching(element).map(|t| t.law.value(t.offset(x).norm())).sum();
        self.energy(element, q) + self.weight * friction
    }

    fn gradient(&self, element: usize, q: &[f64; N]) -> [f64; N] {
        let x = place(q);
        let mut g = self.penetrations(element, x).map(|(k, p, n)| n.gradient * -k.force(p)).sum::<Vec3>();
        for t in self.touching(element) {
            let d = t.offset(x);
            g += d * (self.weight * t.law.secant(d.norm()));
        }
        on_unknowns(g)
    }

    fn hessian(&self, element: usize, q: &[f64; N]) -> [[f64; N]; N] {
        let (x, mut h) = (place(q), nalgebra::Matrix3::zeros());
        for (k, p, Nearby { gradient: n, bend, .. }) in self.penetrations(element, x) {
            h += n * n.transpose() * k.tangent(p) + bend * k.force(p);
        }
        for t in self.touching(element) {
            let d = t.offset(x);
            let r = d.norm();
            let (secant, tangent) = (t.law.secant(r), t.law.tangent(r));
            let plane = nalgebra::Matrix3::identity() - t.normal * t.normal.transpose();
            let bend = (tangent - secant) / (r * r).max(f64::MIN_POSITIVE);
            h += (plane * secant + d * d.transpose() * bend) * self.weight;
        }
        let share = (3.0 / N as f64).powi(2);
        std::array::from_fn(|i| std::array::from_fn(|j| h[(i % 3, j % 3)] * share))
    }

    fn energy(&self, element: usize, q: &[f64; N]) -> f64 {
        self.penetrations(element, place(q)).map(|(k, p, _)| k.value(p)).sum()
    }

    fn energy_gradient(&self, element: usize, q: &[f64; N]) -> [f64; N] {
        let pressed = self.penetrations(element, place(q));
        on_unknowns(pressed.map(|(k, p, n)| n.gradient * -k.force(p)).sum::<Vec3>())
    }

    fn refuses(&self, element: usize, [_, q]: [&[f64; N]; 2]) -> bool {
        let (start, x) = (&self.starts[element], place(q));
        let way = (x - start.x).norm();
        let through = |s: &Sweep| start.free <= way + 2.0 * s.approach(start.x) && s.is_passed([start.x, x]);
        !self.is_gone(element) && self.sweeps.iter().any(through)
    }

    fn pressed_in(&self, element: usize, q: &[f64; N]) -> f64 {
        let radius = self.bodies[element].radius;
        let parts = self.penetrations(element, place(q)).map(|(_, _, near)| 1.0 - near.distance / radius);
        parts.fold(0.0, f64::max)
    }

    fn rearrange(&mut self, now: &Arranged<'_>, dofs: &Stencils<BLOCK, N>) {
        self.gone = (0..dofs.len()).map(|e| now.is_gone(dofs.dofs(e)[0])).collect();
        let shields = shields(now);
        self.shields = (0..dofs.len()).map(|e| shields[dofs.dofs(e)[0] as usize / BLOCK]).collect();
    }

    fn begin_step(&mut self, start: &StepStart<'_>, dofs: &Stencils<BLOCK, N>) {
        let times = [start.time, start.time + start.dt];
        self.sweeps.iter_mut().zip(&self.obstacles).for_each(|(sweep, o)| sweep.follow(o, times));
        let n = self.obstacles.len();
        let begin = |body: usize| {
            let x = place(&gather(start.q, dofs.dofs(body)));
            Start { x, free: self.freedom(body, x) }
        };
        self.starts = (0..self.bodies.len()).into_par_iter().map(begin).collect();
        let touch = |k: usize| self.touch(k % n, k / n, self.starts[k / n]);
        self.touches = (0..n * self.bodies.len()).into_par_iter().map(touch).collect();
        self.weight = start.weights.whole_step;
    }

    fn end_step(&mut self, q: &[f64], dofs: &Stencils<BLOCK, N>) {
        let n = self.obstacles.len();
        for (k, anchor) in self.anchors.iter_mut().enumerate() {
            *anchor = match &self.touches[k] {
                None => Vec3::repeat(f64::NAN),
                Some(t) => {
                    let d = t.offset(place(&gather(q, dofs.dofs(k / n))));
                    self.sweeps[k % n].after.attach(t.anchor + d * t.law.slip(d.norm()))
                }
            };
        }
    }

    fn save(&self) -> Vec<f64> {
        self.anchors.iter().flat_map(|a| [a.x, a.y, a.z]).collect()
    }

    fn load(&mut self, state: &[f64]) {
        for (a, s) in self.anchors.iter_mut().zip(state.as_chunks::<3>().0) {
            *a = Vec3::from(*s);
        }
    }
}
