//! Strips of courses and of wales for the solver's preconditioner.

use std::collections::BTreeMap;

use crate::model::yarns::{Model, Node};

/// Courses in a strip, and wales: loops hook into two courses each.
const STRIP_WIDTH: f64 = 2.0;

/// Strips along the courses and along the wales of a knit; none of a weave.
pub(super) fn strips(model: &Model, fabric: u32) -> Vec<Vec<u32>> {
    let is_in =
        |n: &Node| n.stitch.is_some() && model.rods[n.rod.index()].thread.is_some_and(|t| t.fabric == fabric);
    let mut blocks: Vec<u32> = model.nodes.iter().filter(|n| is_in(n)).map(|n| n.block.0).collect();
    blocks.sort_unstable();
    blocks.dedup();
    let mut out = Vec::new();
    for (across, along) in [(0, 1), (1, 0)] {
        let mut strips: BTreeMap<i64, Vec<u32>> = BTreeMap::new();
        for &block in &blocks {
            let place = model.coordinates[block as usize];
            strips.entry(((place[across] + 0.5) / STRIP_WIDTH).floor() as i64).or_default().push(block);
        }
        for mut strip in strips.into_values() {
            strip.sort_by(|&a, &b| {
                let (a, b) = (model.coordinates[a as usize], model.coordinates[b as usize]);
                a[along].total_cmp(&b[along]).then(a[across].total_cmp(&b[across]))
            });
            out.push(strip);
        }
    }
    out
}
