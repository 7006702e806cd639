//! Contact of sheets with the corners and edges of obstacles between their vertices.

use hebra_solver::stencil::Stencils;
use rayon::prelude::*;

use super::coulomb::Huber;
use super::family::{Element, add_square, gather};
use super::obstacle::Body;
use super::press::Press;
use super::sliding::{Sliding, combine, spread};
use super::term::StepStart;
use crate::collision::boxes::{Aabb, overlapping};
use crate::collision::sharp::{Sharp, SharpParts};
use crate::geometry::Vec3;
use crate::geometry::pair::{Nearest, Pair};
use crate::geometry::triangle::normal;
use crate::model::ids::BLOCK;
use crate::model::obstacle::Obstacle;

/// Contact of a triangle of a sheet (`N = 9`) with the corners of obstacles, or of a side of triangles (`N = 6`) with their
/// sharp edges.
///
/// ```text
/// V = sum of Press(p),  p = D - d,  D = 0.95 r + thickness
/// friction: H(|(I - n n')(w - w_n)|),  stiffness Fn/p, limit mu Fn,  w = place of the obstacle - place of the sheet
/// ```
/// | symbol | meaning | unit |
/// |---|---|---|
/// | `d` | distance of corner and triangle, or of edge and side; negative once through | m |
/// | `r` | half the thickness of the sheet | m |
/// | `Press` | a spring ([`Press`]), or what the obstacle says per area | J |
/// | `w`, `n`, `Fn` | of the nearest places, normal and normal force at the start of the step | m, -, N |
/// | `w_n` | `w` at the start of the step | m |
///
/// An obstacle's places go along with it, and are where they end in the step. `D` is less than what [vertices
/// keep](super::obstacle::ObstacleContact), so that a sheet that lies flat is carried by these alone. A sheet is through
/// where it is nearest within both pieces and the corner or the edge stands out of its other side; where it is beside them,
/// on that side, it does not touch. What has come through by more than `D` by the start of a step is left alone.
/// Friction has no memory, so a sheet that corners alone hold creeps, in a step as far as friction stretches its spring.
/// The Hessian leaves out the curvature of `d`.
#[derive(Debug, Clone)]
pub(crate) struct SharpContact<const N: usize> {
    obstacles: Vec<Obstacle>,
    parts: Vec<SharpParts>,
    bodies: Vec<Body>,
    /// What each element may touch in the step.
    near: Vec<Vec<Near>>,
    weight: f64,
}

/// Of the radius, in `D`: vertices that are pressed in by less carry the sheet alone. The rest is half of
/// [`WELL_KEPT`](crate::simulation::report::WELL_KEPT).
const KEPT: f64 = 0.95;

/// How far a step may take the sheet beyond twice the way that velocities lead it, m.
const LOOK: f64 = 3e-3;

/// A corner or an edge that an element may touch.
#[derive(Debug, Clone, Copy)]
struct Near {
    /// At the end of the step.
    sharp: Sharp,
    /// Sign of the pair's [`across`] where that points away from the obstacle.
    sign: f64,
    /// `D`, m.
    reach: f64,
    press: Press,
    sliding: Option<Sliding>,
}

/// A corner or an edge over the step, and its obstacle.
struct Swept {
    obstacle: usize,
    before: Sharp,
    after: Sharp,
}

/// Where an element is in the range of a corner or an edge.
struct Met {
    nearest: Nearest,
    distance: f64,
    /// The distance's gradient by the place of the obstacle.
    direction: Vec3,
}

impl<const N: usize> SharpContact<N> {
    const PAIR: Pair = if N == 9 { Pair::PointTriangle } else { Pair::Segments };

    /// Every body against every obstacle.
    pub(crate) fn new(obstacles: &[Obstacle], bodies: Vec<Body>) -> Self {
        let find = if N == 9 { SharpParts::corners } else { SharpParts::edges };
        let near = vec![Vec::new(); bodies.len()];
        Self {
            obstacles: obstacles.to_vec(),
            parts: obstacles.iter().map(find).collect(),
            bodies,
            near,
            weight: 1.0,
        }
    }

    /// Whether no obstacle is sharp.
    pub(crate) fn is_empty(&self) -> bool {
        self.parts.iter().all(SharpParts::is_empty)
    }

    /// The corners or edges of all obstacles between two times, s.
    fn swept(&self, times: [f64; 2]) -> Vec<Swept> {
        let of_obstacle = |(obstacle, parts): (usize, &SharpParts)| {
            let [before, after] = times.map(|t| parts.at(t));
            before.into_iter().zip(after).map(move |(before, after)| Swept { obstacle, before, after })
        };
        self.parts.iter().enumerate().flat_map(of_obstacle).collect()
    }

    fn reach(&self, body: usize, obstacle: usize) -> f64 {
        KEPT * self.bodies[body].radius + self.obstacles[obstacle].params.thickness
    }

