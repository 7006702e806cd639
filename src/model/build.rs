//! From descriptions of fabrics and rods to yarns with nodes, contacts and a state at rest.

mod knit;
mod stitches;

use super::fabric::{FabricParams, RodParams, Threads};
use super::ids::{BLOCK, BlockId, ContactId, NodeId, RodId};
use super::material::Material;
use super::select::ThreadSet;
use super::yarns::{Contact, HeldNode, Model, Node, NodeKind, Rod, State, Thread};
use crate::geometry::Vec3;
use crate::geometry::pose::Pose;
use crate::pattern::weave::WeaveError;

/// Default colours of warp and weft, linear RGB: undyed ecru and indigo.
const COLOURS: [[f32; 3]; 2] = [[0.80, 0.72, 0.58], [0.16, 0.28, 0.50]];

/// Collects fabrics and rods into a [`Model`].
#[derive(Debug, Default)]
pub struct ModelBuilder {
    model: Model,
    q: Vec<f64>,
    v: Vec<f64>,
}

/// A fabric as it is built: where it lies, of what, and which of its crossings were not cut away.
struct Grid<'a> {
    params: &'a FabricParams,
    place: Pose,
    material: &'a dyn Fn(&str) -> Material,
    kept: Vec<bool>,
}

/// A run of crossings of one yarn, with what lies between its ends.
struct Run {
    set: ThreadSet,
    index: usize,
    first: usize,
    last: usize,
}

impl Grid<'_> {
    fn threads(&self, set: ThreadSet) -> &Threads {
        match set {
            ThreadSet::Warp => &self.params.warp,
            ThreadSet::Weft => &self.params.weft,
        }
    }

    fn across(&self, set: ThreadSet) -> &Threads {
        match set {
            ThreadSet::Warp => &self.params.weft,
            ThreadSet::Weft => &self.params.warp,
        }
    }

    fn kept(&self, warp: usize, weft: usize) -> bool {
        self.kept[weft * self.params.warp.count + warp]
    }

    fn is_kept_along(&self, set: ThreadSet, index: usize, k: usize) -> bool {
        match set {
            ThreadSet::Warp => self.kept(index, k),
            ThreadSet::Weft => self.kept(k, index),
        }
    }

    /// Offset of yarn `k` of a direction from the fabric's centre, in yarns.
    fn centred(threads: &Threads, k: f64) -> f64 {
        k - 0.5 * (threads.count as f64 - 1.0)
    }

    fn cut(params: &FabricParams) -> Vec<bool> {
        let n = params.warp.count * params.weft.count;
        let Some(cut) = params.cut else { return vec![true; n] };
        let (sine, cosine) = cut.angle.to_radians().sin_cos();
        let inside = |k: usize| {
            let (warp, weft) = (k % params.warp.count, k / params.warp.count);
            let x = Self::centred(&params.weft, weft as f64) * params.weft.spacing;
            let y = Self::centred(&params.warp, warp as f64) * params.warp.spacing;
            let (a, b) = (x * cosine + y * sine, -x * sine + y * cosine);
            a.abs() <= 0.5 * cut.size[0] && b.abs() <= 0.5 * cut.size[1]
        };
        (0..n).map(inside).collect()
    }

    fn runs(&self, set: ThreadSet) -> Vec<Run> {
        let mut runs = Vec::new();
        for index in 0..self.threads(set).count {
            let on = |&k: &usize| self.is_kept_along(set, index, k);
            let n = self.across(set).count;
            if let (Some(first), Some(last)) = ((0..n).find(on), (0..n).rfind(on)) {
                runs.push(Run { set, index, first, last });
            }
        }
        runs
    }
}

impl ModelBuilder {
    /// The yarns and the state that they start in.
    pub fn finish(mut self) -> (Model, State) {
        self.sort_blocks();
        (self.model, State { q: self.q, v: self.v })
    }

    /// Adds a woven fabric; `material` looks names up.
    ///
    /// # Errors
    /// The weave's, if its draft is not a weave.
    pub fn add_fabric(
        &mut self,
        params: &FabricParams,
        material: &dyn Fn(&str) -> Material,
    ) -> Result<(), WeaveError> {
        let draft = params.weave.draft()?;
        let place = Pose::new(params.at.into(), Vec3::from(params.rotation).map(f64::to_radians));
        let grid = Grid { params, place, material, kept: Grid::cut(params) };
        let fabric = self.model.fabrics.len() as u32;
        self.model.fabrics.push(params.name.clone());
        let crossing = self.add_crossings(&grid, fabric);
        let mut node_at = vec![[None; 2]; crossing.len()];
        let mut yarns = [Vec::new(), Vec::new()];
        for (side, set) in [ThreadSet::Warp, ThreadSet::Weft].into_iter().enumerate() {
            for run in grid.runs(set) {
                let blocks = self.add_yarn(&grid, &run, &crossing, &mut node_at);
                yarns[side].push(blocks);
            }
        }
        for (k, nodes) in node_at.iter().enumerate() {
            if let [Some(a), Some(b)] = *nodes {
                let (warp, weft) = (k % params.warp.count, k / params.warp.count);
                self.join(a, b, if draft.warp_on_top(warp, weft) { 1 } else { -1 });
            }
        }
        for set in &yarns {
            for pair in set.chunks(STRIP_WIDTH) {
                self.model.strips.push(interleave(pair, &self.model.coordinates));
            }
        }
        Ok(())
    }

