//! What a run needs to go on as if it had not been interrupted.

use std::sync::Arc;

use hebra_solver::linear::Choice;
use hebra_solver::time::StepControl;
use serde::{Deserialize, Serialize};

use super::threads::inside_pool;
use super::{Simulation, SimulationError};
use crate::model::arrangement::Arrangement;
use crate::model::yarns::State;
use crate::potential::term::Arranged;
use crate::potential::terms::SavedTerms;

/// Everything that a run needs to go on as if it had not been interrupted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Accepted steps.
    pub step: u64,
    /// s.
    pub time: f64,
    /// Unknowns and velocities.
    pub state: State,
    /// Velocities one step earlier, m/s, and the length of that step, s.
    last_velocity: Vec<f64>,
    last_dt: f64,
    /// Length of the next step.
    control: StepControl,
    /// What the linear solver chooses by.
    choice: Choice,
    /// Dissipated so far by each term, J.
    dissipated: Vec<f64>,
    /// Steps refused so far.
    rejected: u64,
    /// What the terms keep.
    terms: SavedTerms,
    /// Normal forces as last recorded, N.
    normal_forces: Vec<f64>,
    /// Forces on unknowns that are held, N.
    reactions: Vec<f64>,
    /// How far the yarns of every contact would have parted, m, and how fast, m/s.
    parting: Vec<[f64; 2]>,
    /// How long yarns have pressed on one another that no contact joins, by contact, s.
    joining: Vec<f64>,
    /// Roles of the nodes.
    arrangement: Arrangement,
    /// What is left between the points of bindings, by block, m.
    slack: Vec<[f64; 3]>,
}

impl Simulation {
    /// What is needed to go on later.
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            step: self.world.step,
            time: self.world.time,
            state: self.world.state.clone(),
            last_velocity: self.stepper.last_velocity.clone(),
            last_dt: self.stepper.last_dt,
            control: self.control,
            choice: self.stepper.newton.choice(),
            dissipated: self.dissipated.clone(),
            rejected: self.rejected,
            terms: self.terms.save(),
            normal_forces: self.contacts.normal_forces.clone(),
            reactions: self.reactions.clone(),
            parting: self.contacts.parting.gaps().to_vec(),
            joining: self.contacts.joining.pressed().to_vec(),
            arrangement: (*self.world.arrangement).clone(),
            slack: self.contacts.slack.save(),
        }
    }

    /// Makes a step; one that is interrupted leaves nothing behind, neither what it had changed nor what it had learnt.
    pub(super) fn whole_or_nothing<T: Send>(
        &mut self,
        step: impl FnOnce(&mut Self) -> Result<T, SimulationError> + Send,
    ) -> Result<T, SimulationError> {
        let before = self.checkpoint();
        let result = inside_pool(self.world.model.n_blocks(), || step(self));
        if matches!(result, Err(SimulationError::Interrupted)) {
            self.restore(before)?;
        }
        result
    }

    /// Goes back to a checkpoint of the same scene, keeping the limits of the time step that are set now.
    ///
    /// # Errors
    /// When the checkpoint is of another scene.
    pub fn restore(&mut self, from: Checkpoint) -> Result<(), SimulationError> {
        let (found, expected) = (from.state.q.len(), self.world.state.q.len());
        if found != expected
            || from.state.v.len() != expected
            || from.last_velocity.len() != expected
            || from.arrangement.roles().len() != self.world.model.nodes.len()
            || from.dissipated.len() != self.dissipated.len()
            || from.parting.len() != self.world.model.contacts.len()
            || from.joining.len() != self.world.model.contacts.len()
            || from.slack.len() != self.world.model.n_blocks()
            || from.reactions.len() != expected
        {
            return Err(SimulationError::WrongCheckpoint { found, expected });
        }
        let now = Arranged { model: &self.world.model, arrangement: &from.arrangement, q: &from.state.q };
        if !self.terms.restore(&from.terms, &now) {
            return Err(SimulationError::WrongCheckpoint { found, expected });
        }
        self.stepper.newton.set_pattern(Arc::clone(self.terms.pattern()));
        self.stepper.newton.set_choice(from.choice);
        (self.world.step, self.world.time, self.world.state) = (from.step, from.time, from.state);
        (self.stepper.last_velocity, self.stepper.last_dt) = (from.last_velocity, from.last_dt);
        (self.control, self.dissipated, self.rejected) =
            (from.control.limited_by(&self.control), from.dissipated, from.rejected);
        self.contacts.normal_forces = from.normal_forces;
        self.contacts.parting.set_gaps(from.parting);
        self.contacts.joining.set_pressed(from.joining);
        self.contacts.slack.load(&from.slack);
        self.reactions = from.reactions;
        self.world.arrangement = Arc::new(from.arrangement);
        self.follow_roles();
        Ok(())
    }
}