    /// What an element that goes on to `ahead` may touch of a corner or an edge.
    fn near(&self, body: usize, swept: &Swept, [q, ahead]: [&[f64; N]; 2]) -> Option<Near> {
        let reach = self.reach(body, swept.obstacle);
        let [x, end] = [points(&swept.before, q), points(&swept.after, ahead)];
        let motion = std::array::from_fn(|k| end[k] - x[k]);
        let sign = outward_sign(&swept.before, Self::PAIR, &x);
        let Met { nearest, distance, direction } = met(&swept.before, sign, Self::PAIR, &x)?;
        if distance < -reach || distance > reach + LOOK + 2.0 * Self::PAIR.fastest_approach(&motion) {
            return None;
        }
        let part = part_across(&swept.before, &x, reach);
        if part == 0.0 {
            return None;
        }
        let press = self.press(body, swept.obstacle, part);
        let mu = self.obstacles[swept.obstacle].params.friction.unwrap_or(self.bodies[body].friction);
        let force = press.force((reach - distance).max(0.0));
        let sliding = (mu * force > 0.0).then(|| Sliding {
            parts: nearest.parts,
            normal: direction,
            anchor: combine(&nearest.parts, &x),
            law: Huber { stiffness: force / (reach - distance), limit: mu * force },
        });
        Some(Near { sharp: swept.after, sign, reach, press, sliding })
    }

    /// A part of the stiffness.
    fn press(&self, body: usize, obstacle: usize, part: f64) -> Press {
        let Body { press, area, .. } = self.bodies[body];
        let stated = self.obstacles[obstacle].params.stiffness;
        Press { stiffness: part * stated.map_or(press.stiffness, |k| k * area), ramp: 0.0 }
    }

    /// What an element touches: its spring, how far that is pressed, and the gradient of the distance.
    fn pressed<'a>(
        &'a self,
        element: usize,
        q: &'a [f64; N],
    ) -> impl Iterator<Item = (Press, f64, [f64; 12])> + 'a {
        self.near[element].iter().filter_map(|near| {
            let Met { nearest, distance, direction } =
                met(&near.sharp, near.sign, Self::PAIR, &points(&near.sharp, q))?;
            let p = near.reach - distance;
            (p > 0.0).then(|| (near.press, p, spread(&nearest.parts, direction)))
        })
    }

    /// Friction on an element, with the four points of each.
    fn slidings<'a>(
        &'a self,
        element: usize,
        q: &'a [f64; N],
    ) -> impl Iterator<Item = (Sliding, [Vec3; 4])> + 'a {
        self.near[element].iter().filter_map(|near| Some((near.sliding?, points(&near.sharp, q))))
    }

    /// The pairs of elements and of corners or edges whose boxes, over the step, are near one another.
    fn pairs(&self, swept: &[Swept], places: &[[[f64; N]; 2]]) -> Vec<[u32; 2]> {
        let of_element = |body: usize| {
            let [start, end] = places[body];
            // A triangle's three places, or a side's two and again the first of these, at both times.
            let corner = |k: usize| place(if k < 3 { &start } else { &end }, k % 3 % (N / 3));
            let corners: [Vec3; 6] = std::array::from_fn(corner);
            let way = (0..3).map(|k| (corners[k + 3] - corners[k]).norm()).fold(0.0, f64::max);
            Aabb::around(&corners, way)
        };
        let thickest = self.bodies.iter().map(|b| b.radius).fold(0.0, f64::max);
        let of_sharp = |s: &Swept| {
            let ends = [s.before.ends, s.after.ends].concat();
            Aabb::around(&ends, KEPT * thickest + self.obstacles[s.obstacle].params.thickness + LOOK)
        };
        let n = self.bodies.len();
        let elements = (0..n).map(of_element);
        let boxes: Vec<Aabb> = elements.chain(swept.iter().map(of_sharp)).collect();
        let mut pairs = overlapping(&boxes, |i, j| (i as usize) < n && j as usize >= n);
        pairs.iter_mut().for_each(|pair| pair[1] -= n as u32);
        pairs
    }
}

/// The four points of a pair, the obstacle's first.
fn points<const N: usize>(sharp: &Sharp, q: &[f64; N]) -> [Vec3; 4] {
    let first = 4 - N / 3;
    std::array::from_fn(|k| if k < first { sharp.ends[k] } else { place(q, k - first) })
}

fn place<const N: usize>(q: &[f64; N], k: usize) -> Vec3 {
    Vec3::new(q[3 * k], q[3 * k + 1], q[3 * k + 2])
}

/// The normal of a triangle, or of an edge and a side.
fn across(pair: Pair, x: &[Vec3; 4]) -> Vec3 {
    match pair {
        Pair::PointTriangle => normal([x[1], x[2], x[3]]),
        Pair::Segments => (x[1] - x[0]).cross(&(x[3] - x[2])),
    }
}

/// The sign of the normal where that points away from the obstacle: a sheet on the outer side has not come through.
fn outward_sign(sharp: &Sharp, pair: Pair, x: &[Vec3; 4]) -> f64 {
    let inwards = pair.nearest(x, 0.0).offset;
    across(pair, x).dot(&inwards).signum() * inwards.dot(&sharp.outward).signum()
}

