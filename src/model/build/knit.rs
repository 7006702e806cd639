//! Knitted fabrics: from loops to yarns.

use super::{COLOURS, ModelBuilder, layer_height};
use crate::geometry::Vec3;
use crate::geometry::pose::Pose;
use crate::model::ids::{BlockId, NodeId};
use crate::model::knit::KnitParams;
use crate::model::material::Material;
use crate::model::select::ThreadSet;
use crate::model::yarns::{ContactKind, NodeKind, Thread};
use crate::pattern::knit::chart::KnitError;
use crate::pattern::knit::gauge::Gauge;
use crate::pattern::knit::topology::{Role, Strand, Topology, Yarn};

/// A knit as it is built.
struct Bed<'a> {
    params: &'a KnitParams,
    topology: &'a Topology,
    gauge: Gauge,
    place: Pose,
    centre: [f64; 2],
    fabric: u32,
    /// The block of every contact.
    blocks: Vec<BlockId>,
    /// The nodes of every contact: on the lower loop, on the upper.
    nodes: Vec<[Option<NodeId>; 2]>,
}

impl Bed<'_> {
    fn position(&self, place: [f64; 2]) -> Vec3 {
        let [x, y] = [place[0] - self.centre[0], place[1] - self.centre[1]];
        self.place.to_world(Vec3::new(x * self.gauge.wale, y * self.gauge.course, 0.0))
    }

    fn rest(&self, place: [f64; 2]) -> [f64; 3] {
        [place[1], place[0], layer_height(self.fabric)]
    }
}

impl ModelBuilder {
    /// Adds a knitted fabric; `material` looks names up.
    ///
    /// # Errors
    /// The chart's, if it cannot be knitted.
    pub fn add_knit(
        &mut self,
        params: &KnitParams,
        material: &dyn Fn(&str) -> Material,
    ) -> Result<(), KnitError> {
        let topology = params.topology()?;
        let radius = params.yarns.iter().map(|y| material(&y.material).radius).fold(0.0, f64::max);
        let top = topology.contacts.iter().map(|c| c.place[1]).fold(0.0, f64::max);
        let mut bed = Bed {
            params,
            topology: &topology,
            gauge: params.gauge(radius),
            place: params.pose(),
            centre: [0.5 * (params.wales as f64 - 1.0), 0.5 * top],
            fabric: self.model.fabrics.len() as u32,
            blocks: Vec::new(),
            nodes: vec![[None; 2]; topology.contacts.len()],
        };
        self.model.fabrics.push(params.name.clone());
        for c in &topology.contacts {
            let block = self.add_block(bed.position(c.place), bed.rest(c.place));
            bed.blocks.push(block);
        }
        for (index, yarn) in topology.yarns.iter().enumerate() {
            self.add_knitted_yarn(&mut bed, (index, yarn), material);
        }
        self.hook(&bed);
        self.set(bed.fabric, params.set);
        Ok(())
    }

    fn add_knitted_yarn(
        &mut self,
        bed: &mut Bed<'_>,
        (index, yarn): (usize, &Yarn),
        material: &dyn Fn(&str) -> Material,
    ) {
        let feed = &bed.params.yarns[yarn.feed];
        let colour = feed.colour.unwrap_or(COLOURS[yarn.feed % COLOURS.len()]);
        let thread = Thread { fabric: bed.fabric, set: ThreadSet::Weft, index: index as u32 };
        let rod = self.begin_rod(Some(thread), material(&feed.material), colour);
        let made = &mut self.model.rods[rod.index()];
        if bed.params.thickness {
            made.offset = made.material.radius;
        }
        let arcs = bed.gauge.arcs(yarn, &bed.topology.contacts);
        for (node, &arc) in yarn.nodes.iter().zip(&arcs) {
            let id = match node.strand {
                Some(Strand { contact, strand }) => {
                    let k = contact as usize;
                    let component = 3 + usize::from(strand);
                    let slides = bed.topology.contacts[k].role == Role::Float;
                    let kind = if slides { NodeKind::EolInter } else { NodeKind::EolIntra };
                    let id = self.add_node(rod, bed.blocks[k], (component, arc), kind);
                    bed.nodes[k][usize::from(strand)] = Some(id);
                    id
                }
                None => {
                    let block = self.add_block(bed.position(node.place), bed.rest(node.place));
                    self.add_node(rod, block, (3, arc), NodeKind::Lagrangian)
                }
            };
            self.model.nodes[id.index()].stitch = Some(node.stitch);
        }
        self.end_rod(rod, arcs.last().copied().unwrap_or_default());
    }

    /// Joins the strands of every contact.
    fn hook(&mut self, bed: &Bed<'_>) {
        for (k, contact) in bed.topology.contacts.iter().enumerate() {
            let [Some(lower), Some(upper)] = bed.nodes[k] else { continue };
            let nodes = if lower < upper { [lower, upper] } else { [upper, lower] };
            self.join(nodes, contact.sign, ContactKind::Hook, None);
            if contact.knotted {
                let arcs = bed.blocks[k].dof(3) as usize;
                self.model.free[arcs..arcs + 2].fill(false);
            }
        }
    }
}
