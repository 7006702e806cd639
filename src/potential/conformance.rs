//! One suite that every element enrols in.
//!
//! At random configurations: gradients are the slopes of values and Hessians those of gradients (central
//! differences at two step sizes, whose error must fall fourfold), Hessians are symmetric and the ones
//! for the solver positive semi-definite, elastic energies do not change under rigid motion, no
//! derivative is zero by accident, and the scatter covers every non-zero of the pattern.

mod bindings;
mod configuration;
mod contact;
mod damping;
mod displaced;
mod outside;
mod sheets;

use hebra_solver::matrix::{BlockMatrix, ProductScratch};
use hebra_solver::objective::HessianForm;
use hebra_solver::pattern::{BlockPattern, PatternBuilder};
use nalgebra::DMatrix;

use self::configuration::{Configuration, DT, GIVEN, UNKNOWNS, configurations};
use self::damping::{assert_rigid_motion_is_free, check_material, check_material_at, moved};
use super::bending::Bending;
use super::beside::Beside;
use super::coulomb::Huber;
use super::dissipation::Damping;
use super::family::{Element, Family, Stencils};
use super::friction::Friction;
use super::grab::Grab;
use super::gravity::Gravity;
use super::inertia::Inertia;
use super::material::Material;
use super::parallel::Parallel;
use super::region::Region;
use super::shear::Shear;
use super::stretch::Stretch;
use super::term::{Audit, EnergyKind, Potential, Term};
use crate::geometry::Vec3;
use crate::model::ids::BLOCK;

struct Case<const N: usize> {
    dofs: [u32; N],
    group: [u8; N],
    /// The whole Hessian where the element has one; otherwise its Hessian for the solver is whole.
    exact: Exact,
}

#[derive(Clone, Copy, PartialEq)]
enum Exact {
    /// The Hessian for the solver is the whole one.
    Solver,
    /// The element leaves terms out of the Hessian; a test of its own covers the whole one.
    Elsewhere,
}

fn shifted<const N: usize>(q: &[f64; N], i: usize, h: f64) -> [f64; N] {
    let mut out = *q;
    out[i] += h;
    out
}

/// Central differences of `f` at two step sizes tend to `derivative`, the error falling fourfold.
fn assert_slope(name: &str, f: &dyn Fn(f64) -> f64, derivative: f64, scale: f64) {
    let [coarse, fine] = [2e-3, 1e-3].map(|h| (f(h) - f(-h)) / (2.0 * h) - derivative);
    // Without its part of second order.
    let extrapolated = (4.0 * fine - coarse) / 3.0;
    assert!(
        extrapolated.abs() < 1e-4 * scale,
        "{name}: {extrapolated:e} off {derivative:e}, scale {scale:e}"
    );
    let floor = 1e-9 * scale;
    assert!(
        coarse.abs() < floor || fine.abs() < floor || (3.0..5.5).contains(&(coarse / fine)),
        "{name}: errors {coarse:e}, {fine:e}"
    );
}

fn family<E: Element<N>, const N: usize>(name: &'static str, element: E, case: &Case<N>) -> Family<E, N> {
    Family::new(name, EnergyKind::Elastic, Stencils::new(vec![case.dofs], case.group), element)
}

/// The element as the last configuration, the given one, leaves it.
fn check<E: Element<N>, const N: usize>(name: &'static str, element: E, case: &Case<N>) -> Family<E, N> {
    let mut family = family(name, element, case);
    configurations().for_each(|configuration| check_at(&configuration, &mut family, case));
    family
}

fn check_at<E: Element<N>, const N: usize>(at: &Configuration, family: &mut Family<E, N>, case: &Case<N>) {
    family.begin_step(&at.step_start());
    let name = family.name();
    let (q, e) = (at.values(&case.dofs), &family.element);
    let g = e.gradient(0, &q);
    let scale = g.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    assert!(scale > 0.0, "{name}: the gradient is zero, so nothing is tested");
    for i in 0..N {
        assert_slope(name, &|h| e.value(0, &shifted(&q, i, h)), g[i], scale);
    }
    let h = e.hessian(0, &q);
    assert_symmetric_semidefinite(name, &h);
    if case.exact == Exact::Solver {
        assert_hessian(name, &|q| e.gradient(0, q), &q, &h);
    }
    assert_energy_gradient(name, e, &q);
    assert_scatter(at, family);
}

