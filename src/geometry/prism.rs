//! Regular prisms.

use std::f64::consts::{PI, TAU};

use super::Vec3;

/// A regular prism about the `z` axis, centred at the origin, with a corner on the `x` axis.
#[derive(Debug, Clone, Copy)]
pub struct Prism {
    /// Of the circle through its corners, m.
    pub radius: f64,
    /// m.
    pub height: f64,
    /// Number of its sides.
    pub sides: u32,
}

impl Prism {
    /// Angle by which each side is turned against the one before, radians.
    pub fn turn(&self) -> f64 {
        TAU / f64::from(self.sides)
    }

    /// Unit normal of a side, outwards.
    pub fn normal(&self, side: u32) -> Vec3 {
        direction((f64::from(side) + 0.5) * self.turn())
    }

    /// The corner where a side begins, at half of the height, m.
    pub fn corner(&self, side: u32) -> Vec3 {
        direction(f64::from(side) * self.turn()) * self.radius
    }

    /// Distance, m, to a point, negative inside, and the unit direction in which it grows.
    pub fn distance(&self, p: Vec3) -> (f64, Vec3) {
        let side = (p.y.atan2(p.x).rem_euclid(TAU) / self.turn()).floor();
        let normal = self.normal(side as u32);
        let along = Vec3::z().cross(&normal);
        let [apothem, half_side] = [(PI / f64::from(self.sides)).cos(), (PI / f64::from(self.sides)).sin()]
            .map(|part| part * self.radius);
        let up = Vec3::z() * if p.z < 0.0 { -1.0 } else { 1.0 };
        let [over_side, over_face] = [p.dot(&normal) - apothem, p.z.abs() - 0.5 * self.height];
        if over_side <= 0.0 && over_face <= 0.0 {
            return if over_side > over_face { (over_side, normal) } else { (over_face, up) };
        }
        let beyond = p.dot(&along) - p.dot(&along).clamp(-half_side, half_side);
        let across = if over_side > 0.0 { normal * over_side + along * beyond } else { Vec3::zeros() };
        let offset = across + up * over_face.max(0.0);
        let distance = offset.norm();
        (distance, offset / distance)
    }
}

/// The unit vector at an angle to the `x` axis, radians.
fn direction(angle: f64) -> Vec3 {
    let (sine, cosine) = angle.sin_cos();
    Vec3::new(cosine, sine, 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_faces_edges_and_corners() {
        // A square with an apothem of 1 and sides towards (1, 1), (-1, 1), ...
        let prism = Prism { radius: 2f64.sqrt(), height: 2.0, sides: 4 };
        let diagonal = Vec3::new(1.0, 1.0, 0.0) / 2f64.sqrt();
        let cases = [
            (diagonal * 3.0, 2.0),
            (diagonal * 3.0 + Vec3::z() * 3.0, 8f64.sqrt()),
            (Vec3::new(2f64.sqrt() + 1.0, 0.0, 0.0), 1.0),
            (Vec3::new(2f64.sqrt() + 2.0, 0.0, -2.0), 5f64.sqrt()),
            (Vec3::new(0.1, -0.2, 4.0), 3.0),
            (diagonal * -0.8, -0.2),
            (Vec3::new(0.1, 0.0, -0.7), -0.3),
        ];
        for (p, expected) in cases {
            let (distance, _) = prism.distance(p);
            assert!((distance - expected).abs() < 1e-12, "{p:?}: {distance} {expected}");
        }
    }
}
