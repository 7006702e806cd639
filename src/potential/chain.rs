//! The potentials of the rods' chains: inertia, stretch, bending and weight between consecutive active
//! nodes, and the bindings of the nodes that are not in a chain.

use std::iter;

use hebra_solver::pattern::{BlockPattern, PatternBuilder};

use super::binding::{Binding, DoubleBinding};
use super::damping::{DampingKind, DampingParams};
use super::family::{Element, Family, Stencils, gather};
use super::gravity::Gravity;
use super::inertia::Inertia;
use super::lines::Lines;
use super::term::{EnergyKind, Potential};
use crate::geometry::Vec3;
use crate::model::arrangement::{Arrangement, Role};
use crate::model::ids::{BlockId, NodeId};
use crate::model::yarns::Model;

/// What the chains' potentials depend on besides the yarns.
#[derive(Debug, Clone, Copy)]
pub struct ChainParams {
    /// Damping.
    pub damping: DampingParams,
    /// Acceleration of gravity, m/s2.
    pub gravity: Vec3,
    /// Whether the convective forces of sliding nodes are kept.
    pub convective: bool,
}

/// The potentials of one arrangement, rod by rod in the order of its chains.
#[derive(Debug)]
pub struct Chain {
    /// Inertia of the segments.
    pub(crate) inertia: Family<Inertia, 8>,
    /// Stretch of the segments and bending at the inner nodes.
    pub lines: Lines,
    /// Weight of the segments.
    pub(crate) gravity: Family<Gravity, 8>,
    /// Bindings of one rod's point to a contact's position.
    pub(crate) bindings: Family<Binding, 12>,
    /// The nodes of those points.
    pub bound: Vec<NodeId>,
    /// Bindings of two rods' points.
    pub(crate) double_bindings: Family<DoubleBinding, 18>,
    /// The blocks of those contacts.
    pub doubly_bound: Vec<BlockId>,
}

pub(super) const NODES_2: [u8; 8] = [0, 0, 0, 0, 1, 1, 1, 1];
pub(super) const NODES_3: [u8; 12] = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2];
const NODES_2_1_2: [u8; 18] = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4];

/// Stiffness of a binding over that of a rest segment (thesis 4.3.2).
pub const BINDING_STIFFNESS: f64 = 1000.0;

impl Chain {
    /// The potentials of an arrangement; `spacings` are the rods' rest segments, m.
    pub fn new(model: &Model, arrangement: &Arrangement, spacings: &[f64], params: &ChainParams) -> Self {
        let damping = &params.damping;
        let of = |n: NodeId| &model.rod_of(n).material;
        let segments: Vec<[NodeId; 2]> = arrangement.segments().collect();
        let ends: Vec<[u32; 8]> = segments.iter().map(|s| join(s.map(|n| model.node(n).dofs()))).collect();
        let density: Vec<f64> = segments.iter().map(|s| of(s[0]).line_density()).collect();
        let alpha = if damping.kind == DampingKind::Rayleigh { damping.mass } else { 0.0 };
        let inertia = Inertia::new(density.clone(), alpha, params.convective);
        let gravity = Gravity { line_density: density, acceleration: params.gravity };
        let bound = Bound::of(model, arrangement, spacings);
        let contact = EnergyKind::Contact;
        Self {
            inertia: Family::new(
                "inertia",
                EnergyKind::Inertial,
                Stencils::new(ends.clone(), NODES_2),
                inertia,
            ),
            lines: Lines::new(model, arrangement, damping),
            gravity: Family::new("gravity", EnergyKind::Gravitational, Stencils::new(ends, NODES_2), gravity),
            bindings: Family::new("bindings", contact, Stencils::new(bound.single, NODES_3), bound.springs),
            bound: bound.nodes,
            double_bindings: Family::new(
                "double bindings",
                contact,
                Stencils::new(bound.double, NODES_2_1_2),
                bound.double_springs,
            ),
            doubly_bound: bound.blocks,
        }
    }

    /// Sets what is left between the points that bindings hold together, by block, m: from its second rod, or its
    /// position, to its first.
    pub fn set_rest(&mut self, model: &Model, rest: &[Vec3]) {
        let of = |block: BlockId| rest[block.index()];
        let of_single = |node: &NodeId| {
            let block = model.node(*node).block;
            if model.block_nodes[block.index()][0] == Some(*node) { of(block) } else { -of(block) }
        };
        self.bindings.element.rest = self.bound.iter().map(of_single).collect();
        self.double_bindings.element.rest = self.doubly_bound.iter().map(|&b| of(b)).collect();
    }