    fn add_crossings(&mut self, grid: &Grid<'_>, fabric: u32) -> Vec<Option<BlockId>> {
        let p = grid.params;
        let mut out = Vec::with_capacity(grid.kept.len());
        for weft in 0..p.weft.count {
            for warp in 0..p.warp.count {
                out.push(grid.kept(warp, weft).then(|| {
                    let x = Grid::centred(&p.weft, weft as f64) * p.weft.spacing;
                    let y = Grid::centred(&p.warp, warp as f64) * p.warp.spacing;
                    let rest = [weft as f64, warp as f64, layer_height(fabric)];
                    self.add_block(grid.place.to_world(Vec3::new(x, y, 0.0)), rest)
                }));
            }
        }
        out
    }

    /// Adds one yarn with its nodes; returns its blocks in order.
    fn add_yarn(
        &mut self,
        grid: &Grid<'_>,
        run: &Run,
        crossing: &[Option<BlockId>],
        node_at: &mut [[Option<NodeId>; 2]],
    ) -> Vec<u32> {
        let (own, across) = (grid.threads(run.set), grid.across(run.set));
        let fabric = self.model.fabrics.len() as u32 - 1;
        let shrink = 1.0 / (1.0 + grid.params.prestretch);
        let tail = own.tail.unwrap_or(0.5 * across.spacing);
        let n = (run.last - run.first) as f64;
        let side = usize::from(run.set == ThreadSet::Weft);
        let name = &own.materials[run.index % own.materials.len()];
        let colour =
            if own.colours.is_empty() { COLOURS[side] } else { own.colours[run.index % own.colours.len()] };
        let thread = Thread { fabric, set: run.set, index: run.index as u32 };
        let rod = self.begin_rod(Some(thread), (grid.material)(name), colour);
        let end = |along: f64, offset: f64, step: f64| {
            let a = Grid::centred(across, along) * across.spacing + offset;
            let b = Grid::centred(own, run.index as f64) * own.spacing;
            let rest = (along + step, run.index as f64, layer_height(fabric));
            match run.set {
                ThreadSet::Warp => (grid.place.to_world(Vec3::new(a, b, 0.0)), [rest.0, rest.1, rest.2]),
                ThreadSet::Weft => (grid.place.to_world(Vec3::new(b, a, 0.0)), [rest.1, rest.0, rest.2]),
            }
        };
        let mut blocks = Vec::with_capacity(run.last - run.first + 3);
        let (x, rest) = end(run.first as f64, -tail, -1.0);
        let block = self.add_block(x, rest);
        blocks.push(block.0);
        self.add_node(rod, block, (3, 0.0), NodeKind::Lagrangian);
        for k in run.first..=run.last {
            let cell = match run.set {
                ThreadSet::Warp => k * grid.params.warp.count + run.index,
                ThreadSet::Weft => run.index * grid.params.warp.count + k,
            };
            let Some(block) = crossing[cell] else { continue };
            let arc = (tail + (k - run.first) as f64 * across.spacing) * shrink;
            node_at[cell][side] = Some(self.add_node(rod, block, (3 + side, arc), NodeKind::EolIntra));
            blocks.push(block.0);
        }
        let (x, rest) = end(run.last as f64, tail, 1.0);
        let block = self.add_block(x, rest);
        blocks.push(block.0);
        let length = (2.0 * tail + n * across.spacing) * shrink;
        self.add_node(rod, block, (3, length), NodeKind::Lagrangian);
        self.end_rod(rod, length);
        blocks
    }

