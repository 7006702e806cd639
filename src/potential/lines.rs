//! Stretch and bending of yarns along their centre lines.

use super::assemble::matched;
use super::bending::Bending;
use super::chain::{NODES_2, NODES_3, join};
use super::damping::{DampingKind, DampingParams};
use super::displaced::Displaced;
use super::dissipation::Damping;
use super::family::{Element, Family, Stencils, gather};
use super::material::Material;
use super::strain::{Measure, Strain};
use super::stretch::Stretch;
use super::term::{EnergyKind, Potential};
use super::turned::{SetBending, Turned};
use crate::model::arrangement::Arrangement;
use crate::model::centre_line::{Crossing, short};
use crate::model::ids::{BLOCK, NodeId, RodId};
use crate::model::yarns::{Model, Node};

/// Stretch and bending of all chains, rod by rod in their order.
///
/// A rod is in one of two pairs of families: lines through the shared points, or beside them, see [`Displaced`].
#[derive(Debug)]
pub struct Lines {
    /// Stretch of the segments of rods without thickness.
    pub stretch: Family<Material<Stretch, 8>, 8>,
    /// Bending of rods without thickness at their inner nodes.
    pub bending: Family<Material<Bending, 12>, 12>,
    thick_stretch: Family<Displaced<Material<Stretch, 8>, 8>, 26>,
    thick_bending: Family<Displaced<Material<Bending, 12>, 12>, 36>,
    set_bending: Family<Displaced<SetBending, 18>, 36>,
    rods: Vec<First>,
    /// Where the bends of rods with thickness are, one after another.
    bends: Vec<Bend>,
}

/// A bend of a rod with thickness.
#[derive(Debug, Clone, Copy)]
enum Bend {
    /// Among those that bend in any plane.
    Free(usize),
    /// Among those that are set in the frame of their crossing.
    Set(usize),
}

/// Where a rod's elements begin.
#[derive(Debug, Clone, Copy)]
struct First {
    is_thick: bool,
    /// Among the elements of stretch of its thickness.
    segment: usize,
    /// Among those of bending.
    bend: usize,
    /// Among the segments of all rods.
    of_all: usize,
}

/// Own nodes, those before and after them, and the two around every crossing on the other yarn.
const THICK_2: [u8; 26] = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 7];
const THICK_3: [u8; 36] = [
    0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 7, 8, 8, 8, 9, 9, 9, 10,
    10, 10,
];

/// Strain of a bent yarn's outer fibres below which it is as good as straight. What damping by the vector takes then from a
/// yarn that turns about itself is a small part of next to nothing; damping by the angle, which knows no direction there,
/// would keep Newton's method busy with yarns that are bent by microradians. With a thousandth a skipping rope of cotton,
/// which is that straight near its ends, loses 0.4 % of its energy in a turn.
const STRAIGHT: f64 = 1e-4;

impl Lines {
    /// Those of an arrangement.
    pub(crate) fn new(model: &Model, arrangement: &Arrangement, damping: &DampingParams) -> Self {
        let is_thick = |n: NodeId| model.rod_of(n).is_thick();
        let (thick_segments, segments): (Vec<_>, Vec<_>) =
            arrangement.segments().partition(|s| is_thick(s[0]));
        let (thick_bends, bends): (Vec<_>, Vec<_>) = arrangement.bends().partition(|b| is_thick(b[0]));
        let is_set =
            |n: NodeId| model.node(n).rest_frame.is_some() && arrangement.crossing(model, n).is_some();
        let (set_bends, free_bends): (Vec<_>, Vec<_>) = thick_bends.iter().partition(|b| is_set(b[1]));
        let (mut set, mut free) = (0.., 0..);
        let place_of = |b: &[NodeId; 3]| {
            if is_set(b[1]) { set.next().map(Bend::Set) } else { free.next().map(Bend::Free) }
        };
        let thick_places = thick_bends.iter().filter_map(place_of).collect();
        let (place, yarns) = ((model, arrangement), (model, damping));
        let (stretch, bending) = ("stretch", "bending");
        Self {
            stretch: elastic(stretch, plain(model, &segments, NODES_2), stretched(yarns, &segments)),
            bending: elastic(bending, plain(model, &bends, NODES_3), bent(yarns, &bends)),
            thick_stretch: elastic(
                stretch,
                beside(place, &thick_segments, THICK_2),
                displaced(place, &thick_segments, stretched(yarns, &thick_segments)),
            ),
            thick_bending: elastic(
                bending,
                beside(place, &free_bends, THICK_3),
                displaced(place, &free_bends, bent(yarns, &free_bends)),
            ),
            set_bending: elastic(
                bending,
                beside(place, &set_bends, THICK_3),
                displaced(place, &set_bends, set_bent(yarns, &set_bends)),
            ),
            bends: thick_places,
            rods: first_elements(model, arrangement),
        }
    }

