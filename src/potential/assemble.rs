//! Which potentials a scene has: from yarns and their materials to families of elements.

use super::chain::join;
use super::damping::DampingParams;
use super::family::{Family, Stencils};
use super::forces::ForcesParams;
use super::friction::Friction;
use super::hooks;
use super::material::Material;
use super::obstacle::{Body, ObstacleContact, bodies};
use super::parallel::Parallel;
use super::push::Push;
use super::shear::Shear;
use super::sheets;
use super::strain::Strain;
use super::term::{EnergyKind, Potential};
use super::wind::{Piece, Wind};
use crate::geometry::Vec3;
use crate::geometry::angle::Angle;
use crate::model::ids::{BlockId, NodeId};
use crate::model::material::Material as YarnMaterial;
use crate::model::obstacle::Obstacle;
use crate::model::yarns::{Contact, ContactKind, Model};

/// What the potentials of a scene depend on besides its yarns.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ingredients<'a> {
    /// The unknowns at the start, at which fabrics are at rest.
    pub(crate) q: &'a [f64],
    /// Damping.
    pub(crate) damping: &'a DampingParams,
    /// Forces from outside.
    pub(crate) forces: &'a ForcesParams,
    /// The blocks of each of the scene's point forces.
    pub(crate) pushed: &'a [Vec<BlockId>],
    /// Obstacles.
    pub(crate) obstacles: &'a [Obstacle],
}

/// Which of `N/3` positions each of their coordinates belongs to.
pub(super) const fn position_groups<const N: usize>() -> [u8; N] {
    let (mut groups, mut i) = ([0; N], 0);
    while i < N {
        groups[i] = (i / 3) as u8;
        i += 1;
    }
    groups
}

/// Every potential but those of the rods' chains; those without elements are left out.
pub(crate) fn potentials(model: &Model, from: &Ingredients<'_>) -> Vec<Box<dyn Potential>> {
    let mut all = sheets::potentials(model, from.damping, from.forces);
    if !model.contacts.is_empty() {
        all.push(Box::new(shear(model, from.damping, from.q)));
        all.push(Box::new(parallel(model, from.damping)));
        all.extend(hooks::wrapping(model, from));
        all.extend(hooks::stitch_length(model, from));
        all.extend(hooks::side_by_side(model, from));
    }
    if !model.contacts.is_empty() || !model.held.is_empty() {
        all.push(Box::new(friction(model, from.q)));
    }
    if !from.obstacles.is_empty() {
        all.push(Box::new(obstacles(model, from)));
        all.extend(sheets::obstacles(model, from.obstacles));
    }
    if let Some(wind) = &from.forces.wind {
        let pieces = pieces(model, from.q);
        let blocks = (0..model.n_blocks() as u32).map(BlockId);
        all.push(Box::new(Family::new(
            "wind",
            EnergyKind::External,
            Stencils::new(blocks.map(position_dofs).collect(), [0; 3]),
            Wind::new(wind.clone(), pieces, sheets::patches(model)),
        )));
    }
    for (push, blocks) in from.forces.points.iter().zip(from.pushed) {
        let dofs: Vec<_> = blocks.iter().map(|&b| position_dofs(b)).collect();
        let force = Vec3::from(push.force) / dofs.len() as f64;
        let element = Push::new(force, push.start, push.end.unwrap_or(f64::INFINITY));
        all.push(Box::new(Family::new("push", EnergyKind::External, Stencils::new(dofs, [0; 3]), element)));
    }
    all
}

pub(super) fn position_dofs(block: BlockId) -> [u32; 3] {
    [block.dof(0), block.dof(1), block.dof(2)]
}

/// A term of one strain component with damping after (3.12): `beta` times its stiffness.
pub(super) fn matched<S: Strain<N>, const N: usize>(
    strain: S,
    stiffness: Vec<f64>,
    beta: Vec<f64>,
    damping: &DampingParams,
) -> Material<S, N> {
    let viscosity = stiffness.iter().zip(&beta).map(|(k, b)| [[k * b]]).collect();
    let damping = damping.of(beta, viscosity);
    Material::new(strain, stiffness, damping)
}

/// The corners of a crossing: itself, a neighbour on its first rod, a neighbour on its second.
fn corners<'a>(model: &'a Model, contact: &'a Contact) -> impl Iterator<Item = [NodeId; 3]> + 'a {
    let [a, b] = contact.nodes;
    let second = move || model.neighbours(b).into_iter().flatten();
    model.neighbours(a).into_iter().flatten().flat_map(move |m| second().map(move |n| [a, m, n]))
}

fn shear(model: &Model, damping: &DampingParams, q: &[f64]) -> Family<Material<Shear, 9>, 9> {
    let mut all = Corners::new(model, damping);
    let woven = |c: &&Contact| c.kind != ContactKind::Hook && model.is_own(c.nodes[0]);
    for contact in model.contacts.iter().filter(woven) {
        let radii: f64 = contact.nodes.iter().map(|&n| model.rod_of(n).material.radius).sum();
        for corner in corners(model, contact) {
            let x = corner.map(|n| model.position(q, n));
            let (first, second) = (x[1] - x[0], x[2] - x[0]);
            let inner = corner[1..].iter().all(|&n| model.node(n).contact.is_some());
            let cover = radii / first.norm().min(second.norm());
            let jammed = if inner { cover.min(1.0).asin() } else { 0.0 };
            all.add(contact, corner, [Angle::new(first, second).theta, jammed]);
        }
    }
    all.family("shear")
}