    /// Adds a single rod.
    pub fn add_rod(&mut self, params: &RodParams, material: Material) {
        let points: Vec<Vec3> = params.points.iter().map(|&p| p.into()).collect();
        let drawn: f64 = points.windows(2).map(|w| (w[1] - w[0]).norm()).sum();
        let length = params.length.unwrap_or(drawn);
        let rod = self.begin_rod(None, material, params.colour.unwrap_or(COLOURS[0]));
        let step = length / params.segments as f64;
        let mut arcs: Vec<(f64, Option<f64>)> =
            params.eyelets.iter().map(|e| (e.arc, Some(e.friction))).collect();
        for k in 0..=params.segments {
            let arc = if k == params.segments { length } else { k as f64 * step };
            let is_end = k == 0 || k == params.segments;
            if is_end || params.eyelets.iter().all(|e| (e.arc - arc).abs() > 0.5 * step) {
                arcs.push((arc, None));
            }
        }
        arcs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let row = self.model.coordinates.len() as f64;
        let mut strip = Vec::with_capacity(arcs.len());
        for (k, (arc, eyelet)) in arcs.into_iter().enumerate() {
            let x = along(&points, arc * drawn / length);
            let block = self.add_block(x, [k as f64, row, 0.0]);
            strip.push(block.0);
            let kind = if eyelet.is_some() { NodeKind::EolIntra } else { NodeKind::Lagrangian };
            let node = self.add_node(rod, block, (3, arc), kind);
            let first = block.dof(0) as usize;
            self.v[first..first + 3].copy_from_slice(&params.velocity);
            if let Some(friction) = eyelet {
                self.model.held.push(HeldNode { node, friction });
                self.model.free[first..first + 5].copy_from_slice(&[false, false, false, true, false]);
                self.v[first..first + 3].fill(0.0);
            }
        }
        self.end_rod(rod, length);
        self.model.strips.push(strip);
        self.model.single_rods.push((params.name.clone(), rod));
    }

    fn add_block(&mut self, x: Vec3, rest: [f64; 3]) -> BlockId {
        let id = BlockId(self.model.coordinates.len() as u32);
        self.model.coordinates.push(rest);
        self.model.block_nodes.push([None; 2]);
        self.q.extend([x.x, x.y, x.z, 0.0, 0.0]);
        self.v.extend([0.0; BLOCK]);
        self.model.free.extend([true, true, true, false, false]);
        id
    }

    fn begin_rod(&mut self, thread: Option<Thread>, material: Material, colour: [f32; 3]) -> RodId {
        let first = self.model.nodes.len() as u32;
        self.model.rods.push(Rod { thread, material, colour, nodes: first..first, length: 0.0 });
        RodId(self.model.rods.len() as u32 - 1)
    }

    fn end_rod(&mut self, rod: RodId, length: f64) {
        let end = self.model.nodes.len() as u32;
        let rod = &mut self.model.rods[rod.index()];
        (rod.nodes.end, rod.length) = (end, length);
    }

    fn add_node(
        &mut self,
        rod: RodId,
        block: BlockId,
        (component, arc): (usize, f64),
        kind: NodeKind,
    ) -> NodeId {
        let id = NodeId(self.model.nodes.len() as u32);
        self.model.nodes.push(Node { rod, block, arc: component as u8, kind, contact: None, stitch: None });
        let place = &mut self.model.block_nodes[block.index()];
        place[usize::from(place[0].is_some())] = Some(id);
        self.q[block.dof(component) as usize] = arc;
        self.model.free[block.dof(component) as usize] = kind != NodeKind::Lagrangian;
        id
    }

    fn join(&mut self, first: NodeId, second: NodeId, side: i8) {
        let id = ContactId(self.model.contacts.len() as u32);
        self.model.contacts.push(Contact { nodes: [first, second], side });
        for node in [first, second] {
            self.model.nodes[node.index()].contact = Some(id);
        }
    }

    /// Numbers blocks row by row, so that what is coupled lies close in memory.
    fn sort_blocks(&mut self) {
        let coordinates = &self.model.coordinates;
        let mut order: Vec<u32> = (0..coordinates.len() as u32).collect();
        let key = |&b: &u32| coordinates[b as usize];
        order.sort_by(|a, b| {
            let ([x0, y0, z0], [x1, y1, z1]) = (key(a), key(b));
            x0.total_cmp(&x1).then(y0.total_cmp(&y1)).then(z0.total_cmp(&z1))
        });
        let mut rank = vec![0u32; order.len()];
        for (new, &old) in order.iter().enumerate() {
            rank[old as usize] = new as u32;
        }
        let model = &mut self.model;
        for node in &mut model.nodes {
            node.block = BlockId(rank[node.block.index()]);
        }
        for block in model.strips.iter_mut().flatten() {
            *block = rank[*block as usize];
        }
        model.coordinates = order.iter().map(|&b| model.coordinates[b as usize]).collect();
        model.block_nodes = order.iter().map(|&b| model.block_nodes[b as usize]).collect();
        let five =
            |of: &[f64]| order.iter().flat_map(|&b| of[BLOCK * b as usize..][..BLOCK].to_vec()).collect();
        (self.q, self.v) = (five(&self.q), five(&self.v));
        model.free = order.iter().flat_map(|&b| model.free[BLOCK * b as usize..][..BLOCK].to_vec()).collect();
    }
}

