//! Fabrics that penetrate each other at the start.

use thiserror::Error;

use super::boxes::{Aabb, overlapping};
use crate::geometry::Vec3;
use crate::geometry::segments::closest_points;
use crate::model::ids::RodId;
use crate::model::select::ThreadSet;
use crate::model::yarns::Model;

/// Two yarns that start too close to each other.
#[derive(Debug, Clone, PartialEq, Error)]
#[error(
    "{} and {} are {distance:.3e} m apart at ({:.3e}, {:.3e}, {:.3e}), less than {least:.3e} m: {advice}",
    yarns[0], yarns[1], at.x, at.y, at.z
)]
pub struct Overlap {
    /// The fabrics of the yarns or, of single yarns, none, in the order of the yarns.
    pub fabrics: [Option<u32>; 2],
    /// What the yarns are called.
    pub yarns: [String; 2],
    /// Their distance, m.
    pub distance: f64,
    /// The distance that they have at least, m.
    pub least: f64,
    /// Where they are closest, m.
    pub at: Vec3,
    /// What to do.
    pub advice: &'static str,
}

/// The closest yarns of fabrics that share no contacts and yet pass through each other: that are closer than
/// their radii add up to.
pub fn interpenetration(model: &Model, q: &[f64]) -> Option<Overlap> {
    let stacks = model.stacks();
    if stacks.iter().all(|s| *s == stacks[0]) {
        return None;
    }
    let stack = |r: RodId| model.rods[r.index()].thread.map(|t| stacks[t.fabric as usize]);
    let are_apart = |a: RodId, b: RodId| stack(a).zip(stack(b)).is_some_and(|(a, b)| a != b);
    let least = |a: RodId, b: RodId| [a, b].iter().map(|r| model.rods[r.index()].material.radius).sum();
    let found = closest(model, q, are_apart, least)?;
    Some(Overlap { advice: "move one of the fabrics, or list them as `layers` of one another", ..found })
}

/// Yarns that collide, but start in the very same place, where nothing says on which side of each other they
/// are.
pub fn coincidence(model: &Model, q: &[f64]) -> Option<Overlap> {
    let stacks = model.stacks();
    let place = |r: RodId| model.rods[r.index()].thread.map(|t| (stacks[t.fabric as usize], t.fabric));
    // Yarns of a fabric and of a stack are joined, or lie beside each other.
    let are_apart = |a: RodId, b: RodId| match (place(a), place(b)) {
        (Some(a), Some(b)) => a.0 != b.0,
        _ => a != b,
    };
    let least = |a: RodId, b: RodId| {
        COINCIDENT * [a, b].iter().map(|r| model.rods[r.index()].collision_thickness()).fold(0.0, f64::max)
    };
    let found = closest(model, q, are_apart, least)?;
    Some(Overlap { advice: "yarns that collide need a little space between them", ..found })
}

/// Part of the thickness below which yarns are in the same place: the barrier between them is 200 times what
/// presses them in by a half there.
const COINCIDENT: f64 = 1e-3;

/// A straight piece of a yarn.
struct Piece {
    rod: RodId,
    ends: [Vec3; 2],
}

/// The closest of those pairs of yarns that should be apart and are closer than they should be.
fn closest(
    model: &Model,
    q: &[f64],
    are_apart: impl Fn(RodId, RodId) -> bool + Sync,
    least: impl Fn(RodId, RodId) -> f64 + Sync,
) -> Option<Overlap> {
    let piece = |s: [_; 2]| Piece { rod: model.node(s[0]).rod, ends: s.map(|n| model.position(q, n)) };
    let pieces: Vec<Piece> = model.segments().map(piece).collect();
    if pieces.is_empty() {
        return None;
    }
    let boxes: Vec<Aabb> = pieces.iter().map(|p| Aabb::around(&p.ends, 0.5 * least(p.rod, p.rod))).collect();
    let distance = |[i, j]: [u32; 2]| {
        let [a, b] = [i, j].map(|k| &pieces[k as usize]);
        let closest = closest_points(a.ends, b.ends, 0.0);
        (closest.squared_distance.sqrt(), a.ends[0] + (a.ends[1] - a.ends[0]) * closest.s)
    };
    let pairs = overlapping(&boxes, |i, j| {
        let [a, b] = [i, j].map(|k| pieces[k as usize].rod);
        are_apart(a, b) && distance([i, j]).0 < (1.0 - ROUNDING) * least(a, b)
    });
    let found = pairs.into_iter().map(|pair| (pair, distance(pair)));
    let (pair, (distance, at)) = found.min_by(|a, b| a.1.0.total_cmp(&b.1.0))?;
    let rods = pair.map(|k| pieces[k as usize].rod);
    let fabrics = rods.map(|r| model.rods[r.index()].thread.map(|t| t.fabric));
    let (yarns, least) = (rods.map(|r| yarn_name(model, r)), least(rods[0], rods[1]));
    Some(Overlap { fabrics, yarns, distance, least, at, advice: "" })
}

/// Yarns that just touch may differ by rounding.
pub(super) const ROUNDING: f64 = 1e-6;

/// What a yarn is called in messages.
pub(super) fn yarn_name(model: &Model, rod: RodId) -> String {
    let Some(thread) = model.rods[rod.index()].thread else {
        let named = model.single_rods.iter().find(|(_, id)| *id == rod);
        return named.map_or_else(|| format!("yarn {}", rod.0), |(name, _)| format!("`{name}`"));
    };
    let set = match thread.set {
        ThreadSet::Warp => "warp",
        ThreadSet::Weft => "weft",
    };
    format!("{set} {} of `{}`", thread.index, model.fabrics[thread.fabric as usize])
}
