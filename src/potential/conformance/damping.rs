//! Damping: what every strain with every dissipation density must hold.

use hebra_solver::stencil::Stencils;
use nalgebra::Rotation3;

use super::super::dissipation::{Dissipation, PowerLaw, Quadratic};
use super::super::strain::{Density, Strain, diagonal};
use super::super::term::StepStart;
use super::*;

/// A density of one's own: `Psi_d = |rate|^2/50 + |rate|^4/4e4`.
#[derive(Debug)]
struct OneOfYourOwn;

impl<const M: usize> Dissipation<M> for OneOfYourOwn {
    fn density(&self, _: usize, rate: &[f64; M]) -> Density<M> {
        let s: f64 = rate.iter().map(|r| r * r).sum();
        let secant = 0.04 + 1e-4 * s;
        let bend = |i: usize, j: usize| f64::from(i == j) * secant + 2e-4 * rate[i] * rate[j];
        Density {
            value: 0.02 * s + 0.25e-4 * s * s,
            stress: rate.map(|r| secant * r),
            stiffness: std::array::from_fn(|i| std::array::from_fn(|j| bend(i, j))),
        }
    }
}

/// Every kind of damping for one element.
pub(super) fn dampings<const M: usize>() -> Vec<Damping<M>> {
    let viscosity = || {
        // Anisotropic where there is more than one component.
        let mut d = diagonal(0.06);
        (0..M).for_each(|k| d[k][k] *= 1.0 + k as f64);
        vec![d]
    };
    vec![
        Damping::None,
        Damping::StrainRate(Box::new(Quadratic { viscosity: viscosity() })),
        Damping::StrainRate(Box::new(PowerLaw { viscosity: viscosity(), exponent: 0.4, rate: 20.0 })),
        Damping::StrainRate(Box::new(PowerLaw { viscosity: viscosity(), exponent: 2.0, rate: 20.0 })),
        Damping::StrainRate(Box::new(OneOfYourOwn)),
        Damping::Rayleigh(vec![0.02]),
    ]
}

/// A material term: the suite, the whole Hessian for every damping, and good damping.
pub(super) fn check_material<S: Strain<N, M> + Clone, const N: usize, const M: usize>(
    name: &'static str,
    strain: &S,
    case: &Case<N>,
) {
    configurations().for_each(|configuration| check_material_at(&configuration, name, strain, case));
}

/// The same at one configuration.
pub(super) fn check_material_at<S: Strain<N, M> + Clone, const N: usize, const M: usize>(
    at: &Configuration,
    name: &'static str,
    strain: &S,
    case: &Case<N>,
) {
    check_damped_at(at, name, &|damping| Material::new(strain.clone(), vec![3.0], damping), case);
}

/// Whatever is damped, with every kind of damping.
pub(super) fn check_damped_at<E: Element<N>, const N: usize, const M: usize>(
    at: &Configuration,
    name: &'static str,
    with: &dyn Fn(Damping<M>) -> E,
    case: &Case<N>,
) {
    for damping in dampings() {
        let is_good = matches!(damping, Damping::StrainRate(_));
        let mut family = family(name, with(damping), case);
        check_at(at, &mut family, case);
        let (q, m) = (at.values(&case.dofs), &family.element);
        assert_hessian(name, &|q| m.gradient(0, q), &q, &m.whole_hessian(0, &q));
        let [force, outside] = family.squared_damping_forces(&at.q).map(f64::sqrt);
        if is_good {
            assert!(m.dissipated(0, &q) > 0.0 && force > 0.0, "{name}");
            assert!(outside < 1e-12 * force, "{name}: {outside:e} of {force:e} is no strain's");
        }
    }
}

