//! Drag of moving air on yarns and sheets.

use hebra_solver::stencil::Stencils;
use rayon::prelude::*;

use super::family::Element;
use super::forces::WindParams;
use super::term::{Arranged, StepStart};
use crate::geometry::Vec3;
use crate::geometry::triangle::normal;
use crate::model::ids::BLOCK;
use crate::model::ids::BlockId;
use crate::model::yarns::block_position;

type Matrix = nalgebra::Matrix3<f64>;

/// Drag on a node's position `x`.
///
/// ```text
/// value = (x - x_n - h W)' C (x - x_n - h W)/(2 h)
/// C = sum over its yarns of          rho Cd r L |V| [(I - t t') + along t t']        V = W - v_n
///     or over the triangles around   rho Cd A/6 |V| [n n' + along (I - n n')]
/// ```
/// `W` is the wind's velocity, `L` the length of yarn at the node, `t` its direction, `A` and `n` a
/// triangle's area and normal; `C` is taken at the
/// start of the step. Half of `rho Cd (2 r) L |V| V` is the drag of a cylinder in cross-flow.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wind {
    params: WindParams,
    pieces: Vec<[Option<Piece>; 2]>,
    patches: Vec<Vec<[BlockId; 3]>>,
    /// Nodes that are gone; empty while there is none.
    gone: Vec<bool>,
    start: Vec<Start>,
    scale: f64,
}

/// A piece of yarn at a node, between its neighbours.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece {
    /// Blocks of the neighbours (of the node itself at a rod's end).
    pub(crate) ends: [BlockId; 2],
    /// Radius, m.
    pub(crate) radius: f64,
    /// Length, m.
    pub(crate) length: f64,
}

#[derive(Debug, Clone, Copy)]
struct Start {
    drag: Matrix,
    /// `x_n + h W`.
    carried: Vec3,
}

impl Wind {
    /// Wind on the pieces of yarn and on the triangles around every block.
    pub(crate) fn new(
        params: WindParams,
        pieces: Vec<[Option<Piece>; 2]>,
        patches: Vec<Vec<[BlockId; 3]>>,
    ) -> Self {
        Self { params, pieces, patches, gone: Vec::new(), start: Vec::new(), scale: 0.0 }
    }

    /// The wind's velocity, m/s.
    fn velocity(&self, time: f64) -> Vec3 {
        let p = &self.params;
        let gust = 1.0 + p.gust * (std::f64::consts::TAU * p.frequency * time).sin();
        Vec3::from(p.velocity) * gust
    }

    fn drag(&self, piece: &Piece, q: &[f64], relative: Vec3) -> Matrix {
        let p = &self.params;
        let d = block_position(q, piece.ends[1]) - block_position(q, piece.ends[0]);
        let t = d / d.norm().max(f64::MIN_POSITIVE);
        let tt = t * t.transpose();
        let c = p.density * p.drag * piece.radius * piece.length * relative.norm();
        (Matrix::identity() - tt * (1.0 - p.along)) * c
    }
}

impl Wind {
    fn sheet_drag(&self, triangle: [BlockId; 3], q: &[f64], relative: Vec3) -> Matrix {
        let p = &self.params;
        let twice = normal(triangle.map(|b| block_position(q, b)));
        let area = 0.5 * twice.norm();
        let n = twice / (2.0 * area).max(f64::MIN_POSITIVE);
        let c = p.density * p.drag * area / 6.0 * relative.norm();
        (n * n.transpose() * (1.0 - p.along) + Matrix::identity() * p.along) * c
    }
}

impl Element<3> for Wind {
    fn value(&self, element: usize, q: &[f64; 3]) -> f64 {
        let s = &self.start[element];
        let d = Vec3::from(*q) - s.carried;
        0.5 * self.scale * d.dot(&(s.drag * d))
    }

    fn gradient(&self, element: usize, q: &[f64; 3]) -> [f64; 3] {
        let s = &self.start[element];
        (s.drag * (Vec3::from(*q) - s.carried) * self.scale).into()
    }

    fn hessian(&self, element: usize, _: &[f64; 3]) -> [[f64; 3]; 3] {
        (self.start[element].drag * self.scale).into()
    }

    fn rearrange(&mut self, now: &Arranged<'_>, dofs: &Stencils<BLOCK, 3>) {
        self.gone = (0..dofs.len()).map(|e| now.is_gone(dofs.dofs(e)[0])).collect();
    }

    fn begin_step(&mut self, start: &StepStart<'_>, dofs: &Stencils<BLOCK, 3>) {
        let wind = self.velocity(start.time + start.dt);
        let freeze = |e: usize| {
            let block = BlockId(dofs.dofs(e)[0] / BLOCK as u32);
            let velocity = block_position(start.v, block);
            let is_gone = self.gone.get(e).is_some_and(|&gone| gone);
            let pieces = self.pieces[e].iter().flatten().filter(|_| !is_gone);
            let relative = wind - velocity;
            let yarns: Matrix = pieces.map(|p| self.drag(p, start.q, relative)).sum();
            let triangles = self.patches[e].iter();
            let drag = yarns + triangles.map(|t| self.sheet_drag(*t, start.q, relative)).sum::<Matrix>();
            Start { drag, carried: block_position(start.q, block) + wind * start.dt }
        };
        self.start = (0..dofs.len()).into_par_iter().map(freeze).collect();
        self.scale = start.weights.whole_step / start.dt;
    }
}
