//! Collision of yarns that share no contact, and of sheets: which pairs there are from step to step.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::assemble::position_groups;
use super::family::{Family, Stencils, gather};
use super::repulsion::{Body, Repulsion};
use super::side::Side;
use super::term::{Arranged, Counts, EnergyKind, StepStart};
use crate::collision::pairs::{Parted, Piece, Pieces, Shape, includes};
use crate::collision::vicinity::Link;
use crate::geometry::Vec3;
use crate::geometry::pair::Pair;
use crate::model::arrangement::{Arrangement, Role};
use crate::model::ids::{BlockId, NodeId, VertexId};
use crate::model::yarns::{ContactKind, Model, Rod};

/// Collision of yarns and sheets with one another, of different fabrics and of one that folds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CollisionParams {
    /// Resistance of yarns to being pressed together, Pa: two that cross and are pressed in by a fifth of their
    /// thickness `D` push back with 0.14 times this times `D^2`, by a half with 1.2 times.
    pub stiffness: f64,
    /// Coulomb's coefficient (default: the mean of the materials').
    pub friction: Option<f64>,
}

impl Default for CollisionParams {
    fn default() -> Self {
        Self { stiffness: DEFAULT_STIFFNESS, friction: None }
    }
}

/// Between 50 Pa and 5 kPa fabrics are pressed together in tests of their compression (KES-F3). Shirting, wool
/// and tablecloth give in by a fifth under 20 to 80 times a crossing's weight.
const DEFAULT_STIFFNESS: f64 = 1e3;

/// Pairs are kept that come closer than this many thicknesses beyond touching, and looked for anew only when
/// one comes up that is nearer and not among them: the less often, the wider, but the more pairs.
const WIDE: f64 = 0.75;

/// Margin of what a step needs, in thicknesses: a step goes elsewhere than was predicted.
const TIGHT: f64 = 0.25;

/// Half the way along a yarn on which a segment hands what presses it to its side over to the next, in thicknesses:
/// no more than [`TIGHT`], so that both are watched.
const RAMP: f64 = 0.25;

/// Where two yarns of layers press on one another, in ascending order.
#[derive(Debug, Clone, Copy)]
pub struct Pressing {
    /// The nodes on either side along each yarn.
    pub nodes: [[NodeId; 2]; 2],
    /// Parts of the way from the first of these to the second.
    pub parts: [f64; 2],
    /// How far they are pressed through one another, m.
    pub depth: f64,
}

/// The pairs of pieces that may touch, and what keeps them apart.
#[derive(Debug)]
pub struct Collision {
    params: CollisionParams,
    pieces: Pieces,
    friction: Vec<f64>,
    pairs: Vec<[u32; 2]>,
    /// What keeps them apart.
    pub(crate) family: Family<Repulsion, 12>,
    is_changed: bool,
}

/// Values saved for each pair: its two pieces and the stretch of its friction.
const SAVED: usize = 5;

fn family(dofs: Vec<[u32; 12]>, element: Repulsion) -> Family<Repulsion, 12> {
    Family::new("collision", EnergyKind::Contact, Stencils::new(dofs, position_groups()), element)
}

fn position_dofs(blocks: [BlockId; 4]) -> [u32; 12] {
    std::array::from_fn(|i| blocks[i / 3].dof(i % 3))
}

impl Collision {
    /// Collision of the yarns between the nodes that carry them, and of sheets; nothing touches yet.
    pub fn new(model: &Model, arrangement: &Arrangement, q: &[f64], params: CollisionParams) -> Self {
        Self::of(all_pieces(model, arrangement, q), model, arrangement, params)
    }

    fn of(
        pieces: Vec<(Piece, f64)>,
        model: &Model,
        arrangement: &Arrangement,
        params: CollisionParams,
    ) -> Self {
        let (pieces, friction) = pieces.into_iter().unzip();
        Self {
            params,
            pieces: Pieces::new(
                pieces,
                &bindings(model, arrangement),
                model.n_blocks(),
                parted(model, arrangement),
            ),
            friction,
            pairs: Vec::new(),
            family: family(Vec::new(), Repulsion::default()),
            is_changed: false,
        }
    }

