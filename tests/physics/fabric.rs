//! Woven fabrics against statics and Coulomb's law.

use crate::common::scenes::*;
use hebra::geometry::Vec3;
use hebra::model::arrangement::Role;
use hebra::model::material::Material as YarnMaterial;
use hebra::model::motion::{Keyframe, Motion};
use hebra::model::obstacle::{Obstacle, ObstacleParams, Shape};
use hebra::model::select::End;
use hebra::model::select::Selection;
use hebra::model::select::ThreadSet::{Warp, Weft};
use hebra::pattern::weave::Weave;
use hebra::simulation::Simulation;
use hebra::simulation::setup::Setup;

/// Both ends of some yarns.
fn ends(yarns: impl Iterator<Item = (hebra::model::select::ThreadSet, i64)>) -> Selection {
    Selection::Any(
        yarns.flat_map(|(set, k)| [End::Start, End::End].map(|end| yarn_end(set, k, end))).collect(),
    )
}

#[test]
fn a_stretched_fabric_pulls_with_its_yarns_stiffness() {
    let (yarns, strain) = (10, 0.01);
    let mut setup = fabric_scene(&weave(yarns, 10), cotton());
    setup.damping = Default::default();
    let all = |end: End| Selection::Any((0..yarns as i64).map(|k| yarn_end(Warp, k, end)).collect());
    clamp(&mut setup, all(End::Start));
    // Ten crossings and two half spacings: 5 mm.
    let moved = [strain * 5e-3, 0.0, 0.0];
    let keys = [(0.0, [0.0; 3]), (0.05, moved)];
    clamp(&mut setup, all(End::End)).motion =
        Motion(keys.map(|(time, translation)| Keyframe { time, translation, rotation: [0.0; 3] }).to_vec());
    let mut simulation = Simulation::new(setup);
    run(&mut simulation, 0.1, 1e-3);
    let expected = yarns as f64 * cotton().stretch_stiffness() * strain;
    let forces = [0, 1].map(|k| simulation.clamp_force(k).x);
    println!("pull: {:.2e} {:.2e}", -forces[0] / expected - 1.0, forces[1] / expected - 1.0);
    assert!((-forces[0] / expected - 1.0).abs() < 1e-3 && (forces[1] / expected - 1.0).abs() < 1e-3);
}

/// Wefts across the pulled yarn, and the warp that is pulled.
const WEFTS: usize = 10;
const PULLED: i64 = 2;

/// What friction can hold: the yarns only lie on one another, so that their waves add no pressure.
fn holding_force() -> f64 {
    WEFTS as f64 * cotton().friction * cotton().preload
}

/// A weft-faced fabric of five warps, all ends held but those of the middle warp, one of which is pulled.
fn pulled_yarn(force: f64, dt: f64) -> Simulation {
    let mut params = weave(5, WEFTS);
    params.weave = Weave::Chart(vec!["#".into()]);
    params.warp.tail = Some(5e-3);
    let mut setup = fabric_scene(&params, cotton());
    setup.damping = Default::default();
    let warps = (0..5).filter(|&k| k != PULLED).map(|k| (Warp, k));
    clamp(&mut setup, ends(warps.chain((0..WEFTS as i64).map(|k| (Weft, k)))));
    push(&mut setup, yarn_end(Warp, PULLED, End::End), [force, 0.0, 0.0]);
    setup.solver.dt = dt;
    Simulation::new(setup)
}

#[test]
fn a_yarn_is_held_up_to_the_sum_of_its_contacts_friction() {
    // Steps far longer than the period of the sticking springs, so that nothing overshoots.
    let slide = |part: f64| {
        let mut simulation = pulled_yarn(part * holding_force(), 1e-3);
        run(&mut simulation, 5e-3, 1e-3);
        let contacts: Vec<_> = (0..WEFTS as i64).map(|k| node(&simulation, &crossing(PULLED, k))).collect();
        let normal: f64 = contacts.iter().map(|&n| simulation.normal_force(n)).sum();
        assert!((cotton().friction * normal / holding_force() - 1.0).abs() < 1e-6, "{normal}");
        simulation.slide(contacts[0])
    };
    let [held, goes] = [0.98, 1.02].map(slide);
    println!("slide: held {held:.1e} m, goes {goes:.1e} m");
    // Sticking springs give by mu Fn/kf at most.
    let give = cotton().friction * cotton().preload / cotton().stick;
    assert!(held.abs() <= give, "{held}");
    assert!(goes.abs() > 100.0 * give, "{goes}");
}

#[test]
fn a_yarn_that_is_pulled_harder_speeds_up_without_limit() {
    let dt = 2e-5;
    let mut simulation = pulled_yarn(1.2 * holding_force(), dt);
    let end = node(&simulation, &yarn_end(Warp, PULLED, End::End));
    let speeds = [1.5e-3, 3e-3].map(|t| {
        run(&mut simulation, t, dt);
        simulation.velocity(end).x
    });
    let length = (WEFTS as f64 - 1.0) * 5e-4 + 2.0 * 5e-3;
    let acceleration = 0.2 * holding_force() / (cotton().line_density() * length);
    let found = (speeds[1] - speeds[0]) / 1.5e-3;
    println!("speeds {speeds:?}, acceleration {:.2e}", found / acceleration - 1.0);
    assert!((speeds[1] / speeds[0] - 2.0).abs() < 0.1, "{speeds:?}");
    assert!((found / acceleration - 1.0).abs() < 0.03, "{found} {acceleration}");
}

