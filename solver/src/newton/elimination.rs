//! Nonlinear elimination of local regions, where the residual is far larger than elsewhere.

use std::sync::Arc;

use super::{Accelerators, Newton, NewtonOptions, Point};
use crate::linear::{Guides, LinearMethod, LinearOptions};
use crate::objective::{Objective, Restricted};
use crate::pattern::BlockPattern;
use crate::stats::timed;

/// A residual sticks out where it is more than one of these parts of the largest: the first for which it does so in
/// few places.
const STICKS_OUT: [f64; 4] = [1e-2, 5e-2, 0.2, 0.6];

/// How many couplings further a region reaches than what sticks out.
const RINGS: usize = 2;

/// The largest region, over the whole.
const LARGEST: f64 = 0.1;

/// Iterations on a region. A knit that lands on a ball takes half as long again with fifty, in which slow regions are
/// brought to rest among neighbours that will not stay where they are.
const ITERATIONS: usize = 20;

/// How often regions are looked for, while the residual falls by as much each time.
const ROUNDS: usize = 4;
const FALLS: f64 = 0.5;

impl<const B: usize> Newton<B> {
    /// Minimises over the regions where the residual is far larger than elsewhere: where a few loops snap over, or a few
    /// segments turn far, all others wait for them, and an iteration on these few is little work.
    ///
    /// Source: Cai and Keyes, *Nonlinearly preconditioned inexact Newton algorithms*, SIAM J. Sci. Comput. 24, 2002;
    /// here only the unknowns that are in the way are eliminated.
    pub(super) fn eliminate(&mut self, objective: &dyn Objective<B>, q: &mut [f64], point: &mut Point) {
        for _ in 0..ROUNDS {
            let (before, mut seconds) = (point.residual, 0.0);
            let is_done = timed(&mut seconds, || self.eliminate_region(objective, q, before));
            self.statistics.region_seconds += seconds;
            if is_done.is_none() {
                return;
            }
            *point = self.look(objective, q);
            if point.residual.is_nan() || point.residual > FALLS * before {
                return;
            }
        }
    }

    /// Minimises over where a residual sticks out; none where it does so in no few places.
    fn eliminate_region(&self, objective: &dyn Objective<B>, q: &mut [f64], residual: f64) -> Option<()> {
        let tolerance = self.options.residual_tolerance;
        let bounds = STICKS_OUT.map(|part| (part * residual).max(tolerance));
        let find = |bound| Some((bound, self.region(objective, bound)?));
        let (bound, blocks) = bounds.into_iter().filter(|bound| *bound < residual).find_map(find)?;
        let part = objective.restricted(q, &blocks)?;
        let mut own = Vec::with_capacity(B * part.blocks.len());
        part.blocks.iter().for_each(|&b| own.extend_from_slice(&q[B * b as usize..][..B]));
        // Whether it converges or not, the value does not grow.
        let _ = self.inner(&part, bound).minimize(&*part.objective, &mut own);
        for (&b, own) in part.blocks.iter().zip(own.chunks_exact(B)) {
            q[B * b as usize..][..B].copy_from_slice(own);
        }
        Some(())
    }

    /// The blocks of a region around where the gradient is larger than a bound; none if there are too many.
    fn region(&self, objective: &dyn Objective<B>, bound: f64) -> Option<Vec<bool>> {
        let forces = self.gradient.chunks_exact(B).zip(objective.active().chunks_exact(B));
        let sticks_out = |(g, on): (&[f64], &[bool])| g.iter().zip(on).any(|(g, on)| *on && g.abs() > bound);
        let most = (LARGEST * self.gradient.len() as f64) as usize / B;
        let is_small = |blocks: &Vec<bool>| blocks.iter().filter(|is_in| **is_in).count() <= most;
        let mut blocks = Some(forces.map(sticks_out).collect()).filter(is_small);
        for _ in 0..RINGS {
            blocks = blocks.map(|b| grown(objective.pattern(), &b)).filter(is_small);
        }
        blocks
    }

    /// What minimises over a region, until no force is larger than a bound.
    fn inner(&self, part: &Restricted<'_, B>, bound: f64) -> Self {
        let options = NewtonOptions {
            linear: LinearOptions { method: LinearMethod::Direct, ..self.options.linear },
            residual_tolerance: bound,
            max_iterations: ITERATIONS,
            error_tolerance: 0.0,
            accelerators: Accelerators { elimination: false, ..self.options.accelerators },
            ..self.options
        };
        let coordinates = self.linear.guides().points();
        let coordinates = coordinates.map(|all| part.blocks.iter().map(|&b| all[b as usize]).collect());
        let guides = Guides { coordinates: coordinates.unwrap_or_default(), groups: Vec::new() };
        Self::new(Arc::clone(part.objective.pattern()), guides, options).with_interrupt(&self.interrupt)
    }
}

/// Some blocks and all that are coupled with one of them.
fn grown(pattern: &BlockPattern, blocks: &[bool]) -> Vec<bool> {
    let mut out = blocks.to_vec();
    for (i, is_in) in blocks.iter().enumerate() {
        for &j in pattern.columns(i) {
            out[j as usize] |= *is_in;
            out[i] |= blocks[j as usize];
        }
    }
    out
}
