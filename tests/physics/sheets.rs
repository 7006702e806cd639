//! Cloth of triangles against what is known.

use crate::common::scenes::*;
use hebra::model::build::ModelBuilder;
use hebra::model::ids::VertexId;
use hebra::model::select::Selection;
use hebra::model::sheets::{Plane, SheetMaterial, SheetParams, SheetShape};
use hebra::potential::damping::DampingKind;
use hebra::simulation::Simulation;
use hebra::simulation::setup::Setup;
use hebra_solver::time::Scheme;

/// A rectangle in the `x, y` plane about the origin, without damping and gravity.
fn sheet(size: [f64; 2], cells: [usize; 2], rotation: [f64; 3], material: SheetMaterial) -> Setup {
    let params = SheetParams {
        name: "sheet".into(),
        shape: SheetShape::Rectangle { size, cells },
        at: [0.0; 3],
        rotation,
        velocity: [0.0; 3],
        material,
        colour: None,
    };
    let mut builder = ModelBuilder::default();
    builder.add_sheet(&params).unwrap();
    let (model, state) = builder.finish();
    let mut setup = Setup { model, state, ..Default::default() };
    setup.forces.gravity = [0.0; 3];
    setup.damping.kind = DampingKind::None;
    setup
}

fn strip(min: [f64; 3], max: [f64; 3]) -> Selection {
    Selection::Box { min, max }
}

/// Tip drop over length of a strip that is clamped at one end and bends under its weight, `B = 10`.
fn cantilever(cells: usize) -> f64 {
    let (length, density) = (0.1, 0.1);
    // A free strip of the mesh has four fifths of the rigidity of its hinges.
    let bending = density * G * length * length * length / 10.0 / 0.8;
    let material = SheetMaterial {
        density,
        bending,
        membrane: Plane::Isotropic { lambda: 0.0, mu: 500.0 },
        bending_damping: 2e-2,
        ..Default::default()
    };
    // The first square is held, which fixes the direction too; a hinge stands for half a square on either side, so
    // the strip bends from the middle of that square on.
    let d = length / (cells as f64 - 0.5);
    let (whole, across) = (d * cells as f64, cells / 3);
    let mut setup = sheet([whole, across as f64 * d], [cells, across], [0.0; 3], material);
    let left = -0.5 * whole;
    clamp(&mut setup, strip([left - 0.1 * d, -1.0, -1.0], [left + 1.1 * d, 1.0, 1.0]));
    let tip = strip([0.5 * whole - 0.1 * d, -1.0, -1.0], [1.0, 1.0, 1.0]);
    setup.forces.gravity = [0.0, 0.0, -G];
    setup.damping.kind = DampingKind::StrainRate;
    setup.solver.dt = 5e-3;
    (setup.solver.residual, setup.solver.correction) = (Some(1e-9), Some(1e-8));
    let tip = tip.resolve_all(&setup.model, &setup.state.q).unwrap().vertices;
    let mut simulation = Simulation::new(setup);
    settle(&mut simulation, 1e-4);
    let height = |&v: &VertexId| simulation.block_position(simulation.model().sheets.vertex(v).block).z;
    -tip.iter().map(height).sum::<f64>() / tip.len() as f64 / length
}

#[test]
fn a_strip_bends_as_the_elastica() {
    let drops = [6, 12, 24].map(cantilever);
    println!("cantilever: {drops:.5?}, elastica 0.700200");
    let errors = drops.map(|d| (d - 0.700_200).abs());
    assert!(errors[2] < 1e-2, "{drops:?}");
    assert!(errors[0] > errors[1] && errors[1] > errors[2], "{drops:?}");
}

#[test]
fn a_strip_stretches_as_its_constants_say() {
    // Uniaxial: psi' = 0 across, so E22 = -lambda/(lambda + 2 mu) E11 and S11 = 4 mu (lambda + mu)/(lambda + 2 mu) E11.
    let (lambda, mu) = (300.0, 500.0);
    let material = SheetMaterial { membrane: Plane::Isotropic { lambda, mu }, ..Default::default() };
    let mut setup = sheet([0.2, 0.02], [40, 4], [0.0; 3], material);
    let (left, right) =
        (strip([-1.0, -1.0, -1.0], [-0.0999, 1.0, 1.0]), strip([0.0999, -1.0, -1.0], [1.0, 1.0, 1.0]));
    clamp(&mut setup, left);
    push(&mut setup, right.clone(), [0.4, 0.0, 0.0]);
    setup.damping.kind = DampingKind::StrainRate;
    setup.damping.stretch = Some(1e-2);
    setup.solver.dt = 5e-3;
    (setup.solver.residual, setup.solver.correction) = (Some(1e-10), Some(1e-10));
    let start = setup.state.q.clone();
    let mut simulation = Simulation::new(setup);
    settle(&mut simulation, 1e-6);
    // Force per width F = S11 (1 + e), with E11 = e + e^2/2.
    let modulus = 4.0 * mu * (lambda + mu) / (lambda + 2.0 * mu);
    let force = |e: f64| modulus * (e + 0.5 * e * e) * (1.0 + e);
    let (mut low, mut high) = (0.0, 0.1);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if force(middle) < 0.4 / 0.02 { low = middle } else { high = middle }
    }
    // Far from both ends: how far the yarns at 5 cm on either side of the middle have parted.
    let column = |x: f64| {
        let here = start.chunks_exact(5).zip(simulation.state().q.chunks_exact(5));
        let moved: Vec<f64> = here.filter(|(s, _)| (s[0] - x).abs() < 1e-6).map(|(_, q)| q[0]).collect();
        moved.iter().sum::<f64>() / moved.len() as f64
    };
    let found = (column(0.05) - column(-0.05)) / 0.1 - 1.0;
    println!("stretch {found:.6}, expected {low:.6}");
    assert!((found / low - 1.0).abs() < 2e-3, "{found} {low}");
}

