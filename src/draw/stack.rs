//! Fabrics that lie on one another: how high each is drawn.

use std::collections::BTreeMap;

use super::V3;
use super::nodes::Nodes;
use super::normal::crossed;

/// What all contacts between two fabrics say together.
#[derive(Debug, Default)]
struct Pair {
    /// Positive where the normals of both fabrics point the same way.
    agreement: f32,
    /// Positive where the first fabric is above the second, along the first one's normals.
    above: f32,
}

/// Heights of the fabrics along their own normals, m.
///
/// Contacts between fabrics have one position for both yarns, so that simulated layers coincide. They are
/// drawn as far apart as they are thick: with `a` above `b`
///
/// ```text
/// h_a - h_b >= d_a + d_b,   d = max((r_1 + r_2)/2 + max(r_1, r_2))  over a fabric's own crossings
/// ```
///
/// Half of a fabric's thickness `d` is that of its yarns, which wave by `(r_1 + r_2)/2` about its middle. The
/// lowest fabric of a stack stays where it is. A fabric is above another as a whole, by the majority of their
/// contacts, and its height does not change along it, so that nothing jumps where contacts come and go.
pub fn heights(nodes: &Nodes<'_>, normals: &[V3]) -> Vec<f32> {
    let half = half_thickness(nodes);
    let pairs = pairs(nodes, normals);
    let orientation = orientations(half.len(), &pairs);
    let mut height = vec![0.0_f32; half.len()];
    // The longest chain of fabrics passes all of them; fabrics that are above one another have no height.
    for _ in 0..half.len() {
        for (&(a, b), pair) in &pairs {
            let (upper, lower) = if pair.above * orientation[a] > 0.0 { (a, b) } else { (b, a) };
            height[upper] = height[upper].max(height[lower] + half[upper] + half[lower]);
        }
    }
    height.iter().zip(orientation).map(|(h, sign)| h * sign).collect()
}

fn half_thickness(nodes: &Nodes<'_>) -> Vec<f32> {
    let mut half = vec![0.0_f32; nodes.frame.layout.fabrics.len()];
    for i in 0..nodes.position.len() {
        if let (Some(other), Some(fabric)) = (crossed(nodes, i), nodes.fabric(i)) {
            let (a, b) = (nodes.radius(i), nodes.radius(other));
            half[fabric] = half[fabric].max(0.5 * (a + b) + a.max(b));
        }
    }
    half
}

fn pairs(nodes: &Nodes<'_>, normals: &[V3]) -> BTreeMap<(usize, usize), Pair> {
    let mut pairs: BTreeMap<(usize, usize), Pair> = BTreeMap::new();
    for i in 0..nodes.position.len() {
        let Some(j) = nodes.partner(i) else { continue };
        let (Some(a), Some(b)) = (nodes.fabric(i), nodes.fabric(j)) else { continue };
        if a < b {
            let pair = pairs.entry((a, b)).or_default();
            pair.agreement += normals[i].dot(&normals[j]);
            pair.above += f32::from(nodes.frame.layout.side[i]) * nodes.cross(i, j).dot(&normals[i]);
        }
    }
    pairs
}

/// Signs that turn the fabrics' normals to the same side of their stack.
fn orientations(n: usize, pairs: &BTreeMap<(usize, usize), Pair>) -> Vec<f32> {
    let mut sign = vec![0.0; n];
    for start in 0..n {
        if sign[start] != 0.0 {
            continue;
        }
        sign[start] = 1.0;
        let mut reached = vec![start];
        while let Some(a) = reached.pop() {
            for (&(p, q), pair) in pairs.iter().filter(|((p, q), _)| *p == a || *q == a) {
                let b = p + q - a;
                if sign[b] == 0.0 {
                    sign[b] = if pair.agreement < 0.0 { -sign[a] } else { sign[a] };
                    reached.push(b);
                }
            }
        }
    }
    sign
}
