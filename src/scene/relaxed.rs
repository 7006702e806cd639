//! Knits that start at rest.

use std::f64::consts::PI;
use std::ops::Range;

use super::build::set_up;
use super::error::Problem;
use super::params::Scene;
use super::watch::{Part, Preparing, Watch};
use crate::geometry::Vec3;
use crate::geometry::pose::Pose;
use crate::model::cell::lay_out;
use crate::model::ids::{BLOCK, NodeId};
use crate::model::knit::{KnitParams, KnitStart};
use crate::model::tile::{Tiling, tile};
use crate::model::yarns::{Model, Rod, State};
use crate::simulation::Simulation;
use crate::simulation::cell::CellRelaxation;
use crate::simulation::params::{ContactsParams, RelaxParams};
use crate::simulation::relax::Relaxation;
use crate::simulation::setup::Setup;

/// Brings the knits of a scene to rest that start so, each by itself.
///
/// A large one is laid out as a patch of it lies at rest, in whose middle a repeat lies as it does in a fabric without
/// borders. All that is left to relax then is what reaches from the edges further than the patch.
///
/// # Errors
/// Which knits do not come to rest.
pub(super) fn start_at_rest(
    (scene, watch): (&Scene, &Watch<'_>),
    model: &mut Model,
    state: &mut State,
) -> Result<(), Vec<Problem>> {
    for (i, knit) in scene.knits.iter().enumerate().filter(|(_, k)| k.start != KnitStart::Machine) {
        let way = WayToRest { scene, knit, watch };
        let still = way.at_rest().and_then(|flat| match knit.start {
            KnitStart::Free => way.let_out(flat),
            KnitStart::Machine | KnitStart::Relaxed => Ok(flat),
        });
        let still = still.map_err(|why| {
            let message = format!("{why}; `start: Machine` and `hebra relax` show how far it comes");
            vec![Problem::new(format!("knits[{i}].start"), message)]
        })?;
        let fabric = (scene.fabrics.len() + i) as u32;
        put(&still, (model, &mut state.q), (fabric, &knit.pose()));
    }
    Ok(())
}

/// Height by which crossings of a flat knit are moved at most, in radii of the yarn, so that it can leave its plane.
const LIFT: f64 = 1e-2;

/// A knit has come out of its plane when this part of the energy that it stores is the most that so many steps take.
const RELEASED: f64 = 0.02;
const STEPS: usize = 40;

/// A knit of a scene that comes to rest by itself, without a placement.
struct WayToRest<'a> {
    scene: &'a Scene,
    knit: &'a KnitParams,
    watch: &'a Watch<'a>,
}

impl WayToRest<'_> {
    /// The knit at rest, flat.
    fn at_rest(&self) -> Result<Setup, String> {
        let knit = self.knit;
        let repeat = knit.pattern.repeat(&knit.feeds).map_err(|e| e.to_string())?;
        let courses = knit.pattern.courses(&knit.extent()).map_err(|e| e.to_string())?.len();
        let ends = 1 + usize::from(knit.bind_off);
        let tilings = [Tiling::new(courses + ends, repeat.courses), Tiling::new(knit.wales, repeat.wales)];
        let mut whole = self.alone([knit.courses, knit.wales])?;
        if tilings.iter().all(|t| t.patch == t.whole) {
            return self.relaxed_flat(whole, Part::Whole);
        }
        let rows = knit.courses - tilings[0].repeats() * repeat.rows;
        if let Ok((patch, periods)) = self.patch([rows, tilings[1].patch], tilings)
            && let Some(laid) = tile(&whole.model, (&patch.model, &patch.state.q), (tilings, periods))
        {
            whole.state.q = laid.q;
            whole.model.rods.iter_mut().zip(laid.lengths).for_each(|(rod, length)| rod.length = length);
        }
        self.relaxed_flat(whole, Part::Whole)
    }

    /// A patch at rest around a repeat that lies as it does in a fabric without borders, and the periods of that, m.
    fn patch(&self, size: [usize; 2], tilings: [Tiling; 2]) -> Result<(Setup, [f64; 2]), String> {
        let middle = tilings.map(|t| t.in_the_middle());
        let mut repeats = CellRelaxation::new(Simulation::new(self.alone(size)?), &middle);
        self.tell(Part::Repeat, 0, [f64::INFINITY, 0.0]);
        repeats.find([1, 0].map(|k| tilings[k].repeats() > 0)).map_err(|e| e.to_string())?;
        let mut patch = self.alone(size)?;
        hold(&mut patch.model, &middle);
        patch.state.q = lay_out(&patch.model, [&patch.state.q, &repeats.simulation().state().q]);
        Ok((self.relaxed_flat(patch, Part::Patch)?, repeats.periods()))
    }

    fn alone(&self, size: [usize; 2]) -> Result<Setup, String> {
        Ok(Setup { interrupt: self.watch.interrupt.clone(), ..alone(self.scene, self.knit, size)? })
    }

    /// A knit at rest whose crossings stay at the heights that they have.
    fn relaxed_flat(&self, setup: Setup, part: Part) -> Result<Setup, String> {
        let mut flat = setup.clone();
        flat.model.free.iter_mut().skip(2).step_by(BLOCK).for_each(|z| *z = false);
        let mut simulation = Simulation::new(flat);
        let mut relaxation = Relaxation::new(&mut simulation, freely());
        while !relaxation.is_at_rest() {
            self.step(part, (&mut relaxation, &mut simulation))?;
        }
        Ok(Setup { state: simulation.state().clone(), ..setup })
    }

    /// Lets a flat knit out of its plane: bound edges and floats bulge at once, within microseconds, and then the fabric
    /// curls, which is left to its motion. Yarns without thickness are held in the plane by symmetry, and are lifted a
    /// little.
    fn let_out(&self, flat: Setup) -> Result<Setup, String> {
        let radii = flat.model.rods.iter().filter(|r| !r.is_thick()).map(|r| r.material.radius);
        let lift = radii.reduce(f64::min).map_or(0.0, |radius| LIFT * radius);
        let mut state = flat.state.clone();
        for (height, fraction) in state.q.iter_mut().skip(2).step_by(BLOCK).zip(fractions()) {
            *height += lift * (2.0 * fraction - 1.0);
        }
        let mut simulation = Simulation::new(Setup { state, ..flat.clone() });
        let mut relaxation = Relaxation::new(&mut simulation, freely());
        let mut stored = simulation.energies().stored();
        loop {
            for _ in 0..STEPS {
                self.step(Part::Free, (&mut relaxation, &mut simulation))?;
                if relaxation.is_at_rest() {
                    return Ok(Setup { state: simulation.state().clone(), ..flat });
                }
            }
            let left = simulation.energies().stored();
            if stored - left < RELEASED * stored {
                return Ok(Setup { state: simulation.state().clone(), ..flat });
            }
            stored = left;
        }
    }

    fn step(
        &self,
        part: Part,
        (relaxation, simulation): (&mut Relaxation, &mut Simulation),
    ) -> Result<(), String> {
        let report = relaxation.step(simulation).map_err(|e| e.to_string())?;
        self.tell(part, report.step, [relaxation.force(), relaxation.tolerance()]);
        Ok(())
    }

    fn tell(&self, part: Part, step: u64, [force, tolerance]: [f64; 2]) {
        (self.watch.tell)(&Preparing { knit: &self.knit.name, part, step, force, tolerance });
    }
}

