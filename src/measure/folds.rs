//! How many folds a ring of cloth has.

use crate::geometry::Vec3;
use crate::model::arrangement::Role;
use crate::model::select::Selected;
use crate::simulation::Simulation;

/// A closed line along cloth, such as a row of vertices round a sleeve.
#[derive(Debug, Clone, PartialEq)]
pub struct Ring {
    /// Its places: nodes, then vertices, in this order along the line.
    pub places: Selected,
    /// By how much a fold stands out from what is on either side of it, at least, m.
    pub depth: f64,
}

/// The folds of a ring of cloth: how often, on the way round it, the distance from its centre rises by the ring's
/// depth from a valley to a crest and falls by as much to the next.
///
/// A circle has none, an ellipse with axes that differ by more than twice the depth has two; what stretches or
/// crumples the cloth between two places of the ring does not count.
pub fn folds(simulation: &Simulation, ring: &Ring) -> usize {
    let nodes = ring.places.nodes.iter().filter(|&&n| simulation.arrangement().role(n) != Role::Removed);
    let vertices = ring.places.vertices.iter().map(|&v| simulation.model().sheets.vertex(v).block);
    let places: Vec<Vec3> = nodes
        .map(|&n| simulation.position(n))
        .chain(vertices.map(|b| simulation.block_position(b)))
        .collect();
    let centre = places.iter().sum::<Vec3>() / places.len() as f64;
    let radii: Vec<f64> = places.iter().map(|x| (x - centre).norm()).collect();
    crests(&radii, ring.depth)
}
/// Crests of a cyclic row of values that are separated from the next by valleys deeper than `depth`.
fn crests(values: &[f64], depth: f64) -> usize {
    let highest = (0..values.len()).max_by(|&i, &j| values[i].total_cmp(&values[j])).unwrap_or(0);
    let (mut count, mut is_valley, mut extreme) = (0, false, f64::NEG_INFINITY);
    // From the highest crest on round to it.
    for value in values[highest..].iter().chain(&values[..highest]).chain(values.get(highest)) {
        extreme = if is_valley { value.min(extreme) } else { value.max(extreme) };
        if (value - extreme).abs() >= depth {
            count += usize::from(is_valley);
            (is_valley, extreme) = (!is_valley, *value);
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;

    fn wave(n: usize, waves: f64, height: f64) -> Vec<f64> {
        (0..n).map(|k| 0.3 + height * (TAU * waves * k as f64 / n as f64 + 1.0).sin()).collect()
    }

    #[test]
    fn crests_of_waves_are_counted_and_ripples_on_them_are_not() {
        for (waves, height, expected) in [(7.0, 0.01, 7), (7.0, 0.002, 0), (2.0, 0.05, 2), (1.0, 0.05, 1)] {
            assert_eq!(crests(&wave(100, waves, height), 0.005), expected, "{waves} of {height}");
        }
        let ripples = wave(100, 31.0, 0.002);
        let both: Vec<f64> = wave(100, 5.0, 0.01).iter().zip(ripples).map(|(a, b)| a + b).collect();
        assert_eq!(crests(&both, 0.005), 5);
        assert!(crests(&both, 0.0005) > 10);
        assert_eq!(crests(&[0.3; 5], 0.005), 0);
        assert_eq!(crests(&[], 0.005), 0);
    }

    #[test]
    fn where_the_row_begins_does_not_matter() {
        let mut values: Vec<f64> =
            wave(60, 3.0, 0.02).iter().zip(wave(60, 8.0, 0.01)).map(|(a, b)| a + b).collect();
        let count = crests(&values, 0.005);
        assert!(count > 3);
        for _ in 0..60 {
            values.rotate_left(1);
            assert_eq!(crests(&values, 0.005), count);
        }
    }
}
