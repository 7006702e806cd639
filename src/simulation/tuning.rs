//! What may be changed while a scene is simulated.

use super::setup::Setup;
use super::{Simulation, SimulationError};
use crate::model::material::Material;
use crate::potential::forces::WindParams;

/// What acts from outside, and factors on what the scene's materials and damping say.
///
/// A change makes the potentials anew around the present state: shapes at rest, masses and contacts stay.
#[derive(Debug, Clone, PartialEq)]
pub struct Tuning {
    /// Acceleration of gravity, m/s2.
    pub gravity: [f64; 3],
    /// The air; of density zero where the scene has none.
    pub wind: WindParams,
    /// On the stiffness of each term.
    pub stiffness: Factors,
    /// On the damping of each term.
    pub damping: Factors,
    /// On Coulomb's coefficients between yarns.
    pub friction: f64,
    /// Which clamps have let go, in the scene's order.
    pub released: Vec<bool>,
}

/// A factor for each elastic term; 1 is the scene's own value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Factors {
    /// On stretch.
    pub stretch: f64,
    /// On bending.
    pub bending: f64,
    /// On shear.
    pub shear: f64,
    /// On the contact of parallel yarns.
    pub contact: f64,
}

impl Default for Factors {
    fn default() -> Self {
        Self { stretch: 1.0, bending: 1.0, shear: 1.0, contact: 1.0 }
    }
}

impl Tuning {
    /// A scene as it is.
    pub fn of(setup: &Setup) -> Self {
        let still = WindParams { density: 0.0, ..WindParams::default() };
        Self {
            gravity: setup.forces.gravity,
            wind: setup.forces.wind.clone().unwrap_or(still),
            stiffness: Factors::default(),
            damping: Factors::default(),
            friction: 1.0,
            released: vec![false; setup.clamps.len()],
        }
    }

    /// The scene with these changes.
    pub fn apply(&self, setup: &Setup) -> Setup {
        let mut tuned = setup.clone();
        tuned.forces.gravity = self.gravity;
        // Air without density is kept: states belong to scenes with the same potentials.
        tuned.forces.wind = Some(self.wind.clone());
        let (damping, factors) = (&mut tuned.damping, &self.damping);
        damping.stretch = damping.stretch.map(|c| c * factors.stretch);
        damping.bending = damping.bending.map(|c| c * factors.bending);
        damping.shear = damping.shear.map(|c| c * factors.shear);
        damping.contact = damping.contact.map(|c| c * factors.contact);
        for rod in &mut tuned.model.rods {
            rod.material = self.material(&rod.material);
        }
        for held in &mut tuned.model.held {
            held.friction *= self.friction;
        }
        for ((clamp, _), _) in tuned.clamps.iter_mut().zip(&self.released).filter(|(_, released)| **released)
        {
            clamp.release = Some(0.0);
        }
        tuned
    }

    fn material(&self, from: &Material) -> Material {
        Material {
            stretch: from.stretch * self.stiffness.stretch,
            bending: from.bending * self.stiffness.bending,
            shear: from.shear * self.stiffness.shear,
            contact: from.contact * self.stiffness.contact,
            stretch_damping: from.stretch_damping * self.damping.stretch,
            bending_damping: from.bending_damping * self.damping.bending,
            shear_damping: from.shear_damping * self.damping.shear,
            contact_damping: from.contact_damping * self.damping.contact,
            friction: from.friction * self.friction,
            ..*from
        }
    }
}

impl Simulation {
    /// Goes on from the present state under a tuning of the scene that it was made from by
    /// [`Tuning::apply`], and lets go of what is held. Potentials of one's own stay as they are.
    ///
    /// # Errors
    /// [`SimulationError::WrongCheckpoint`] for another scene; nothing has changed then.
    pub fn tune(&mut self, setup: &Setup, tuning: &Tuning) -> Result<(), SimulationError> {
        self.let_go();
        let own = self.terms.take_joined();
        let dissipated = self.dissipated.split_off(self.terms.all().count());
        let mut tuned = Self::new(tuning.apply(setup));
        let restored = tuned.restore(self.checkpoint());
        if restored.is_ok() {
            *self = tuned;
        }
        self.add_own(own, &dissipated);
        restored
    }
}
