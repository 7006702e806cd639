//! How deep drawn yarns reach into one another.

use std::collections::HashMap;

use hebra::draw::V3;
use hebra::draw::curve::curves;
use hebra::frame::Frame;

/// Points on a segment from which distances are measured.
const PIECES: usize = 16;

/// A point of a drawn centre line.
struct Place {
    point: V3,
    rod: usize,
    radius: f32,
}

/// The deepest overlap of two yarns, in radii of the thinner, anywhere along them; negative: a gap.
pub(crate) fn deepest_overlap(frame: &Frame) -> f32 {
    let radii: Vec<f32> = frame.layout.rods.iter().map(|r| r.radius).collect();
    let cell = 2.2 * radii.iter().fold(0.0_f32, |a, b| a.max(*b));
    let mut cells: HashMap<[i32; 3], Vec<Place>> = HashMap::new();
    for (rod, curve) in curves(frame).iter().enumerate() {
        for point in curve.poly_line(PIECES) {
            let place = Place { point, rod, radius: radii[rod] };
            cells.entry(key(point, cell)).or_default().push(place);
        }
    }
    let mut deepest = f32::NEG_INFINITY;
    for (home, places) in &cells {
        let around = (0..27).map(|k| [home[0] + k % 3 - 1, home[1] + k / 3 % 3 - 1, home[2] + k / 9 - 1]);
        for other in around.filter_map(|k| cells.get(&k)).flatten() {
            for place in places.iter().filter(|p| p.rod < other.rod) {
                let gap = (place.point - other.point).norm() - place.radius - other.radius;
                deepest = deepest.max(-gap / place.radius.min(other.radius));
            }
        }
    }
    deepest
}

fn key(point: V3, cell: f32) -> [i32; 3] {
    [point.x, point.y, point.z].map(|c| (c / cell).floor() as i32)
}
