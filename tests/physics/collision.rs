//! Yarns that share no contact do not pass through one another.

use crate::common::scenes::*;
use hebra::geometry::Vec3;
use hebra::geometry::segments::closest_points;
use hebra::model::build::ModelBuilder;
use hebra::model::ids::NodeId;
use hebra::model::obstacle::{Obstacle, ObstacleParams, Shape};
use hebra::simulation::Simulation;
use hebra::simulation::setup::Setup;

/// Rods of cotton with a velocity each.
fn rods(all: &[([[f64; 3]; 2], [f64; 3])], segments: usize) -> Setup {
    let mut builder = ModelBuilder::default();
    for (points, velocity) in all {
        let mut params = rod(points, segments);
        params.velocity = *velocity;
        builder.add_rod(&params, cotton());
    }
    let (model, state) = builder.finish();
    let mut setup = Setup { model, state, collision: Some(Default::default()), ..Default::default() };
    setup.forces.gravity = [0.0; 3];
    setup
}

fn positions(simulation: &Simulation) -> Vec<Vec3> {
    (0..simulation.model().nodes.len() as u32).map(|n| simulation.position(NodeId(n))).collect()
}

/// How often segments that share no node have passed through each other while all nodes moved straight:
/// their ends came into one plane at a time at which the segments met.
fn passes(simulation: &Simulation, before: &[Vec3], after: &[Vec3]) -> usize {
    const SAMPLES: usize = 32;
    let model = simulation.model();
    let segments: Vec<[usize; 2]> = model.segments().map(|s| s.map(|n| n.index())).collect();
    let at = |n: usize, t: f64| before[n] + (after[n] - before[n]) * t;
    let volume = |[a, b]: [usize; 2], [c, d]: [usize; 2], t: f64| {
        let [a, b, c, d] = [a, b, c, d].map(|n| at(n, t));
        (b - a).cross(&(d - c)).dot(&(c - a))
    };
    let block = |n: usize| model.nodes[n].block;
    let mut found = 0;
    for (i, &s) in segments.iter().enumerate() {
        for &r in &segments[i + 1..] {
            let far = 2.0 * (at(s[0], 0.0) - at(s[1], 0.0)).norm() + 2e-2;
            let joined = s.iter().any(|&m| r.iter().any(|&n| block(m) == block(n)));
            if joined || (at(s[0], 0.0) - at(r[0], 0.0)).norm() > far {
                continue;
            }
            for k in 0..SAMPLES {
                let (mut lo, mut hi) = (k as f64 / SAMPLES as f64, (k + 1) as f64 / SAMPLES as f64);
                let sign = volume(s, r, lo) > 0.0;
                if sign == (volume(s, r, hi) > 0.0) {
                    continue;
                }
                for _ in 0..60 {
                    let mid = 0.5 * (lo + hi);
                    if (volume(s, r, mid) > 0.0) == sign { lo = mid } else { hi = mid }
                }
                let closest = closest_points(s.map(|n| at(n, lo)), r.map(|n| at(n, lo)), 0.0);
                found += usize::from(closest.squared_distance.sqrt() < 1e-7);
            }
        }
    }
    found
}

/// Steps until a time; the passes of yarn through yarn, and the deepest contact.
fn run(simulation: &mut Simulation, until: f64) -> (usize, f64) {
    let (mut found, mut deepest): (usize, f64) = (0, 0.0);
    let mut before = positions(simulation);
    while simulation.time() < until {
        simulation.step().unwrap();
        let after = positions(simulation);
        found += passes(simulation, &before, &after);
        before = after;
        deepest = deepest.max(simulation.deepest_collision());
    }
    (found, deepest)
}

/// Two yarns that cross fly at each other by 100 times their thickness a step.
fn thrown() -> Setup {
    let across = [[0.0, -0.02, 5e-3], [0.0, 0.02, 5e-3]];
    let along = [[-0.02, 1e-4, -5e-3], [0.02, 1e-4, -5e-3]];
    rods(&[(across, [0.0, 0.0, -10.0]), (along, [0.0, 0.0, 10.0])], 15)
}

#[test]
fn yarns_thrown_at_each_other_do_not_pass() {
    let (found, deepest) = run(&mut Simulation::new(thrown()), 2e-3);
    println!("deepest contact: {deepest:.4} of the thickness");
    assert!(found == 0 && deepest > 0.3, "{found} passes, {deepest}");
    let apart = Setup { collision: None, ..thrown() };
    assert!(run(&mut Simulation::new(apart), 2e-3).0 > 0, "without collision they pass, and it is noticed");
}

#[test]
fn yarns_one_upon_the_other_in_parallel_stay_so() {
    let lower = [[-0.01, 0.0, 0.0], [0.01, 0.0, 0.0]];
    let upper = [[-0.0107, 1e-5, 2.5e-4], [0.0107, 1e-5, 2.5e-4]];
    let mut setup = rods(&[(lower, [0.0; 3]), (upper, [0.0, 0.0, -0.1])], 20);
    setup.obstacles.push(ground(-1e-4));
    setup.forces.gravity = [0.0, 0.0, -G];
    let mut simulation = Simulation::new(setup);
    let (found, deepest) = run(&mut simulation, 0.01);
    assert!(found == 0 && deepest > 0.0 && deepest < 0.5, "{found} passes, {deepest}");
}

