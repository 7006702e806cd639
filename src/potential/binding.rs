//! Binding springs of degenerate contacts.

use super::family::{Element, add_square};
use crate::geometry::Vec3;

/// A spring between the position `x_b` of a contact and the point of a rod at its arc coordinate `u_b`,
/// interpolated between the nodes `a` and `c` of the rod's chain.
///
/// ```text
/// p(u_b) = x_a + s (x_c - x_a),   s = (u_b - u_a)/(u_c - u_a)          V = k |p - x_b - o|^2/2
/// dp/dx_a = 1 - s    dp/dx_c = s    dp/du_b = w    dp/du_a = -(1 - s) w    dp/du_c = -s w
/// ```
/// | symbol | meaning | unit |
/// |---|---|---|
/// | `w` | `(x_c - x_a)/(u_c - u_a)` | - |
/// | `k` | stiffness | N/m |
/// | `o` | what was between them when the contact became degenerate, or part of it | m |
///
/// Unknowns `(x_a, u_a, x_b, u_b, x_c, u_c)`. The Hessian is `k J'J`, without the curvature of `p`, which is
/// smaller by the spring's stretch over a segment's length. Source: Sanchez-Banderas et al. 2020, equation
/// (4.3). Fails when `a` and `c` coincide.
#[derive(Debug, Clone, Default)]
pub(crate) struct Binding {
    /// `k` of every element, N/m.
    pub(crate) stiffness: Vec<f64>,
    /// `o` of every element, m.
    pub(crate) rest: Vec<Vec3>,
}

/// A spring between the interpolated points of both rods of a contact, each as in [`Binding`].
///
/// ```text
/// V = k |p_A(u_b) - p_B(v_b) - o|^2/2
/// ```
/// Unknowns `(x_a, u_a, x_c, u_c)` of rod A, `(u_b, v_b)`, `(x_a, u_a, x_c, u_c)` of rod B.
#[derive(Debug, Clone, Default)]
pub(crate) struct DoubleBinding {
    /// `k` of every element, N/m.
    pub(crate) stiffness: Vec<f64>,
    /// `o` of every element, m.
    pub(crate) rest: Vec<Vec3>,
}

/// A point between two nodes, with its derivatives.
struct Point {
    x: Vec3,
    s: f64,
    w: Vec3,
}

impl Point {
    fn new(a: &[f64; 4], u: f64, c: &[f64; 4]) -> Self {
        let x = |q: &[f64; 4]| Vec3::new(q[0], q[1], q[2]);
        let length = c[3] - a[3];
        let (edge, s) = (x(c) - x(a), (u - a[3]) / length);
        Self { x: x(a) + edge * s, s, w: edge / length }
    }

    /// `J' f` for `(x_a, u_a)`, `u_b`, `(x_c, u_c)`.
    fn pull_back(&self, f: Vec3) -> ([f64; 4], f64, [f64; 4]) {
        let (r, along) = (1.0 - self.s, self.w.dot(&f));
        let end = |s: f64| [s * f.x, s * f.y, s * f.z, -s * along];
        (end(r), along, end(self.s))
    }
}

impl Binding {
    fn offset(&self, element: usize, q: &[f64; 12]) -> (Point, Vec3) {
        let [a, b, c] = std::array::from_fn(|i| std::array::from_fn(|k| q[4 * i + k]));
        let point = Point::new(&a, b[3], &c);
        let offset = point.x - Vec3::new(b[0], b[1], b[2]) - self.rest[element];
        (point, offset)
    }

    /// `J' f` of the offset `p - x_b - o`.
    fn pull_back(point: &Point, f: Vec3) -> [f64; 12] {
        let (a, u, c) = point.pull_back(f);
        let mut out = [0.0; 12];
        out[..4].copy_from_slice(&a);
        out[4..8].copy_from_slice(&[-f.x, -f.y, -f.z, u]);
        out[8..].copy_from_slice(&c);
        out
    }

    /// The force on the rod's point, N.
    pub(crate) fn force(&self, element: usize, q: &[f64; 12]) -> Vec3 {
        self.offset(element, q).1 * -self.stiffness[element]
    }
}

impl DoubleBinding {
    fn offset(&self, element: usize, q: &[f64; 18]) -> ([Point; 2], Vec3) {
        let node = |k: usize| [q[k], q[k + 1], q[k + 2], q[k + 3]];
        let points = [Point::new(&node(0), q[8], &node(4)), Point::new(&node(10), q[9], &node(14))];
        let offset = points[0].x - points[1].x - self.rest[element];
        (points, offset)
    }

    fn pull_back(points: &[Point; 2], f: Vec3) -> [f64; 18] {
        let ((a0, u, c0), (a1, v, c1)) = (points[0].pull_back(f), points[1].pull_back(-f));
        let mut out = [0.0; 18];
        out[..4].copy_from_slice(&a0);
        out[4..8].copy_from_slice(&c0);
        out[8..10].copy_from_slice(&[u, v]);
        out[10..14].copy_from_slice(&a1);
        out[14..].copy_from_slice(&c1);
        out
    }

    /// The force on the first rod's point, N.
    pub(crate) fn force(&self, element: usize, q: &[f64; 18]) -> Vec3 {
        self.offset(element, q).1 * -self.stiffness[element]
    }
}

/// `k J'J` from the rows of `J`.
fn square<const N: usize>(k: f64, pull_back: impl Fn(Vec3) -> [f64; N]) -> [[f64; N]; N] {
    let mut h = [[0.0; N]; N];
    for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
        add_square(&mut h, k, &pull_back(axis));
    }
    h
}

impl Element<12> for Binding {
    fn hessian(&self, element: usize, q: &[f64; 12]) -> [[f64; 12]; 12] {
        let (point, _) = self.offset(element, q);
        square(self.stiffness[element], |f| Self::pull_back(&point, f))
    }

    fn energy(&self, element: usize, q: &[f64; 12]) -> f64 {
        0.5 * self.stiffness[element] * self.offset(element, q).1.norm_squared()
    }

    fn energy_gradient(&self, element: usize, q: &[f64; 12]) -> [f64; 12] {
        let (point, offset) = self.offset(element, q);
        Self::pull_back(&point, offset * self.stiffness[element])
    }
}

impl Element<18> for DoubleBinding {
    fn hessian(&self, element: usize, q: &[f64; 18]) -> [[f64; 18]; 18] {
        let (points, _) = self.offset(element, q);
        square(self.stiffness[element], |f| Self::pull_back(&points, f))
    }

    fn energy(&self, element: usize, q: &[f64; 18]) -> f64 {
        0.5 * self.stiffness[element] * self.offset(element, q).1.norm_squared()
    }

    fn energy_gradient(&self, element: usize, q: &[f64; 18]) -> [f64; 18] {
        let (points, offset) = self.offset(element, q);
        Self::pull_back(&points, offset * self.stiffness[element])
    }
}
