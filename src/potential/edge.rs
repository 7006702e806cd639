//! Yarns that bend over the sharp edges of obstacles.

use hebra_solver::stencil::Stencils;

use super::coulomb::{Cone, Huber};
use super::family::{Element, gather};
use super::term::{Arranged, StepStart};
use crate::collision::edges::EdgeLine;
use crate::geometry::Vec3;
use crate::model::edges::Edge;
use crate::model::ids::{BLOCK, NodeId};
use crate::model::obstacle::Obstacle;

/// What holds a node of a rod on the line of an edge, along which it is free, and the friction there.
///
/// ```text
/// V = k |y|^2/2,  y = (I - t t')(x - p)
/// friction: H(r),  r^2 = du^2 + ds^2 - 2 c du ds,  du = u - u_bar,  ds = t.(x - p) - s_bar,  limit mu Fn
/// ```
/// | symbol | meaning | unit |
/// |---|---|---|
/// | `p`, `t` | a point of the line and its direction, at the end of the step | m, - |
/// | `k` | stiffness, that of a binding | N/m |
/// | `Fn` | `k |y|` at the start of the step | N |
/// | `c` | `t` times the direction of the rod, at the start of the step | - |
///
/// Unknowns `(x, u)`. `r` is how far the rod slid on the edge, along itself and along the line: the cone of
/// [`Friction`](super::friction::Friction). A spring, not one coordinate along the line in place of `x`, so that
/// an edge is a node as any other, active or degenerate, and its force is read off as that of a binding; a
/// thousand times as stiff as the rod, it gives by a thousandth of the rod's own stretch. Source:
/// Sanchez-Banderas et al. 2020, section 4.4, after Weidner et al. 2018.
#[derive(Debug, Clone, Default)]
pub(crate) struct EdgeContact {
    obstacles: Vec<Obstacle>,
    /// Edges with the obstacles that they are of.
    edges: Vec<(usize, Edge)>,
    bodies: Vec<EdgeBody>,
    holds: Vec<Option<Hold>>,
    /// Unit directions of the rods at the nodes, at the start of the step.
    pub(crate) tangents: Vec<Vec3>,
    now: Vec<Option<Now>>,
    weight: f64,
}

/// What edges meet at a node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EdgeBody {
    /// The node.
    pub(crate) node: NodeId,
    /// Half the thickness of the yarns there, m.
    pub(crate) radius: f64,
    /// `k`, N/m.
    pub(crate) stiffness: f64,
    /// Stiffness of the friction spring, N/m.
    pub(crate) stick: f64,
    /// Coulomb's coefficient of the yarn.
    pub(crate) friction: f64,
}

/// On which edge a node is, and `u_bar, s_bar`, m.
#[derive(Debug, Clone, Copy)]
struct Hold {
    edge: usize,
    anchor: [f64; 2],
}

/// A hold in the present step.
#[derive(Debug, Clone, Copy)]
struct Now {
    line: EdgeLine,
    anchor: [f64; 2],
    cone: Cone,
}

impl Now {
    /// `[du, ds]` and `y`.
    fn offsets(&self, q: &[f64; 4]) -> ([f64; 2], Vec3) {
        let (along, y) = self.line.split(position(q));
        ([q[3] - self.anchor[0], along - self.anchor[1]], y)
    }
}

fn position(q: &[f64; 4]) -> Vec3 {
    Vec3::new(q[0], q[1], q[2])
}

impl EdgeContact {
    /// Nodes that are on no edge yet, and the edges of the obstacles whose edges count.
    pub(crate) fn new(obstacles: Vec<Obstacle>, bodies: Vec<EdgeBody>) -> Self {
        let counted = obstacles.iter().enumerate().filter(|(_, o)| o.params.edges);
        let edges = counted.flat_map(|(k, o)| o.params.shape.edges().into_iter().map(move |e| (k, e)));
        let (edges, n) = (edges.collect(), bodies.len());
        let (holds, tangents, now) = (vec![None; n], vec![Vec3::zeros(); n], vec![None; n]);
        Self { obstacles, edges, bodies, holds, tangents, now, weight: 1.0 }
    }

    /// Number of edges.
    pub(crate) fn n_edges(&self) -> usize {
        self.edges.len()
    }

    /// The nodes that may be on edges.
    pub(crate) fn bodies(&self) -> &[EdgeBody] {
        &self.bodies
    }

    /// The edge that a node is on.
    pub(crate) fn edge_of(&self, element: usize) -> Option<usize> {
        self.holds[element].map(|h| h.edge)
    }

    /// The line of an edge for a node at a time, s.
    pub(crate) fn line(&self, element: usize, edge: usize, time: f64) -> EdgeLine {
        let (obstacle, edge) = &self.edges[edge];
        let params = &self.obstacles[*obstacle].params;
        EdgeLine::new(edge, &params.pose_at(time), self.bodies[element].radius + params.thickness)
    }

