//! Names and places of the parts of a scene.

use super::clamp::ClampParams;
use super::fabric::{FabricParams, RodParams};
use super::knit::KnitParams;
use super::obstacle::ObstacleParams;
use super::sheets::SheetParams;

/// A part of a scene with a name of its own.
pub trait Named: Sized {
    /// Its name; empty until it has one.
    fn name_mut(&mut self) -> &mut String;

    /// The same part by another name.
    #[must_use]
    fn named(mut self, name: impl Into<String>) -> Self {
        *self.name_mut() = name.into();
        self
    }
}

/// A part of a scene that starts at a place.
pub trait Placed: Sized {
    /// Where its origin starts, m, and how it is turned: rotation vector, degrees.
    fn place_mut(&mut self) -> [&mut [f64; 3]; 2];

    /// The same part with its origin at a point, m.
    #[must_use]
    fn at(mut self, point: [f64; 3]) -> Self {
        *self.place_mut()[0] = point;
        self
    }

    /// The same part turned by a rotation vector, degrees.
    #[must_use]
    fn rotated(mut self, rotation: [f64; 3]) -> Self {
        *self.place_mut()[1] = rotation;
        self
    }
}

macro_rules! named {
    ($($part:ty),*) => {$(
        impl Named for $part {
            fn name_mut(&mut self) -> &mut String {
                &mut self.name
            }
        }
    )*};
}

macro_rules! placed {
    ($($part:ty),*) => {$(
        impl Placed for $part {
            fn place_mut(&mut self) -> [&mut [f64; 3]; 2] {
                [&mut self.at, &mut self.rotation]
            }
        }
    )*};
}

named!(FabricParams, KnitParams, RodParams, SheetParams, ObstacleParams, ClampParams);
placed!(FabricParams, KnitParams, SheetParams, ObstacleParams);
