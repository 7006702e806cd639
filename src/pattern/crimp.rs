//! Crimp: how yarns of a weave wave over and under one another.
//!
//! In Peirce's geometry of a plain weave yarns are round, and wrap round those that they cross:
//!
//! ```text
//! p = (l - D theta) cos theta + D sin theta      h = (l - D theta) sin theta + D (1 - cos theta)
//! h_1 + h_2 = D                                  c = l/p - 1
//! ```
//! | symbol | meaning | unit |
//! |---|---|---|
//! | `p` | distance of the yarns across | m |
//! | `l` | yarn between two of them | m |
//! | `h` | height of the yarn's wave, from crest to trough | m |
//! | `D` | sum of the diameters of warp and weft | m |
//! | `theta` | steepest slope of the yarn | rad |
//! | `c` | crimp | |
//!
//! Source: Peirce, The geometry of cloth structure, Journal of the Textile Institute 28, 1937.

use thiserror::Error;

/// What a weave's yarns are given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sett {
    /// Distances of the yarns across the warp, and across the weft, m.
    pub spacing: [f64; 2],
    /// Sum of the diameters of warp and weft, m.
    pub diameters: f64,
}

/// A weave whose yarns have no room.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum CrimpError {
    /// There is no way to lay such yarns over and under one another.
    #[error(
        "the yarns jam: their diameters add up to {diameters:.3e} m, so that wefts {found:.3e} m apart need warps at \
         least {least:.3e} m apart"
    )]
    Jammed {
        /// Sum of the diameters, m.
        diameters: f64,
        /// Distance of the wefts, m.
        found: f64,
        /// Least distance of the warps, m.
        least: f64,
    },
    /// A crimp that such yarns cannot have.
    #[error("the warp's crimp is {found}; with these yarns it lies between {least:.4} and {most:.4}")]
    OutOfRange {
        /// What was asked for.
        found: f64,
        /// The least possible.
        least: f64,
        /// The most possible.
        most: f64,
    },
}

/// Where the polygons run that stand for the waves of warp and weft.
///
/// They have their corners at the crossings and are as long as the yarns, so that the corners lie beyond the crests.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Waves {
    /// Height of the corners over where yarns touch, over the radius.
    pub scale: f64,
    /// The warp's part of the sum of both heights.
    pub warp_share: f64,
}

impl Sett {
    /// Yarn from a crest to the next trough, m, of the warp (`0`) or the weft; none if it does not fit between those across.
    ///
    /// ```text
    /// D = p sin theta + (D - h) cos theta
    /// ```
    pub fn length(&self, set: usize, height: f64) -> Option<f64> {
        let (p, d) = (self.spacing[set], self.diameters);
        let beside = d - height;
        let theta = (d / p.hypot(beside)).asin() - beside.atan2(p);
        let straight = (p - d * theta.sin()) / theta.cos();
        (straight >= -1e-9 * p).then_some(straight + d * theta)
    }

    /// The largest height, m, at which the yarns across still have room.
    fn most_height(&self, set: usize) -> f64 {
        let (p, d) = (self.spacing[set], self.diameters);
        if p < d { d - (d * d - p * p).sqrt() } else { d }
    }