/// Angle springs between two rods of a contact.
pub(super) struct Corners<'a> {
    model: &'a Model,
    damping: &'a DampingParams,
    dofs: Vec<[u32; 9]>,
    strain: Shear,
    stiffness: Vec<f64>,
    beta: Vec<f64>,
}

impl<'a> Corners<'a> {
    /// None yet.
    pub(super) fn new(model: &'a Model, damping: &'a DampingParams) -> Self {
        let (dofs, stiffness, beta) = (Vec::new(), Vec::new(), Vec::new());
        Self { model, damping, dofs, strain: Shear::default(), stiffness, beta }
    }

    /// Adds a spring at a contact towards a neighbour on each rod, with its rest angle and that at which the
    /// yarns jam, rad.
    pub(super) fn add(&mut self, contact: &Contact, corner: [NodeId; 3], [rest, jammed]: [f64; 2]) {
        let [a, b] = contact.nodes.map(|n| self.model.rod_of(n).material);
        self.dofs.push(join(corner.map(|n| position_dofs(self.model.node(n).block))));
        self.strain.nodes.push([contact.nodes[0], corner[1], contact.nodes[1], corner[2]]);
        self.strain.rest.push(rest);
        self.strain.jamming.push((rest - jammed).max(0.0));
        self.stiffness.push(0.5 * (a.shear + b.shear));
        self.beta.push(self.damping.shear.unwrap_or(0.5 * (a.shear_damping + b.shear_damping)));
    }

    /// The springs.
    pub(super) fn family(self, name: &'static str) -> Family<Material<Shear, 9>, 9> {
        let material = matched(self.strain, self.stiffness, self.beta, self.damping);
        Family::new(name, EnergyKind::Elastic, Stencils::new(self.dofs, position_groups()), material)
    }
}

/// Adds the stiffness, N/m, and the damping, s, of the contact of two yarns.
pub(super) fn add_pair(
    (stiffness, beta): (&mut Vec<f64>, &mut Vec<f64>),
    [a, b]: [&YarnMaterial; 2],
    damping: &DampingParams,
) {
    stiffness.push(0.5 * (a.contact + b.contact));
    beta.push(damping.contact.unwrap_or(0.5 * (a.contact_damping + b.contact_damping)));
}

fn parallel(model: &Model, damping: &DampingParams) -> Family<Material<Parallel, 2>, 2> {
    let (mut dofs, mut strain) = (Vec::new(), Parallel::default());
    let (mut stiffness, mut beta) = (Vec::new(), Vec::new());
    for pair in model.segments().chain(hooks::beside_floats(model)) {
        let [Some(a), Some(b)] = pair.map(|n| model.across(n)) else { continue };
        let twist = hooks::twist_length(model, pair);
        let [a, b] = [a, b].map(|n| &model.rod_of(n).material);
        dofs.push(pair.map(|n| model.node(n).arc_dof()));
        strain.distance.push(twist.unwrap_or(a.radius + b.radius));
        add_pair((&mut stiffness, &mut beta), [a, b], damping);
    }
    let material = matched(strain, stiffness, beta, damping);
    Family::new("parallel contact", EnergyKind::Contact, Stencils::new(dofs, [0, 1]), material)
}

fn friction(model: &Model, q: &[f64]) -> Family<Friction, 2> {
    let (mut dofs, mut stiffness, mut coefficient) = (Vec::new(), Vec::new(), Vec::new());
    for contact in &model.contacts {
        let [a, b] = contact.nodes.map(|n| model.rod_of(n).material);
        dofs.push(contact.nodes.map(|n| model.node(n).arc_dof()));
        stiffness.push(0.5 * (a.stick + b.stick));
        coefficient.push(contact.friction);
    }
    for held in &model.held {
        let block = model.node(held.node).block;
        dofs.push([block.dof(3), block.dof(4)]);
        stiffness.push(model.rod_of(held.node).material.stick);
        coefficient.push(held.friction);
    }
    let anchors = dofs.iter().map(|d: &[u32; 2]| d.map(|k| q[k as usize])).collect();
    Family::new(
        "friction",
        EnergyKind::External,
        Stencils::new(dofs, [0; 2]),
        Friction::new(stiffness, coefficient, anchors),
    )
}

fn obstacles(model: &Model, from: &Ingredients<'_>) -> Family<ObstacleContact, 3> {
    let yarns = bodies(model, &model.dual_lengths(from.q));
    let (blocks, bodies): (Vec<_>, Vec<Body>) = yarns.into_iter().chain(sheets::bodies(model)).unzip();
    let dofs = blocks.into_iter().map(position_dofs).collect();
    let element = ObstacleContact::new(from.obstacles.to_vec(), bodies);
    Family::new("obstacles", EnergyKind::Contact, Stencils::new(dofs, [0; 3]), element)
}

fn pieces(model: &Model, q: &[f64]) -> Vec<[Option<Piece>; 2]> {
    let lengths = model.dual_lengths(q);
    let piece = |n: NodeId| {
        let ends = model.neighbours(n).map(|m| model.node(m.unwrap_or(n)).block);
        let piece = Piece { ends, radius: model.rod_of(n).material.radius, length: lengths[n.index()] };
        model.is_own(n).then_some(piece)
    };
    model.block_nodes.iter().map(|nodes| nodes.map(|n| n.and_then(piece))).collect()
}