/// Kinetic energy step by step of a square held by its upper edge.
fn kinetic(kind: DampingKind, angle: f64, steps: usize) -> Vec<f64> {
    let material = SheetMaterial {
        density: 0.1,
        membrane: Plane::Isotropic { lambda: 10.0, mu: 20.0 },
        bending: 0.0,
        ..Default::default()
    };
    let mut setup = sheet([1.0, 1.0], [12, 12], [angle, 0.0, 0.0], material);
    let (sine, cosine) = angle.to_radians().sin_cos();
    clamp(&mut setup, strip([-1.0, 0.499 * cosine - 1e-9, 0.499 * sine], [1.0, 1.0, 1.0]));
    setup.forces.gravity = [0.0, 0.0, -G];
    setup.damping.kind = kind;
    setup.damping.stretch = Some(0.15);
    setup.solver.dt = 4e-3;
    setup.solver.single_iteration = true;
    let mut simulation = Simulation::new(setup);
    (0..steps).map(|_| simulation.step().unwrap().energies.kinetic).collect()
}

fn largest(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}

#[test]
fn both_dampings_hang_alike() {
    let [strain_rate, rayleigh] =
        [DampingKind::StrainRate, DampingKind::Rayleigh].map(|k| kinetic(k, 90.0, 150));
    let apart: Vec<f64> = strain_rate.iter().zip(&rayleigh).map(|(a, b)| (a - b).abs()).collect();
    let ratio = largest(&apart) / largest(&strain_rate);
    println!("hanging: apart by {ratio:.4} of the peak");
    assert!(ratio < 0.05, "{ratio}");
}

#[test]
fn only_rayleigh_brakes_a_swing() {
    // A rigid cloth would swing as a plate, 0.82 s each way: the second swing's peak comes at 1.23 s.
    let second = |kind| largest(&kinetic(kind, 45.0, 400)[215..]);
    let [none, strain_rate, rayleigh] =
        [DampingKind::None, DampingKind::StrainRate, DampingKind::Rayleigh].map(second);
    println!("second swing: none {none:.4}, strain rate {strain_rate:.4}, Rayleigh {rayleigh:.4} J");
    assert!(strain_rate > 0.9 * none, "{strain_rate} {none}");
    assert!(rayleigh < 0.5 * none, "{rayleigh} {none}");
}

/// The mass on a spring of Sanchez-Banderas and Otaduy 2018, section 3.2.6.
fn spring(kind: DampingKind, beta: f64, scheme: Scheme, dt: f64) -> Simulation {
    let mut params = rod(&[[0.0; 3], [2.0, 0.0, 0.0]], 1);
    params.velocity = [0.0, 20.0, 0.0];
    // A third of the rod's mass is that of its free end.
    let mut setup = rod_scene(&params, material(1.5, 100.0, 0.0));
    clamp(&mut setup, rod_node(0));
    setup.damping.kind = kind;
    setup.damping.stretch = Some(beta);
    setup.solver.scheme = scheme;
    setup.solver.dt = dt;
    // Forces of 1e3 N and, in the inertia of a step of 1e-3 s, masses times 1e7/s2: nine digits.
    (setup.solver.residual, setup.solver.correction) = (Some(1e-6), Some(1e-10));
    Simulation::new(setup)
}

/// Kinetic energies at the times of the table, J. Handing so little to other threads would take most of the time.
fn at_times(mut simulation: Simulation) -> [f64; 5] {
    let mut at = |until: f64| {
        while simulation.time() < until - 1e-9 {
            simulation.step().unwrap();
        }
        simulation.energies().kinetic
    };
    on_threads(1, || [0.5, 1.0, 2.0, 5.0, 10.0].map(&mut at))
}