/// How far a pair is apart; none where the sheet is beside a corner or an edge. It has come through where that is so by the
/// obstacle's direction and by the normal: one of both alone may turn in a step far from any passage.
fn met(sharp: &Sharp, sign: f64, pair: Pair, x: &[Vec3; 4]) -> Option<Met> {
    let nearest = pair.nearest(x, 0.0);
    let (distance, inwards) = (nearest.offset.norm(), nearest.offset);
    let is_out = inwards.dot(&sharp.outward) <= 0.0 || sign * across(pair, x).dot(&inwards) <= 0.0;
    if !is_out && nearest.parts.contains(&0.0) {
        return None;
    }
    let distance = if is_out { distance } else { -distance };
    let direction = if distance == 0.0 { -sharp.outward } else { nearest.offset / distance };
    Some(Met { nearest, distance, direction })
}

/// The part of a pair's stiffness that counts: none of a side whose ends, seen along the edge, are so near each other that
/// these alone keep it out. Nearest places of parallels would jump from end to end.
fn part_across(sharp: &Sharp, x: &[Vec3; 4], reach: f64) -> f64 {
    let Some(along) = (sharp.ends[1] - sharp.ends[0]).try_normalize(0.0) else { return 1.0 };
    let width = along.cross(&(x[3] - x[2])).norm();
    (width / reach - 1.0).clamp(0.0, 1.0)
}

/// What is at the unknowns of a gradient by the four points.
fn of_unknowns<const N: usize>(g: &[f64; 12]) -> [f64; N] {
    std::array::from_fn(|i| g[12 - N + i])
}

impl<const N: usize> Element<N> for SharpContact<N> {
    const MEETS_SOLIDS: bool = true;

    fn value(&self, element: usize, q: &[f64; N]) -> f64 {
        let friction: f64 = self.slidings(element, q).map(|(s, x)| s.value(&x)).sum();
        self.energy(element, q) + self.weight * friction
    }

    fn gradient(&self, element: usize, q: &[f64; N]) -> [f64; N] {
        let mut g = self.energy_gradient(element, q);
        for (sliding, x) in self.slidings(element, q) {
            let pull: [f64; N] = of_unknowns(&sliding.gradient(&x, self.weight));
            g.iter_mut().zip(pull).for_each(|(g, p)| *g += p);
        }
        g
    }

    fn hessian(&self, element: usize, q: &[f64; N]) -> [[f64; N]; N] {
        let mut h = [[0.0; 12]; 12];
        for (press, p, slope) in self.pressed(element, q) {
            add_square(&mut h, press.tangent(p), &slope);
        }
        for (sliding, x) in self.slidings(element, q) {
            sliding.add_hessian(&x, self.weight, &mut h);
        }
        std::array::from_fn(|i| of_unknowns(&h[12 - N + i]))
    }

    fn energy(&self, element: usize, q: &[f64; N]) -> f64 {
        self.pressed(element, q).map(|(press, p, _)| press.value(p)).sum()
    }

    fn energy_gradient(&self, element: usize, q: &[f64; N]) -> [f64; N] {
        let mut g = [0.0; N];
        for (press, p, slope) in self.pressed(element, q) {
            let slope: [f64; N] = of_unknowns(&slope);
            g.iter_mut().zip(slope).for_each(|(g, s)| *g -= press.force(p) * s);
        }
        g
    }

    fn pressed_in(&self, element: usize, q: &[f64; N]) -> f64 {
        let depth = |near: &Near| {
            let met = met(&near.sharp, near.sign, Self::PAIR, &points(&near.sharp, q));
            met.map_or(0.0, |met| 1.0 - met.distance / self.bodies[element].radius)
        };
        self.near[element].iter().map(depth).fold(0.0, f64::max)
    }

    fn is_gone(&self, element: usize) -> bool {
        self.near[element].is_empty()
    }

    fn begin_step(&mut self, start: &StepStart<'_>, dofs: &Stencils<BLOCK, N>) {
        self.weight = start.weights.whole_step;
        let swept = self.swept([start.time, start.time + start.dt]);
        let place = |e: usize| {
            let [q, v] = [start.q, start.v].map(|all| gather(all, dofs.dofs(e)));
            [q, std::array::from_fn(|i| q[i] + start.dt * v[i])]
        };
        let places: Vec<[[f64; N]; 2]> = (0..self.bodies.len()).into_par_iter().map(place).collect();
        let find = |&[e, s]: &[u32; 2]| {
            let [q, ahead] = &places[e as usize];
            Some((e, self.near(e as usize, &swept[s as usize], [q, ahead])?))
        };
        let found: Vec<(u32, Near)> = self.pairs(&swept, &places).par_iter().filter_map(find).collect();
        self.near.iter_mut().for_each(Vec::clear);
        found.into_iter().for_each(|(e, near)| self.near[e as usize].push(near));
    }
}
