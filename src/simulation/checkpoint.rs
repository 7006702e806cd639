//! What a run needs to go on as if it had not been interrupted.

use std::sync::Arc;

use hebra_solver::linear::Choice;
use hebra_solver::time::StepControl;
use serde::{Deserialize, Serialize};

use super::{Simulation, SimulationError};
use crate::model::arrangement::Arrangement;
use crate::model::yarns::State;
use crate::potential::collision::Collision;
use crate::potential::family::{Potential, Term};

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
    /// Dissipated so far by each potential, J.
    dissipated: Vec<f64>,
    /// Steps refused so far.
    rejected: u64,
    /// Anchors and the like, by potential.
    potentials: Vec<Vec<f64>>,
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
    /// The edges that nodes are on, with the state of their friction.
    edges: Vec<f64>,
    /// Pairs of yarns near one another, with the state of their friction.
    collision: Vec<f64>,
    /// Couplings of blocks that the arrangement and collisions added to the system.
    couplings: Vec<(u32, u32)>,
}

impl Simulation {
    /// What is needed to go on later.
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            step: self.step,
            time: self.time,
            state: self.state.clone(),
            last_velocity: self.last_velocity.clone(),
            last_dt: self.last_dt,
            control: self.control,
            choice: self.newton.choice(),
            dissipated: self.dissipated.clone(),
            rejected: self.rejected,
            potentials: self.potentials.iter().map(|p| p.save()).collect(),
            normal_forces: self.normal_forces.clone(),
            reactions: self.reactions.clone(),
            parting: self.parting.gaps().to_vec(),
            joining: self.joining.pressed().to_vec(),
            arrangement: (*self.arrangement).clone(),
            slack: self.slack.save(),
            edges: self.edges.iter().flat_map(|e| e.save()).collect(),
            collision: self.collision.iter().flat_map(|c| c.save()).collect(),
            couplings: self.pattern.added().to_vec(),
        }
    }

    /// Makes a step; one that is interrupted leaves nothing behind, neither what it had changed nor what it had learnt.
    pub(super) fn whole_or_nothing<T>(
        &mut self,
        step: impl FnOnce(&mut Self) -> Result<T, SimulationError>,
    ) -> Result<T, SimulationError> {
        let before = self.checkpoint();
        let result = step(self);
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
        let (found, expected) = (from.state.q.len(), self.state.q.len());
        let alike = from.potentials.len() == self.potentials.len()
            && self.potentials.iter().zip(&from.potentials).all(|(p, s)| p.save().len() == s.len());
        if found != expected
            || from.state.v.len() != expected
            || from.last_velocity.len() != expected
            || from.arrangement.roles().len() != self.model.nodes.len()
            || from.dissipated.len() != self.dissipated.len()
            || from.parting.len() != self.model.contacts.len()
            || from.joining.len() != self.model.contacts.len()
            || from.slack.len() != self.model.n_blocks()
            || from.reactions.len() != expected
            || from.edges.len() != self.edges.as_ref().map_or(0, |e| e.save().len())
            || !alike
        {
            return Err(SimulationError::WrongCheckpoint { found, expected });
        }
        let wrong = || SimulationError::WrongCheckpoint { found, expected };
        let restored = |c: &Collision| {
            c.restored(&self.model, &from.arrangement, &from.state.q, &from.collision).ok_or_else(wrong)
        };
        let collision = self.collision.as_ref().map(restored).transpose()?;
        self.collision = collision;
        for (p, saved) in self.potentials.iter_mut().zip(&from.potentials) {
            p.load(saved);
        }
        self.edges.iter_mut().for_each(|e| e.load(&from.edges));
        self.pattern.set(from.couplings);
        self.newton.set_pattern(Arc::clone(self.pattern.pattern()));
        self.points.bind(self.pattern.pattern());
        self.potentials.iter_mut().for_each(|p| p.bind(self.pattern.pattern()));
        self.edges.iter_mut().for_each(|e| e.bind(self.pattern.pattern()));
        self.newton.set_choice(from.choice);
        (self.step, self.time, self.state) = (from.step, from.time, from.state);
        (self.last_velocity, self.last_dt) = (from.last_velocity, from.last_dt);
        (self.control, self.dissipated, self.rejected) =
            (from.control.limited_by(&self.control), from.dissipated, from.rejected);
        self.normal_forces = from.normal_forces;
        self.parting.set_gaps(from.parting);
        self.joining.set_pressed(from.joining);
        self.slack.load(&from.slack);
        self.reactions = from.reactions;
        self.arrangement = Arc::new(from.arrangement);
        self.follow_roles();
        Ok(())
    }
}