    /// Number of pairs that are watched.
    pub fn n_pairs(&self) -> usize {
        self.pairs.len()
    }

    /// The deepest contact, over its thickness; 0 when nothing touches.
    pub fn deepest(&self, q: &[f64]) -> f64 {
        let depth = |e: usize| self.family.element.depth(e, &gather(q, self.family.stencils.dofs(e)));
        (0..self.pairs.len()).map(depth).fold(0.0, f64::max)
    }

    /// Where yarns of layers cross and press on one another that no contact joins.
    pub fn pressings<'a>(&'a self, model: &'a Model, q: &'a [f64]) -> impl Iterator<Item = Pressing> + 'a {
        let of_pair = |(e, pair): (usize, &[u32; 2])| {
            let pressed = self.family.element.pressed(e, &gather(q, self.family.stencils.dofs(e)))?;
            let ends = |piece: u32| {
                let Piece { shape: Shape::Segment(ends), rod, .. } = self.pieces.all()[piece as usize] else {
                    return None;
                };
                let node = |block: BlockId| {
                    let nodes = model.block_nodes[block.index()].into_iter().flatten();
                    nodes.into_iter().find(|n| Some(model.node(*n).rod) == rod)
                };
                Some([node(ends[0])?, node(ends[1])?])
            };
            let parts = [pressed.parts[1], -pressed.parts[3]];
            // Beyond its end a yarn is pressed a little, too.
            let cross = parts.iter().all(|part| (0.0..=1.0).contains(part));
            cross.then_some(())?;
            Some(Pressing { nodes: [ends(pair[0])?, ends(pair[1])?], parts, depth: pressed.depth })
        };
        self.pairs.iter().enumerate().filter_map(of_pair)
    }

    fn body(&self, pair: [u32; 2], kind: Pair) -> Body {
        let thickness = self.pieces.thickness(pair);
        let ramp = |s: u32| RAMP * thickness / self.pieces.all()[s as usize].length;
        let mean = || 0.5 * pair.iter().map(|&s| self.friction[s as usize]).sum::<f64>();
        Body {
            pair: kind,
            thickness,
            stiffness: self.params.stiffness * thickness,
            friction: self.params.friction.unwrap_or_else(mean),
            side: self.pieces.side(pair).map(|sign| Side { sign, ramps: pair.map(ramp) }),
        }
    }

    /// Watches other pairs, ascending; those that are known already keep their state.
    fn watch(&mut self, pairs: Vec<[u32; 2]>) {
        let old = |pair: &[u32; 2]| self.pairs.binary_search(pair).ok();
        let kept = |p| old(p).map_or(Vec3::repeat(f64::NAN), |e| self.family.element.stretch(e));
        let stretch = pairs.iter().map(kept).collect();
        self.set(pairs, stretch);
    }

    fn set(&mut self, pairs: Vec<[u32; 2]>, stretch: Vec<Vec3>) {
        let met =
            pairs.iter().filter_map(|&p| self.pieces.meeting(p).map(|(kind, b)| (self.body(p, kind), b)));
        let (bodies, dofs) = met.map(|(body, blocks)| (body, position_dofs(blocks))).unzip();
        self.family = family(dofs, Repulsion::new(bodies, stretch));
        self.pairs = pairs;
        self.is_changed = true;
    }

    /// Whether the pairs, and so the couplings, are others than when this was last asked.
    pub fn take_change(&mut self) -> bool {
        std::mem::take(&mut self.is_changed)
    }

    /// Whether all pairs that may touch between two states are watched; if not, they are from now on.
    pub fn covers(&mut self, start: &[f64], end: &[f64]) -> bool {
        if includes(&self.pairs, &self.pieces.close(start, end, 0.0)) {
            return true;
        }
        let mut pairs = self.pieces.close(start, end, WIDE);
        pairs.extend(&self.pairs);
        pairs.sort_unstable();
        pairs.dedup();
        self.watch(pairs);
        false
    }

    /// The largest part of a motion, in `[0, 1]`, in which none of the yarns of which a block counts passes through
    /// another.
    pub fn longest_step(&self, q: &[f64], direction: &[f64], counts: Counts<'_>) -> f64 {
        let of_pair = |e: usize| {
            if !self.family.stencils.blocks(e).any(|b| counts(BlockId(b))) {
                return 1.0;
            }
            let [x, d] = [q, direction].map(|v| gather(v, self.family.stencils.dofs(e)));
            self.family.element.safe_motion(e, &x, &d)
        };
        (0..self.pairs.len()).into_par_iter().map(of_pair).reduce(|| 1.0, f64::min)
    }

    /// Follows a change of the nodes' roles: pairs that are left, and may still touch, keep their state.
    pub fn rearrange(&mut self, now: &Arranged<'_>) {
        let old = std::mem::replace(self, Self::new(now.model, now.arrangement, now.q, self.params));
        let index: BTreeMap<_, u32> =
            (0..self.pieces.all().len() as u32).map(|p| (self.pieces.key(p), p)).collect();
        let left = |(e, pair): (usize, &[u32; 2])| {
            let [i, j] = pair.map(|p| index.get(&old.pieces.key(p)).copied());
            let (i, j, stretch) = (i?, j?, old.family.element.stretch(e));
            let turned = if i < j { stretch } else { -stretch };
            Some(([i.min(j), i.max(j)], turned)).filter(|(pair, _)| self.pieces.may_touch(*pair))
        };
        let mut known: Vec<_> = old.pairs.iter().enumerate().filter_map(left).collect();
        known.sort_by_key(|k| k.0);
        let (pairs, stretch) = known.into_iter().unzip();
        self.set(pairs, stretch);
    }

    /// Watches the pairs that may touch in a step if velocities stay.
    pub fn foresee(&mut self, start: &StepStart<'_>) {
        let predicted: Vec<f64> = start.q.iter().zip(start.v).map(|(q, v)| q + start.dt * v).collect();
        if !includes(&self.pairs, &self.pieces.close(start.q, &predicted, TIGHT)) {
            self.watch(self.pieces.close(start.q, &predicted, WIDE));
        }
    }

    /// What [`Self::restored`] takes. The pieces have the lengths of the moment when nodes last changed their roles.
    pub fn save(&self) -> Vec<f64> {
        let mut out: Vec<f64> = self.pieces.all().iter().map(|p| p.length).collect();
        for (e, [i, j]) in self.pairs.iter().enumerate() {
            let stretch = self.family.element.stretch(e);
            out.extend([f64::from(*i), f64::from(*j), stretch.x, stretch.y, stretch.z]);
        }
        out
    }

    /// Collision of the same yarns in a saved state; none if that is of others.
    pub fn restored(&self, now: &Arranged<'_>, saved: &[f64]) -> Option<Self> {
        let Arranged { model, arrangement, q } = *now;
        let mut pieces = all_pieces(model, arrangement, q);
        let (lengths, pairs) = saved.split_at_checked(pieces.len())?;
        pieces.iter_mut().zip(lengths).for_each(|((piece, _), length)| piece.length = *length);
        let mut out = Self::of(pieces, model, arrangement, self.params);
        let (known, []) = pairs.as_chunks::<SAVED>() else { return None };
        let of_pair = |s: &[f64; SAVED]| ([s[0] as u32, s[1] as u32], Vec3::new(s[2], s[3], s[4]));
        let (pairs, stretch): (Vec<_>, _) = known.iter().map(of_pair).unzip();
        let n = out.pieces.all().len() as u32;
        let is_sound =
            |pair: &[u32; 2]| pair[0] < pair[1] && pair[1] < n && out.pieces.meeting(*pair).is_some();
        let is_ascending = pairs.is_sorted_by(|a, b| a < b);
        (is_ascending && pairs.iter().all(is_sound)).then(|| {
            out.set(pairs, stretch);
            out
        })
    }
}

