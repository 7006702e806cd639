//! Where yarns are drawn: over and under at their crossings, fabrics above fabrics.

use super::V3;
use super::nodes::{Nodes, rod_nodes};
use super::normal::{crossed, normals};
use super::stack::heights;
use crate::frame::Frame;
use crate::model::yarns::NodeKind;

/// Cosine of the angle between two yarns beyond which they are drawn as if they crossed at this one, 26
/// degrees: yarns of a fabric lie side by side before.
const MAX_COSINE: f32 = 0.9;

/// What a drawn centre line does at a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Role {
    /// It passes the node.
    Passes,
    /// It passes the node over or under another yarn: across the normal, at a crown whose radius of
    /// curvature is not below this, m.
    ///
    /// ```text
    /// R = (r_A + r_B) / (1 - |cos angle|)
    /// ```
    ///
    /// At a right angle it is the circle around the other axis. At an acute one both yarns come nearest to
    /// each other beside the crossing, where both have bent already: points at `s` along both are
    /// `2 s^2 (1 - cos) + (r_A + r_B - s^2/R)^2` apart, squared, which must not fall with `s`.
    Crosses(f32),
    /// It passes wherever its neighbours lead it.
    Follows,
}

/// The nodes of a frame as drawn.
#[derive(Debug)]
pub struct Drawn {
    /// Positions, m. Those of nodes that follow are found along the curve.
    pub points: Vec<V3>,
    /// Unit normals of the fabrics, zero on rods without contacts.
    pub normals: Vec<V3>,
    /// What the centre lines do.
    pub roles: Vec<Role>,
}

/// The nodes as drawn.
///
/// ```text
/// x_drawn = x + (side (r_A + r_B)/2 + h) n
/// ```
///
/// with the height `h` of the node's fabric in its stack, and the offset in place of `(r_A + r_B)/2` of yarns that are
/// simulated with thickness. Contacts between fabrics do not wave: their yarns
/// go over and under those of their own fabrics, and follow them.
pub fn drawn(frame: &Frame) -> Drawn {
    let nodes = Nodes::new(frame);
    let normals = normals(&nodes);
    let heights = heights(&nodes, &normals);
    let roles: Vec<Role> = (0..normals.len()).map(|i| role(&nodes, i)).collect();
    let mut points = nodes.position.clone();
    for rod in 0..frame.layout.rods.len() {
        let range = rod_nodes(&frame.layout, rod);
        let led: Vec<usize> = range.filter(|&i| roles[i] != Role::Follows).collect();
        for (&i, wave) in led.iter().zip(waves(&nodes, &led)) {
            let height = nodes.fabric(i).map_or(0.0, |fabric| heights[fabric]);
            points[i] += normals[i] * (wave + height);
        }
    }
    Drawn { points, normals, roles }
}

fn role(nodes: &Nodes<'_>, i: usize) -> Role {
    let range = rod_nodes(&nodes.frame.layout, nodes.rod[i] as usize);
    let is_end = i == range.start || i + 1 == range.end;
    match crossed(nodes, i) {
        Some(other) => {
            let cosine = nodes.tangent[i].dot(&nodes.tangent[other]).abs().min(MAX_COSINE);
            Role::Crosses((nodes.radius(i) + nodes.radius(other)) / (1.0 - cosine))
        }
        None if is_end || nodes.partner(i).is_none() && nodes.frame.kind[i] != NodeKind::Eil => Role::Passes,
        None => Role::Follows,
    }
}

/// How far a rod is moved out of its fabric's middle at the nodes that it passes, m.
///
/// A yarn of a fabric ends as high as its outermost crossing: an end that came down would meet the yarn
/// that it has just crossed.
fn waves(nodes: &Nodes<'_>, led: &[usize]) -> Vec<f32> {
    let beside = |k: usize| [k.checked_sub(1).map(|k| led[k]), led.get(k + 1).copied()];
    let mut waves: Vec<f32> = led.iter().enumerate().map(|(k, &i)| wave(nodes, i, beside(k))).collect();
    let n = waves.len();
    if n > 2 && nodes.fabric(led[0]).is_some() {
        for (end, next) in [(0, 1), (n - 1, n - 2)] {
            if crossed(nodes, led[end]).is_none() {
                waves[end] = waves[next];
            }
        }
    }
    waves
}

/// The same at one node, with those before and after it.
///
/// A yarn with thickness passes where it is simulated, any other at half the sum of the radii: there, between crossings on
/// other sides that are nearer to one another than a radius the wave shrinks with their
/// distance, so that a degenerate contact bends its yarn no more sharply than the yarn is thick.
fn wave(nodes: &Nodes<'_>, i: usize, beside: [Option<usize>; 2]) -> f32 {
    let Some(other) = crossed(nodes, i) else { return 0.0 };
    let side = &nodes.frame.layout.side;
    if nodes.offset(i) > 0.0 {
        return f32::from(side[i]) * nodes.offset(i);
    }
    let opposite =
        beside.into_iter().flatten().filter(|&j| crossed(nodes, j).is_some() && side[j] * side[i] < 0);
    let distances = opposite.map(|j| (nodes.position[j] - nodes.position[i]).norm());
    let room = distances.fold(f32::INFINITY, f32::min) / nodes.radius(i).max(f32::MIN_POSITIVE);
    f32::from(side[i]) * 0.5 * (nodes.radius(i) + nodes.radius(other)) * room.min(1.0)
}