/// Turns and moves the positions among the unknowns; arc coordinates stay.
pub(super) fn moved<const N: usize>(dofs: &[u32; N], q: &[f64; N], angle: f64) -> [f64; N] {
    let turn = Rotation3::from_scaled_axis(Vec3::new(0.3, 0.8, -0.5) * angle);
    let mut out = *q;
    let mut i = 0;
    while i + 2 < N {
        if (dofs[i] as usize).is_multiple_of(BLOCK) {
            let x = turn * Vec3::new(q[i], q[i + 1], q[i + 2]) + Vec3::new(0.4, -1.0, 0.2) * angle;
            out[i..i + 3].copy_from_slice(x.as_slice());
            i += 3;
        } else {
            i += 1;
        }
    }
    out
}

/// A rigid motion over the step costs no elastic energy and, with strain-rate damping, nothing at all;
/// with Rayleigh damping it costs, or gains where the stress makes the stiffness negative.
pub(super) fn assert_rigid_motion_is_free<S: Strain<N, M> + Clone, const N: usize, const M: usize>(
    strain: &S,
    case: &Case<N>,
    angle: f64,
) {
    assert_rigid_motion_costs_nothing(
        &|damping| Material::new(strain.clone(), vec![3.0], damping),
        case,
        angle,
    );
}

/// The same of whatever is damped.
pub(super) fn assert_rigid_motion_costs_nothing<E: Element<N>, const N: usize, const M: usize>(
    with: &dyn Fn(Damping<M>) -> E,
    case: &Case<N>,
    angle: f64,
) {
    for damping in dampings() {
        let is_good = matches!(damping, Damping::StrainRate(_));
        let is_rayleigh = matches!(damping, Damping::Rayleigh(_));
        let mut element = with(damping);
        let dofs = Stencils::new(vec![case.dofs], case.group);
        element.begin_step(&GIVEN.step_start(), &dofs);
        let q = case.dofs.map(|d| GIVEN.start[d as usize]);
        let after = moved(&case.dofs, &q, angle);
        let scale = element.energy(0, &q).abs();
        assert!((element.energy(0, &after) - element.energy(0, &q)).abs() < 1e-12 * scale);
        let loss = element.dissipated(0, &after);
        assert!(!is_good || loss < 1e-12 * scale, "{loss:e} of {scale:e}");
        assert!(!is_rayleigh || loss.abs() > 1e-2 * scale, "{loss:e} of {scale:e}");
    }
}

/// A rod of two segments along `x`, its middle lifted along `y`.
fn bent(lift: f64) -> [f64; 12] {
    let mut q = [0.0; 12];
    for k in 0..3 {
        (q[4 * k], q[4 * k + 3]) = (k as f64, k as f64);
    }
    q[5] = lift;
    q
}

/// Damped bending at the start of a step from `q`.
fn damped_bending(q: &[f64; 12], law: Box<dyn Dissipation<1>>) -> Material<Bending, 12> {
    damped_where_bent(0.0, q, law)
}

/// The same of a rod that is as good as straight below a curvature.
fn damped_where_bent(straight: f64, q: &[f64; 12], law: Box<dyn Dissipation<1>>) -> Material<Bending, 12> {
    let strain = Bending { rest: vec![0.0], sharp: vec![f64::INFINITY], straight: vec![straight] };
    let mut element = Material::new(strain, vec![3.0], Damping::StrainRate(law));
    let dofs: [u32; 12] = std::array::from_fn(|k| k as u32);
    let stencils = Stencils::new(vec![dofs], THREE_NODES.group);
    element.begin_step(&StepStart { q, ..GIVEN.step_start() }, &stencils);
    element
}

fn linear() -> Box<dyn Dissipation<1>> {
    Box::new(Quadratic { viscosity: vec![[[1.5]]] })
}

#[test]
fn damping_of_a_straight_rod_acts_in_both_directions() {
    let loss = |q: [f64; 12], change: [f64; 3]| {
        let mut after = q;
        (0..3).for_each(|k| after[4 + k] += change[k]);
        damped_bending(&q, linear()).dissipated(0, &after)
    };
    let straight = [loss(bent(0.0), [0.0, 0.01, 0.0]), loss(bent(0.0), [0.0, 0.0, 0.01])];
    assert!((straight[1] / straight[0] - 1.0).abs() < 1e-9 && straight[0] > 0.0, "{straight:?}");
    // Through zero to the other side: the angle is the same as before, the rod has bent all the same.
    let [through, onward] = [-0.01, 0.01].map(|y| loss(bent(0.005), [0.0, y, 0.0]));
    assert!((through / onward - 1.0).abs() < 1e-2, "{through:e} {onward:e}");
}

