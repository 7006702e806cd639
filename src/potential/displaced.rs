//! Strains of centre lines, which pass beside the contacts of their yarns.

use nalgebra::Matrix3;

use super::strain::{Density, Measure, Strain};
use crate::geometry::Vec3;
use crate::geometry::normal::Normal;

/// A strain of a yarn's centre line, which passes at a distance from the points that the yarn shares with those that it
/// crosses.
///
/// ```text
/// eps(q) = eps_line(y(q), u)      y_k = x_k + o_k n(x_(k+1) - x_(k-1), z_k1 - z_k0)
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
/// Where there is none of these the node's own position takes its place. Fails where the strain of the line does.
#[derive(Debug, Clone, Default)]
pub struct Displaced<S, const I: usize> {
    /// The strain of a line.
    pub(crate) line: S,
    /// `o` of the nodes of every element, m.
    pub(crate) offsets: Vec<[f64; 3]>,
    /// Length next to which chords are long, m, of every element.
    pub(crate) short: Vec<f64>,
}

/// Nodes of an element at most.
const MOST: usize = 3;

/// Where the centre line runs: its nodes, and the normals beside which they lie.
struct Line<const I: usize> {
    nodes: [f64; I],
    normals: [Option<(f64, Normal)>; MOST],
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

fn at<const N: usize>(q: &[f64; N], k: usize) -> Vec3 {
    Vec3::new(q[k], q[k + 1], q[k + 2])
}

fn add<const N: usize>(to: &mut [f64; N], k: usize, v: Vec3) {
    (0..3).for_each(|i| to[k + i] += v[i]);
}

impl<const I: usize> Line<I> {
    const NODES: usize = I / 4;

    fn new<const O: usize>(q: &[f64; O], offsets: &[f64; 3], short: f64) -> Self {
        let mut nodes = std::array::from_fn(|i| q[i]);
        let mut normals = [None; MOST];
        for k in 0..Self::NODES {
            if offsets[k] != 0.0 {
                let lines = chords(k, Self::NODES).map(|[end, start]| at(q, end) - at(q, start));
                let normal = Normal::new(lines, short);
                add(&mut nodes, 4 * k, normal.value * offsets[k]);
                normals[k] = Some((offsets[k], normal));
            }
        }
        Self { nodes, normals }
    }

    /// The transposed Jacobian of the line's nodes by all unknowns, times a vector.
    fn pull_back<const O: usize>(&self, g: &[f64; I]) -> [f64; O] {
        let mut out = [0.0; O];
        out[..I].copy_from_slice(g);
        for (k, normal) in self.normals.iter().enumerate() {
            let Some((offset, normal)) = normal else { continue };
            let pulls = normal.pull_back(at(g, 4 * k) * *offset);
            for ([end, start], pull) in chords(k, Self::NODES).into_iter().zip(pulls) {
                add(&mut out, end, pull);
                add(&mut out, start, -pull);
            }
        }
        out
    }

    /// Adds the second derivatives of `g.y`.
    fn add_curvature<const O: usize>(&self, g: &[f64; I], h: &mut [[f64; O]; O]) {
        for (k, normal) in self.normals.iter().enumerate() {
            let Some((offset, normal)) = normal else { continue };
            let [own, other] = chords(k, Self::NODES);
            let [first, mixed, second] = normal.curvature(at(g, 4 * k) * *offset);
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

impl<S, const I: usize> Displaced<S, I> {
    fn line_of<const O: usize>(&self, element: usize, q: &[f64; O]) -> Line<I> {
        Line::new(q, &self.offsets[element], self.short[element])
    }

    /// The unknowns of the centre line.
    pub(crate) fn on_line<const O: usize>(&self, element: usize, q: &[f64; O]) -> [f64; I] {
        self.line_of(element, q).nodes
    }
}

impl<S: Strain<I>, const I: usize, const O: usize> Strain<O> for Displaced<S, I> {
    fn weight_and_elongation(&self, element: usize, q: &[f64; O]) -> (f64, [f64; 1]) {
        self.line.weight_and_elongation(element, &self.on_line(element, q))
    }

    fn measure(&self, element: usize, q: &[f64; O]) -> Measure<O> {
        let line = self.line_of(element, q);
        let m = self.line.measure(element, &line.nodes);
        Measure {
            weight: m.weight,
            // No position is in it.
            weight_gradient: std::array::from_fn(|i| if i < I { m.weight_gradient[i] } else { 0.0 }),
            elongation: m.elongation,
            elongation_gradient: m.elongation_gradient.map(|g| line.pull_back(&g)),
        }
    }

    fn beside_cusp(&self, element: usize, m: &Measure<O>) -> [f64; 1] {
        let first = |g: &[f64; O]| std::array::from_fn(|i| g[i]);
        let line = Measure {
            weight: m.weight,
            weight_gradient: first(&m.weight_gradient),
            elongation: m.elongation,
            elongation_gradient: m.elongation_gradient.each_ref().map(first),
        };
        self.line.beside_cusp(element, &line)
    }

    /// `J' Hess e_line J + grad e_line . Hess y`, of which the second part is indefinite and left out where only a
    /// positive one is wanted.
    fn add_curvature(
        &self,
        element: usize,
        q: &[f64; O],
        (c, project): (&[f64; 1], bool),
        h: &mut [[f64; O]; O],
    ) {
        let line = self.line_of(element, q);
        let mut own = [[0.0; I]; I];
        self.line.add_curvature(element, &line.nodes, (c, project), &mut own);
        // Rows first: J' (J' H)'.
        let rows: [[f64; O]; I] = own.map(|row| line.pull_back(&row));
        for j in 0..O {
            let column: [f64; O] = line.pull_back(&std::array::from_fn(|i| rows[i][j]));
            h.iter_mut().zip(column).for_each(|(row, x)| row[j] += x);
        }
        if !project {
            let [g] = self.line.measure(element, &line.nodes).elongation_gradient;
            line.add_curvature(&g.map(|g| c[0] * g), h);
        }
    }

    fn density(&self, element: usize, eps: &[f64; 1]) -> Density<1> {
        self.line.density(element, eps)
    }

    fn vector(&self, element: usize, q: &[f64; O]) -> Option<Vec3> {
        self.line.vector(element, &self.on_line(element, q))
    }

    fn least_vector(&self, element: usize) -> f64 {
        self.line.least_vector(element)
    }

    fn vector_pull_back(&self, element: usize, q: &[f64; O], d: Vec3) -> [f64; O] {
        let line = self.line_of(element, q);
        line.pull_back(&self.line.vector_pull_back(element, &line.nodes, d))
    }
}
