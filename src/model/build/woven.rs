//! Woven fabrics: a grid of crossings, straight yarns through them.

use super::{COLOURS, ModelBuilder, layer_height};
use crate::geometry::Vec3;
use crate::geometry::pose::Pose;
use crate::model::fabric::{FabricParams, Threads};
use crate::model::ids::{BlockId, NodeId};
use crate::model::material::Material;
use crate::model::select::ThreadSet;
use crate::model::yarns::{ContactKind, NodeKind, Thread};
use crate::pattern::weave::WeaveError;

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
        let grid = Grid { params, place: params.pose(), material, kept: Grid::cut(params) };
        let fabric = self.model.fabrics.len() as u32;
        self.model.fabrics.push(params.name.clone());
        let crossing = self.add_crossings(&grid, fabric);
        let mut node_at = vec![[None; 2]; crossing.len()];
        for (side, set) in [ThreadSet::Warp, ThreadSet::Weft].into_iter().enumerate() {
            for run in grid.runs(set) {
                self.add_yarn(&grid, &run, &crossing, (side, &mut node_at));
            }
        }
        for (k, nodes) in node_at.iter().enumerate() {
            if let [Some(a), Some(b)] = *nodes {
                let (warp, weft) = (k % params.warp.count, k / params.warp.count);
                let side = if draft.warp_on_top(warp, weft) { 1 } else { -1 };
                self.join([a, b], side, ContactKind::Intra, None);
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

    /// Adds one yarn with its nodes.
    fn add_yarn(
        &mut self,
        grid: &Grid<'_>,
        run: &Run,
        crossing: &[Option<BlockId>],
        (side, node_at): (usize, &mut [[Option<NodeId>; 2]]),
    ) {
        let (own, across) = (grid.threads(run.set), grid.across(run.set));
        let fabric = self.model.fabrics.len() as u32 - 1;
        let shrink = 1.0 / (1.0 + grid.params.prestretch);
        let tail = own.tail.unwrap_or(0.5 * across.spacing);
        let n = (run.last - run.first) as f64;
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
        let (x, rest) = end(run.first as f64, -tail, -1.0);
        let block = self.add_block(x, rest);
        self.add_node(rod, block, (3, 0.0), NodeKind::Lagrangian);
        for k in run.first..=run.last {
            let cell = match run.set {
                ThreadSet::Warp => k * grid.params.warp.count + run.index,
                ThreadSet::Weft => run.index * grid.params.warp.count + k,
            };
            let Some(block) = crossing[cell] else { continue };
            let arc = (tail + (k - run.first) as f64 * across.spacing) * shrink;
            node_at[cell][side] = Some(self.add_node(rod, block, (3 + side, arc), NodeKind::EolIntra));
        }
        let (x, rest) = end(run.last as f64, tail, 1.0);
        let block = self.add_block(x, rest);
        let length = (2.0 * tail + n * across.spacing) * shrink;
        self.add_node(rod, block, (3, length), NodeKind::Lagrangian);
        self.end_rod(rod, length);
    }
}