/// Holds loops, and those next to them, where they lie.
fn hold(model: &mut Model, [courses, wales]: &[Range<usize>; 2]) {
    let is_near = |range: &Range<usize>, at: u32| (range.start..range.end + 2).contains(&(at as usize + 1));
    let is_held = |[course, wale]: [u32; 2]| is_near(courses, course) && is_near(wales, wale);
    for node in model.nodes.iter().filter(|n| n.stitch.is_some_and(is_held)) {
        model.free[node.block.dof(0) as usize..][..BLOCK].fill(false);
    }
}

/// A knit of so many rows and wales and nothing else.
pub(super) fn alone(scene: &Scene, knit: &KnitParams, [courses, wales]: [usize; 2]) -> Result<Setup, String> {
    let [at, rotation] = [[0.0; 3]; 2];
    let knit = KnitParams { courses, wales, at, rotation, start: KnitStart::Machine, ..knit.clone() };
    by_itself(scene, Scene::default().with_knit(knit))
}

/// Cloth of a scene, and nothing else of it but materials and roles of contacts.
pub(super) fn by_itself(scene: &Scene, cloth: Scene) -> Result<Setup, String> {
    let mut alone = Scene {
        materials: scene.materials.clone(),
        // Nothing comes to lie on anything else there.
        contacts: ContactsParams { join_after: None, ..scene.contacts },
        ..cloth
    };
    alone.forces.gravity = [0.0; 3];
    let (setup, _) = set_up(&alone.to_relax())
        .map_err(|problems| problems.into_iter().map(|p| p.message).collect::<Vec<_>>().join("; "))?;
    Ok(setup)
}

/// Yarns slide until nothing pulls.
fn freely() -> RelaxParams {
    RelaxParams { friction: false, ..RelaxParams::default() }
}

/// Numbers from 0 to 1 without order, always the same ones: the fractional parts of the multiples of pi - 3 squared.
fn fractions() -> impl Iterator<Item = f64> {
    (1u64..).map(|k| (k as f64 * k as f64 * (PI - 3.0)).fract())
}

/// Puts a knit that lies by itself where the same knit lies among others, its middle at the placement's origin.
fn put(still: &Setup, (model, q): (&mut Model, &mut [f64]), (fabric, place): (u32, &Pose)) {
    let is_in = |rod: &Rod| rod.thread.is_some_and(|t| t.fabric == fabric);
    let lengths = still.model.rods.iter().map(|r| r.length);
    model.rods.iter_mut().filter(|r| is_in(r)).zip(lengths).for_each(|(rod, length)| rod.length = length);
    let from = |node: NodeId| still.model.position(&still.state.q, node);
    let places = still.model.contacts.iter().map(|c| from(c.nodes[0]));
    let (low, high) = places
        .fold((Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)), |(low, high), x| {
            (low.inf(&x), high.sup(&x))
        });
    let middle = 0.5 * (low + high);
    let nodes = model.nodes.iter().filter(|n| n.stitch.is_some() && is_in(&model.rods[n.rod.index()]));
    for (node, source) in nodes.zip((0..still.model.nodes.len() as u32).map(NodeId)) {
        let first = node.block.dof(0) as usize;
        let x = place.to_world(from(source) - middle);
        q[first..first + 3].copy_from_slice(x.as_slice());
        q[node.arc_dof() as usize] = still.model.arc(&still.state.q, source);
    }
}
