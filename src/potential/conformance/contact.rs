//! Contact with obstacles, and of yarns that nothing joins.

use super::super::edge::{EdgeBody, EdgeContact};
use super::super::obstacle::{Body as Touching, ObstacleContact};
use super::super::press::Press;
use super::super::repulsion::{Body, Repulsion};
use super::super::sharp::SharpContact;
use super::super::side::Side;
use super::*;
use crate::geometry::pair::Pair;
use crate::model::ids::NodeId;
use crate::model::obstacle::{Obstacle, ObstacleParams, Shape};

const FOUR_POINTS: Case<12> = Case {
    dofs: [0, 1, 2, 5, 6, 7, 10, 11, 12, 15, 16, 17],
    group: [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3],
    exact: Exact::Elsewhere,
};

#[test]
fn collision_conforms() {
    let pair = |thickness: f64, friction: f64| {
        let body = Body { pair: Pair::Segments, thickness, stiffness: 7.0, friction, side: None };
        Repulsion::new(vec![body], vec![Vec3::new(0.02, -0.01, 0.03)])
    };
    // Inside both segments, and at an end; without the core, and in it; smooth, sliding and sticking.
    let at_end = Case { dofs: [0, 1, 2, 10, 11, 12, 5, 6, 7, 15, 16, 17], ..FOUR_POINTS };
    for case in [FOUR_POINTS, at_end] {
        for (thickness, least) in [(0.9, 0.3), (2.0, 0.75)] {
            for friction in [0.0, 0.02, 20.0] {
                check("collision", pair(thickness, friction), &case);
            }
            let (element, q) = (pair(thickness, 0.0), GIVEN.values(&case.dofs));
            let depth = element.depth(0, &q);
            assert!(depth > least && depth < 0.95, "{depth}");
            let turned = element.energy(0, &moved(&case.dofs, &q, 2.0));
            assert!((turned / element.energy(0, &q) - 1.0).abs() < 1e-12);
        }
    }
}

/// Segments on the wrong sides of each other, within them, while the next ones take over, and past the end of a yarn.
#[test]
fn sides_conform() {
    let pair = |sign: i8| {
        let side = Some(Side { sign, ramps: [0.2, 0.15] });
        let body = Body { pair: Pair::Segments, thickness: 0.9, stiffness: 7.0, friction: 0.0, side };
        Repulsion::new(vec![body], vec![Vec3::repeat(f64::NAN)])
    };
    let q = [-1.0, 0.1, -0.2, 0.8, 0.2, 0.0, 0.1, -0.7, 0.3, -0.2, 0.9, 0.2];
    let along = |x: f64| {
        let mut q = q;
        (q[6], q[9]) = (q[6] + x, q[9] + x);
        q
    };
    let held = pair(1);
    for x in [0.0, 0.6, 0.75, 0.95] {
        let (q, g) = (along(x), held.gradient(0, &along(x)));
        for i in 0..12 {
            assert_slope("side", &|h| held.value(0, &shifted(&q, i, h)), g[i], 3.0);
        }
        assert!(g[2..12].iter().any(|g| *g != 0.0), "{x}");
        assert_symmetric_semidefinite("side", &held.hessian(0, &q));
        let depth = held.depth(0, &q) * 0.9;
        assert!((held.energy(0, &q) / (3.5 * depth * depth) - 1.0).abs() < 1e-12);
    }
    let g = held.gradient(0, &q);
    assert!(g[2] < -0.3 && g[8] > 0.3, "the first is pushed up, the second down: {g:?}");
    assert_eq!(pair(-1).energy(0, &q), 0.0);
    assert_eq!(held.energy(0, &along(1.3)), 0.0);
}

/// A yarn pressed through another slides from one of its segments to the next without a change of energy.
#[test]
fn sides_hand_over_without_a_jump() {
    let lengths = [1.0, 0.6];
    let bodies = lengths.map(|l| {
        let side = Some(Side { sign: 1, ramps: [0.2 / l, 0.1] });
        Body { pair: Pair::Segments, thickness: 0.9, stiffness: 7.0, friction: 0.0, side }
    });
    let chain = Repulsion::new(bodies.to_vec(), vec![Vec3::repeat(f64::NAN); 2]);
    for k in 0..=60 {
        let x = -0.3 + 0.01 * f64::from(k);
        let segment = |from, to| [from, 0.0, 0.0, to, 0.0, 0.0, x, -1.0, 0.1, x, 1.0, 0.1];
        let energy = chain.energy(0, &segment(-1.0, 0.0)) + chain.energy(1, &segment(0.0, 0.6));
        assert!((energy / (3.5 * 0.01) - 1.0).abs() < 1e-12, "{x}: {energy}");
    }
}

#[test]
fn collision_of_a_point_with_a_triangle_conforms() {
    let on = |order: [u32; 4]| {
        let dofs: [u32; 12] = std::array::from_fn(|i| 5 * order[i / 3] + i as u32 % 3);
        Case { dofs, ..FOUR_POINTS }
    };
    // Above the face, beside an edge and beyond a corner.
    for order in [[1, 0, 2, 3], [3, 0, 1, 2], [2, 0, 1, 3]] {
        for friction in [0.0, 0.02, 20.0] {
            let body =
                Body { pair: Pair::PointTriangle, thickness: 2.0, stiffness: 7.0, friction, side: None };
            let element = Repulsion::new(vec![body], vec![Vec3::new(0.02, -0.01, 0.03)]);
            check("collision of a point", element, &on(order));
        }
    }
}