    /// Puts a node on an edge, at rest where it is: `u` and the place along the line, m.
    pub(crate) fn hold(&mut self, element: usize, edge: usize, anchor: [f64; 2]) {
        self.holds[element] = Some(Hold { edge, anchor });
    }

    /// Has a node go on along another edge that begins where its own ends, with its friction as it was stretched; it is
    /// so far along both lines, m.
    pub(crate) fn go_on(&mut self, element: usize, edge: usize, [before, after]: [f64; 2]) {
        if let Some(Hold { anchor: [u, s], .. }) = self.holds[element] {
            self.hold(element, edge, [u, after + s - before]);
        }
    }

    /// Takes a node off its edge.
    pub(crate) fn release(&mut self, element: usize) {
        self.holds[element] = None;
        self.now[element] = None;
    }
}

impl Element<4> for EdgeContact {
    fn value(&self, element: usize, q: &[f64; 4]) -> f64 {
        let Some(now) = &self.now[element] else { return 0.0 };
        self.energy(element, q) + self.weight * now.cone.value(now.offsets(q).0)
    }

    fn gradient(&self, element: usize, q: &[f64; 4]) -> [f64; 4] {
        let mut g = self.energy_gradient(element, q);
        let Some(now) = &self.now[element] else { return g };
        let [pull, drag] = now.cone.gradient(now.offsets(q).0).map(|f| self.weight * f);
        (0..3).for_each(|k| g[k] += drag * now.line.along[k]);
        g[3] += pull;
        g
    }

    fn hessian(&self, element: usize, q: &[f64; 4]) -> [[f64; 4]; 4] {
        let mut h = [[0.0; 4]; 4];
        let Some(now) = &self.now[element] else { return h };
        let friction = now.cone.hessian(now.offsets(q).0).map(|r| r.map(|f| self.weight * f));
        let (k, t) = (self.bodies[element].stiffness, now.line.along);
        for i in 0..3 {
            for j in 0..3 {
                h[i][j] = k * (f64::from(i == j) - t[i] * t[j]) + friction[1][1] * t[i] * t[j];
            }
            h[i][3] = friction[1][0] * t[i];
            h[3][i] = friction[0][1] * t[i];
        }
        h[3][3] = friction[0][0];
        h
    }

    fn energy(&self, element: usize, q: &[f64; 4]) -> f64 {
        let Some(now) = &self.now[element] else { return 0.0 };
        0.5 * self.bodies[element].stiffness * now.offsets(q).1.norm_squared()
    }

    fn energy_gradient(&self, element: usize, q: &[f64; 4]) -> [f64; 4] {
        let Some(now) = &self.now[element] else { return [0.0; 4] };
        let force = now.offsets(q).1 * self.bodies[element].stiffness;
        [force.x, force.y, force.z, 0.0]
    }

    fn rearrange(&mut self, now: &Arranged<'_>, _: &Stencils<BLOCK, 4>) {
        let tangent = |body: &EdgeBody| {
            now.arrangement.tangent(now.model, now.q, body.node).try_normalize(0.0).unwrap_or_default()
        };
        self.tangents = self.bodies.iter().map(tangent).collect();
    }

    fn is_gone(&self, element: usize) -> bool {
        self.holds[element].is_none()
    }

    fn begin_step(&mut self, start: &StepStart<'_>, dofs: &Stencils<BLOCK, 4>) {
        self.weight = start.weights.whole_step;
        for e in 0..self.bodies.len() {
            self.now[e] = self.holds[e].map(|Hold { edge, anchor }| {
                let [before, line] = [start.time, start.time + start.dt].map(|t| self.line(e, edge, t));
                let body = &self.bodies[e];
                let (_, y) = before.split(position(&gather(start.q, dofs.dofs(e))));
                let mu = self.obstacles[self.edges[edge].0].params.friction.unwrap_or(body.friction);
                let law = Huber { stiffness: body.stick, limit: mu * body.stiffness * y.norm() };
                Now { line, anchor, cone: Cone { law, slant: self.tangents[e].dot(&before.along) } }
            });
        }
    }

    fn end_step(&mut self, q: &[f64], dofs: &Stencils<BLOCK, 4>) {
        for (e, hold) in self.holds.iter_mut().enumerate() {
            if let (Some(hold), Some(now)) = (hold, &self.now[e]) {
                let (d, _) = now.offsets(&gather(q, dofs.dofs(e)));
                let slip = now.cone.slip(d);
                hold.anchor = [hold.anchor[0] + slip * d[0], hold.anchor[1] + slip * d[1]];
            }
        }
    }

    fn save(&self) -> Vec<f64> {
        let one = |h: &Option<Hold>| h.map_or([f64::NAN; 3], |h| [h.edge as f64, h.anchor[0], h.anchor[1]]);
        self.holds.iter().flat_map(one).collect()
    }

    fn load(&mut self, state: &[f64]) {
        for (hold, s) in self.holds.iter_mut().zip(state.as_chunks::<3>().0) {
            *hold = (!s[0].is_nan()).then(|| Hold { edge: s[0] as usize, anchor: [s[1], s[2]] });
        }
    }
}