/// A turn of the plane of bending costs as much as a change of the bend where that is next to nothing, and nothing else.
#[test]
fn a_rod_as_good_as_straight_is_damped_alike_in_both_directions() {
    let loss = |straight: f64, change: [f64; 3]| {
        let mut q = bent(0.005);
        let element = damped_where_bent(straight, &q, linear());
        (0..3).for_each(|k| q[4 + k] += change[k]);
        element.dissipated(0, &q)
    };
    // The rod's curvature is 0.005.
    for (straight, expected) in [(0.0049, 0.0), (0.0051, 1.0)] {
        let [along, across] = [[0.0, 4e-4, 0.0], [0.0, 0.0, 4e-4]].map(|change| loss(straight, change));
        assert!((across / along - expected).abs() < 1e-2, "{across:e} {along:e}");
    }
}

/// Where the middle of a rod lifted by 0.005 goes in a step: from a turn about the rod to a passage through zero.
fn passages() -> impl Iterator<Item = [f64; 12]> {
    let way = |part: f64| {
        let mut q = bent(0.005);
        [0.001, -0.009, 0.004].iter().enumerate().for_each(|(k, d)| q[4 + k] += part * d);
        q
    };
    [0.07, 0.09, 0.12, 0.15, 0.3, 0.56, 1.0].into_iter().map(way)
}

#[test]
fn damping_is_smooth_on_the_way_through_zero() {
    for law in [linear(), Box::new(PowerLaw { viscosity: vec![[[1.5]]], exponent: 0.4, rate: 0.02 })] {
        let element = damped_bending(&bent(0.005), law);
        for q in passages() {
            let g = element.gradient(0, &q);
            let scale = g.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            for i in 0..12 {
                let at = |h: f64| element.value(0, &shifted(&q, i, h));
                let slope = (at(1e-7) - at(-1e-7)) / 2e-7;
                assert!((slope - g[i]).abs() < 1e-5 * scale, "{i}: {slope} {}", g[i]);
            }
            // Of a motion across the rod the Hessian misses what is negative only.
            let h = element.hessian(0, &q);
            for i in [5, 6] {
                let at = |h: f64| element.gradient(0, &shifted(&q, i, h))[i];
                let curvature = (at(1e-8) - at(-1e-8)) / 2e-8;
                assert!(h[i][i] > (1.0 - 1e-2) * curvature, "{i}: {} {curvature}", h[i][i]);
            }
        }
    }
}

#[test]
fn a_rod_spins_freely_however_finely_it_is_divided() {
    for lift in [0.3, 1e-3, 1e-4, 5e-5, 1e-6] {
        let (turn, mut q) = (Rotation3::from_axis_angle(&Vec3::x_axis(), 0.095), bent(lift));
        let element = damped_bending(&q, linear());
        let spun = turn * Vec3::new(q[4], q[5], q[6]);
        q[4..7].copy_from_slice(spun.as_slice());
        let (loss, scale) = (element.dissipated(0, &q), element.energy(0, &q));
        assert!(loss < 1e-9 * scale, "{lift}: {loss:e} of {scale:e}");
    }
}

/// The front of a wave takes a node through zero within a step, at whose start it does not move: the force has no
/// jump there.
#[test]
fn damping_of_a_bend_that_passes_through_zero_has_no_cusp() {
    for lift in [3e-5, 1e-3, 0.1] {
        let element = damped_bending(&bent(lift), linear());
        let force = |lift: f64| element.gradient(0, &bent(lift))[5];
        let jump = force(1e-12) - force(-1e-12);
        assert!(jump.abs() < 1e-6 * force(0.0).abs(), "{jump:e} beside {:e}", force(0.0));
    }
}
