//! Single rods along poly-lines.

use super::{COLOURS, ModelBuilder};
use crate::geometry::Vec3;
use crate::model::fabric::RodParams;
use crate::model::material::Material;
use crate::model::yarns::{HeldNode, NodeKind};

impl ModelBuilder {
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
        for (k, (arc, eyelet)) in arcs.into_iter().enumerate() {
            let x = along(&points, arc * drawn / length);
            let block = self.add_block(x, [k as f64, row, 0.0]);
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
        self.model.single_rods.push((params.name.clone(), rod));
    }
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
