//! Contact and friction with obstacles.

use hebra_solver::stencil::Stencils;
use rayon::prelude::*;

use super::coulomb::Huber;
use super::family::{Arranged, Element, StepStart, gather};
use super::shield::shields;
use crate::collision::surface::Surface;
use crate::geometry::Vec3;
use crate::model::ids::{BLOCK, BlockId, NodeId};
use crate::model::obstacle::Obstacle;
use crate::model::yarns::Model;

/// Contact of a node's position `x` with every obstacle.
///
/// ```text
/// V = k (p+)^2/2,  p = r + thickness - distance(x),  k = stiffness * area
/// friction: H(|(I - n n')(x - a)|),  stiffness k, limit mu Fn
/// ```
/// | symbol | meaning | unit |
/// |---|---|---|
/// | `r` | half the thickness of the yarns at the node | m |
/// | `area` | area of yarn that the node stands for | m2 |
/// | `a` | anchor, fixed to the obstacle | m |
/// | `n`, `Fn` | normal and normal force at the start of the step | -, N |
#[derive(Debug, Clone, Default)]
pub struct ObstacleContact {
    obstacles: Vec<Obstacle>,
    bodies: Vec<Body>,
    /// Bodies that are gone; empty while there is none.
    gone: Vec<bool>,
    surfaces: Vec<Surface>,
    /// Directions away from the fabrics that the bodies lie on; empty while there is none.
    shields: Vec<Vec3>,
    touches: Vec<Option<Touch>>,
    anchors: Vec<Vec3>,
    weight: f64,
}

/// What an obstacle meets at a node.
#[derive(Debug, Clone, Copy)]
pub struct Body {
    /// Half the thickness of the yarns, m.
    pub radius: f64,
    /// Area of yarn, m2.
    pub area: f64,
    /// Coulomb's coefficient of the yarn.
    pub friction: f64,
}