#[test]
fn parallel_segments_collide_smoothly() {
    let body = Body { pair: Pair::Segments, thickness: 1.0, stiffness: 7.0, friction: 0.0, side: None };
    let element = Repulsion::new(vec![body], vec![Vec3::zeros()]);
    for end in [1.0, -1.0, 0.3] {
        let q = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.5 - 0.5 * end, 0.6, 0.1, 0.5 + 0.5 * end, 0.6, 0.1];
        let g = element.gradient(0, &q);
        for i in 0..12 {
            let f = |h: f64| element.value(0, &shifted(&q, i, h));
            let slope = (f(1e-5) - f(-1e-5)) / 2e-5;
            assert!((slope - g[i]).abs() < 1e-4, "{end} {i}: {slope} {}", g[i]);
        }
        assert!(g[1] > 0.1 && (g[1] - g[4]).abs() < 1e-9, "the force is at the middle: {g:?}");
    }
}

fn obstacle(shape: Shape, at: [f64; 3]) -> Obstacle {
    let params = ObstacleParams {
        name: String::new(),
        shape,
        at,
        rotation: [10.0, 20.0, 30.0],
        motion: Default::default(),
        friction: Some(0.5),
        thickness: 0.05,
        stiffness: Some(40.0),
        edges: true,
    };
    Obstacle::read(params).unwrap()
}

/// On a turned edge, sticking and sliding, straight across it and at an angle.
#[test]
fn edges_conform() {
    let case = Case { dofs: [5, 6, 7, 8], group: [0; 4], exact: Exact::Solver };
    for (stick, tangent) in [(0.1, Vec3::zeros()), (0.1, Vec3::new(0.6, 0.0, 0.8)), (300.0, Vec3::x())] {
        let table = obstacle(Shape::Box { size: [1.0, 0.8, 0.6] }, [0.5, 0.0, -0.3]);
        let body = EdgeBody { node: NodeId(0), radius: 0.1, stiffness: 40.0, stick, friction: 0.3 };
        let mut element = EdgeContact::new(vec![table], vec![body]);
        element.tangents = vec![tangent];
        element.hold(0, 3, [0.8, 0.2]);
        check("edge", element, &case);
    }
}

#[test]
fn obstacle_contact_conforms() {
    let press = Press { stiffness: 40.0, ramp: 0.0 };
    let body = Touching { radius: 0.3, area: 1.0, press, friction: 0.1 };
    check(
        "plane",
        ObstacleContact::<3>::new(vec![obstacle(Shape::Plane, [0.0, 0.0, 0.3])], vec![body]),
        &POSITION,
    );
    // The default of the cloth, on its ramp and beyond.
    let soft = |ramp: f64| Touching { press: Press { ramp, ..press }, ..body };
    for ramp in [0.1, 2.0] {
        let mut plain = obstacle(Shape::Plane, [0.0, 0.0, 0.3]);
        plain.params.stiffness = None;
        check("plane with a ramp", ObstacleContact::<3>::new(vec![plain], vec![soft(ramp)]), &POSITION);
    }
    // A ball's own curvature has a negative share in the Hessian, which is left out.
    let case = Case { exact: Exact::Elsewhere, ..POSITION };
    let ball = obstacle(Shape::Sphere { radius: 0.6 }, [0.5, 0.0, -0.3]);
    check("ball", ObstacleContact::<3>::new(vec![ball], vec![body]), &case);
}

/// A large box of which an edge along `y` is on top, or a corner, at a place.
fn on_end(rotation: [f64; 3], top: Vec3) -> Obstacle {
    let cube = Shape::Box { size: [4.0; 3] };
    let down = if rotation[0] == 0.0 { 8f64.sqrt() } else { 12f64.sqrt() };
    let at = (top - Vec3::z() * down).into();
    Obstacle::read(ObstacleParams { at, rotation, thickness: 0.05, ..ObstacleParams::of(cube) }).unwrap()
}

/// Under the middles of a side and of a triangle, beside them, and through them; without friction, sliding and sticking.
#[test]
fn sharp_contact_conforms() {
    let side = Case { dofs: [0, 1, 2, 5, 6, 7], group: [0, 0, 0, 1, 1, 1], exact: Exact::Elsewhere };
    let triangle = Case {
        dofs: [0, 1, 2, 5, 6, 7, 15, 16, 17],
        group: [0, 0, 0, 1, 1, 1, 2, 2, 2],
        exact: Exact::Elsewhere,
    };
    let press = Press { stiffness: 40.0, ramp: 0.0 };
    let tilted = 0.5f64.sqrt().atan();
    let turned = nalgebra::UnitQuaternion::from_euler_angles(0.0, -tilted, 0.0)
        * nalgebra::UnitQuaternion::from_euler_angles(45f64.to_radians(), 0.0, 0.0);
    let on_corner = turned.scaled_axis().map(f64::to_degrees).into();
    for friction in [0.0, 0.02, 20.0] {
        let body = Touching { radius: 0.5, area: 1.0, press, friction };
        for top in [Vec3::new(0.45, 0.2, -0.35), Vec3::new(-0.12, 0.0, -0.42), Vec3::new(0.45, 0.2, 0.2)] {
            let edge = on_end([0.0, -45.0, 0.0], top);
            check("edge and side", SharpContact::<6>::new(&[edge], vec![body]), &side);
        }
        for top in [Vec3::new(0.23, 0.45, -0.3), Vec3::new(0.5, 0.75, 0.05), Vec3::new(0.22, 0.35, 0.24)] {
            let corner = on_end(on_corner, top);
            check("corner and triangle", SharpContact::<9>::new(&[corner], vec![body]), &triangle);
        }
    }
}