/// Every piece with its coefficient of friction.
fn all_pieces(model: &Model, arrangement: &Arrangement, q: &[f64]) -> Vec<(Piece, f64)> {
    yarn_pieces(model, arrangement, q).chain(sheet_pieces(model)).collect()
}

/// Segments between the nodes that carry the yarns, and these nodes where there are sheets for them to meet, with
/// their coefficients of friction.
fn yarn_pieces<'a>(
    model: &'a Model,
    arrangement: &'a Arrangement,
    q: &'a [f64],
) -> impl Iterator<Item = (Piece, f64)> + 'a {
    let stacks = model.stacks();
    let stitched = |rod: &Rod| rod.nodes.clone().any(|n| model.node(NodeId(n)).stitch.is_some());
    let is_knitted: Vec<bool> = model.rods.iter().map(stitched).collect();
    let piece = move |shape, node: NodeId, length| {
        let (id, rod) = (model.node(node).rod, model.rod_of(node));
        let stack = rod.thread.map(|t| [stacks[t.fabric as usize], t.fabric]);
        let knit = rod.thread.map(|t| t.fabric).filter(|_| is_knitted[id.index()] && !rod.is_thick());
        let thickness = rod.collision_thickness();
        (
            Piece { shape, rod: Some(id), node: Some(node), length, thickness, stack, knit },
            rod.material.friction,
        )
    };
    let block = |n: NodeId| model.node(n).block;
    let segment =
        move |[a, b]: [NodeId; 2]| (Shape::Segment([a, b].map(block)), a, model.arc(q, b) - model.arc(q, a));
    let carriers = (0..model.nodes.len() as u32).map(NodeId).filter(|&n| arrangement.is_active(n));
    let points =
        carriers.filter(|_| !model.sheets.list.is_empty()).map(move |n| (Shape::Point([block(n)]), n, 0.0));
    arrangement
        .segments()
        .map(segment)
        .chain(points)
        .map(move |(shape, node, length)| piece(shape, node, length))
}

