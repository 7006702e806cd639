//! The roles of the nodes from step to step.

use std::sync::Arc;
use std::time::Instant;

use hebra_solver::newton::{NewtonError, NewtonReport};

use super::Simulation;
use super::edges::EdgeChange;
use super::separate::{material_slide, node_that_stays};
use super::slack::Slack;
use super::unravel::undone;
use super::world::World;
use crate::geometry::Vec3;
use crate::model::arrangement::{Arrangement, Moment, Role, SAFETY_DISTANCE};
use crate::model::ids::{BLOCK, ContactId, NodeId};
use crate::model::yarns::NodeKind;

/// What the nodes' changes of role at the start of a step amount to.
#[derive(Debug)]
pub(super) struct Change {
    /// The roles before.
    base: Arc<Arrangement>,
    /// Nodes that go for good.
    removed: Vec<NodeId>,
    /// What was left between the points of bindings.
    slack: Slack,
    /// Energy before the first change, without that of bindings, and theirs by block, J.
    before: Option<(f64, Vec<Option<f64>>)>,
    /// Nodes whose role changed.
    pub(super) nodes: u64,
    /// By how much that changed the energy, J.
    pub(super) jump: f64,
}

impl Change {
    /// The changes that begin with the present state.
    pub(super) fn new(simulation: &mut Simulation) -> Self {
        let mut removed = simulation.nodes_that_go();
        simulation.close_bindings();
        let ripe = simulation.ripe();
        let may_change = simulation.terms.edges.is_some() || !ripe.is_empty();
        let before = may_change.then(|| simulation.unbound_energy());
        let EdgeChange { mut met, left } = simulation.meet_edges();
        met.extend(simulation.join(&ripe));
        let before = before.filter(|_| !met.is_empty() || !left.is_empty());
        removed.extend(left);
        let base = match met.as_slice() {
            [] => Arc::clone(&simulation.world.arrangement),
            met => Arc::new(simulation.world.arrangement.with(met)),
        };
        Self { base, removed, slack: simulation.contacts.slack.clone(), before, nodes: 0, jump: 0.0 }
    }

    /// Sums them up, before the state changes. Bindings that stay have the same energy after a change, see [`Slack`],
    /// new ones begin without any, and that of those that end is lost.
    pub(super) fn finish(&mut self, simulation: &Simulation) {
        let Some((before, bindings)) = &self.before else { return };
        let bound =
            simulation.terms.chain.binding_energies(&simulation.world.model, &simulation.world.state.q);
        let ended = bindings.iter().zip(&bound).filter(|(_, b)| b.is_none());
        let lost: f64 = ended.filter_map(|(before, _)| *before).sum();
        self.jump = simulation.unbound_energy().0 - before - lost;
        let (old, new) = (self.base.roles(), simulation.world.arrangement.roles());
        let kinds =
            old.iter().zip(new).filter(|(a, b)| std::mem::discriminant(*a) != std::mem::discriminant(*b));
        self.nodes = kinds.count() as u64;
    }
}

/// Arrangements that a step is tried with before it is halved.
const MAX_ARRANGEMENTS: usize = 6;

/// How far a degenerate node may end beyond the nodes around it, in safety distances, before the step is
/// solved again with those that are around it then.
const SLACK: f64 = 1.0;

/// A gap that a solve has closed by this much was in its way.
const CLOSED: f64 = 0.5;