fn assert_symmetric_semidefinite<const N: usize>(name: &str, h: &[[f64; N]; N]) {
    let m = DMatrix::from_fn(N, N, |i, j| h[i][j]);
    let size = m.amax();
    assert!((&m - m.transpose()).amax() <= 1e-12 * size, "{name}: the Hessian is not symmetric");
    let smallest = m.symmetric_eigenvalues().min();
    assert!(smallest >= -1e-10 * size, "{name}: eigenvalue {smallest:e} of {size:e}");
}

fn assert_hessian<const N: usize>(
    name: &str,
    gradient: &dyn Fn(&[f64; N]) -> [f64; N],
    q: &[f64; N],
    h: &[[f64; N]; N],
) {
    let scale = h.as_flattened().iter().fold(0.0f64, |m, x| m.max(x.abs()));
    for i in 0..N {
        for j in 0..N {
            assert_slope(name, &|s| gradient(&shifted(q, j, s))[i], h[i][j], scale.max(1e-12));
        }
    }
}

fn assert_energy_gradient<E: Element<N>, const N: usize>(name: &str, e: &E, q: &[f64; N]) {
    let g = e.energy_gradient(0, q);
    let scale = g.iter().fold(0.0f64, |m, x| m.max(x.abs())).max(1e-12);
    for i in 0..N {
        assert_slope(name, &|h| e.energy(0, &shifted(q, i, h)), g[i], scale);
    }
}

/// An element counts in a region wherever one of its blocks may move, and nowhere else, and is the same there.
fn assert_regions<E: Element<N>, const N: usize>(
    at: &Configuration,
    family: &Family<E, N>,
    pattern: &BlockPattern,
) {
    let own: Vec<usize> = family.stencils.blocks(0).map(|b| b as usize).collect();
    let whole = derivatives(family, pattern, &at.q);
    for block in 0..UNKNOWNS / BLOCK {
        let free: Vec<bool> = (0..UNKNOWNS / BLOCK).map(|b| b == block).collect();
        let mut marked = free.clone();
        family.mark(&free, &mut marked);
        let region = Region::new(&free, &marked);
        let mut part = family.restricted(&region);
        let mut builder = PatternBuilder::new(region.blocks().len());
        part.couple(&mut builder);
        let pattern = builder.build();
        part.bind(&pattern);
        let dofs: Vec<usize> =
            region.blocks().iter().flat_map(|&b| (0..BLOCK).map(move |k| BLOCK * b as usize + k)).collect();
        let q: Vec<f64> = dofs.iter().map(|&d| at.q[d]).collect();
        let (value, gradient, hessian) = derivatives(&*part, &pattern, &q);
        let share = if own.contains(&block) { 1.0 } else { 0.0 };
        assert_eq!(value, share * whole.0, "{}", family.name());
        for (i, &di) in dofs.iter().enumerate() {
            assert_eq!(gradient[i], share * whole.1[di], "{}", family.name());
            for (j, &dj) in dofs.iter().enumerate() {
                assert_eq!(hessian[(i, j)], share * whole.2[(di, dj)], "{}", family.name());
            }
        }
    }
}

/// Value, gradient and projected Hessian of a term.
fn derivatives(term: &dyn Term, pattern: &BlockPattern, q: &[f64]) -> (f64, Vec<f64>, DMatrix<f64>) {
    let mut gradient = vec![0.0; q.len()];
    term.add_gradient(pattern, q, &mut gradient);
    let mut matrix = BlockMatrix::<BLOCK>::new(std::sync::Arc::new(pattern.clone()));
    term.add_hessian(q, HessianForm::Projected, &mut matrix);
    (term.value(q), gradient, dense(&matrix))
}

fn dense(matrix: &BlockMatrix<BLOCK>) -> DMatrix<f64> {
    let (n, mut product) = (matrix.n_unknowns(), ProductScratch::default());
    let mut out = DMatrix::zeros(n, n);
    for j in 0..n {
        let unit: Vec<f64> = (0..n).map(|k| f64::from(k == j)).collect();
        let mut column = vec![0.0; n];
        matrix.multiply(&unit, &mut column, &mut product);
        out.column_mut(j).copy_from_slice(&column);
    }
    out
}