/// Edges, vertices and triangles of all sheets, with their coefficients of friction.
fn sheet_pieces(model: &Model) -> Vec<(Piece, f64)> {
    let sheets = &model.sheets;
    let block = |v: VertexId| sheets.vertex(v).block;
    let edges = sheets.edges().map(|(ends, length, sheet)| (Shape::Segment(ends.map(block)), length, sheet));
    let points = sheets.vertices.iter().map(|v| (Shape::Point([v.block]), 0.0, v.sheet));
    let triangles = sheets.triangles.iter().map(|t| (Shape::Triangle(sheets.blocks(t)), 0.0, t.sheet));
    let piece = |(shape, length, sheet): (Shape, f64, u32)| {
        let material = sheets.material(sheet);
        (
            Piece {
                shape,
                rod: None,
                node: None,
                length,
                thickness: material.thickness,
                stack: None,
                knit: None,
            },
            material.friction,
        )
    };
    edges.chain(points).chain(triangles).map(piece).collect()
}

/// What binds degenerate nodes to the nodes around them, as ways along the cloth without length.
fn bindings(model: &Model, arrangement: &Arrangement) -> Vec<Link> {
    let of_node = |n: u32| match arrangement.role(NodeId(n)) {
        Role::Eil(around) => Some(around.map(|to| [NodeId(n), to])),
        Role::Active | Role::Removed => None,
    };
    let pairs = (0..model.nodes.len() as u32).filter_map(of_node).flatten();
    pairs.map(|pair| (pair.map(|n| model.node(n).block.0), 0.0)).collect()
}

/// The yarns of layers whose contact was removed.
fn parted(model: &Model, arrangement: &Arrangement) -> Parted {
    let gone = model.contacts.iter().filter(|c| c.kind == ContactKind::Inter && arrangement.is_apart(c));
    gone.map(|c| (c.nodes.map(|n| model.node(n).rod), c.side)).collect()
}
