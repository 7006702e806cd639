//! Where the two yarns of a contact are drawn: moved apart along its normal until they touch.

use super::V3;
use crate::frame::{Frame, Layout};

/// Sine of the angle between two yarns below which their common normal is noise: positions in `f32` turn
/// a tangent by up to 1e-3 on the finest yarns, and loops of knits cross at 0.2 and more.
const PARALLEL_SINE: f32 = 0.02;

/// Unit normals of the nodes' contacts, zero without a contact.
///
/// ```text
/// n = (t_first x t_second) / |t_first x t_second|
/// ```
///
/// The first rod is the one of the lower node index. Where the tangents are parallel the normal of the
/// nearest contact along the first rod is taken, and any perpendicular of the tangent if there is none.
pub fn contact_normals(frame: &Frame) -> Vec<V3> {
    let layout = &*frame.layout;
    let tangents = tangents(frame);
    let mut normals = vec![V3::zeros(); frame.position.len()];
    for first in 0..normals.len() {
        let Some(second) = partner(layout, first).filter(|&second| first < second) else { continue };
        let cross = tangents[first].cross(&tangents[second]);
        if cross.norm() > PARALLEL_SINE {
            normals[first] = cross.normalize();
            normals[second] = normals[first];
        }
    }
    fill_parallel(layout, &tangents, &mut normals);
    normals
}

/// Positions as drawn, m.
///
/// ```text
/// x_drawn = x + side (r_A + r_B) / 2 n
/// ```
///
/// Between contacts that are nearer to one another than a radius the offset shrinks with their distance,
/// so that a degenerate contact bends its yarn no more sharply than the yarn is thick.
pub fn drawn_positions(frame: &Frame, normals: &[V3]) -> Vec<V3> {
    let layout = &*frame.layout;
    let radius = node_radii(layout, frame.position.len());
    let mut drawn: Vec<V3> = frame.position.iter().map(|&x| x.into()).collect();
    for rod in 0..layout.rods.len() {
        let nodes = rod_nodes(layout, rod);
        for i in nodes.clone() {
            let Some(other) = partner(layout, i) else { continue };
            let room = opposite_distance(frame, nodes.clone(), i) / radius[i].max(f32::MIN_POSITIVE);
            let distance = 0.5 * (radius[i] + radius[other]) * room.min(1.0);
            drawn[i] += normals[i] * (f32::from(layout.side[i]) * distance);
        }
    }
    drawn
}

/// Nodes of a rod.
pub(crate) fn rod_nodes(layout: &Layout, rod: usize) -> std::ops::Range<usize> {
    layout.rod_start[rod] as usize..layout.rod_start[rod + 1] as usize
}

fn partner(layout: &Layout, node: usize) -> Option<usize> {
    let other = layout.partner[node] as usize;
    (other < layout.partner.len()).then_some(other)
}

fn node_radii(layout: &Layout, n_nodes: usize) -> Vec<f32> {
    let mut radius = vec![0.0; n_nodes];
    for (rod, info) in layout.rods.iter().enumerate() {
        radius[rod_nodes(layout, rod)].fill(info.radius);
    }
    radius
}

/// Unit tangents of the rods at their nodes: central differences, one-sided at the ends.
fn tangents(frame: &Frame) -> Vec<V3> {
    let mut tangents = vec![V3::zeros(); frame.position.len()];
    for rod in 0..frame.layout.rods.len() {
        let nodes = rod_nodes(&frame.layout, rod);
        for i in nodes.clone() {
            let before = V3::from(frame.position[i.saturating_sub(1).max(nodes.start)]);
            let after = V3::from(frame.position[(i + 1).min(nodes.end - 1)]);
            tangents[i] = (after - before).try_normalize(0.0).unwrap_or_else(V3::zeros);
        }
    }
    tangents
}

/// Gives each contact of parallel yarns the normal of its nearest neighbour along the first rod.
fn fill_parallel(layout: &Layout, tangents: &[V3], normals: &mut [V3]) {
    let known: Vec<bool> = normals.iter().map(|n| *n != V3::zeros()).collect();
    for rod in 0..layout.rods.len() {
        let nodes = rod_nodes(layout, rod);
        for first in nodes.clone() {
            let Some(second) = partner(layout, first).filter(|&s| first < s && !known[first]) else {
                continue;
            };
            let near = nodes.clone().filter(|&i| known[i]).min_by_key(|&i| i.abs_diff(first));
            let guess = near.map_or_else(V3::z, |i| normals[i]);
            normals[first] = perpendicular(guess, tangents[first]);
            normals[second] = normals[first];
        }
    }
}

/// The unit vector nearest to `guess` that is perpendicular to a unit tangent.
pub(crate) fn perpendicular(guess: V3, tangent: V3) -> V3 {
    let across = |v: V3| (v - tangent * v.dot(&tangent)).try_normalize(1e-3);
    across(guess).or_else(|| across(V3::x())).or_else(|| across(V3::y())).unwrap_or_else(V3::z)
}

/// Distance to the nearer neighbour along the rod that lies on the other side of its own contact, m.
fn opposite_distance(frame: &Frame, nodes: std::ops::Range<usize>, i: usize) -> f32 {
    let side = &frame.layout.side;
    let x = V3::from(frame.position[i]);
    let neighbours = [i.checked_sub(1), Some(i + 1)];
    let opposite = neighbours.into_iter().flatten().filter(|j| nodes.contains(j) && side[*j] * side[i] < 0);
    opposite.map(|j| (V3::from(frame.position[j]) - x).norm()).fold(f32::INFINITY, f32::min)
}