/// The assembled gradient and Hessian are those of the element, at the right places.
fn assert_scatter<E: Element<N>, const N: usize>(at: &Configuration, family: &mut Family<E, N>) {
    let mut builder = PatternBuilder::new(UNKNOWNS / BLOCK);
    family.couple(&mut builder);
    let pattern = builder.build();
    family.bind(&pattern);
    let (_, gradient, hessian) = derivatives(family, &pattern, &at.q);
    assert_regions(at, family, &pattern);
    let dofs = *family.stencils.dofs(0);
    let q = at.values(&dofs);
    let (g, h) = (family.element.gradient(0, &q), family.element.hessian(0, &q));
    let mut expected = DMatrix::<f64>::zeros(UNKNOWNS, UNKNOWNS);
    let mut expected_gradient = [0.0; UNKNOWNS];
    for i in 0..N {
        expected_gradient[dofs[i] as usize] += g[i];
        for j in 0..N {
            expected[(dofs[i] as usize, dofs[j] as usize)] += h[i][j];
        }
    }
    assert_eq!(gradient, expected_gradient);
    assert!((hessian - &expected).amax() <= 1e-12 * expected.amax(), "{}", family.name());
}

const TWO_NODES: Case<8> =
    Case { dofs: [0, 1, 2, 3, 5, 6, 7, 8], group: [0, 0, 0, 0, 1, 1, 1, 1], exact: Exact::Elsewhere };
const THREE_NODES: Case<12> = Case {
    dofs: [0, 1, 2, 3, 5, 6, 7, 8, 10, 11, 12, 13],
    group: [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2],
    exact: Exact::Elsewhere,
};
const POSITION: Case<3> = Case { dofs: [5, 6, 7], group: [0; 3], exact: Exact::Solver };

#[test]
fn stretch_conforms() {
    check_material("stretch", &Stretch, &TWO_NODES);
    assert_rigid_motion_is_free(&Stretch, &TWO_NODES, 2.0);
}

#[test]
fn bending_conforms() {
    // A turn by more in a step is no turn any more where the bend may pass through zero. The third is set to turn by
    // more than three nodes show, the last bent so sharply that it stiffens.
    for (rest, sharp, turn) in
        [(0.0, f64::INFINITY, 0.095), (0.3, f64::INFINITY, 2.0), (1.75, 2.0, 2.0), (0.1, 0.2, 2.0)]
    {
        let bending = Bending { rest: vec![rest], sharp: vec![sharp], straight: vec![0.0] };
        configurations().for_each(|c| check_material_at(&c.nearer(0.1), "bending", &bending, &THREE_NODES));
        // Longer steps may pass where the bend is next to nothing, which has tests of its own.
        for damping in damping::dampings() {
            let element = Material::new(bending.clone(), vec![3.0], damping);
            check_at(&GIVEN, &mut family("bending", element, &THREE_NODES), &THREE_NODES);
        }
        assert_rigid_motion_is_free(&bending, &THREE_NODES, turn);
    }
    let straight = Bending { rest: vec![0.0], sharp: vec![f64::INFINITY], straight: vec![1e3] };
    for damping in damping::dampings() {
        check("bending", Material::new(straight.clone(), vec![3.0], damping), &THREE_NODES);
    }
}

#[test]
fn shear_conforms() {
    let dofs = [5, 6, 7, 0, 1, 2, 10, 11, 12];
    let case = Case { dofs, group: [0, 0, 0, 1, 1, 1, 2, 2, 2], exact: Exact::Elsewhere };
    let free = Shear { rest: vec![1.3], jamming: vec![9.0], ..Shear::default() };
    check_material("shear", &free, &case);
    let jammed = Shear { rest: vec![3.0], jamming: vec![0.2], ..Shear::default() };
    check_material("jammed shear", &jammed, &case);
    assert_rigid_motion_is_free(&jammed, &case, 2.0);
}

#[test]
fn parallel_contact_conforms() {
    let case = Case { dofs: [3, 8], group: [0, 1], exact: Exact::Elsewhere };
    for (is_two_sided, distance) in [(false, 1.5), (true, 1.5), (true, 0.5)] {
        let strain = Parallel { distance: vec![distance], is_two_sided, ..Parallel::default() };
        check_material("parallel contact", &strain, &case);
    }
}

#[test]
fn yarns_side_by_side_conform() {
    let case = Case {
        dofs: [0, 1, 2, 5, 6, 7, 10, 11, 12, 15, 16, 17],
        group: [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3],
        exact: Exact::Elsewhere,
    };
    let strain = Beside { distance: vec![2.5], ..Beside::default() };
    check_material("side by side", &strain, &case);
    assert_rigid_motion_is_free(&strain, &case, 2.0);
}