fn ground(z: f64) -> Obstacle {
    let plane = ObstacleParams::of(Shape::Plane);
    Obstacle::read(ObstacleParams { at: [0.0, 0.0, z], friction: Some(0.5), stiffness: Some(1e6), ..plane })
        .unwrap()
}

/// A yarn lies across two that are held, on a slope given by its tangent.
fn slope(tangent: f64) -> (Setup, NodeId) {
    let rail = |x: f64| ([[x, -2e-3, 0.0], [x, 2.1e-3, 0.0]], [0.0; 3]);
    let over = ([[-0.012, 1e-5, 1.95e-4], [0.012, 1e-5, 1.95e-4]], [0.0; 3]);
    let mut setup = rods(&[rail(-0.005), rail(0.005), over], 7);
    let held = setup.model.rods[0].nodes.start..setup.model.rods[1].nodes.end;
    for n in held {
        let first = setup.model.nodes[n as usize].block.dof(0) as usize;
        setup.model.free[first..first + 3].fill(false);
    }
    let cosine = G / (1.0 + tangent * tangent).sqrt();
    setup.forces.gravity = [tangent * cosine, 0.0, -cosine];
    setup.model.rods[2].material.bending = 1e-7;
    let middle = NodeId(setup.model.rods[2].nodes.start + 3);
    (setup, middle)
}

#[test]
fn yarns_slide_on_yarns_as_coulomb_says() {
    let mu = cotton().friction;
    let travel = |tangent: f64| {
        let (setup, middle) = slope(tangent);
        let mut simulation = Simulation::new(setup);
        let mut at = [0.0; 2];
        for at in &mut at {
            let until = simulation.time() + 0.03;
            while simulation.time() < until - 1e-9 {
                simulation.step().unwrap();
            }
            *at = simulation.velocity(middle).x;
        }
        (at[1] - at[0]) / 0.03
    };
    let still = travel(0.9 * mu);
    assert!(still.abs() < 0.01 * G, "it creeps: {still} m/s2");
    let tangent = 2.0 * mu;
    let expected = G * (tangent - mu) / (1.0 + tangent * tangent).sqrt();
    let sliding = travel(tangent);
    println!("slides by {sliding:.3} m/s2, expected {expected:.3}");
    assert!((sliding / expected - 1.0).abs() < 0.05, "{sliding} m/s2, not {expected}");
}

/// A narrow strip falls on its end and folds.
fn folding() -> Setup {
    let mut params = weave(16, 3);
    (params.warp.count, params.weft.count) = (3, 22);
    (params.warp.spacing, params.weft.spacing) = (2e-3, 2e-3);
    params.at = [0.0, 0.0, 0.0245];
    params.rotation = [0.0, 87.0, 0.0];
    let mut soft = cotton();
    (soft.density, soft.radius, soft.stretch, soft.bending) = (300.0, 4.5e-4, 2e6, 2e-9);
    let mut setup = fabric_scene(&params, soft);
    setup.damping = Default::default();
    setup.forces.gravity = [0.0, 0.0, -G];
    setup.obstacles.push(ground(0.0));
    setup.solver.dt = 2e-3;
    setup.collision = Some(Default::default());
    setup
}

#[test]
fn a_strip_folds_upon_itself() {
    let mut simulation = Simulation::new(folding());
    let (found, deepest) = run(&mut simulation, 0.2);
    let top = positions(&simulation).iter().map(|x| x.z).fold(0.0, f64::max);
    println!("{found} passes; deepest {deepest:.2} of the thickness; top at {top:.4} m");
    assert!(found == 0 && deepest > 0.02 && deepest < 0.7, "{found} passes, {deepest}");
    assert!(top < 0.03, "it has come down: {top}");
    let apart = Setup { collision: None, ..folding() };
    assert!(run(&mut Simulation::new(apart), 0.2).0 > 0, "without collision it passes through itself");
}

#[test]
fn collisions_are_reproducible() {
    let on = |threads: usize, middle: Option<hebra::simulation::Checkpoint>| {
        on_threads(threads, || {
            let mut simulation = Simulation::new(folding());
            middle.into_iter().for_each(|m| simulation.restore(m).unwrap());
            while simulation.steps() < 60 {
                simulation.step().unwrap();
            }
            let middle = simulation.checkpoint();
            while simulation.steps() < 75 {
                simulation.step().unwrap();
            }
            (middle, postcard::to_stdvec(&simulation.checkpoint()).unwrap(), simulation.n_collision_pairs())
        })
    };
    let (middle, one, pairs) = on(1, None);
    assert!(pairs > 0);
    let (_, two, _) = on(2, None);
    let (_, resumed, _) = on(2, Some(middle));
    assert!(one == two, "one thread and two differ");
    assert!(two == resumed, "a resumed run differs");
}
