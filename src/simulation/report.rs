//! What a step and a simulation tell of themselves.

use serde::Serialize;

use crate::model::ids::{BLOCK, NodeId};
use crate::model::yarns::{Contact, Model, NodeKind};
use crate::potential::term::EnergyKind;

/// Energies of a state, J.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Energies {
    /// Of motion.
    pub kinetic: f64,
    /// Stretch, bending and shear.
    pub elastic: f64,
    /// Of position.
    pub gravitational: f64,
    /// Of contacts with obstacles and between neighbouring yarns.
    pub contact: f64,
    /// Taken by the damping terms since the start.
    pub dissipated: f64,
}

impl Energies {
    /// Everything that is there.
    pub fn stored(&self) -> f64 {
        self.kinetic + self.elastic + self.gravitational + self.contact
    }

    /// Everything that is there, and what damping took: constant in an undamped system without friction.
    pub fn balance(&self) -> f64 {
        self.stored() + self.dissipated
    }
}

/// A term of the energy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Term {
    /// Its name.
    pub name: &'static str,
    /// What its energy is.
    pub kind: EnergyKind,
    /// Stored energy, J.
    pub stored: f64,
    /// Energy that its damping has taken since the start, J.
    pub dissipated: f64,
}

impl Term {
    /// Takes another one in.
    pub(super) fn add(&mut self, other: &Self) {
        self.stored += other.stored;
        self.dissipated += other.dissipated;
    }
}

/// An accepted step.
#[derive(Debug, Clone, PartialEq)]
pub struct StepReport {
    /// Its number, from one.
    pub step: u64,
    /// Simulated time at its end, s.
    pub time: f64,
    /// Its length, s.
    pub dt: f64,
    /// Newton iterations on all unknowns.
    pub newton_iterations: u32,
    /// Largest force left, N.
    pub residual: f64,
    /// Last correction, m.
    pub correction: f64,
    /// Energies at its end.
    pub energies: Energies,
    /// The same, term by term.
    pub terms: Vec<Term>,
    /// Linear momentum at its end, kg m/s.
    pub momentum: [f64; 3],
    /// EoL nodes.
    pub eol: u64,
    /// EIL nodes.
    pub eil: u64,
    /// Contacts of the start that are removed.
    pub removed: u64,
    /// Nodes that changed their role at its start.
    pub changes: u64,
    /// By how much that changed the energy, J.
    pub jump: f64,
    /// How far cloth is pressed into obstacles at its end, over half its thickness.
    pub pressed_in: f64,
    /// Attempts that failed before.
    pub rejected: u32,
    /// The linear solver that was used last.
    pub linear: &'static str,
    /// Iterations of conjugate gradients.
    pub linear_iterations: u32,
    /// Direct factorisations.
    pub factorisations: u32,
    /// Wall-clock seconds.
    pub seconds: f64,
}

/// Of half its thickness: cloth that is pressed into an obstacle farther shows it.
pub const WELL_KEPT: f64 = 0.1;

/// Counts of everything; a node belongs to one rod, so one contact is two nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Counts {
    /// Yarns.
    pub rods: u64,
    /// Lagrangian nodes.
    pub lagrangian: u64,
    /// Sliding contacts inside fabrics, nodes.
    pub eol_intra: u64,
    /// Sliding contacts between fabrics, nodes.
    pub eol_inter: u64,
    /// Degenerate contacts, nodes.
    pub eil: u64,
    /// Contacts.
    pub contacts: u64,
    /// Triangles.
    pub triangles: u64,
    /// Unknowns that may move when nothing is clamped.
    pub unknowns: u64,
    /// Contacts of the start that are removed.
    pub removed: u64,
}

impl Counts {
    /// Those of a model at its start, were no contact degenerate.
    pub fn of(model: &Model) -> Self {
        Self::arranged(model, |n| model.node(n).kind, |n| model.is_to_come(n))
    }

    /// Those of nodes of certain kinds, some of which are gone.
    pub fn arranged(
        model: &Model,
        kind_of: impl Fn(NodeId) -> NodeKind,
        is_gone: impl Fn(NodeId) -> bool,
    ) -> Self {
        let nodes = (0..model.nodes.len() as u32).map(NodeId);
        let mut kinds = [0; 4];
        for n in nodes.filter(|&n| !is_gone(n)) {
            kinds[kind_of(n) as usize] += 1;
        }
        let [lagrangian, eol_intra, eol_inter, eil] = kinds;
        let gone = |to_come: bool| {
            let is_it = |c: &&Contact| c.is_to_come == to_come && c.nodes.iter().any(|&n| is_gone(n));
            model.contacts.iter().filter(is_it).count() as u64
        };
        let removed = gone(false);
        let is_there = |nodes: &[Option<NodeId>; 2]| !nodes.iter().flatten().any(|&n| model.is_to_come(n));
        let blocks = model.free.chunks_exact(BLOCK).zip(&model.block_nodes).filter(|(_, n)| is_there(n));
        let unknowns = blocks.map(|(free, _)| free.iter().filter(|f| **f).count() as u64).sum();
        Self {
            rods: model.rods.len() as u64,
            lagrangian,
            eol_intra,
            eol_inter,
            eil,
            contacts: model.contacts.len() as u64 - removed - gone(true),
            triangles: model.sheets.triangles.len() as u64,
            unknowns,
            removed,
        }
    }
}
