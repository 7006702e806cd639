//! Dissipation potentials of the rate of strain, free in form.
//!
//! # From strain to damping
//!
//! A deformable body has strains `eps(q)`, each with a weight `w` (a length, an area), and stores
//! `V = sum w Psi(eps)`. Its elastic forces are `-w grad eps . dPsi/deps`: the stress says how hard, the strain's
//! gradient says where to. Damping is *good* when it acts on changes of strain only, so that its force too lies in
//! the space of those gradients:
//!
//! ```text
//! (I - G (G'G)^-1 G') f_d = 0,   G = grad eps                                                          (3.1)
//! ```
//! Every dissipation potential of the strain *rate*, `V_d = sum w Psi_d(eps')`, has that by construction, because
//! `deps'/dq' = grad eps`:
//!
//! ```text
//! f_d = -dV_d/dq' = -sum w grad eps . S_d,   S_d = dPsi_d/deps'                                 (3.3), (3.7)
//! ```
//! whatever `Psi_d`: linear or not, isotropic or not, of any size from one element to the next.
//!
//! # Why Rayleigh's damping fails
//!
//! Rayleigh damps by the stiffness, `f = -beta K q'` with `K = Hess V`, and
//!
//! ```text
//! K = w grad eps (d2Psi/deps2) grad eps'  +  w (dPsi/deps) . Hess eps                                   (3.10)
//! ```
//! The first term is a dissipation potential, `Psi_d = beta eps' . (d2Psi/deps2) eps'/2`, the *matched* form (3.12).
//! The second is the geometric stiffness: of a rod under tension, or of a hanging cloth, it resists being turned
//! about, and so Rayleigh's damping brakes a pendulum although nothing of it is stretched. Here Rayleigh's damping is
//! the whole of it, for comparison. A page with the curves of both, the published experiment with a thrown mass:
//!
//! ```text
//! hebra compare scenes/spring.ron --vary damping.kind=StrainRate,Rayleigh --vary damping.stretch=0,0.01,0.1
//! ```
//! By strain rate the mass ends in a uniform circular motion, the faster the larger `beta`; after Rayleigh it stops.
//! `scenes/stvk_swinging.ron` has the same of a cloth.
//!
//! # Over a step
//!
//! The rate over a step of `h` seconds is taken as `(eps(q) - eps(q_n))/h`, and
//!
//! ```text
//! h w_n Psi_d((eps(q) - eps(q_n))/h)
//! ```
//! is added to the function that the step minimises. With `grad eps . q'` for the rate, as published, the Hessian has
//! an unsymmetric part that must be dropped, there is no function for a line search to decrease, and a finite
//! rotation changes `grad eps . q'` although it changes no strain. The difference has none of that: the Hessian is
//! that of elasticity with other numbers, so damping costs next to nothing.
//!
//! Under backward Euler and Newmark that force acts along `grad eps` at the end of the step; under symplectic Euler it
//! acts at the start, by the rate along the last chord. Both are right to first order in `h`. For the thrown mass of
//! `scenes/spring.ron`, spring constant `K`, which ends on a circle of radius `r`, speed `v`:
//!
//! ```text
//! Newmark             dL/L = -(h/2) (K beta/m) ln(r/r_0)         angular momentum, lost on the way
//! symplectic Euler    dr   = -(h/2) beta (v^2/r)/(1 + 3 (r - l)/r)    L is kept; a chord's rate is v^2 h/(2 r)
//! ```
//! With `beta` = 0.1 s and `h` = 10 ms that is -1.43 % and +0.86 % of the last kinetic energy, so the schemes are two to
//! three per cent apart, whichever way the velocity of symplectic Euler, that of half a step before, is read; within 1 %
//! of each other they are at 2.5 ms. The damping of both would have to be that of the middle of the step, which is not
//! the derivative of a function to be minimised.
//!
//! A strain without a direction at zero, the angle between two segments of a straight rod, hands over to a vector of
//! the same length on the way through zero: see [`through_zero`](super::through_zero).
//!
//! `hebra check --damping SCENE` measures (3.1) and what a rigid turn loses, term by term.
//!
//! # One of your own
//!
//! A density implements [`Dissipation`] and is handed to [`Material`](super::material::Material) in
//! [`Damping::StrainRate`]; a strain implements [`Strain`](super::strain::Strain), and elasticity and every kind of
//! damping follow. `examples/own_damping.rs` has a density in a dozen lines.
//!
//! Source: Sanchez-Banderas and Otaduy 2018, Strain rate dissipation for elastic deformations; equation numbers are
//! those of Sanchez-Banderas' thesis.