#[test]
fn a_yarn_is_drawn_off_the_ends_of_those_that_it_crosses() {
    let mut setup = fabric_scene(&weave(5, 6), cotton());
    setup.damping = Default::default();
    clamp(&mut setup, ends((0..5).map(|k| (Weft, k))));
    let keys = [(0.0, [0.0; 3]), (0.02, [1.5e-3, 0.0, 0.0])];
    clamp(&mut setup, ends([(Weft, 5)].into_iter())).motion =
        Motion(keys.map(|(time, translation)| Keyframe { time, translation, rotation: [0.0; 3] }).to_vec());
    let mut simulation = Simulation::new(setup);
    run(&mut simulation, 0.03, 1e-3);
    let is_off = |k: i64| simulation.arrangement().role(node(&simulation, &crossing(k, 5))) == Role::Removed;
    assert!((0..5).all(is_off));
}

/// How far two yarns slide through their only crossing, which is held, when pulled with forces along each.
fn crossing_slide(force: f64, angle: f64) -> f64 {
    let mut params = weave(1, 1);
    (params.warp.tail, params.weft.tail) = (Some(2e-3), Some(2e-3));
    let mut setup = fabric_scene(&params, cotton());
    setup.damping = Default::default();
    clamp(&mut setup, crossing(0, 0)).slide = true;
    push(&mut setup, yarn_end(Warp, 0, End::End), [force * angle.cos(), 0.0, 0.0]);
    push(&mut setup, yarn_end(Weft, 0, End::End), [0.0, force * angle.sin(), 0.0]);
    let mut simulation = Simulation::new(setup);
    run(&mut simulation, 0.01, 1e-3);
    let model = simulation.model();
    let slides = model.contacts[0].nodes.map(|n| simulation.slide(n));
    slides[0].hypot(slides[1])
}

#[test]
fn a_crossing_starts_to_slide_at_the_same_force_in_every_direction() {
    let limit = cotton().friction * cotton().preload;
    let give = limit / cotton().stick;
    for degrees in [0.0f64, 22.5, 45.0, 60.0, 90.0] {
        let [held, goes] = [0.99, 1.01].map(|part| crossing_slide(part * limit, degrees.to_radians()));
        println!("cone at {degrees}: {held:.2e} {goes:.2e}");
        assert!(held <= give && goes > 20.0 * give, "{degrees}: {held} {goes}");
    }
}

/// Coefficient of friction of the incline.
const MU: f64 = 0.3;

/// A patch that lies on an incline, with the direction down the slope.
fn incline(degrees: f64) -> (Setup, Vec3) {
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let mut params = weave(6, 6);
    params.rotation = [0.0, degrees, 0.0];
    // The crossings touch: two radii above the plane.
    params.at = [2e-4 * sine, 0.0, 2e-4 * cosine];
    let mut setup = fabric_scene(&params, cotton());
    setup.damping = Default::default();
    setup.forces.gravity = [0.0, 0.0, -G];
    let obstacle = Obstacle::read(ObstacleParams {
        name: "incline".into(),
        shape: Shape::Plane,
        at: [0.0; 3],
        rotation: [0.0, degrees, 0.0],
        motion: Motion::default(),
        friction: Some(MU),
        thickness: 0.0,
        stiffness: Some(1e10),
        edges: false,
    });
    setup.obstacles.push(obstacle.unwrap());
    (setup, Vec3::new(cosine, 0.0, -sine))
}

#[test]
fn a_patch_stays_on_an_incline_up_to_the_angle_of_friction() {
    let (setup, down) = incline(MU.atan().to_degrees() - 1.0);
    let mut simulation = Simulation::new(setup);
    let middle = node(&simulation, &crossing(3, 3));
    run(&mut simulation, 0.05, 1e-3);
    let start = simulation.position(middle);
    run(&mut simulation, 0.25, 1e-3);
    let slid = (simulation.position(middle) - start).dot(&down);
    println!("incline: held, {slid:.1e} m");
    assert!(slid.abs() < 1e-8, "{slid}");
}

#[test]
fn a_patch_slides_down_a_steeper_incline_at_coulombs_acceleration() {
    for degrees in [18.0f64, 25.0, 40.0] {
        let (setup, down) = incline(degrees);
        let mut simulation = Simulation::new(setup);
        let middle = node(&simulation, &crossing(3, 3));
        let speeds = [0.05, 0.15].map(|t| {
            run(&mut simulation, t, 1e-3);
            simulation.velocity(middle).dot(&down)
        });
        let (sine, cosine) = degrees.to_radians().sin_cos();
        let exact = G * (sine - MU * cosine);
        let found = (speeds[1] - speeds[0]) / 0.1;
        println!("incline at {degrees}: {:.2e}", found / exact - 1.0);
        assert!((found / exact - 1.0).abs() < 0.03, "{degrees}: {found} {exact}");
    }
}

/// Of any size and anywhere: forces of round-off are none.
#[test]
fn a_fabric_at_rest_stays_there() {
    for (spacing, away) in [(5e-4, 0.0), (1e-5, 0.0), (5e-4, 1e3), (5e-4, 1e6)] {
        let mut params = weave(8, 8);
        (params.warp.spacing, params.weft.spacing) = (spacing, spacing);
        params.at = [away, 0.0, 0.0];
        let mut setup = fabric_scene(&params, YarnMaterial { radius: 0.2 * spacing, ..cotton() });
        setup.damping = Default::default();
        clamp(&mut setup, crossing(0, 0));
        let mut simulation = Simulation::new(setup);
        let start = simulation.state().q.clone();
        run(&mut simulation, 0.01, 1e-3);
        let moved = start.iter().zip(&simulation.state().q).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        println!("{spacing} m, {away} m away: moved {moved:.1e} m");
        assert!(moved <= 1e-14 * away, "{moved}");
    }
}
