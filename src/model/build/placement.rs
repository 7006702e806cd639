//! Where the yarns of a woven fabric start: flat, or closed to a tube.

use std::f64::consts::{PI, TAU};

use super::layer_height;
use crate::geometry::Vec3;
use crate::model::fabric::{FabricParams, Form, Threads};
use crate::model::select::ThreadSet;

/// Where the yarns of a fabric cross, in its own frame, and how much yarn lies between.
///
/// Flat, warp yarns go along `x` and weft yarns along `y`. In a tube about `x` every weft yarn goes round on a
/// regular polygon whose corners are its crossings, closed by a joint half-way between the last and the first; with
/// `n` warp yarns at a distance `s`
///
/// ```text
/// R = s/(2 sin(pi/n))     R_j = R (1 + (taper - 1) j/(m - 1))     x_j - x_(j-1) = sqrt(d^2 - (R_j - R_(j-1))^2)
/// ```
/// is the radius of weft yarn `j` of `m`, `d` the distance between weft yarns along the tube's wall.
pub(super) struct Placement<'a>(pub(super) &'a FabricParams);

impl Placement<'_> {
    fn taper(&self) -> Option<f64> {
        match self.0.form {
            Form::Flat => None,
            Form::Tube { taper } => Some(taper),
        }
    }

    pub(super) fn is_tube(&self) -> bool {
        self.taper().is_some()
    }

    /// The place of a weft and a warp yarn, counted in yarns, whole where they cross.
    pub(super) fn point(&self, weft: f64, warp: f64) -> Vec3 {
        let FabricParams { warp: threads, weft: rows, .. } = self.0;
        let x = centred(rows, weft) * rows.spacing;
        if !self.is_tube() {
            return Vec3::new(x, centred(threads, warp) * threads.spacing, 0.0);
        }
        let fall = (self.radius(1.0) - self.radius(0.0)) / rows.spacing;
        // Half-way between two crossings is the middle of a side of the polygon.
        let corner = |k: f64| {
            let (sine, cosine) = (TAU * (k + 0.5) / threads.count as f64).sin_cos();
            Vec3::new(
                x * (1.0 - fall * fall).max(0.0).sqrt(),
                self.radius(weft) * sine,
                self.radius(weft) * cosine,
            )
        };
        corner(warp.floor()).lerp(&corner(warp.floor() + 1.0), warp - warp.floor())
    }

    /// The cloth's upper face at a crossing.
    pub(super) fn normal(&self, weft: f64, warp: f64) -> Vec3 {
        if !self.is_tube() {
            return Vec3::z();
        }
        let chord = |d: [f64; 2]| self.point(weft + d[0], warp + d[1]) - self.point(weft - d[0], warp - d[1]);
        chord([0.5, 0.0]).cross(&chord([0.0, 0.5])).normalize()
    }

    /// Radius of a weft yarn's polygon, m.
    fn radius(&self, weft: f64) -> f64 {
        let FabricParams { warp, weft: rows, .. } = self.0;
        let growth = self.taper().map_or(0.0, |taper| taper - 1.0) / (rows.count as f64 - 1.0).max(1.0);
        0.5 * warp.spacing / (PI / warp.count as f64).sin() * (1.0 + growth * weft)
    }

    /// The distance of crossings along a yarn, m.
    pub(super) fn step(&self, set: ThreadSet, index: usize) -> f64 {
        match set {
            ThreadSet::Warp => self.0.weft.spacing,
            ThreadSet::Weft if self.is_tube() => {
                self.0.warp.spacing * self.radius(index as f64) / self.radius(0.0)
            }
            ThreadSet::Weft => self.0.warp.spacing,
        }
    }

    /// Coordinates in which what is near along the cloth is near: a tube lies flat, its sides on one another.
    pub(super) fn coordinates(&self, weft: f64, warp: f64, fabric: u32) -> [f64; 3] {
        let last = self.0.warp.count as f64 - 1.0;
        if self.is_tube() && warp > 0.5 * last {
            [weft, last - warp, 0.5 * (layer_height(fabric) + layer_height(fabric + 1))]
        } else {
            [weft, warp, layer_height(fabric)]
        }
    }
}

/// Offset of yarn `k` of a direction from the fabric's centre, in yarns.
pub(super) fn centred(threads: &Threads, k: f64) -> f64 {
    k - 0.5 * (threads.count as f64 - 1.0)
}