/// Yarns in a strip of the preconditioner: with single yarns a crimped weave needs four times the
/// iterations, with three the factor costs more than it saves.
const STRIP_WIDTH: usize = 2;

/// Fabrics are told apart by their height among the coordinates, so that stacked layers stay together.
fn layer_height(fabric: u32) -> f64 {
    0.1 * f64::from(fabric)
}

/// Merges neighbouring yarns into one list, block after block along them.
fn interleave(yarns: &[Vec<u32>], coordinates: &[[f64; 3]]) -> Vec<u32> {
    let mut all: Vec<u32> = yarns.iter().flatten().copied().collect();
    let Some((first, last)) = yarns[0].first().zip(yarns[0].last()) else { return all };
    let along = usize::from(coordinates[*first as usize][0] == coordinates[*last as usize][0]);
    all.sort_by(|&a, &b| {
        let (a, b) = (coordinates[a as usize], coordinates[b as usize]);
        a[along].total_cmp(&b[along]).then(a[1 - along].total_cmp(&b[1 - along]))
    });
    all
}

/// The point of a poly-line at a distance from its start.
fn along(points: &[Vec3], distance: f64) -> Vec3 {
    let mut left = distance;
    for w in points.windows(2) {
        let l = (w[1] - w[0]).norm();
        if left <= l && l > 0.0 {
            return w[0] + (w[1] - w[0]) * (left / l);
        }
        left -= l;
    }
    points.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::material::named_material;
    use crate::model::select::ThreadSet::{Warp, Weft};
    use crate::pattern::weave::Weave;

    fn threads(count: usize) -> Threads {
        Threads { count, spacing: 5e-4, materials: vec!["cotton".into()], colours: vec![], tail: None }
    }

    fn fabric(warp: usize, weft: usize) -> FabricParams {
        FabricParams {
            name: "cloth".into(),
            weave: Weave::Plain,
            warp: threads(warp),
            weft: threads(weft),
            at: [0.0; 3],
            rotation: [0.0; 3],
            prestretch: 0.0,
            cut: None,
        }
    }

    fn build(params: &FabricParams) -> (Model, State) {
        let mut b = ModelBuilder::default();
        b.add_fabric(params, &|name| named_material(name).unwrap().material).unwrap();
        b.finish()
    }

    #[test]
    fn a_weave_has_the_nodes_and_contacts_that_it_should() {
        let (model, state) = build(&fabric(4, 6));
        assert_eq!(model.rods.len(), 10);
        assert_eq!(model.contacts.len(), 24);
        assert_eq!(model.nodes.len(), 2 * 24 + 2 * 10);
        assert_eq!(model.n_blocks(), 24 + 20);
        for rod in &model.rods {
            let arcs: Vec<f64> = rod.nodes.clone().map(|n| model.arc(&state.q, NodeId(n))).collect();
            assert!(
                arcs.windows(2).all(|w| w[1] > w[0]) && arcs[0] == 0.0 && *arcs.last().unwrap() == rod.length
            );
        }
        for [a, b] in model.segments() {
            let l = (model.position(&state.q, b) - model.position(&state.q, a)).norm();
            assert!((l - (model.arc(&state.q, b) - model.arc(&state.q, a))).abs() < 1e-15);
        }
    }

    #[test]
    fn every_block_is_in_a_strip_and_crossings_are_in_two() {
        let (model, _) = build(&fabric(5, 7));
        let mut count = vec![0; model.n_blocks()];
        model.strips.iter().flatten().for_each(|&b| count[b as usize] += 1);
        for (block, nodes) in model.block_nodes.iter().enumerate() {
            assert_eq!(count[block], nodes.iter().flatten().count());
        }
    }

    #[test]
    fn a_cut_on_the_bias_keeps_a_rectangle() {
        use crate::model::fabric::Cut;
        let cut = Cut { size: [0.01, 0.005], angle: 45.0 };
        let (model, state) = build(&FabricParams { cut: Some(cut), ..fabric(60, 60) });
        let area = model.contacts.len() as f64 * 5e-4 * 5e-4;
        assert!((area / 5e-5 - 1.0).abs() < 0.1, "{area}");
        for c in &model.contacts {
            let x = model.position(&state.q, c.nodes[0]);
            assert!(((x.x + x.y) / 2f64.sqrt()).abs() <= 0.005 + 1e-12);
        }
        assert!(model.rods.iter().any(|r| r.thread.unwrap().set == Warp));
        assert!(model.rods.iter().any(|r| r.thread.unwrap().set == Weft));
    }
}