#[test]
fn inertia_conforms() {
    let case = Case { exact: Exact::Solver, ..TWO_NODES };
    check("inertia", Inertia::new(vec![0.4], 3.0, true), &case);
}

#[test]
fn gravity_conforms() {
    check(
        "gravity",
        Gravity { line_density: vec![0.4], acceleration: Vec3::new(1.0, -2.0, -9.0) },
        &TWO_NODES,
    );
}

#[test]
fn friction_conforms_sticking_and_sliding() {
    let case = Case { dofs: [8, 9], group: [0, 0], exact: Exact::Elsewhere };
    for stiffness in [0.5, 30.0] {
        let family = check("friction", Friction::new(vec![stiffness], vec![0.4], vec![[0.5, 0.1]]), &case);
        // Iterations that stay where they are end at the whole Hessian.
        let (q, e) = (GIVEN.values(&case.dofs), &family.element);
        assert_hessian("friction", &|q| e.gradient(0, q), &q, &e.hessian(0, &q));
    }
}

#[test]
fn convective_forces_follow_from_euler_and_lagrange() {
    // M q'' = f_conv in free motion; with p = dT/dq', it is dT/dq - (dp/dt - M q'').
    let rho = 0.4;
    let kinetic = |q: &[f64; 8], v: &[f64; 8]| {
        let dofs = hebra_solver::stencil::Stencils::<BLOCK, 8>::new(vec![TWO_NODES.dofs], TWO_NODES.group);
        let (mut gq, mut gv) = ([0.0; UNKNOWNS], [0.0; UNKNOWNS]);
        for (k, &d) in TWO_NODES.dofs.iter().enumerate() {
            (gq[d as usize], gv[d as usize]) = (q[k], v[k]);
        }
        Inertia::new(vec![rho], 0.0, true).kinetic_energy(&dofs, &gq, &gv)
    };
    let q = TWO_NODES.dofs.map(|d| GIVEN.start[d as usize]);
    let v = TWO_NODES.dofs.map(|d| GIVEN.velocity[d as usize]);
    let h = 1e-4;
    let momentum = |q: &[f64; 8], i: usize| {
        (kinetic(q, &shifted(&v, i, h)) - kinetic(q, &shifted(&v, i, -h))) / (2.0 * h)
    };
    let along = |s: f64| -> [f64; 8] { std::array::from_fn(|k| q[k] + s * v[k]) };
    let mut element = Inertia::new(vec![rho], 0.0, true);
    let dofs = hebra_solver::stencil::Stencils::new(vec![TWO_NODES.dofs], TWO_NODES.group);
    element.begin_step(&GIVEN.step_start(), &dofs);
    let predicted: [f64; 8] = std::array::from_fn(|k| q[k] + DT * v[k]);
    let force = element.gradient(0, &predicted).map(|g| -g);
    for i in 0..8 {
        let by_q = (kinetic(&shifted(&q, i, h), &v) - kinetic(&shifted(&q, i, -h), &v)) / (2.0 * h);
        let rate = (momentum(&along(h), i) - momentum(&along(-h), i)) / (2.0 * h);
        assert!((force[i] - (by_q - rate)).abs() < 1e-6, "{i}: {} {}", force[i], by_q - rate);
    }
}

#[test]
fn straight_rods_and_flat_crossings_have_finite_derivatives() {
    let mut straight = [0.0; 12];
    for k in 0..3 {
        (straight[4 * k], straight[4 * k + 3]) = (k as f64, k as f64);
    }
    let element = Material::new(
        Bending { rest: vec![0.0], sharp: vec![f64::INFINITY], straight: vec![0.0] },
        vec![3.0],
        Damping::None,
    );
    assert_eq!(element.gradient(0, &straight), [0.0; 12]);
    let h = element.hessian(0, &straight);
    // Both directions across a straight rod are equally stiff.
    assert!((h[5][5] - h[6][6]).abs() < 1e-9 * h[5][5] && h[5][5] > 0.0);
    let folded = {
        let mut q = straight;
        q[8] = 1e-3;
        q
    };
    assert!(element.hessian(0, &folded).as_flattened().iter().all(|x| x.is_finite()));
    let huber = Huber { stiffness: 2.0, limit: 0.0 };
    assert_eq!(huber.value(0.0), 0.0);
    assert!(huber.secant(1.0).abs() < f64::MIN_POSITIVE && huber.slip(1.0) == 1.0);
}
