//! What every term of the energy stores and what it has lost, by name.

use super::Simulation;
use super::report::{Energies, Term};
use crate::potential::normal_force::slants;
use crate::potential::term::{Counts, EnergyKind, Motion, Potential, StepStart};

impl Simulation {
    /// Every term with its stored energy and what its damping has taken since the start, J; terms of one name
    /// are summed. The terms of yarns are left out where there are none, and those of sheets too.
    pub fn terms(&self) -> Vec<Term> {
        let q = &self.world.state.q;
        let mut terms: Vec<Term> = Vec::new();
        for (p, dissipated) in self.terms.all().zip(&self.dissipated) {
            let term = Term { name: p.name(), kind: p.kind(), stored: p.energy(q), dissipated: *dissipated };
            match terms.iter_mut().find(|t| t.name == term.name) {
                Some(known) => known.add(&term),
                None => terms.push(term),
            }
        }
        let is_there = |t: &Term| !CHAIN.contains(&t.name) || !self.world.model.rods.is_empty();
        terms.retain(is_there);
        terms
    }

    /// Energies of the present state, J.
    pub fn energies(&self) -> Energies {
        self.summed(&self.terms())
    }

    /// Energy stored in a part of a fabric, J: in the elements whose first block counts.
    pub(super) fn energy_of(&self, counts: Counts<'_>) -> f64 {
        self.terms.all().map(|p| p.energy_of(&self.world.state.q, counts)).sum()
    }

    /// By what that energy grows, J, over the size of a small motion.
    pub(super) fn power_of(&self, counts: Counts<'_>, motion: Motion<'_>) -> f64 {
        self.terms.all().map(|p| p.power_of(&self.world.state.q, counts, motion)).sum()
    }

    pub(super) fn summed(&self, terms: &[Term]) -> Energies {
        let stored = |kind: EnergyKind| terms.iter().filter(|t| t.kind == kind).map(|t| t.stored).sum();
        Energies {
            kinetic: self.kinetic_energy(),
            elastic: stored(EnergyKind::Elastic),
            gravitational: stored(EnergyKind::Gravitational),
            contact: stored(EnergyKind::Contact),
            dissipated: terms.iter().map(|t| t.dissipated).sum(),
        }
    }

    /// All terms as in a step from one state to another, for who measures them; the simulation goes on as if nothing had
    /// been measured.
    pub(crate) fn terms_between(&mut self, q: &[f64], to: &[f64]) -> impl Iterator<Item = &dyn Potential> {
        let Self { world, contacts, terms, stepper, control, .. } = self;
        let dt = control.step();
        let v: Vec<f64> = q.iter().zip(to).map(|(a, b)| (b - a) / dt).collect();
        let slants = slants(&world.loaded(&terms.chain, None));
        let (time, weights, normal_forces) = (world.time, stepper.weights(dt), &contacts.normal_forces);
        terms.freeze(&StepStart { q, v: &v, time, dt, weights, normal_forces, slants: &slants });
        terms.all()
    }

    /// Counts what damping takes over the step that ends at `q`.
    pub(super) fn dissipate(&mut self, q: &[f64]) {
        let lost: Vec<f64> = self.terms.all().map(|p| p.dissipated(q)).collect();
        self.dissipated.resize(lost.len(), 0.0);
        self.dissipated.iter_mut().zip(lost).for_each(|(sum, lost)| *sum += lost);
    }
}

/// Terms that every simulation has, whether it has yarns or not.
const CHAIN: [&str; 5] = ["stretch", "bending", "gravity", "bindings", "double bindings"];
