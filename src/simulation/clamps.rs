//! Clamps at work: which unknowns they hold, where they lead them, what force they exert.

use crate::geometry::Vec3;
use crate::model::clamp::ClampParams;
use crate::model::ids::{BLOCK, BlockId};
use crate::model::yarns::{Model, block_position};

/// Over so many seconds before and after, the motion of a clamp has one velocity.
const INSTANT: f64 = 1e-5;

/// All clamps of a scene.
#[derive(Debug)]
pub(super) struct Clamps {
    clamps: Vec<Clamp>,
    active: Vec<bool>,
    engaged: Vec<bool>,
}

#[derive(Debug)]
struct Clamp {
    params: ClampParams,
    blocks: Vec<BlockId>,
    start: Vec<Vec3>,
    pivot: Vec3,
}

impl Clamps {
    /// Clamps with the blocks that they hold, at the start.
    pub(super) fn new(clamps: Vec<(ClampParams, Vec<BlockId>)>, model: &Model, q: &[f64]) -> Self {
        let make = |(params, blocks): (ClampParams, Vec<BlockId>)| {
            let start: Vec<Vec3> = blocks.iter().map(|&b| block_position(q, b)).collect();
            let mean = start.iter().sum::<Vec3>() / start.len().max(1) as f64;
            Clamp { pivot: params.pivot.map_or(mean, Vec3::from), params, blocks, start }
        };
        let clamps: Vec<Clamp> = clamps.into_iter().map(make).collect();
        let engaged = vec![false; clamps.len()];
        let mut out = Self { clamps, active: model.free.clone(), engaged };
        out.activate(0.0, model);
        out
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.clamps.is_empty()
    }

    /// When the last of their motions ends, s.
    pub(super) fn end_of_motion(&self) -> f64 {
        self.clamps.iter().map(|c| c.params.motion.end()).fold(0.0, f64::max)
    }

    /// Which unknowns may move.
    pub(super) fn active(&self) -> &[bool] {
        &self.active
    }

    /// Engages and releases clamps for a step that starts at `time`; returns whether any was.
    pub(super) fn activate(&mut self, time: f64, model: &Model) -> bool {
        let engaged: Vec<bool> =
            self.clamps.iter().map(|c| c.params.release.is_none_or(|t| time < t)).collect();
        if engaged == self.engaged {
            return false;
        }
        self.active.copy_from_slice(&model.free);
        for (clamp, _) in self.clamps.iter().zip(&engaged).filter(|(_, on)| **on) {
            for block in &clamp.blocks {
                let unknowns = &mut self.active[BLOCK * block.index()..BLOCK * (block.index() + 1)];
                for (a, held) in unknowns.iter_mut().zip(clamp.params.axes) {
                    *a &= !held;
                }
                if !clamp.params.slide {
                    unknowns[3..].fill(false);
                }
            }
        }
        self.engaged = engaged;
        true
    }

    /// Puts the clamped positions where they are at a time.
    pub(super) fn place(&self, time: f64, q: &mut [f64]) {
        for (clamp, _) in self.clamps.iter().zip(&self.engaged).filter(|(_, on)| **on) {
            if clamp.params.motion.is_still() {
                continue;
            }
            let pose = clamp.params.motion.at(time);
            for (block, start) in clamp.blocks.iter().zip(&clamp.start) {
                let x = clamp.pivot + pose.to_world(start - clamp.pivot);
                for k in (0..3).filter(|&k| clamp.params.axes[k]) {
                    q[block.dof(k) as usize] = x[k];
                }
            }
        }
    }

    /// Gives the clamped unknowns the velocities with which they are led at a time: those that follow from the
    /// positions of whole steps would swing about it under the trapezoidal rule.
    pub(super) fn lead(&self, time: f64, v: &mut [f64]) {
        for (clamp, _) in self.clamps.iter().zip(&self.engaged).filter(|(_, on)| **on) {
            let [before, after] = [time - INSTANT, time + INSTANT].map(|t| clamp.params.motion.at(t));
            for (block, start) in clamp.blocks.iter().zip(&clamp.start) {
                let arm = start - clamp.pivot;
                let velocity = (after.to_world(arm) - before.to_world(arm)) / (2.0 * INSTANT);
                for k in (0..3).filter(|&k| clamp.params.axes[k]) {
                    v[block.dof(k) as usize] = velocity[k];
                }
                if !clamp.params.slide {
                    v[block.dof(3) as usize..=block.dof(4) as usize].fill(0.0);
                }
            }
        }
    }

    /// Whether each block is held now.
    pub(super) fn held(&self, n_blocks: usize) -> Vec<bool> {
        let mut held = vec![false; n_blocks];
        for (clamp, _) in self.clamps.iter().zip(&self.engaged).filter(|(_, on)| **on) {
            clamp.blocks.iter().for_each(|b| held[b.index()] = true);
        }
        held
    }

    /// Where the engaged clamps hold on the average, m, and the forces that they exert, N.
    pub(super) fn forces(&self, q: &[f64], reactions: &[f64]) -> Vec<(Vec3, Vec3)> {
        let engaged =
            (0..self.clamps.len()).filter(|&k| self.engaged[k] && !self.clamps[k].blocks.is_empty());
        let mean = |k: usize| {
            let blocks = &self.clamps[k].blocks;
            blocks.iter().map(|&b| block_position(q, b)).sum::<Vec3>() / blocks.len() as f64
        };
        engaged.map(|k| (mean(k), self.force(k, reactions))).collect()
    }

    /// The force that a clamp exerts, N, from the force on every held unknown.
    pub(super) fn force(&self, clamp: usize, reactions: &[f64]) -> Vec3 {
        if !self.engaged[clamp] {
            return Vec3::zeros();
        }
        let clamp = &self.clamps[clamp];
        let held = Vec3::from(clamp.params.axes.map(f64::from));
        clamp.blocks.iter().map(|&b| block_position(reactions, b)).sum::<Vec3>().component_mul(&held)
    }
}
