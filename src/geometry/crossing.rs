//! Where two segments of a plane cross, without ties.

use robust::{Coord, orient2d};

/// A point of a plane.
pub type Point2 = [f64; 2];

/// Fractions `[s, t]` along two segments where they cross.
///
/// The second is taken as if it were moved by `(e, e^2)` with an infinitesimal `e`: nothing ever touches
/// exactly, so that poly-lines which cross at a vertex cross there once, in one of the segments that
/// meet. Signs of areas are exact (Shewchuk 1997).
pub fn crossing(first: [Point2; 2], second: [Point2; 2]) -> Option<[f64; 2]> {
    let area = |s: [Point2; 2], p: Point2| {
        let [a, b, c] = [s[0], s[1], p].map(|[x, y]| Coord { x, y });
        orient2d(a, b, c)
    };
    let onto_first = second.map(|p| area(first, p));
    let onto_second = first.map(|p| area(second, p));
    let [moved, seen] = [shifted(first), !shifted(second)];
    let left = |a: f64, tie: bool| a > 0.0 || (a == 0.0 && tie);
    let crosses = |[a, b]: [f64; 2], tie: bool| left(a, tie) != left(b, tie);
    (crosses(onto_first, moved) && crosses(onto_second, seen))
        .then(|| [fraction(onto_second), fraction(onto_first)])
}

/// Whether a move by `(e, e^2)` leads to the left of a segment: the sign of its direction times the move.
fn shifted([a, b]: [Point2; 2]) -> bool {
    if a[1] == b[1] { b[0] > a[0] } else { b[1] < a[1] }
}

/// Where a line between points at the given distances from another, to its left and right, meets it.
fn fraction([a, b]: [f64; 2]) -> f64 {
    if a == b { 0.5 } else { (a / (a - b)).clamp(0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_those_of_the_lines() {
        let [s, t] = crossing([[0.0, 0.0], [4.0, 0.0]], [[1.0, -1.0], [1.0, 3.0]]).unwrap();
        assert!((s - 0.25).abs() < 1e-15 && (t - 0.25).abs() < 1e-15);
        assert_eq!(crossing([[0.0, 0.0], [4.0, 0.0]], [[5.0, -1.0], [5.0, 3.0]]), None);
        assert_eq!(crossing([[0.0, 0.0], [4.0, 0.0]], [[1.0, 1.0], [1.0, 3.0]]), None);
    }

    /// Stars of four segments from a common vertex: opposite ones form lines, of which every pair that
    /// lies across crosses exactly once, whichever way the segments are written.
    #[test]
    fn poly_lines_that_meet_in_a_vertex_cross_once() {
        let directions = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [-1.0, 1.0], [0.3, -0.7], [0.1, 0.9]];
        let centre = [0.1, 0.7];
        let line = |d: Point2, flip: bool| {
            let [a, b] = [-1.0, 1.0].map(|s| [centre[0] + s * d[0], centre[1] + s * d[1]]);
            let parts = [[a, centre], [centre, b]];
            if flip { parts.map(|[p, q]| [q, p]) } else { parts }
        };
        for (i, &d) in directions.iter().enumerate() {
            for (j, &e) in directions.iter().enumerate().filter(|&(j, _)| j != i) {
                for flips in [[false, false], [true, false], [false, true], [true, true]] {
                    let (one, two) = (line(d, flips[0]), line(e, flips[1]));
                    let pairs = one.iter().flat_map(|&a| two.iter().map(move |&b| (a, b)));
                    let found = pairs.filter(|&(a, b)| crossing(a, b).is_some()).count();
                    assert_eq!(found, 1, "{i} {j} {flips:?}");
                }
            }
        }
    }
}