    /// What the binding of every block stores, J; none where nothing is bound.
    pub fn binding_energies(&self, model: &Model, q: &[f64]) -> Vec<Option<f64>> {
        let mut out = vec![None; model.n_blocks()];
        for (e, &node) in self.bound.iter().enumerate() {
            let own = gather(q, self.bindings.stencils.dofs(e));
            out[model.node(node).block.index()] = Some(self.bindings.element.energy(e, &own));
        }
        for (e, block) in self.doubly_bound.iter().enumerate() {
            let own = gather(q, self.double_bindings.stencils.dofs(e));
            out[block.index()] = Some(self.double_bindings.element.energy(e, &own));
        }
        out
    }

    /// All of them, inertia first.
    pub fn all(&self) -> impl Iterator<Item = &dyn Potential> {
        let Self { inertia, lines, gravity, bindings, double_bindings, .. } = self;
        let last: [&dyn Potential; 3] = [gravity, bindings, double_bindings];
        iter::once(inertia as _).chain(lines.all()).chain(last)
    }

    /// All of them, inertia first.
    pub fn all_mut(&mut self) -> impl Iterator<Item = &mut dyn Potential> {
        let Self { inertia, lines, gravity, bindings, double_bindings, .. } = self;
        let last: [&mut dyn Potential; 3] = [gravity, bindings, double_bindings];
        iter::once(inertia as _).chain(lines.all_mut()).chain(last)
    }

    /// Declares the couplings of all of them.
    pub fn couple(&self, builder: &mut PatternBuilder) {
        self.all().for_each(|p| p.couple(builder));
    }

    /// Prepares the scatter of all of them.
    pub fn bind(&mut self, pattern: &BlockPattern) {
        self.all_mut().for_each(|p| p.bind(pattern));
    }
}

/// The bindings of an arrangement.
#[derive(Default)]
struct Bound {
    single: Vec<[u32; 12]>,
    springs: Binding,
    nodes: Vec<NodeId>,
    double: Vec<[u32; 18]>,
    double_springs: DoubleBinding,
    blocks: Vec<BlockId>,
}

impl Bound {
    fn of(model: &Model, arrangement: &Arrangement, spacings: &[f64]) -> Self {
        let mut out = Self::default();
        let carried = |n: &NodeId| matches!(arrangement.role(*n), Role::Eil(_));
        for (block, nodes) in model.block_nodes.iter().enumerate() {
            let stiffness = |nodes: &[NodeId]| {
                let of = |n: &NodeId| {
                    let rod = model.node(*n).rod.index();
                    model.rods[rod].material.stretch_stiffness() / spacings[rod]
                };
                BINDING_STIFFNESS * nodes.iter().map(of).sum::<f64>() / nodes.len() as f64
            };
            let both: Vec<NodeId> = nodes.iter().flatten().copied().collect();
            match *both.as_slice() {
                [a, b] if carried(&a) && carried(&b) => {
                    out.double.push(double_dofs(model, arrangement, [a, b]));
                    out.double_springs.stiffness.push(stiffness(&both));
                    out.double_springs.rest.push(Vec3::zeros());
                    out.blocks.push(BlockId(block as u32));
                }
                _ => {
                    for node in both.iter().copied().filter(carried) {
                        out.single.push(single_dofs(model, arrangement, node));
                        out.springs.stiffness.push(stiffness(&both));
                        out.springs.rest.push(Vec3::zeros());
                        out.nodes.push(node);
                    }
                }
            }
        }
        out
    }
}

fn around(arrangement: &Arrangement, node: NodeId) -> [NodeId; 2] {
    match arrangement.role(node) {
        Role::Eil(around) => around,
        Role::Active | Role::Removed => [node; 2],
    }
}

fn single_dofs(model: &Model, arrangement: &Arrangement, node: NodeId) -> [u32; 12] {
    let [a, c] = around(arrangement, node);
    join([a, node, c].map(|n| model.node(n).dofs()))
}

fn double_dofs(model: &Model, arrangement: &Arrangement, nodes: [NodeId; 2]) -> [u32; 18] {
    let [first, second] =
        nodes.map(|n| join::<2, 4, 8>(around(arrangement, n).map(|m| model.node(m).dofs())));
    let [u, v] = nodes.map(|n| model.node(n).arc_dof());
    let mut out = [0; 18];
    out[..8].copy_from_slice(&first);
    out[8..10].copy_from_slice(&[u, v]);
    out[10..].copy_from_slice(&second);
    out
}

pub(super) fn join<const K: usize, const M: usize, const N: usize>(parts: [[u32; M]; K]) -> [u32; N] {
    std::array::from_fn(|i| parts[i / M][i % M])
}