    /// All of them.
    pub(crate) fn all(&self) -> [&dyn Potential; 5] {
        [&self.stretch, &self.bending, &self.thick_stretch, &self.thick_bending, &self.set_bending]
    }

    /// All of them.
    pub(crate) fn all_mut(&mut self) -> [&mut dyn Potential; 5] {
        let Self { stretch, bending, thick_stretch, thick_bending, set_bending, .. } = self;
        [stretch, bending, thick_stretch, thick_bending, set_bending]
    }

    /// A rod's first segment among those of all rods.
    pub(crate) fn first_segment(&self, rod: RodId) -> usize {
        self.rods[rod.index()].of_all
    }

    /// Weight and elongation of a rod's segment, with their gradients by the nodes of its centre line.
    pub(crate) fn segment(&self, rod: RodId, segment: usize, q: &[f64]) -> Measure<8> {
        let First { is_thick, segment: first, .. } = self.rods[rod.index()];
        let e = first + segment;
        if is_thick {
            let family = &self.thick_stretch;
            let line = family.element.on_line(e, &at(family, e, q));
            return family.element.line.strain.measure(e, &line);
        }
        self.stretch.element.strain.measure(e, &at(&self.stretch, e, q))
    }

    /// Gradient of what the bend at a rod's inner node stores, by the nodes of its centre line.
    pub(crate) fn bend_load(&self, rod: RodId, bend: usize, q: &[f64]) -> [f64; 12] {
        let First { is_thick, bend: first, .. } = self.rods[rod.index()];
        let e = first + bend;
        if !is_thick {
            let family = &self.bending;
            return bend_load(&family.element, e, &at(family, e, q));
        }
        match self.bends[e] {
            Bend::Free(e) => {
                let family = &self.thick_bending;
                bend_load(&family.element.line, e, &family.element.on_line(e, &at(family, e, q)))
            }
            Bend::Set(e) => {
                let family = &self.set_bending;
                let line = family.element.on_line(e, &at(family, e, q));
                own_part(family.element.line.energy_gradient(e, &line))
            }
        }
    }

    /// What a rod's segment adds to the gradient of a step by its own nodes; `whole_step` as in [`gradient`].
    pub(crate) fn segment_gradient(
        &self,
        (rod, segment): (RodId, usize),
        q: &[f64],
        whole_step: Option<f64>,
    ) -> [f64; 8] {
        let First { is_thick, segment: first, .. } = self.rods[rod.index()];
        let e = first + segment;
        if is_thick {
            return own_part(gradient(&self.thick_stretch, e, q, whole_step));
        }
        gradient(&self.stretch, e, q, whole_step)
    }

    /// The same of the bend at a rod's inner node.
    pub(crate) fn bend_gradient(
        &self,
        (rod, bend): (RodId, usize),
        q: &[f64],
        whole_step: Option<f64>,
    ) -> [f64; 12] {
        let First { is_thick, bend: first, .. } = self.rods[rod.index()];
        let e = first + bend;
        if !is_thick {
            return gradient(&self.bending, e, q, whole_step);
        }
        match self.bends[e] {
            Bend::Free(e) => own_part(gradient(&self.thick_bending, e, q, whole_step)),
            Bend::Set(e) => own_part(gradient(&self.set_bending, e, q, whole_step)),
        }
    }
}

