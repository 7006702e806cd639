//! Signed distances to obstacles and their directions.

use crate::geometry::Vec3;
use crate::geometry::prism::Prism;
use crate::model::obstacle::Shape;

/// Distance, m, from a shape's surface to a point in the shape's frame, negative inside, and the unit
/// direction in which it grows.
pub(crate) fn signed_distance(shape: &Shape, p: Vec3) -> (f64, Vec3) {
    match *shape {
        Shape::Plane => (p.z, Vec3::z()),
        Shape::Sphere { radius } => from_point(p, radius),
        Shape::Capsule { radius, length } => {
            let on_axis = Vec3::new(0.0, 0.0, p.z.clamp(-0.5 * length, 0.5 * length));
            from_point(p - on_axis, radius)
        }
        Shape::Box { size } => from_box(p, Vec3::from(size) * 0.5),
        Shape::Prism { radius, height, sides } => Prism { radius, height, sides }.distance(p),
        // Its distances are those of its triangles, see `Surface`.
        Shape::Mesh { .. } => (f64::INFINITY, Vec3::z()),
    }
}

fn from_point(d: Vec3, radius: f64) -> (f64, Vec3) {
    let r = d.norm();
    // At the very centre every direction is as good as another.
    (r - radius, if r > 0.0 { d / r } else { Vec3::z() })
}

fn from_box(p: Vec3, half: Vec3) -> (f64, Vec3) {
    let over = p.abs() - half;
    let outside = over.map(|o| o.max(0.0));
    let signs = p.map(|c| if c < 0.0 { -1.0 } else { 1.0 });
    let r = outside.norm();
    if r > 0.0 {
        return (r, outside.component_mul(&signs) / r);
    }
    let face = over.imax();
    let mut normal = Vec3::zeros();
    normal[face] = signs[face];
    (over[face], normal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradients_are_the_slopes_of_distances() {
        let shapes = [
            Shape::Plane,
            Shape::Sphere { radius: 0.7 },
            Shape::Capsule { radius: 0.3, length: 1.0 },
            Shape::Box { size: [1.0, 0.8, 0.6] },
            Shape::Prism { radius: 0.5, height: 0.6, sides: 5 },
        ];
        let points = [Vec3::new(0.3, -0.2, 0.9), Vec3::new(0.9, 0.7, -0.6), Vec3::new(0.1, 0.05, 0.2)];
        for shape in shapes {
            for p in points {
                let (_, n) = signed_distance(&shape, p);
                assert!((n.norm() - 1.0).abs() < 1e-12);
                for k in 0..3 {
                    let mut d = Vec3::zeros();
                    d[k] = 1e-6;
                    let slope = (signed_distance(&shape, p + d).0 - signed_distance(&shape, p - d).0) / 2e-6;
                    assert!((slope - n[k]).abs() < 1e-6, "{shape:?} at {p:?}");
                }
            }
        }
    }
}
