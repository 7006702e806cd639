//! Bindings of degenerate contacts.

use super::super::binding::{Binding, DoubleBinding};
use super::*;

/// m
const REST: Vec3 = Vec3::new(-0.5, 0.4, -0.3);

#[test]
fn bindings_conform() {
    // The Hessian leaves out the curvature of the interpolated point.
    let dofs = [0, 1, 2, 3, 5, 6, 7, 8, 10, 11, 12, 13];
    let case = Case { dofs, group: [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2], exact: Exact::Elsewhere };
    check("binding", Binding { stiffness: vec![40.0], rest: vec![REST] }, &case);
    // Both rods between the same two blocks, in opposite directions.
    let dofs = [5, 6, 7, 8, 10, 11, 12, 13, 3, 4, 10, 11, 12, 13, 5, 6, 7, 8];
    let group = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4];
    check(
        "double binding",
        DoubleBinding { stiffness: vec![40.0], rest: vec![REST] },
        &Case { dofs, group, exact: case.exact },
    );
}

/// Where both points are the same, the Hessian of a binding is whole.
#[test]
fn closed_bindings_have_their_whole_hessian() {
    let q = [0.0, 0.1, -0.2, 0.05, 0.4, 0.3, 0.2, 0.45, 0.8, 0.5, 0.6, 0.85];
    let binding = Binding { stiffness: vec![40.0], rest: vec![Vec3::zeros()] };
    let h = binding.hessian(0, &q);
    assert!(binding.energy(0, &q) < 1e-28);
    assert_hessian("binding", &|q| binding.gradient(0, q), &q, &h);
}