/// Gradient of what a bend stores, but for what its length and its stiffening beyond the sharpest bend add.
fn bend_load(bending: &Material<Bending, 12>, element: usize, q: &[f64; 12]) -> [f64; 12] {
    let m = bending.strain.measure(element, q);
    m.elongation_gradient[0].map(|g| bending.stiffness(element) * m.strain()[0] * g)
}

/// The part of a gradient by the nodes of an element itself.
fn own_part<const I: usize, const O: usize>(g: [f64; O]) -> [f64; I] {
    std::array::from_fn(|i| g[i])
}

/// The gradient of an element: of a step's potential over the weight of its forces, or at rest of the stored energy alone.
pub(super) fn gradient<E: Element<N>, const N: usize>(
    family: &Family<E, N>,
    element: usize,
    q: &[f64],
    whole_step: Option<f64>,
) -> [f64; N] {
    let own = at(family, element, q);
    match whole_step {
        Some(weight) => family.element.gradient(element, &own).map(|g| g / weight),
        None => family.element.energy_gradient(element, &own),
    }
}

fn at<E, const N: usize>(family: &Family<E, N>, element: usize, q: &[f64]) -> [f64; N] {
    gather(q, family.stencils.dofs(element))
}

fn first_elements(model: &Model, arrangement: &Arrangement) -> Vec<First> {
    let (mut counts, mut of_all) = ([[0; 2]; 2], 0);
    let of_rod = |r: usize| {
        let (is_thick, n) = (model.rods[r].is_thick(), arrangement.chain(RodId(r as u32)).len());
        let [segment, bend] = counts[usize::from(is_thick)];
        let first = First { is_thick, segment, bend, of_all };
        of_all += n.saturating_sub(1);
        counts[usize::from(is_thick)] = [segment + n.saturating_sub(1), bend + n.saturating_sub(2)];
        first
    };
    (0..model.rods.len()).map(of_rod).collect()
}

type Yarns<'a> = (&'a Model, &'a DampingParams);

fn elastic<E: Element<N>, const N: usize>(
    name: &'static str,
    stencils: Stencils<BLOCK, N>,
    element: E,
) -> Family<E, N> {
    Family::new(name, EnergyKind::Elastic, stencils, element)
}

fn stretched((model, damping): Yarns<'_>, segments: &[[NodeId; 2]]) -> Material<Stretch, 8> {
    let of = |s: &[NodeId; 2]| &model.rod_of(s[0]).material;
    let stiffness = segments.iter().map(|s| of(s).stretch_stiffness()).collect();
    let beta = segments.iter().map(|s| damping.stretch.unwrap_or(of(s).stretch_damping)).collect();
    matched(Stretch, stiffness, beta, damping)
}

fn bent((model, damping): Yarns<'_>, bends: &[[NodeId; 3]]) -> Material<Bending, 12> {
    let (stiffness, beta) = bends.iter().map(|b| of_bend(model, damping, b)).unzip();
    matched(angles(model, bends), stiffness, beta, damping)
}

fn set_bent((model, damping): Yarns<'_>, bends: &[[NodeId; 3]]) -> SetBending {
    let (stiffness, beta): (Vec<f64>, Vec<f64>) = bends.iter().map(|b| of_bend(model, damping, b)).unzip();
    let viscosity = stiffness.iter().zip(&beta).map(|(k, b)| [[k * b]]).collect();
    let (by_rate, by_stiffness) = match damping.kind {
        DampingKind::StrainRate => (damping.of(beta, viscosity), Damping::None),
        DampingKind::Rayleigh => (Damping::None, damping.of(beta, vec![[[0.0; 3]; 3]; bends.len()])),
        DampingKind::None => (Damping::None, Damping::None),
    };
    let rest = bends.iter().map(|b| model.node(b[1]).rest_frame.unwrap_or_default()).collect();
    let short = bends.iter().map(|b| short(model.rod_of(b[1]).offset)).collect();
    SetBending {
        damped: Material::new(angles(model, bends), vec![0.0; bends.len()], by_rate),
        stored: Material::new(Turned { rest, short }, stiffness, by_stiffness),
    }
}

