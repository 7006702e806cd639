//! Single rods against closed forms and tabulated solutions.

use std::f64::consts::PI;

use crate::common::scenes::*;
use hebra::geometry::Vec3;
use hebra::model::fabric::Eyelet;
use hebra::simulation::Simulation;
use hebra_solver::time::Scheme;

/// Half the difference of the sides of a rod that hangs through an eyelet, after 0.6 s, over the exact
/// `d0 cosh(t sqrt(2 g/l))`, minus one.
fn eyelet_error(dt: f64) -> f64 {
    let (length, d0) = (2.0, 0.1);
    let (a, b) = (0.5 * length - d0, 0.5 * length + d0);
    let mut params = rod(&[[0.0, 0.0, -a], [0.0; 3], [0.0, 0.0, -b]], 1);
    params.eyelets = vec![Eyelet { arc: a, friction: 0.0 }];
    let mut setup = rod_scene(&params, material(1.0, 1e7, 0.0));
    setup.forces.gravity = [0.0, 0.0, -G];
    setup.solver.dt = dt;
    setup.solver.residual = Some(1e-6);
    setup.solver.correction = Some(1e-10);
    let mut simulation = Simulation::new(setup);
    run(&mut simulation, 0.6, dt);
    let [first, last] = [0, -1].map(|k| simulation.position(node(&simulation, &rod_node(k))).z);
    0.5 * (first - last) / (d0 * (0.6 * (2.0 * G / length).sqrt()).cosh()) - 1.0
}

#[test]
fn a_rod_slides_off_through_an_eyelet_as_it_should() {
    let (coarse, fine) = (eyelet_error(1e-3), eyelet_error(5e-4));
    println!("eyelet: {coarse:.3e} {fine:.3e}");
    assert!(fine.abs() < 2e-3, "{fine}");
    assert!((coarse / fine - 2.0).abs() < 0.05, "first order: {coarse} {fine}");
}

/// Length of the part of a rod that swings freely about an eyelet while the rest follows straight through
/// it, after 0.8 s, over the exact one, minus one.
///
/// ```text
/// T = rho l r'^2/2 + rho r^3 theta'^2/6        r'' = r^2 theta'^2/(2 l),  r^3 theta' constant
/// ```
/// The sides of a hanging rod only slide, and along a straight rod the convective forces cancel. Here
/// one side turns: without them nothing pulls the rod outwards but the stretch of a turning segment.
fn whirling_eyelet_error(dt: f64, convective: bool) -> f64 {
    let (length, r0, turning) = (2.0, 0.5, 4.0);
    let mut params = rod(&[[0.0, 0.0, -length + r0], [0.0; 3], [r0, 0.0, 0.0]], 1);
    params.eyelets = vec![Eyelet { arc: length - r0, friction: 0.0 }];
    let mut setup = rod_scene(&params, material(1.0, 1e6, 0.0));
    setup.solver.dt = dt;
    setup.solver.convective = convective;
    // A tension of 1.5 N makes differences of energies good to 1e-16 J: the line search sees no smaller force
    // than the root of this times 3e6 N/m, the mass over the squared step.
    setup.solver.residual = Some(2e-4);
    setup.solver.correction = Some(1e-10);
    let mut simulation = Simulation::new(setup);
    set_velocity(&mut simulation, |x| Vec3::y() * (turning * x.x));
    run(&mut simulation, 0.8, dt);
    let r = simulation.position(node(&simulation, &rod_node(-1))).norm();
    r / whirling_length((length, r0, turning), 0.8) - 1.0
}

/// The solution of the equations above by the classical Runge-Kutta method.
fn whirling_length((length, r0, turning): (f64, f64, f64), until: f64) -> f64 {
    let steps = 1000;
    let h = until / f64::from(steps);
    let spin = r0.powi(3) * turning;
    let rate = |[r, v]: [f64; 2]| [v, 0.5 * spin * spin / (r.powi(4) * length)];
    let at = |y: [f64; 2], k: [f64; 2], s: f64| [y[0] + s * k[0], y[1] + s * k[1]];
    let step = |y: [f64; 2], _| {
        let k1 = rate(y);
        let k2 = rate(at(y, k1, 0.5 * h));
        let k3 = rate(at(y, k2, 0.5 * h));
        let k4 = rate(at(y, k3, h));
        [0, 1].map(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]))
    };
    (0..steps).fold([r0, 0.0], step)[0]
}

