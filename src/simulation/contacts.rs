//! What is kept of contacts from step to step.

use super::joining::Joining;
use super::params::ContactsParams;
use super::separate::Parting;
use super::slack::Slack;
use super::world::World;
use crate::potential::spread::pressures;

/// What becomes of contacts as yarns slide.
#[derive(Debug)]
pub(super) struct Contacts {
    pub(super) params: ContactsParams,
    /// Whether some are between fabrics.
    pub(super) has_layers: bool,
    /// As last recorded, of every contact, then of every held node, N.
    pub(super) normal_forces: Vec<f64>,
    pub(super) parting: Parting,
    pub(super) joining: Joining,
    pub(super) slack: Slack,
}

impl Contacts {
    /// At the start.
    pub(super) fn new(World { model, spacings, .. }: &World, params: ContactsParams) -> Self {
        Self {
            params,
            has_layers: model.contacts.iter().any(|c| c.kind.is_between_fabrics()),
            normal_forces: Vec::new(),
            parting: Parting::new(model, spacings),
            joining: Joining::new(params.join_after, model.contacts.len()),
            slack: Slack::new(model),
        }
    }

    /// What they press with at the start of a step, N.
    pub(super) fn pressures(&self, World { model, arrangement, state, .. }: &World) -> Vec<f64> {
        if !self.has_layers {
            return self.normal_forces.clone();
        }
        pressures(model, arrangement, &state.q, &self.normal_forces)
    }
}
