//! Terms of sheets of triangles.

use nalgebra::{DMatrix, SMatrix};

use super::super::hinge::Hinge;
use super::super::membrane::Membrane;
use super::super::point::{PointGravity, PointInertia};
use super::super::strain::Strain;
use super::*;
use crate::geometry::triangle::RestTriangle;
use crate::model::sheets::{Plane, RestHinge};

const TRIANGLE: Case<9> = Case {
    dofs: [0, 1, 2, 5, 6, 7, 10, 11, 12],
    group: [0, 0, 0, 1, 1, 1, 2, 2, 2],
    exact: Exact::Elsewhere,
};
const HINGE: Case<12> = Case {
    dofs: [0, 1, 2, 5, 6, 7, 10, 11, 12, 15, 16, 17],
    group: [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3],
    exact: Exact::Elsewhere,
};

fn membrane(plane: Plane) -> Membrane {
    let rest = RestTriangle::new([[0.1, 0.0], [0.8, 0.1], [1.3, 0.9]]).unwrap();
    Membrane { rest: vec![rest], stiffness: vec![plane.matrix()] }
}

const ISOTROPIC: Plane = Plane::Isotropic { lambda: 2.0, mu: 1.5 };
const ORTHOTROPIC: Plane = Plane::Orthotropic { warp: 5.0, weft: 1.0, coupling: 0.4, shear: 0.2 };

#[test]
fn membranes_conform() {
    for plane in [ISOTROPIC, ORTHOTROPIC] {
        check_material("membrane", &membrane(plane), &TRIANGLE);
        assert_rigid_motion_is_free(&membrane(plane), &TRIANGLE, 2.0);
    }
}

#[test]
fn hinges_conform_folded_and_flat() {
    for angle in [0.0, -0.7, -2.9] {
        let hinge = Hinge { rest: vec![RestHinge { angle, length: 0.4, area: 0.8 }] };
        check_material("hinge", &hinge, &HINGE);
        assert_rigid_motion_is_free(&hinge, &HINGE, 2.0);
    }
    let flat: [f64; 12] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.4, 0.8, 0.0, 0.6, -0.7, 0.0];
    let hinge = Hinge { rest: vec![RestHinge { angle: 0.0, length: 1.0, area: 0.75 }] };
    let lift: f64 = hinge.measure(0, &flat).elongation_gradient[0][8];
    assert!(
        (lift.abs() - 1.0 / 0.8).abs() < 1e-12,
        "the gradient has its size and direction when flat: {lift}"
    );
}

#[test]
fn vertices_conform() {
    let exact = Case { exact: Exact::Solver, ..POSITION };
    check("point inertia", PointInertia::new(vec![0.4], 3.0), &exact);
    check("weight", PointGravity { mass: vec![0.4], acceleration: Vec3::new(1.0, -2.0, -9.0) }, &POSITION);
}

#[test]
fn a_uniform_stretch_has_the_energy_of_the_continuum() {
    let strain = membrane(ISOTROPIC);
    let corners = [[0.1, 0.0], [0.8, 0.1], [1.3, 0.9]];
    let (a, b, c) = (1.2, 0.9, 0.1);
    let q: Vec<f64> = corners.iter().flat_map(|[x, y]| [a * x + c * y, b * y, 0.0]).collect();
    let (w, e) = strain.weight_and_elongation(0, q.as_slice().try_into().unwrap());
    let f = SMatrix::<f64, 2, 2>::new(a, c, 0.0, b);
    let green = (f.transpose() * f - SMatrix::<f64, 2, 2>::identity()) * 0.5;
    let expected = 1.0 * green.trace().powi(2) + 1.5 * (green * green).trace();
    let psi = strain.density(0, &e.map(|e| e / w)).value;
    assert!((psi - expected).abs() < 1e-12, "{psi} {expected}");
}

#[test]
fn the_projected_curvature_of_a_membrane_is_its_positive_part() {
    let (strain, q) = (membrane(ISOTROPIC), GIVEN.values(&TRIANGLE.dofs));
    let curvature = |stress: [f64; 3], project: bool| {
        let mut h = [[0.0; 9]; 9];
        strain.add_curvature(0, &q, (&stress, project), &mut h);
        DMatrix::from_fn(9, 9, |i, j| h[i][j])
    };
    for stress in [[1.0, 2.0, 0.3], [1.0, -2.0, 0.7], [-1.0, -0.5, 0.2], [0.0, 0.0, 1.0], [3.0, 0.0, 0.0]] {
        let stress = Vec3::from(stress);
        let (whole, kept) = (curvature(stress.into(), false), curvature(stress.into(), true));
        let left_out = &kept - &whole;
        let size = whole.amax();
        for (what, m) in [("kept", &kept), ("left out", &left_out)] {
            let smallest = m.clone().symmetric_eigenvalues().min();
            assert!(smallest > -1e-12 * size, "{what}: {smallest:e} of {size:e} for {stress:?}");
        }
    }
}