#[test]
fn a_damped_spring_is_that_of_the_reference() {
    let table = [
        (DampingKind::StrainRate, 0.0, [184.1193, 97.6797, 99.4382, 101.2048, 92.4628]),
        (DampingKind::StrainRate, 0.01, [163.2460, 83.8950, 93.7812, 99.1340, 84.7015]),
        (DampingKind::StrainRate, 0.1, [92.6837, 78.9604, 84.2636, 83.9288, 83.9287]),
        (DampingKind::Rayleigh, 0.01, [154.8984, 66.9480, 90.9838, 39.6688, 16.1676]),
        (DampingKind::Rayleigh, 0.1, [38.7953, 15.2418, 7.2574, 2.4978, 1.1413]),
    ];
    let mut worst = 0.0f64;
    for (kind, beta, expected) in table {
        let found = at_times(spring(kind, beta, Scheme::Newmark, 1e-3));
        let errors: Vec<f64> = found.iter().zip(expected).map(|(f, e)| (f / e - 1.0).abs()).collect();
        println!("spring {kind:?} {beta}: {found:.4?}, worst {:.5}", largest(&errors));
        worst = worst.max(largest(&errors));
    }
    assert!(worst < 5e-3, "{worst}");
}

/// What the schemes' first-order errors of damping are of the last kinetic energy, see [`hebra::potential::dissipation`].
fn expected_errors(h: f64, beta: f64) -> [f64; 2] {
    let (stiffness, mass, rest, start) = (50.0, 1.0, 2.0, 2.0);
    let (r, v) = (3.087_378_f64, 12.955_978);
    // From K (r - l) = L^2/(m r^3) and the kinetic energy L^2/(2 m r^2).
    let of_momentum = 2.0 - 4.0 / (r / (r - rest) + 3.0);
    let lost = 0.5 * h * stiffness * beta / mass * f64::ln(r / start);
    let drawn_in = 0.5 * h * beta * v * v / r / (1.0 + 3.0 * (r - rest) / r);
    [-of_momentum * lost, 2.0 * drawn_in / r]
}

/// Both schemes take damping to first order, from the start and from the end of a step.
#[test]
fn schemes_come_to_agree_on_the_spring() {
    let apart = |dt: f64, beta: f64| {
        let [newmark, symplectic] = [Scheme::Newmark, Scheme::SymplecticEuler]
            .map(|s| at_times(spring(DampingKind::StrainRate, beta, s, dt)));
        let errors = newmark.iter().zip(symplectic).map(|(a, b)| (a / b - 1.0).abs());
        println!("{dt} s, {beta} s: Newmark {newmark:.3?}, symplectic Euler {symplectic:.3?}");
        largest(&errors.collect::<Vec<_>>())
    };
    for dt in [1e-2, 5e-3] {
        let schemes = [Scheme::Newmark, Scheme::SymplecticEuler];
        for (scheme, expected) in schemes.into_iter().zip(expected_errors(dt, 0.1)) {
            let error = at_times(spring(DampingKind::StrainRate, 0.1, scheme, dt))[4] / 83.928_676 - 1.0;
            println!("{scheme:?} at {dt} s: off by {error:.5}, to first order {expected:.5}");
            assert!((error / expected - 1.0).abs() < 0.1, "{scheme:?}: {error} {expected}");
        }
    }
    let damped = [1e-2, 5e-3, 2.5e-3].map(|dt| apart(dt, 0.1));
    let undamped = apart(1e-2, 0.0);
    println!("apart: damped {damped:.4?}, undamped {undamped:.4}");
    assert!(damped[2] < 1e-2, "{damped:?}");
    for pair in damped.windows(2) {
        assert!((1.7..2.3).contains(&(pair[0] / pair[1])), "first order: {damped:?}");
    }
    let [newmark, symplectic] = [Scheme::Newmark, Scheme::SymplecticEuler]
        .map(|s| at_times(spring(DampingKind::Rayleigh, 0.1, s, 1e-2))[4]);
    assert!(newmark < 2.0 && symplectic < 2.0, "Rayleigh stops it: {newmark} {symplectic}");
}

#[test]
fn a_cloth_of_triangles_keeps_its_momentum_and_its_energy() {
    let mut setup = sheet([0.1, 0.1], [6, 6], [20.0, 10.0, 0.0], SheetMaterial::default());
    setup.solver.scheme = Scheme::Newmark;
    setup.solver.dt = 1e-4;
    (setup.solver.residual, setup.solver.correction) = (Some(1e-11), Some(1e-10));
    let mut simulation = Simulation::new(setup);
    let mut random = Random(3);
    let mut state = simulation.state().clone();
    for v in state.v.chunks_exact_mut(5) {
        (0..3).for_each(|k| v[k] = 0.3 + 0.05 * random.next());
    }
    simulation.set_state(state);
    let (start, momentum) = (simulation.energies(), simulation.momentum());
    let mut exchanged = 0.0f64;
    for _ in 0..200 {
        exchanged = exchanged.max(simulation.step().unwrap().energies.elastic);
    }
    let drift = (simulation.energies().balance() - start.balance()).abs() / exchanged;
    let lost = (simulation.momentum() - momentum).norm() / momentum.norm();
    println!("free sheet: energy {drift:.1e} of what is exchanged, momentum {lost:.1e}");
    assert!(drift < 2e-2 && lost < 1e-9, "{drift} {lost}");
}
