//! Material terms of centre lines, which pass beside the contacts of their yarns.

use hebra_solver::stencil::Stencils;
use nalgebra::Matrix3;

use super::family::{Element, gather};
use super::material::INSTANT;
use super::term::StepStart;
use crate::geometry::Vec3;
use crate::geometry::normal::Normal;
use crate::model::ids::BLOCK;

/// A material term of a yarn's centre line, which passes at a distance from the points that the yarn shares with those that
/// it crosses.
///
/// ```text
/// V(q) = V_line(y(q), u)      y_k = x_k + o_k n(x_(k+1) - x_(k-1), z_k1 - z_k0)
/// grad V = J' grad V_line     Hess V = J' Hess V_line J + grad V_line . Hess y,     J = dy/dq
/// ```
/// | symbol | meaning | unit |
/// |---|---|---|
/// | `x_k`, `u_k` | the element's nodes on the yarn, `P` of them | m |
/// | `x_-1`, `x_P` | the nodes before and after them on the yarn | m |
/// | `z_k0`, `z_k1` | the nodes before and after the crossing on the other yarn | m |
/// | `o_k` | offset: the yarn's radius times its side, zero where it crosses none | m |
/// | `n` | [`Normal`] of the crossing | |
///
/// The chords are those of shared points, so that `y_k` depends on `x_k` and four neighbours. The normal is a function of
/// the unknowns like everything else: a rigid motion changes no strain, and momentum and energy are kept. `I = 4 P`
/// unknowns of the line, `10 P + 6` in all: `(x_k, u_k)` for every node, `x_-1, x_P`, then `z_k0, z_k1` for every node.
/// Where there is none of these the node's own position takes its place. Fails where the term of the line does.
///
/// The second part of the Hessian is indefinite and left out where only a positive one is wanted.
///
/// A strain of three nodes and their frame has `I = 18`: the middle node's normal and its chord, `x_2 - x_0`, follow the
/// nodes, and are functions of the same unknowns.
#[derive(Debug)]
pub struct Displaced<L, const I: usize> {
    /// The term of a line.
    pub(crate) line: L,
    /// `o` of the nodes of every element, m.
    pub(crate) offsets: Vec<[f64; 3]>,
    /// Length next to which chords are long, m, of every element.
    pub(crate) short: Vec<f64>,
}

/// A term of a line, which is given its unknowns.
pub trait LineElement<const I: usize>: Element<I> {
    /// Freezes what is lagged over a step of so many elements, given where they are at its start.
    fn freeze(&mut self, start: &StepStart<'_>, n: usize, at: &(dyn Fn(usize) -> [f64; I] + Sync));
}

/// Nodes of an element at most.
const MOST: usize = 3;

/// Where the centre line runs: its nodes, and the normals beside which they lie.
struct Line<const I: usize> {
    nodes: [f64; I],
    normals: [Option<(f64, Normal)>; MOST],
}

/// Two chords at every node, two of the frame's normal, and the frame's own chord.
const MOST_MOVED: usize = 2 * MOST + 3;

/// Coordinates of the line that move by a matrix times a difference of positions.
struct Moved {
    row: usize,
    /// End and start of the chord.
    chord: [usize; 2],
    by: Matrix3<f64>,
}

/// The first coordinate of the node at a place of the chain, the one before the element at zero.
const fn chain(place: usize, n_nodes: usize) -> usize {
    if place == 0 {
        4 * n_nodes
    } else if place <= n_nodes {
        4 * (place - 1)
    } else {
        4 * n_nodes + 3
    }
}

/// The coordinates whose differences are the chords at a node: `(end, start)` on its own yarn and on the other.
const fn chords(k: usize, n_nodes: usize) -> [[usize; 2]; 2] {
    let other = 4 * n_nodes + 6 + 6 * k;
    [[chain(k + 2, n_nodes), chain(k, n_nodes)], [other + 3, other]]
}

pub(super) fn at<const N: usize>(q: &[f64; N], k: usize) -> Vec3 {
    Vec3::new(q[k], q[k + 1], q[k + 2])
}

fn add<const N: usize>(to: &mut [f64; N], k: usize, v: Vec3) {
    (0..3).for_each(|i| to[k + i] += v[i]);
}

/// The node in whose frame a line of three nodes is given too.
const MIDDLE: usize = 1;

impl<const I: usize> Line<I> {
    const NODES: usize = if Self::IS_FRAMED { (I - 6) / 4 } else { I / 4 };
    /// Whether the normal and the chord of the middle node follow the nodes.
    const IS_FRAMED: bool = !I.is_multiple_of(4);
    const NORMAL: usize = 4 * Self::NODES;
    const CHORD: usize = Self::NORMAL + 3;