    /// The waves of a weave whose warp has a crimp; by default warp and weft wave by the same height, as far as there is
    /// room. `interlaced` is the part of the distances between wefts on which the warp passes from one face to the other.
    ///
    /// # Errors
    /// If yarns have no room, or not for such a crimp.
    pub fn waves(&self, crimp: Option<f64>, interlaced: f64) -> Result<Waves, CrimpError> {
        let d = self.diameters;
        let (least, most) = (d - self.most_height(1), self.most_height(0));
        if least > most {
            let least = (d * d - most * most).sqrt();
            return Err(CrimpError::Jammed { diameters: d, found: self.spacing[0], least });
        }
        let of_warp = |height: f64| {
            let length = self.length(0, height).unwrap_or(f64::INFINITY);
            interlaced * (length / self.spacing[0] - 1.0)
        };
        let height = match crimp {
            None => (0.5 * d).clamp(least, most),
            Some(found) => {
                let range = [of_warp(least), of_warp(most)];
                if !(range[0]..=range[1]).contains(&found) {
                    return Err(CrimpError::OutOfRange { found, least: range[0], most: range[1] });
                }
                bisect([least, most], |height| of_warp(height) < found)
            }
        };
        let corner = |(set, height): (usize, f64)| {
            let (p, l) = (self.spacing[set], self.length(set, height).unwrap_or(self.spacing[set]));
            (l * l - p * p).max(0.0).sqrt()
        };
        let corners = [(0, height), (1, d - height)].map(corner);
        let sum: f64 = corners.iter().sum();
        Ok(Waves { scale: sum / d, warp_share: corners[0] / sum })
    }
}

/// Where in an interval a condition ceases to hold.
fn bisect([mut low, mut high]: [f64; 2], holds: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        *(if holds(middle) { &mut low } else { &mut high }) = middle;
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: Sett = Sett { spacing: [1.0; 2], diameters: 0.5 };

    #[test]
    fn waves_have_the_lengths_of_peirces_geometry() {
        for (set, height) in [(0, 0.05), (0, 0.25), (1, 0.4), (1, 0.5)] {
            let Sett { spacing, diameters: d } = Sett { spacing: [1.0, 0.7], diameters: 0.5 };
            let (p, l) = (spacing[set], Sett { spacing, diameters: d }.length(set, height).unwrap());
            // Both equations, with the angle between them found by bisection of the second.
            let rise = |theta: f64| (p - d * theta.sin()) * theta.tan() + d * (1.0 - theta.cos());
            let theta = bisect([0.0, 1.0], |theta| rise(theta) < height);
            let along = (l - d * theta) * theta.cos() + d * theta.sin();
            assert!((along - p).abs() < 1e-9, "{set}, {height}: {along}");
        }
    }

    #[test]
    fn even_waves_share_the_height_and_their_polygon_is_as_long_as_the_yarn() {
        let Waves { scale, warp_share } = SQUARE.waves(None, 1.0).unwrap();
        let polygon = 1.0_f64.hypot(scale * 0.25);
        assert!(
            (warp_share - 0.5).abs() < 1e-12 && (polygon - SQUARE.length(0, 0.25).unwrap()).abs() < 1e-12
        );
    }

    /// `h = 4/3 p sqrt(c)`, Peirce's rule of thumb.
    #[test]
    fn a_crimp_is_met_and_leaves_the_rest_of_the_height_to_the_weft() {
        let waves = SQUARE.waves(Some(0.08), 1.0).unwrap();
        let height = waves.warp_share * 0.5;
        assert!((height / (4.0 / 3.0 * 0.08_f64.sqrt()) - 1.0).abs() < 0.06, "{height}");
        let half = SQUARE.waves(Some(0.04), 0.5).unwrap();
        assert!(
            (half.warp_share - waves.warp_share).abs() < 1e-9,
            "half of a warp that waves on half its way"
        );
    }

    #[test]
    fn yarns_without_room_are_refused_with_the_room_that_they_need() {
        let dense = Sett { spacing: [0.4, 0.2], diameters: 0.5 };
        let CrimpError::Jammed { least, .. } = dense.waves(None, 1.0).unwrap_err() else { panic!("no jam") };
        assert!(Sett { spacing: [0.4, 1.001 * least], ..dense }.waves(None, 1.0).is_ok(), "{least}");
        assert!(Sett { spacing: [0.4, 0.999 * least], ..dense }.waves(None, 1.0).is_err());
        assert!(matches!(SQUARE.waves(Some(0.5), 1.0), Err(CrimpError::OutOfRange { .. })));
    }
}
