//! What moves, and among what, at a moment.

use std::mem::take;
use std::sync::Arc;

use super::clamps::Clamps;
use super::setup::Setup;
use crate::frame::Layout;
use crate::model::arrangement::{Arrangement, Moment, SAFETY_DISTANCE, spacings};
use crate::model::ids::{BLOCK, BlockId};
use crate::model::obstacle::Obstacle;
use crate::model::yarns::{Model, State};
use crate::potential::chain::Chain;
use crate::potential::forces::PointForceParams;
use crate::potential::normal_force::Loaded;
use crate::potential::term::Arranged;

/// Cloth at a moment, and what is around it.
pub(super) struct World {
    pub(super) model: Model,
    pub(super) state: State,
    /// The unknowns at the start of the scene.
    pub(super) start_q: Vec<f64>,
    /// The roles of the nodes.
    pub(super) arrangement: Arc<Arrangement>,
    /// The rods' rest segments, m.
    pub(super) spacings: Vec<f64>,
    /// Which unknowns may move.
    pub(super) active: Vec<bool>,
    pub(super) obstacles: Vec<Obstacle>,
    pub(super) clamps: Clamps,
    /// Forces on points, with the blocks that they act on.
    pub(super) pushes: Vec<(PointForceParams, Vec<BlockId>)>,
    /// What all frames have in common.
    pub(super) layout: Arc<Layout>,
    /// Accepted steps.
    pub(super) step: u64,
    /// s.
    pub(super) time: f64,
}

impl World {
    /// A scene at its start; takes out of it all that is in a world.
    pub(super) fn new(setup: &mut Setup) -> Self {
        let layout = Arc::new(setup.layout());
        let (model, state) = (take(&mut setup.model), take(&mut setup.state));
        let spacings = spacings(&model, &model.drawn);
        let safety = setup.contacts.degenerate.then_some(SAFETY_DISTANCE);
        let (q, v, dt) = (&state.q, &state.v, setup.solver.dt);
        let start = Moment { q, v, dt, safety, kept_out: &[], removed: &[] };
        let arrangement = Arc::new(Arrangement::new(&model, &spacings, &start));
        Self {
            clamps: Clamps::new(take(&mut setup.clamps), &model, q),
            start_q: q.clone(),
            arrangement,
            spacings,
            active: Vec::new(),
            obstacles: take(&mut setup.obstacles),
            pushes: setup.forces.points.iter().cloned().zip(setup.pushed.iter().cloned()).collect(),
            layout,
            step: 0,
            time: 0.0,
            model,
            state,
        }
    }

    /// What terms follow.
    pub(super) fn arranged(&self) -> Arranged<'_> {
        Arranged { model: &self.model, arrangement: &self.arrangement, q: &self.state.q }
    }

    /// What contacts bear; `whole_step` as in [`Loaded`].
    pub(super) fn loaded<'a>(&'a self, chain: &'a Chain, whole_step: Option<f64>) -> Loaded<'a> {
        let Self { model, arrangement, state, .. } = self;
        Loaded { model, arrangement, chain, q: &state.q, whole_step }
    }

    /// Sets which unknowns may move: what is free and not clamped, but for the positions of contacts of which
    /// no node is active, and the arc coordinates of those that are gone.
    pub(super) fn mask(&mut self) {
        let Self { model, arrangement, active, clamps, .. } = self;
        active.clear();
        active.extend_from_slice(clamps.active());
        for (block, own) in active.chunks_exact_mut(BLOCK).enumerate() {
            let block = BlockId(block as u32);
            if arrangement.is_removed(model, block) {
                own[3..].fill(false);
            }
            if !arrangement.is_position_active(model, block) {
                own[..3].fill(false);
            }
        }
    }
}