    fn new<const O: usize>(q: &[f64; O], offsets: &[f64; 3], short: f64) -> Self {
        let mut nodes = [0.0; I];
        nodes[..4 * Self::NODES].copy_from_slice(&q[..4 * Self::NODES]);
        let mut normals = [None; MOST];
        for k in 0..Self::NODES {
            if offsets[k] != 0.0 {
                let lines = chords(k, Self::NODES).map(|[end, start]| at(q, end) - at(q, start));
                let normal = Normal::new(lines, short);
                add(&mut nodes, 4 * k, normal.value * offsets[k]);
                normals[k] = Some((offsets[k], normal));
                if Self::IS_FRAMED && k == MIDDLE {
                    add(&mut nodes, Self::NORMAL, normal.value);
                    add(&mut nodes, Self::CHORD, lines[0]);
                }
            }
        }
        Self { nodes, normals }
    }

    /// What moves with the positions, beyond the nodes' own.
    fn moved(&self) -> [Option<Moved>; MOST_MOVED] {
        let mut out = [const { None }; MOST_MOVED];
        for (k, normal) in self.normals.iter().enumerate() {
            let Some((offset, normal)) = normal else { continue };
            for (c, (chord, by)) in chords(k, Self::NODES).into_iter().zip(normal.jacobians()).enumerate() {
                out[2 * k + c] = Some(Moved { row: 4 * k, chord, by: by * *offset });
                if Self::IS_FRAMED && k == MIDDLE {
                    out[2 * MOST + c] = Some(Moved { row: Self::NORMAL, chord, by });
                }
            }
        }
        if Self::IS_FRAMED {
            let [chord, _] = chords(MIDDLE, Self::NODES);
            out[MOST_MOVED - 1] = Some(Moved { row: Self::CHORD, chord, by: Matrix3::identity() });
        }
        out
    }

    /// The transposed Jacobian of the line's coordinates by all unknowns, times a vector.
    fn pull_back<const O: usize>(&self, g: &[f64; I]) -> [f64; O] {
        let mut out = [0.0; O];
        out[..4 * Self::NODES].copy_from_slice(&g[..4 * Self::NODES]);
        let mut pull = |[end, start]: [usize; 2], by: Vec3| {
            add(&mut out, end, by);
            add(&mut out, start, -by);
        };
        for (k, normal) in self.normals.iter().enumerate() {
            let Some((offset, normal)) = normal else { continue };
            let pulls = normal.pull_back(Self::on_normal(g, k, *offset));
            chords(k, Self::NODES).into_iter().zip(pulls).for_each(|(chord, by)| pull(chord, by));
        }
        if Self::IS_FRAMED {
            pull(chords(MIDDLE, Self::NODES)[0], at(g, Self::CHORD));
        }
        out
    }

    /// The part of a linear form on the line's coordinates that acts on the normal of a node.
    fn on_normal(g: &[f64; I], k: usize, offset: f64) -> Vec3 {
        let of_frame = if Self::IS_FRAMED && k == MIDDLE { at(g, Self::NORMAL) } else { Vec3::zeros() };
        at(g, 4 * k) * offset + of_frame
    }

    fn pull_back_by<const O: usize>(moved: &[Option<Moved>; MOST_MOVED], g: &[f64; I]) -> [f64; O] {
        let mut out = [0.0; O];
        out[..4 * Self::NODES].copy_from_slice(&g[..4 * Self::NODES]);
        for &Moved { row, chord: [end, start], by } in moved.iter().flatten() {
            let pull = by.tr_mul(&at(g, row));
            add(&mut out, end, pull);
            add(&mut out, start, -pull);
        }
        out
    }

    /// `J' h J`.
    fn pull_back_form<const O: usize>(&self, h: &[[f64; I]; I]) -> [[f64; O]; O] {
        // h J, row by row of the line.
        let moved = self.moved();
        let on_line: [[f64; O]; I] = std::array::from_fn(|i| Self::pull_back_by(&moved, &h[i]));
        let mut out = [[0.0; O]; O];
        out[..4 * Self::NODES].copy_from_slice(&on_line[..4 * Self::NODES]);
        for Moved { row, chord: [end, start], by } in moved.iter().flatten() {
            for i in 0..3 {
                for (k, line) in on_line[*row..row + 3].iter().enumerate() {
                    let c = by[(k, i)];
                    for j in 0..O {
                        out[end + i][j] += c * line[j];
                        out[start + i][j] -= c * line[j];
                    }
                }
            }
        }
        out
    }