#[test]
fn a_rod_is_flung_out_through_an_eyelet_as_it_should() {
    let (coarse, fine) = (whirling_eyelet_error(1e-3, true), whirling_eyelet_error(5e-4, true));
    let without = whirling_eyelet_error(5e-4, false);
    println!("whirling: {coarse:.3e} {fine:.3e}, without convection {without:.3e}");
    assert!(fine.abs() < 2e-3, "{fine}");
    assert!((coarse / fine - 2.0).abs() < 0.1, "first order: {coarse} {fine}");
    assert!(without.abs() > 20.0 * fine.abs(), "without convective forces: {without}");
}

/// Tip drop and tip x of a clamped rod of unit length, with its weight or a force at the tip.
///
/// The angle at the second node sums the curvature of half a segment on either side of it, so a rod whose
/// first two nodes are held is clamped in the middle between them: the free length counts from there.
fn cantilever(segments: usize, weight: f64, tip: f64) -> [f64; 2] {
    let h = 1.0 / (segments as f64 - 0.5);
    let params = rod(&[[-0.5 * h, 0.0, 0.0], [1.0, 0.0, 0.0]], segments);
    let mut setup = rod_scene(&params, material(weight.max(1.0) / G, 1e6 * weight.max(tip), 1.0));
    setup.forces.gravity = [0.0, 0.0, if weight > 0.0 { -G } else { 0.0 }];
    clamp(&mut setup, rod_node(0));
    clamp(&mut setup, rod_node(1));
    push(&mut setup, rod_node(-1), [0.0, 0.0, -tip]);
    setup.solver.dt = 10.0;
    setup.solver.residual = Some(1e-6 * weight.max(tip));
    setup.solver.correction = Some(1e-9);
    setup.solver.max_iterations = 200;
    let mut simulation = Simulation::new(setup);
    settle(&mut simulation, 1e-8);
    let x = simulation.position(node(&simulation, &rod_node(-1)));
    [-x.z, x.x]
}

/// Within half a per cent of the table at 100 segments, and of second order: the table has six digits, so
/// the order is that of the differences between resolutions.
fn assert_elastica(weight: f64, tip: f64, exact: [f64; 2]) {
    let [coarse, middle, fine] = [25, 50, 100].map(|n| cantilever(n, weight, tip));
    for k in 0..2 {
        let error = fine[k] / exact[k] - 1.0;
        let ratio = (coarse[k] - middle[k]) / (middle[k] - fine[k]);
        assert!(error.abs() < 5e-3, "B = {weight}, P = {tip}: {error}");
        assert!((3.6..4.4).contains(&ratio), "B = {weight}, P = {tip}, second order: {ratio}");
    }
}

#[test]
fn a_cantilever_sags_under_its_weight_as_the_elastica() {
    assert_elastica(1.0, 0.0, [0.123471, 0.991246]);
    assert_elastica(10.0, 0.0, [0.700200, 0.656354]);
    assert_elastica(100.0, 0.0, [0.937524, 0.159223]);
}

#[test]
fn a_cantilever_bends_under_a_tip_load_as_the_elastica() {
    assert_elastica(0.0, 1.0, [0.301721, 0.943567]);
    assert_elastica(0.0, 10.0, [0.810609, 0.445004]);
}

/// Sag of a rod without bending stiffness between two points, and the force of its first support.
fn hanging(segments: usize, length: f64, span: f64) -> (f64, Vec3) {
    let depth = (0.25 * (length * length - span * span)).sqrt();
    let params = rod(&[[-0.5 * span, 0.0, 0.0], [0.0, 0.0, -depth], [0.5 * span, 0.0, 0.0]], segments);
    let mut setup = rod_scene(&params, material(1.0, 1e7, 0.0));
    setup.forces.gravity = [0.0, 0.0, -G];
    clamp(&mut setup, rod_node(0));
    clamp(&mut setup, rod_node(-1));
    setup.solver.dt = 0.1;
    setup.solver.residual = Some(1e-6);
    setup.solver.correction = Some(1e-9);
    let mut simulation = Simulation::new(setup);
    settle(&mut simulation, 1e-8);
    let middle = rod_node(segments as i64 / 2);
    (-simulation.position(node(&simulation, &middle)).z, simulation.clamp_force(0))
}

