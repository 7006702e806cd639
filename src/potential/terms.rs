//! All terms of a simulation.

use std::iter;
use std::sync::Arc;

use hebra_solver::pattern::{BlockPattern, ChangingPattern, PatternBuilder};
use serde::{Deserialize, Serialize};

use super::chain::{Chain, ChainParams};
use super::collision::Collision;
use super::edge::EdgeContact;
use super::family::Family;
use super::point::PointInertia;
use super::term::{Arranged, Potential, StepStart, Term};
use crate::geometry::Vec3;
use crate::model::yarns::Model;

/// The terms of a simulation in one order, by how often their elements change, and the couplings of all.
pub(crate) struct Terms {
    chain_params: ChainParams,
    /// Of the rods' chains: other elements with other roles of the nodes.
    pub(crate) chain: Chain,
    /// Of pieces near one another: other elements from step to step.
    pub(crate) collision: Option<Collision>,
    /// Of nodes on sharp edges of obstacles.
    pub(crate) edges: Option<Family<EdgeContact, 4>>,
    /// Inertia of the sheets' vertices.
    pub(crate) points: Family<PointInertia, 3>,
    /// With the same elements throughout.
    lasting: Vec<Box<dyn Potential>>,
    /// How many of these are of the scene; the others have been added.
    n_scene: usize,
    pattern: ChangingPattern,
}

/// What the terms of a run that goes on later need.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct SavedTerms {
    /// Anchors and the like, by term.
    states: Vec<Vec<f64>>,
    /// Pairs of pieces near one another, with the state of their friction.
    collision: Vec<f64>,
    /// Couplings of blocks that roles and collisions added.
    couplings: Vec<(u32, u32)>,
}

impl Terms {
    /// Those that every model has.
    pub(crate) fn new(
        model: &Model,
        chain_params: ChainParams,
        chain: Chain,
        points: Family<PointInertia, 3>,
    ) -> Self {
        let pattern = ChangingPattern::new(PatternBuilder::new(model.n_blocks()).build());
        Self {
            chain_params,
            chain,
            collision: None,
            edges: None,
            points,
            lasting: Vec::new(),
            n_scene: 0,
            pattern,
        }
    }

    /// Adds the others of the scene; the couplings of what changes are not bound yet, see [`Self::follow_couplings`].
    pub(crate) fn extend(&mut self, terms: Vec<Box<dyn Potential>>) {
        self.lasting.extend(terms);
        self.n_scene = self.lasting.len();
        self.couple_lasting();
    }

    /// Adds terms beside those of the scene, for the roles and the places that nodes have now.
    pub(crate) fn join(&mut self, mut terms: Vec<Box<dyn Potential>>, now: &Arranged<'_>) {
        terms.iter_mut().for_each(|t| t.rearrange(now));
        self.lasting.extend(terms);
        self.couple_lasting();
        self.follow_couplings();
    }

    /// Hands over what was added beside the scene's.
    pub(crate) fn take_joined(&mut self) -> Vec<Box<dyn Potential>> {
        self.lasting.split_off(self.n_scene)
    }

    fn couple_lasting(&mut self) {
        let mut builder = PatternBuilder::new(self.pattern().n_blocks());
        self.lasting_mut().for_each(|t| t.couple(&mut builder));
        self.pattern = ChangingPattern::new(builder.build());
        self.bind_lasting();
    }

    /// All of them. Those that come and go, as a hand that pulls, are the last.
    pub(crate) fn all(&self) -> impl Iterator<Item = &dyn Potential> {
        let Self { chain, collision, edges, points, lasting, .. } = self;
        let collision = collision.iter().map(|c| &c.family as &dyn Potential);
        let edges = edges.iter().map(|e| e as &dyn Potential);
        let points: &dyn Potential = points;
        let lasting = lasting.iter().map(|t| &**t);
        chain.all().chain(collision).chain(edges).chain(iter::once(points)).chain(lasting)
    }

    fn all_mut(&mut self) -> impl Iterator<Item = &mut dyn Potential> {
        let Self { chain, collision, edges, points, lasting, .. } = self;
        let collision = collision.iter_mut().map(|c| &mut c.family as &mut dyn Potential);
        chain.all_mut().chain(collision).chain(lasting_of(edges, points, lasting))
    }

    fn lasting_mut(&mut self) -> impl Iterator<Item = &mut dyn Potential> {
        lasting_of(&mut self.edges, &mut self.points, &mut self.lasting)
    }

    /// The couplings of all blocks.
    pub(crate) fn pattern(&self) -> &Arc<BlockPattern> {
        self.pattern.pattern()
    }