use std::fmt::Debug;

use super::strain::Density;

/// A dissipation density of a strain with `M` components, even and convex in the rate.
pub trait Dissipation<const M: usize>: Debug + Send + Sync {
    /// `Psi_d` of a strain rate, 1/s times the strain's unit, with the dissipative stress
    /// `S_d = dPsi_d/d eps'` and its derivative.
    fn density(&self, element: usize, rate: &[f64; M]) -> Density<M>;
}

/// How a material term loses energy.
#[derive(Debug)]
pub enum Damping<const M: usize> {
    /// Not at all.
    None,
    /// By a dissipation potential of the strain rate.
    StrainRate(Box<dyn Dissipation<M>>),
    /// `-beta K q'` with the full tangent stiffness; `beta` of every element, s.
    Rayleigh(Vec<f64>),
}

/// `Psi_d = eps' . D eps'/2`: a stress in proportion to the rate. `D` of every element is `beta` times the
/// elastic stiffness in the matched form (3.12), built from `lambda_d` and `mu_d` in (3.15), or any
/// positive semi-definite matrix: damping need not have the symmetry of the elasticity.
#[derive(Debug, Clone)]
pub struct Quadratic<const M: usize> {
    /// `D`, s times the elastic stiffness's unit.
    pub viscosity: Vec<[[f64; M]; M]>,
}

impl<const M: usize> Dissipation<M> for Quadratic<M> {
    fn density(&self, element: usize, rate: &[f64; M]) -> Density<M> {
        Density::quadratic(&self.viscosity[element], rate)
    }
}

/// A power law in the rate, smooth at rest:
///
/// ```text
/// Psi_d = c r0^2/(p + 1) [(1 + s/r0^2)^((p + 1)/2) - 1]      s = eps' . D eps'/c,  c = max D_ii
/// S_d   = (1 + s/r0^2)^((p - 1)/2) D eps'
/// ```
/// Below the rate `r0` it is [`Quadratic`]; far above, the stress grows with the power `p` of the rate:
/// `p < 1` lets fast motion go, `p > 1` brakes it. (Carreau's law of viscous fluids.)
#[derive(Debug, Clone)]
pub struct PowerLaw<const M: usize> {
    /// `D` at rest.
    pub viscosity: Vec<[[f64; M]; M]>,
    /// `p`, not negative.
    pub exponent: f64,
    /// `r0`, 1/s times the strain's unit.
    pub rate: f64,
}

impl<const M: usize> Dissipation<M> for PowerLaw<M> {
    fn density(&self, element: usize, rate: &[f64; M]) -> Density<M> {
        let (slow, p, r2) =
            (Density::quadratic(&self.viscosity[element], rate), self.exponent, self.rate * self.rate);
        let c = (0..M).map(|i| slow.stiffness[i][i]).fold(f64::MIN_POSITIVE, f64::max);
        let base = 1.0 + 2.0 * slow.value / (c * r2);
        let secant = base.powf(0.5 * (p - 1.0));
        let bend = (p - 1.0) * secant / (base * c * r2);
        Density {
            value: c * r2 / (p + 1.0) * (secant * base - 1.0),
            stress: slow.stress.map(|s| secant * s),
            stiffness: std::array::from_fn(|i| {
                std::array::from_fn(|j| {
                    secant * slow.stiffness[i][j] + bend * slow.stress[i] * slow.stress[j]
                })
            }),
        }
    }
}