#[test]
fn a_hanging_rod_is_a_catenary() {
    // Span 2 a sinh(1), length and supports from y = a cosh(x/a) with a = 0.5 m.
    let a = 0.5;
    let (length, span) = (2.0 * a * 1f64.sinh(), 2.0 * a);
    let sag = a * (1f64.cosh() - 1.0);
    let errors = [12, 24, 48].map(|n| {
        let (found, force) = hanging(n, length, span);
        let horizontal = -force.x / (G * a) - 1.0;
        let vertical = force.z / (0.5 * G * length) - 1.0;
        println!("catenary {n}: sag {:.2e} H {horizontal:.2e} V {vertical:.2e}", found / sag - 1.0);
        assert!(vertical.abs() < 1e-6, "{vertical}");
        (found / sag - 1.0, horizontal)
    });
    assert!(errors[2].0.abs() < 1e-3 && errors[2].1.abs() < 1e-3, "{errors:?}");
    let ratio = (errors[1].0 / errors[2].0, errors[1].1 / errors[2].1);
    assert!((3.4..4.6).contains(&ratio.0) && (3.4..4.6).contains(&ratio.1), "second order: {ratio:?}");
}

/// Squared angular frequency of the first transverse mode of a rod of unit span between two pins, under
/// Newmark: positive from the period of small oscillations.
fn squared_frequency(rest_length: f64, stretch: f64, bending: f64, period: f64) -> f64 {
    let mut params = rod(&[[0.0; 3], [1.0, 0.0, 0.0]], 40);
    params.length = Some(rest_length);
    let mut setup = rod_scene(&params, material(1.0, stretch, bending));
    clamp(&mut setup, rod_node(0));
    clamp(&mut setup, rod_node(-1));
    let dt = period / 200.0;
    setup.solver.scheme = Scheme::Newmark;
    setup.solver.dt = dt;
    setup.solver.residual = Some(1e-9 * stretch);
    setup.solver.correction = Some(1e-10);
    let mut simulation = Simulation::new(setup);
    // A deflection of about a ten-thousandth of the span.
    let speed = 1e-4 * 2.0 * PI / period;
    set_velocity(&mut simulation, |x| Vec3::z() * (speed * (PI * x.x).sin()));
    let middle = node(&simulation, &rod_node(20));
    let mut crossings = Vec::new();
    let mut last = 0.0;
    while crossings.len() < 2 {
        simulation.step().unwrap();
        let z = simulation.position(middle).z;
        if last * z < 0.0 {
            crossings.push(simulation.time() - dt * z / (z - last));
        }
        last = z;
        assert!(simulation.time() < 5.0 * period, "no oscillation");
    }
    (PI / (crossings[1] - crossings[0])).powi(2)
}

#[test]
fn a_taut_string_sounds_its_pitch() {
    let (strain, stretch) = (0.01, 1e4_f64);
    let rest = 1.0 / (1.0 + strain);
    // f = sqrt(T/rho)/(2 L), the line density being that of the stretched string.
    let exact = 0.5 * (stretch * strain * (1.0 + strain)).sqrt();
    let found = squared_frequency(rest, stretch, 0.0, 1.0 / exact).sqrt() / (2.0 * PI);
    println!("string: {:.2e}", found / exact - 1.0);
    assert!((found / exact - 1.0).abs() < 2e-3, "{found} {exact}");
}

#[test]
fn a_column_buckles_at_eulers_load() {
    // omega^2 = (pi/L)^2 (P_cr - P)/rho: two loads below the critical one give it by extrapolation.
    let (bending, stretch, euler) = (1.0, 1e5, PI * PI);
    let squared = |load: f64| {
        let exact = PI * (euler - load).sqrt();
        squared_frequency(1.0 / (1.0 - load / stretch), stretch, bending, 2.0 * PI / exact)
    };
    let [p, q] = [0.5 * euler, 0.8 * euler];
    let (a, b) = (squared(p), squared(q));
    let critical = p + a * (q - p) / (a - b);
    println!("Euler: {:.2e}", critical / euler - 1.0);
    assert!((critical / euler - 1.0).abs() < 5e-3, "{critical}");
}

/// Segments of a hundredth of the radius: what rounding makes of their forces is far above any weight.
#[test]
fn a_rod_may_be_divided_as_finely_as_one_likes() {
    let tip = |segments: usize| {
        let params = rod(&[[0.0; 3], [0.1, 0.0, 0.0]], segments);
        let mut setup = rod_scene(&params, material(4.7e-3, 300.0, 2.8e-5));
        clamp(&mut setup, rod_node(0));
        clamp(&mut setup, rod_node(1));
        setup.forces.gravity = [0.0, 0.0, -G];
        let mut simulation = Simulation::new(setup);
        run(&mut simulation, 0.01, 1e-3);
        simulation.position(node(&simulation, &rod_node(-1))).z
    };
    let [coarse, middle, fine] = [100, 1000, 3000].map(tip);
    println!("tip: {coarse:e} {middle:e} {fine:e}");
    // What is clamped is a segment: the free length differs by a hundredth of it.
    assert!((middle / fine - 1.0).abs() < 1e-2 && (coarse / fine - 1.0).abs() < 5e-2);
}