    /// Adds a term until [`Self::drop_named`], whose couplings all others have.
    pub(crate) fn add(&mut self, mut term: Box<dyn Potential>) {
        term.bind(self.pattern.pattern());
        self.lasting.push(term);
    }

    /// Takes away the terms of a name.
    pub(crate) fn drop_named(&mut self, name: &str) {
        self.lasting.retain(|t| t.name() != name);
    }

    /// Follows the roles of the nodes but for what collides: `spacings` are the rods' rest segments, m, and `offsets` those
    /// of bindings, see [`Chain::set_rest`].
    pub(crate) fn follow_roles(&mut self, now: &Arranged<'_>, spacings: &[f64], offsets: &[Vec3]) {
        self.chain = Chain::new(now.model, now.arrangement, spacings, &self.chain_params);
        self.chain.set_rest(now.model, offsets);
        self.rearrange(now);
    }

    /// Follows the roles and the places of the nodes with what has the same elements throughout.
    pub(crate) fn rearrange(&mut self, now: &Arranged<'_>) {
        self.lasting_mut().for_each(|t| t.rearrange(now));
    }

    /// Follows the couplings of what changes; returns whether the pattern is another.
    pub(crate) fn follow_couplings(&mut self) -> bool {
        let mut builder = PatternBuilder::new(self.pattern().n_blocks());
        self.chain.couple(&mut builder);
        self.collision.iter().for_each(|c| c.family.couple(&mut builder));
        let is_changed = self.pattern.want(builder.couplings());
        if is_changed {
            self.bind_lasting();
        }
        let pattern = self.pattern.pattern();
        self.chain.bind(pattern);
        self.collision.iter_mut().for_each(|c| c.family.bind(pattern));
        is_changed
    }

    fn bind_lasting(&mut self) {
        let pattern = Arc::clone(self.pattern.pattern());
        self.lasting_mut().for_each(|t| t.bind(&pattern));
    }

    /// Freezes what is lagged; returns whether the pattern is another, because other pieces may touch.
    pub(crate) fn begin_step(&mut self, start: &StepStart<'_>) -> bool {
        self.collision.iter_mut().for_each(|c| c.foresee(start));
        self.freeze(start);
        self.collision.as_mut().is_some_and(Collision::take_change) && self.follow_couplings()
    }

    /// Freezes what is lagged, with the elements that there are.
    pub(crate) fn freeze(&mut self, start: &StepStart<'_>) {
        self.all_mut().for_each(|t| t.begin_step(start));
    }

    /// Takes over an accepted step.
    pub(crate) fn end_step(&mut self, q: &[f64]) {
        self.all_mut().for_each(|t| t.end_step(q));
    }

    /// Whether a step from one state must not end in another, because it has gone through something.
    pub(crate) fn refuse(&self, way: [&[f64]; 2]) -> bool {
        self.all().any(|t| t.refuses(way))
    }

    /// What is needed to go on later.
    pub(crate) fn save(&self) -> SavedTerms {
        SavedTerms {
            states: self.all().map(Potential::save).collect(),
            collision: self.collision.as_ref().map(Collision::save).unwrap_or_default(),
            couplings: self.pattern.added().to_vec(),
        }
    }

    /// Restores what was saved with these roles and unknowns, before [`Self::follow_roles`]; returns false, and does nothing,
    /// if it is of another scene.
    pub(crate) fn restore(&mut self, from: &SavedTerms, now: &Arranged<'_>) -> bool {
        if !self.all().map(|t| t.save().len()).eq(from.states.iter().map(Vec::len)) {
            return false;
        }
        if let Some(collision) = &self.collision {
            let Some(restored) = collision.restored(now, &from.collision) else { return false };
            self.collision = Some(restored);
        }
        self.all_mut().zip(&from.states).for_each(|(t, saved)| t.load(saved));
        self.pattern.set(from.couplings.clone());
        self.bind_lasting();
        true
    }
}

/// The terms with the same elements throughout.
fn lasting_of<'a>(
    edges: &'a mut Option<Family<EdgeContact, 4>>,
    points: &'a mut Family<PointInertia, 3>,
    lasting: &'a mut [Box<dyn Potential>],
) -> impl Iterator<Item = &'a mut dyn Potential> {
    let edges = edges.iter_mut().map(|e| e as &mut dyn Potential);
    let points: &mut dyn Potential = points;
    edges.chain(iter::once(points)).chain(lasting.iter_mut().map(|t| &mut **t as &mut dyn Potential))
}