/// What the obstacles meet at every block with own nodes, from half the lengths of the segments beside
/// every node, m.
pub fn bodies(model: &Model, lengths: &[f64]) -> Vec<(BlockId, Body)> {
    let body = |(block, nodes): (usize, &[Option<NodeId>; 2])| {
        let yarns = || nodes.iter().flatten().map(|&n| (n, model.rod_of(n).material));
        let body = Body {
            radius: yarns().map(|(_, m)| m.radius).sum(),
            area: yarns().map(|(n, m)| 2.0 * m.radius * lengths[n.index()]).sum(),
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

impl ObstacleContact {
    /// Every body against every obstacle.
    pub fn new(obstacles: Vec<Obstacle>, bodies: Vec<Body>) -> Self {
        let n = obstacles.len() * bodies.len();
        let surfaces = obstacles.iter().map(|o| Surface::at(o, 0.0)).collect();
        Self {
            obstacles,
            bodies,
            gone: Vec::new(),
            surfaces,
            shields: Vec::new(),
            touches: vec![None; n],
            anchors: vec![Vec3::repeat(f64::NAN); n],
            weight: 1.0,
        }
    }

    /// Penetration, m, and the direction out of the obstacle, where it is near.
    fn penetration(&self, obstacle: usize, body: usize, surface: &Surface, x: Vec3) -> Option<(f64, Vec3)> {
        let reach = self.bodies[body].radius + self.obstacles[obstacle].params.thickness;
        let (distance, normal) = surface.distance(x, reach)?;
        Some((reach - distance, normal))
    }

    fn stiffness(&self, obstacle: usize, body: usize) -> f64 {
        self.obstacles[obstacle].params.stiffness * self.bodies[body].area
    }

    /// Touching obstacles with penetration and direction.
    fn penetrations(&self, body: usize, x: Vec3) -> impl Iterator<Item = (f64, f64, Vec3)> + '_ {
        let obstacles = if self.is_gone(body) { 0..0 } else { 0..self.obstacles.len() };
        obstacles.filter_map(move |o| {
            let (p, n) = self.penetration(o, body, &self.surfaces[o], x)?;
            (p > 0.0 && !self.is_shielded(body, n)).then(|| (self.stiffness(o, body), p, n))
        })
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
}

impl Element<3> for ObstacleContact {
    fn value(&self, element: usize, q: &[f64; 3]) -> f64 {
        let friction: f64 =
            self.touching(element).map(|t| t.law.value(t.offset(Vec3::from(*q)).norm())).sum();
        self.energy(element, q) + self.weight * friction
    }

    fn gradient(&self, element: usize, q: &[f64; 3]) -> [f64; 3] {
        let mut g = Vec3::from(self.energy_gradient(element, q));
        for t in self.touching(element) {
            let d = t.offset(Vec3::from(*q));
            g += d * (self.weight * t.law.secant(d.norm()));
        }
        g.into()
    }

    fn hessian(&self, element: usize, q: &[f64; 3]) -> [[f64; 3]; 3] {
        let mut h = nalgebra::Matrix3::zeros();
        for (k, _, n) in self.penetrations(element, Vec3::from(*q)) {
            h += n * n.transpose() * k;
        }
        for t in self.touching(element) {
            let d = t.offset(Vec3::from(*q));
            let r = d.norm();
            let (secant, tangent) = (t.law.secant(r), t.law.tangent(r));
            let plane = nalgebra::Matrix3::identity() - t.normal * t.normal.transpose();
            let bend = (tangent - secant) / (r * r).max(f64::MIN_POSITIVE);
            h += (plane * secant + d * d.transpose() * bend) * self.weight;
        }
        h.into()
    }

    fn energy(&self, element: usize, q: &[f64; 3]) -> f64 {
        self.penetrations(element, Vec3::from(*q)).map(|(k, p, _)| 0.5 * k * p * p).sum()
    }

    fn energy_gradient(&self, element: usize, q: &[f64; 3]) -> [f64; 3] {
        self.penetrations(element, Vec3::from(*q)).map(|(k, p, n)| n * (-k * p)).sum::<Vec3>().into()
    }

    fn rearrange(&mut self, now: &Arranged<'_>, dofs: &Stencils<BLOCK, 3>) {
        self.gone = (0..dofs.len()).map(|e| now.is_gone(dofs.dofs(e)[0])).collect();
        let shields = shields(now);
        self.shields = (0..dofs.len()).map(|e| shields[dofs.dofs(e)[0] as usize / BLOCK]).collect();
    }

    fn begin_step(&mut self, start: &StepStart<'_>, dofs: &Stencils<BLOCK, 3>) {
        let at = |t: f64| -> Vec<Surface> { self.obstacles.iter().map(|o| Surface::at(o, t)).collect() };
        let (before, after) = (at(start.time), at(start.time + start.dt));
        let n = self.obstacles.len();
        let touch = |k: usize| {
            let (body, o) = (k / n, k % n);
            let x = Vec3::from(gather(start.q, dofs.dofs(body)));
            let (p, normal) = self.penetration(o, body, &before[o], x)?;
            let mu = self.obstacles[o].params.friction.unwrap_or(self.bodies[body].friction);
            if p <= 0.0 || mu == 0.0 || self.is_gone(body) || self.is_shielded(body, normal) {
                return None;
            }
            let stiffness = self.stiffness(o, body);
            let held = if self.anchors[k].x.is_nan() { before[o].attach(x) } else { self.anchors[k] };
            let turned = before[o].turn(&after[o], held, normal);
            let law = Huber { stiffness, limit: mu * stiffness * p };
            Some(Touch { normal: turned, anchor: after[o].place(held), law })
        };
        self.touches = (0..n * self.bodies.len()).into_par_iter().map(touch).collect();
        self.surfaces = after;
        self.weight = start.weights.whole_step;
    }

    fn end_step(&mut self, q: &[f64], dofs: &Stencils<BLOCK, 3>) {
        let n = self.obstacles.len();
        for (k, anchor) in self.anchors.iter_mut().enumerate() {
            *anchor = match &self.touches[k] {
                None => Vec3::repeat(f64::NAN),
                Some(t) => {
                    let d = t.offset(Vec3::from(gather(q, dofs.dofs(k / n))));
                    self.surfaces[k % n].attach(t.anchor + d * t.law.slip(d.norm()))
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
