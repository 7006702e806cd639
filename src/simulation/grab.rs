//! Pulling at a node from outside, as with a hand.

use super::Simulation;
use crate::geometry::Vec3;
use crate::model::arrangement::Role;
use crate::model::ids::{NodeId, RodId};
use crate::potential::family::{Family, Stencils};
use crate::potential::grab::Grab;
use crate::potential::term::EnergyKind;

/// Name of the potential of a held node.
const NAME: &str = "grab";

/// Pull at full reach, the size of all yarns, in weights of all yarns: enough to lift them and to throw them
/// about, not enough to tear at a single crossing.
const WEIGHTS_AT_FULL_REACH: f64 = 20.0;

/// m/s2; scales the pull in scenes without gravity too.
const STANDARD_GRAVITY: f64 = 9.81;

impl Simulation {
    /// Pulls at a rod, where its arc coordinate is `arc`, m, towards a point, m, on a spring of a stiffness,
    /// N/m, from the next step on; what was held before is let go. What is pulled is the nearest node of the
    /// rod that has a place of its own. Nodes that are clamped stay.
    pub fn grab(&mut self, rod: RodId, arc: f64, target: Vec3, stiffness: f64) {
        self.let_go();
        let active =
            self.world.model.rod_nodes(rod).filter(|&n| self.world.arrangement.role(n) == Role::Active);
        let distance = |n: &NodeId| (self.world.model.arc(&self.world.state.q, *n) - arc).abs();
        let Some(node) = active.min_by(|a, b| distance(a).total_cmp(&distance(b))) else { return };
        let block = self.world.model.node(node).block;
        let dofs = vec![[block.dof(0), block.dof(1), block.dof(2)]];
        let element = Grab::new(target, stiffness);
        self.terms.add(Box::new(Family::new(
            NAME,
            EnergyKind::External,
            Stencils::new(dofs, [0; 3]),
            element,
        )));
    }

    /// Lets go of the node that is held, if there is one.
    pub fn let_go(&mut self) {
        self.terms.drop_named(NAME);
        self.dissipated.truncate(self.terms.all().count());
    }

    /// A stiffness of [`Simulation::grab`], N/m, that suits the yarns as they are now.
    pub fn grab_stiffness(&self) -> f64 {
        let model = &self.world.model;
        let mass: f64 = model.rods.iter().map(|r| r.material.line_density() * r.length).sum();
        let positions = || (0..model.nodes.len() as u32).map(|n| self.position(NodeId(n)));
        let low = positions().fold(Vec3::repeat(f64::INFINITY), |a, x| a.inf(&x));
        let high = positions().fold(Vec3::repeat(f64::NEG_INFINITY), |a, x| a.sup(&x));
        WEIGHTS_AT_FULL_REACH * mass * STANDARD_GRAVITY / (high - low).norm().max(f64::MIN_POSITIVE)
    }
}
