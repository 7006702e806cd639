//! Woven fabrics: a grid of crossings, straight yarns through them.

use super::placement::{Placement, centred};
use super::{COLOURS, ModelBuilder};
use crate::geometry::pose::Pose;
use crate::model::fabric::{FabricParams, Threads};
use crate::model::ids::{BlockId, NodeId};
use crate::model::material::Material;
use crate::model::select::ThreadSet;
use crate::model::yarns::{ContactKind, NodeKind, Thread};
use crate::pattern::crimp::Waves;
use crate::pattern::weave::{Draft, WeaveError};

/// A fabric as it is built: where it lies, of what, and which of its crossings were not cut away.
struct Grid<'a> {
    params: &'a FabricParams,
    crossings: Placement<'a>,
    place: Pose,
    material: &'a dyn Fn(&str) -> Material,
    draft: Draft,
    /// How its yarns wave, if they do.
    waves: Option<Waves>,
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

    /// The material of a yarn.
    fn material(&self, set: ThreadSet, index: usize) -> Material {
        let names = &self.threads(set).materials;
        (self.material)(&names[index % names.len()])
    }

    /// How far from the plane of the fabric the yarns of a crossing touch, m: nothing if both wave alike.
    fn height(&self, [weft, warp]: [usize; 2]) -> f64 {
        let Some(Waves { scale, warp_share }) = self.waves else { return 0.0 };
        let [of_warp, of_weft] =
            [(ThreadSet::Warp, warp), (ThreadSet::Weft, weft)].map(|(set, k)| self.material(set, k).radius);
        let height = scale * (warp_share * (of_warp + of_weft) - of_warp);
        if self.draft.warp_on_top(warp, weft) { height } else { -height }
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

    fn cut(params: &FabricParams) -> Vec<bool> {
        let n = params.warp.count * params.weft.count;
        let Some(cut) = params.cut else { return vec![true; n] };
        let (sine, cosine) = cut.angle.to_radians().sin_cos();
        let inside = |k: usize| {
            let (warp, weft) = (k % params.warp.count, k / params.warp.count);
            let x = centred(&params.weft, weft as f64) * params.weft.spacing;
            let y = centred(&params.warp, warp as f64) * params.warp.spacing;
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
        let grid = Grid {
            params,
            crossings: Placement(params),
            place: params.pose(),
            material,
            draft: params.weave.draft()?,
            waves: params.waves(&|name| material(name).radius)?,
            kept: Grid::cut(params),
        };
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
                let side = if grid.draft.warp_on_top(warp, weft) { 1 } else { -1 };
                self.join([a, b], side, ContactKind::Intra, None);
            }
        }
        if let Some(crimp) = params.crimp {
            self.cut_to_length(fabric, 1.0 / (1.0 + params.prestretch));
            self.set(fabric, crimp.set);
        }
        Ok(())
    }

    fn add_crossings(&mut self, grid: &Grid<'_>, fabric: u32) -> Vec<Option<BlockId>> {
        let p = grid.params;
        let mut out = Vec::with_capacity(grid.kept.len());
        for weft in 0..p.weft.count {
            for warp in 0..p.warp.count {
                out.push(grid.kept(warp, weft).then(|| {
                    let place = [weft as f64, warp as f64];
                    self.add_place(grid, (place, grid.height([weft, warp])), place, fabric)
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
        let own = grid.threads(run.set);
        let fabric = self.model.fabrics.len() as u32 - 1;
        let shrink = 1.0 / (1.0 + grid.params.prestretch);
        let step = grid.crossings.step(run.set, run.index);
        let is_closed = grid.crossings.is_tube() && run.set == ThreadSet::Weft;
        let tail = own.tail.filter(|_| !is_closed).unwrap_or(0.5 * step);
        let n = (run.last - run.first) as f64;
        let colour =
            if own.colours.is_empty() { COLOURS[side] } else { own.colours[run.index % own.colours.len()] };
        let thread = Thread { fabric, set: run.set, index: run.index as u32 };
        let material = grid.material(run.set, run.index);
        let rod = self.begin_rod(Some(thread), material, colour);
        self.model.rods[rod.index()].offset = grid.waves.map_or(0.0, |w| w.scale * material.radius);
        let end = |crossing: usize, way: f64| {
            let along = [crossing as f64 + way * tail / step, crossing as f64 + way];
            let index = run.index as f64;
            along.map(|a| if run.set == ThreadSet::Warp { [a, index] } else { [index, a] })
        };
        let [place, rest] = end(run.first, -1.0);
        let first = self.add_place(grid, (place, 0.0), rest, fabric);
        self.add_node(rod, first, (3, 0.0), NodeKind::Lagrangian);
        for k in run.first..=run.last {
            let cell = match run.set {
                ThreadSet::Warp => k * grid.params.warp.count + run.index,
                ThreadSet::Weft => run.index * grid.params.warp.count + k,
            };
            let Some(block) = crossing[cell] else { continue };
            let arc = (tail + (k - run.first) as f64 * step) * shrink;
            node_at[cell][side] = Some(self.add_node(rod, block, (3 + side, arc), NodeKind::EolIntra));
        }
        let length = (2.0 * tail + n * step) * shrink;
        // The last end of a yarn that goes round is where its first is.
        let (block, component) = if is_closed {
            (first, 4)
        } else {
            let [place, rest] = end(run.last, 1.0);
            (self.add_place(grid, (place, 0.0), rest, fabric), 3)
        };
        self.add_node(rod, block, (component, length), NodeKind::Lagrangian);
        self.end_rod(rod, length);
    }

    /// Adds a place of a fabric with its height over it, m, and a place by which it is sorted, both by weft and warp yarn.
    fn add_place(
        &mut self,
        grid: &Grid<'_>,
        ([weft, warp], height): ([f64; 2], f64),
        sorted: [f64; 2],
        fabric: u32,
    ) -> BlockId {
        let point = grid.crossings.point(weft, warp) + grid.crossings.normal(weft, warp) * height;
        let x = grid.place.to_world(point);
        self.add_block(x, grid.crossings.coordinates(sorted[0], sorted[1], fabric))
    }
}
