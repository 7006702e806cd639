//! One form for every elastic and dissipative term: a strain is given once, and elasticity, strain-rate
//! damping and Rayleigh damping follow, see [`Material`](super::material::Material).
//!
//! ```text
//! strain        eps = e/w             w: integration weight, linear in q;  e: elongation
//! elasticity    V   = w k psi(eps)    psi = eps^2/2 unless the strain says otherwise
//! ```
//! A strain has `M` components: one for a rod's stretch or a hinge, three for a membrane.

use hebra_solver::stencil::Stencils;

use super::family::add_square;
use super::term::Arranged;
use crate::geometry::Vec3;
use crate::geometry::angle::Angle;
use crate::model::ids::BLOCK;

/// Weight and elongation of one element with their gradients.
#[derive(Debug, Clone, Copy)]
pub struct Measure<const N: usize, const M: usize = 1> {
    /// `w`.
    pub weight: f64,
    /// Gradient of `w`.
    pub weight_gradient: [f64; N],
    /// `e`.
    pub elongation: [f64; M],
    /// Gradients of the components of `e`.
    pub elongation_gradient: [[f64; N]; M],
}

impl<const N: usize, const M: usize> Measure<N, M> {
    /// `eps = e/w`.
    pub fn strain(&self) -> [f64; M] {
        self.elongation.map(|e| e / self.weight)
    }

    /// `grad eps = (grad e - eps grad w)/w`, component by component.
    pub fn strain_gradient(&self) -> [[f64; N]; M] {
        let eps = self.strain();
        std::array::from_fn(|k| {
            let e = &self.elongation_gradient[k];
            std::array::from_fn(|i| (e[i] - eps[k] * self.weight_gradient[i]) / self.weight)
        })
    }
}

/// A density of a strain, or of its rate, with its first two derivatives.
#[derive(Debug, Clone, Copy)]
pub struct Density<const M: usize> {
    /// `psi`.
    pub value: f64,
    /// `dpsi/deps`.
    pub stress: [f64; M],
    /// `d2psi/deps2`, symmetric.
    pub stiffness: [[f64; M]; M],
}

impl<const M: usize> Density<M> {
    /// `x . C x/2`.
    pub fn quadratic(c: &[[f64; M]; M], x: &[f64; M]) -> Self {
        let stress = c.map(|row| dot(&row, x));
        Self { value: 0.5 * dot(&stress, x), stress, stiffness: *c }
    }
}

impl Density<1> {
    /// Of a strain with one component: the value and its derivatives.
    pub fn scalar([value, first, second]: [f64; 3]) -> Self {
        Self { value, stress: [first], stiffness: [[second]] }
    }
}

/// `c` on the diagonal.
pub fn diagonal<const M: usize>(c: f64) -> [[f64; M]; M] {
    std::array::from_fn(|i| std::array::from_fn(|j| if i == j { c } else { 0.0 }))
}

/// A strain of `N` unknowns with `M` components: everything that a material term has of its own.
pub trait Strain<const N: usize, const M: usize = 1>: Send + Sync {
    /// `w` and `e`.
    fn weight_and_elongation(&self, element: usize, q: &[f64; N]) -> (f64, [f64; M]);

    /// `w` and `e` with their gradients.
    fn measure(&self, element: usize, q: &[f64; N]) -> Measure<N, M>;

    /// The elongation at which second derivatives are taken: where it has a cusp, no nearer to that than their limit
    /// takes (default: as measured).
    fn beside_cusp(&self, _element: usize, m: &Measure<N, M>) -> [f64; M] {
        m.elongation
    }

    /// Adds `sum_k c_k Hess e_k`; only its positive part if the flag is set.
    fn add_curvature(&self, element: usize, q: &[f64; N], c: (&[f64; M], bool), h: &mut [[f64; N]; N]);

    /// `psi` of a unit stiffness.
    fn density(&self, _element: usize, eps: &[f64; M]) -> Density<M> {
        Density::quadratic(&diagonal(1.0), eps)
    }

    /// Follows a change of the nodes' roles.
    fn rearrange(&mut self, _now: &Arranged<'_>, _dofs: &Stencils<BLOCK, N>) {}

    /// Whether an element takes no part.
    fn is_gone(&self, _element: usize) -> bool {
        false
    }

    /// For a strain of one component whose gradient has no direction at zero: the vector elongation of
    /// which it is the length to first order.
    fn vector(&self, _element: usize, _q: &[f64; N]) -> Option<Vec3> {
        None
    }

    /// The size of [`Strain::vector`] over the weight below which it is as good as zero where a step begins.
    fn least_vector(&self, _element: usize) -> f64 {
        0.0
    }

    /// The transposed Jacobian of [`Strain::vector`] times a vector.
    fn vector_pull_back(&self, _element: usize, _q: &[f64; N], _d: Vec3) -> [f64; N] {
        [0.0; N]
    }
}

/// Adds `c Hess theta` of an angle between two edges; `on_nodes` turns linear forms on the edges into ones on
/// the unknowns. Of its positive part only that out of the plane of the turn is kept: the products of
/// rotation and stretch of one edge are small beside the stretch energy.
pub(super) fn add_angle_curvature<const N: usize>(
    angle: &Angle,
    c: f64,
    project: bool,
    on_nodes: impl Fn([Vec3; 2]) -> [f64; N],
    h: &mut [[f64; N]; N],
) {
    for (k, form) in angle.curvature_out_of_plane() {
        if !project || c * k > 0.0 {
            add_square(h, c * k, &on_nodes(form));
        }
    }
    if !project {
        for (k, form) in angle.curvature_in_plane() {
            add_square(h, c * k, &on_nodes(form));
        }
    }
}

pub(super) fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