fn angles(model: &Model, bends: &[[NodeId; 3]]) -> Bending {
    Bending {
        rest: bends.iter().map(|b| model.node(b[1]).rest_curvature).collect(),
        sharp: bends.iter().map(|b| sharpest_bend(model, b[1])).collect(),
        straight: bends.iter().map(|b| STRAIGHT / model.rod_of(b[1]).material.radius).collect(),
    }
}

/// Stiffness, N m2, and damping, s, of a bend.
fn of_bend(model: &Model, damping: &DampingParams, bend: &[NodeId; 3]) -> (f64, f64) {
    let material = &model.rod_of(bend[1]).material;
    (2.0 * material.bending, damping.bending.unwrap_or(material.bending_damping))
}

/// The bend from which on a yarn stiffens at a node, 1/m, see [`Bending`].
fn sharpest_bend(model: &Model, node: NodeId) -> f64 {
    let Node { stitch, rest_curvature, .. } = model.node(node);
    let radius = |n: NodeId| model.rod_of(n).material.radius;
    let sharp = match (stitch, model.across(node)) {
        (Some(_), _) => 0.5 / radius(node),
        // Peirce's yarns jam where arcs round the yarns across use up their length, at l = D theta: the chord of an arc has
        // half its slope.
        (None, Some(across)) if model.rod_of(node).is_thick() => 0.25 / (radius(node) + radius(across)),
        // Other yarns of a weave turn little from node to node but where two nodes meet, and there the bend is not theirs.
        _ => return f64::INFINITY,
    };
    sharp.max(*rest_curvature)
}

fn plain<const P: usize, const N: usize>(
    model: &Model,
    elements: &[[NodeId; P]],
    groups: [u8; N],
) -> Stencils<BLOCK, N> {
    let dofs = elements.iter().map(|nodes| join(nodes.map(|n| model.node(n).dofs()))).collect();
    Stencils::new(dofs, groups)
}

/// The unknowns of elements of [`Displaced`].
fn beside<const P: usize, const N: usize>(
    (model, arrangement): (&Model, &Arrangement),
    elements: &[[NodeId; P]],
    groups: [u8; N],
) -> Stencils<BLOCK, N> {
    let of = |nodes: &[NodeId; P]| {
        let ends = [nodes[0], nodes[P - 1]];
        let around = ends.map(|n| arrangement.neighbours(model, n));
        let outer = [around[0][0].unwrap_or(ends[0]), around[1][1].unwrap_or(ends[1])];
        let across = nodes.iter().flat_map(|&n| {
            arrangement.crossing(model, n).map_or([n; 2], |Crossing { chords: [_, across], .. }| across)
        });
        let own = nodes.iter().flat_map(|&n| model.node(n).dofs());
        let beside = outer.into_iter().chain(across);
        let mut dofs = own.chain(beside.flat_map(|n| model.node(n).dofs().into_iter().take(3)));
        std::array::from_fn(|_| dofs.next().unwrap_or_default())
    };
    Stencils::new(elements.iter().map(of).collect(), groups)
}

fn displaced<L, const P: usize, const I: usize>(
    (model, arrangement): (&Model, &Arrangement),
    elements: &[[NodeId; P]],
    line: L,
) -> Displaced<L, I> {
    let offset = |n: NodeId| arrangement.crossing(model, n).map_or(0.0, |c| c.offset);
    let of = |nodes: &[NodeId; P]| std::array::from_fn(|k| nodes.get(k).map_or(0.0, |&n| offset(n)));
    Displaced {
        line,
        offsets: elements.iter().map(of).collect(),
        short: elements.iter().map(|nodes| short(model.rod_of(nodes[0]).offset)).collect(),
    }
}