    /// Adds the second derivatives of `g.y`.
    fn add_curvature<const O: usize>(&self, g: &[f64; I], h: &mut [[f64; O]; O]) {
        for (k, normal) in self.normals.iter().enumerate() {
            let Some((offset, normal)) = normal else { continue };
            let [own, other] = chords(k, Self::NODES);
            let [first, mixed, second] = normal.curvature(Self::on_normal(g, k, *offset));
            add_chords(h, [own, own], first);
            add_chords(h, [own, other], mixed);
            add_chords(h, [other, own], mixed.transpose());
            add_chords(h, [other, other], second);
        }
    }
}

/// Adds a bilinear form of two chords.
fn add_chords<const N: usize>(h: &mut [[f64; N]; N], [rows, columns]: [[usize; 2]; 2], form: Matrix3<f64>) {
    for (row, s) in rows.into_iter().zip([1.0, -1.0]) {
        for (column, t) in columns.into_iter().zip([1.0, -1.0]) {
            for i in 0..3 {
                for j in 0..3 {
                    h[row + i][column + j] += s * t * form[(i, j)];
                }
            }
        }
    }
}

impl<L, const I: usize> Displaced<L, I> {
    fn line_of<const O: usize>(&self, element: usize, q: &[f64; O]) -> Line<I> {
        Line::new(q, &self.offsets[element], self.short[element])
    }

    /// The unknowns of the centre line.
    pub(crate) fn on_line<const O: usize>(&self, element: usize, q: &[f64; O]) -> [f64; I] {
        self.line_of(element, q).nodes
    }
}

impl<L: LineElement<I>, const I: usize, const O: usize> Element<O> for Displaced<L, I> {
    fn value(&self, element: usize, q: &[f64; O]) -> f64 {
        self.line.value(element, &self.on_line(element, q))
    }

    fn gradient(&self, element: usize, q: &[f64; O]) -> [f64; O] {
        let line = self.line_of(element, q);
        line.pull_back(&self.line.gradient(element, &line.nodes))
    }

    fn hessian(&self, element: usize, q: &[f64; O]) -> [[f64; O]; O] {
        let line = self.line_of(element, q);
        line.pull_back_form(&self.line.hessian(element, &line.nodes))
    }

    fn whole_hessian(&self, element: usize, q: &[f64; O]) -> [[f64; O]; O] {
        let line = self.line_of(element, q);
        let mut out = line.pull_back_form(&self.line.whole_hessian(element, &line.nodes));
        line.add_curvature(&self.line.gradient(element, &line.nodes), &mut out);
        out
    }

    fn explicit_gradient(&self, element: usize, q: &[f64; O], v: &[f64; O], h: f64) -> [f64; O] {
        let dt = INSTANT * h;
        let ahead: [f64; O] = std::array::from_fn(|i| q[i] + dt * v[i]);
        let ahead = self.on_line(element, &ahead);
        let line = self.line_of(element, q);
        let rate = std::array::from_fn(|i| (ahead[i] - line.nodes[i]) / dt);
        line.pull_back(&self.line.explicit_gradient(element, &line.nodes, &rate, h))
    }

    fn energy(&self, element: usize, q: &[f64; O]) -> f64 {
        self.line.energy(element, &self.on_line(element, q))
    }

    fn energy_gradient(&self, element: usize, q: &[f64; O]) -> [f64; O] {
        let line = self.line_of(element, q);
        line.pull_back(&self.line.energy_gradient(element, &line.nodes))
    }

    fn dissipated(&self, element: usize, q: &[f64; O]) -> f64 {
        self.line.dissipated(element, &self.on_line(element, q))
    }

    fn damping_force(&self, element: usize, q: &[f64; O]) -> [[f64; O]; 2] {
        let line = self.line_of(element, q);
        self.line.damping_force(element, &line.nodes).map(|force| line.pull_back(&force))
    }

    fn begin_step(&mut self, start: &StepStart<'_>, dofs: &Stencils<BLOCK, O>) {
        let Self { line, offsets, short } = self;
        line.freeze(start, dofs.len(), &|e| {
            Line::new(&gather(start.q, dofs.dofs(e)), &offsets[e], short[e]).nodes
        });
    }
}