impl Simulation {
    /// Solves a step of `dt`, with other roles again where nodes of a rod were in each other's way or a
    /// degenerate node left the segment that it was to be on, and once more where yarns may have met that no
    /// prediction brought together. A solution in which cloth has passed through cloth or
    /// through an obstacle is refused.
    pub(super) fn attempt(
        &mut self,
        change: &mut Change,
        dt: f64,
    ) -> Result<(Vec<f64>, NewtonReport), NewtonError> {
        let mut kept_out = Vec::new();
        self.arrange(change, dt, &kept_out);
        let (mut iterations, mut round) = (0, 0);
        // Where two segments meet at an angle, a degenerate node may leave either for the other.
        let mut tried = Vec::new();
        loop {
            round += 1;
            let guesses = self.begin(dt);
            let (q, result) = self.minimize(guesses, dt);
            match result {
                Ok(mut report) => {
                    iterations += report.iterations;
                    let better = self.better_arrangement(&q, &tried);
                    if let Some(better) = better.filter(|_| round < MAX_ARRANGEMENTS) {
                        tried.push(Arc::clone(&self.world.arrangement));
                        self.adopt(change, better);
                    } else if self.terms.collision.as_mut().is_none_or(|c| c.covers(&self.world.state.q, &q))
                    {
                        if self.terms.refuse([&self.world.state.q, &q]) {
                            return Err(NewtonError::Refused { iterations });
                        }
                        report.iterations = iterations;
                        return Ok((q, report));
                    }
                }
                Err(NewtonError::Blocked { .. })
                    if round < MAX_ARRANGEMENTS && self.contacts.params.degenerate =>
                {
                    let before = kept_out.len();
                    kept_out.extend(self.in_the_way(&q));
                    if kept_out.len() == before {
                        return result.map(|report| (q, report));
                    }
                    tried.clear();
                    self.arrange(change, dt, &kept_out);
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// The arrangement that a solution asks for instead of the present one and those before, if any.
    fn better_arrangement(&mut self, q: &[f64], before: &[Arc<Arrangement>]) -> Option<Arrangement> {
        let begun = Instant::now();
        let better =
            self.world.arrangement.replaced(&self.world.model, (&self.world.spacings, SLACK), q, before);
        self.seconds.arrange += begun.elapsed().as_secs_f64();
        better
    }

    /// Chooses the roles for a step of `dt`.
    fn arrange(&mut self, change: &mut Change, dt: f64, kept_out: &[NodeId]) {
        let begun = Instant::now();
        let (q, v, removed) = (&self.world.state.q, &self.world.state.v, &change.removed);
        let safety = self.contacts.params.degenerate.then_some(SAFETY_DISTANCE);
        let now = Moment { q, v, dt, safety, kept_out, removed };
        let revised = change.base.revised(&self.world.model, &self.world.spacings, &now);
        self.adopt(change, revised);
        self.seconds.arrange += begun.elapsed().as_secs_f64();
    }

    /// Takes over other roles; does nothing if they are those that nodes have.
    fn adopt(&mut self, change: &mut Change, arrangement: Arrangement) {
        if arrangement == *self.world.arrangement {
            return;
        }
        change.before.get_or_insert_with(|| self.unbound_energy());
        self.contacts.slack =
            change.slack.changed(&self.world.model, [&change.base, &arrangement], &self.world.state.q);
        self.world.arrangement = Arc::new(arrangement);
        self.follow_arrangement();
    }

    /// What is stored anywhere but in bindings, and in the bindings by block, J.
    fn unbound_energy(&self) -> (f64, Vec<Option<f64>>) {
        let bindings = self.terms.chain.binding_energies(&self.world.model, &self.world.state.q);
        (self.energies().stored() - bindings.iter().flatten().sum::<f64>(), bindings)
    }

    /// Closes what is left between the points of bindings by a step.
    fn close_bindings(&mut self) {
        self.contacts.slack.close();
        self.terms.chain.set_rest(&self.world.model, self.contacts.slack.offsets());
    }

    /// Has everything follow the roles of the nodes.
    pub(super) fn follow_arrangement(&mut self) {
        self.terms.collision.iter_mut().for_each(|c| c.rearrange(&self.world.arranged()));
        self.follow_roles();
    }

    /// Has everything follow the roles of the nodes but what collides.
    pub(super) fn follow_roles(&mut self) {
        let Self { world, terms, contacts, stepper, .. } = self;
        terms.follow_roles(&world.arranged(), &world.spacings, contacts.slack.offsets());
        if terms.follow_couplings() {
            stepper.follow(terms);
        }
        world.mask();
    }

    /// Puts the positions of contacts whose nodes are both degenerate between the points of their rods.
    pub(super) fn carry(&mut self) {
        let World { model, arrangement, state, .. } = &mut self.world;
        for block in &self.terms.chain.doubly_bound {
            let [Some(a), Some(b)] = model.block_nodes[block.index()] else { continue };
            let now = (state.q.as_slice(), state.v.as_slice());
            let x = [a, b].map(|n| arrangement.point(model, now.0, n)).iter().sum::<Vec3>() * 0.5;
            let v = [a, b].map(|n| arrangement.velocity(model, now, n)).iter().sum::<Vec3>() * 0.5;
            let first = block.dof(0) as usize;
            state.q[first..first + 3].copy_from_slice(x.as_slice());
            state.v[first..first + 3].copy_from_slice(v.as_slice());
        }
    }

    /// Both nodes of every contact that slid off an end of a rod, and those of contacts whose yarns would have
    /// parted, of which a node may stay that its rod is bent at.
    fn nodes_that_go(&self) -> Vec<NodeId> {
        let is_off = |&n: &NodeId| {
            let u = self.world.model.arc(&self.world.state.q, n);
            self.world.model.node(n).kind != NodeKind::Lagrangian
                && self.world.arrangement.role(n) != Role::Removed
                && !(0.0..=self.world.model.rod_of(n).length).contains(&u)
        };
        let both = |n: NodeId| {
            self.world.model.block_nodes[self.world.model.node(n).block.index()].into_iter().flatten()
        };
        let off = (0..self.world.model.nodes.len() as u32).map(NodeId).filter(is_off).flat_map(both);
        // A relaxation without friction would let go what friction holds.
        let time_passes = self.rest.is_none();
        let undone =
            time_passes.then(|| undone(&self.world.model, &self.world.arrangement, &self.world.state.q));
        off.chain(self.nodes_that_part()).chain(undone.into_iter().flatten()).collect()
    }

    fn nodes_that_part(&self) -> impl Iterator<Item = NodeId> {
        let at = self.contacts.params.separate_at.unwrap_or(f64::INFINITY);
        let contacts = self.world.model.contacts.iter().zip(0..).filter(move |(contact, id)| {
            self.contacts.parting.exceeds(ContactId(*id), at) && !self.world.arrangement.is_apart(contact)
        });
        contacts.flat_map(|(contact, _)| {
            let stays =
                node_that_stays(&self.world.model, &self.world.arrangement, &self.world.state.q, contact);
            contact.nodes.into_iter().filter(move |n| Some(*n) != stays)
        })
    }

    /// Has the nodes that stay where a contact parts move with their yarns.
    pub(super) fn ground(&mut self, change: &Change) {
        for &node in &change.removed {
            let block = self.world.model.node(node).block;
            let [Some(a), Some(b)] = self.world.model.block_nodes[block.index()] else { continue };
            let stays = if a == node { b } else { a };
            if change.removed.contains(&stays) {
                continue;
            }
            let rate = self.world.model.arc(&self.world.state.v, stays);
            let slide =
                material_slide(&self.world.model, &self.world.arrangement, &self.world.state.q, stays) * rate;
            let first = block.dof(0) as usize;
            for (v, s) in self.world.state.v[first..first + 3].iter_mut().zip(slide.iter()) {
                *v -= s;
            }
            self.world.state.v[first + 3..first + BLOCK].fill(0.0);
        }
    }

    /// Chooses the roles of nodes that do not move.
    pub(super) fn arrange_at_rest(&mut self, change: &mut Change, dt: f64) {
        self.arrange(change, dt, &[]);
    }

    /// The weaker node of every two that a solve stopped at because it must not let them pass.
    fn in_the_way(&self, q: &[f64]) -> Vec<NodeId> {
        let gap = |q: &[f64], [a, b]: [NodeId; 2]| self.world.model.arc(q, b) - self.world.model.arc(q, a);
        let close =
            self.world.arrangement.segments().filter(|&s| gap(q, s) < CLOSED * gap(&self.world.state.q, s));
        close.filter_map(|s| self.world.arrangement.weaker(&self.world.model, s)).collect()
    }
}
