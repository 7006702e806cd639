//! The normals of fabrics at their nodes.

use super::V3;
use super::nodes::{Nodes, rod_nodes};

/// Sine of the angle between two yarns below which their common normal is noise: positions in `f32` turn
/// a tangent by up to 1e-3 on the finest yarns, and loops of knits cross at 0.2 and more.
const PARALLEL_SINE: f32 = 0.02;

/// Unit normals of the nodes; zero on a rod without contacts.
///
/// ```text
/// n = (t_first x t_second) / |t_first x t_second|
/// ```
///
/// at crossings inside a fabric and of single rods. Where the tangents are parallel the normal of the
/// nearest crossing along the first rod is taken, and any perpendicular of the tangent if there is none. All
/// other nodes have a normal between those of the crossings beside them on their rod: contacts of two
/// fabrics cross at any angle and say nothing about either surface.
pub fn normals(nodes: &Nodes<'_>) -> Vec<V3> {
    let mut normals = vec![V3::zeros(); nodes.position.len()];
    for first in 0..normals.len() {
        let Some(second) = crossed(nodes, first).filter(|&second| first < second) else { continue };
        let cross = nodes.cross(first, second);
        if cross.norm() > PARALLEL_SINE {
            normals[first] = cross.normalize();
            normals[second] = normals[first];
        }
    }
    fill_parallel(nodes, &mut normals);
    (0..nodes.frame.layout.rods.len()).for_each(|rod| spread(nodes, rod, &mut normals));
    normals
}

/// The node of the other rod of a crossing inside a fabric, or with a single rod.
pub(crate) fn crossed(nodes: &Nodes<'_>, node: usize) -> Option<usize> {
    nodes.partner(node).filter(|_| !nodes.is_between_fabrics(node))
}

/// Gives each crossing of parallel yarns the normal of its nearest neighbour along the first rod.
fn fill_parallel(nodes: &Nodes<'_>, normals: &mut [V3]) {
    let known: Vec<bool> = normals.iter().map(|n| *n != V3::zeros()).collect();
    for rod in 0..nodes.frame.layout.rods.len() {
        let range = rod_nodes(&nodes.frame.layout, rod);
        for first in range.clone().filter(|&i| !known[i]) {
            let Some(second) = crossed(nodes, first).filter(|&second| first < second) else { continue };
            let near = range.clone().filter(|&i| known[i]).min_by_key(|&i| i.abs_diff(first));
            let guess = near.map_or_else(V3::z, |i| normals[i]);
            normals[first] = perpendicular(guess, nodes.tangent[first]);
            normals[second] = normals[first];
        }
    }
}

/// Gives the nodes of a rod that have none a normal between those beside them.
fn spread(nodes: &Nodes<'_>, rod: usize, normals: &mut [V3]) {
    let range = rod_nodes(&nodes.frame.layout, rod);
    let known: Vec<usize> = range.clone().filter(|&i| normals[i] != V3::zeros()).collect();
    for i in range {
        let next = known.partition_point(|&k| k < i);
        let guess = match (next.checked_sub(1).map(|k| known[k]), known.get(next).copied()) {
            (_, Some(b)) if b == i => continue,
            (Some(a), Some(b)) => normals[a].lerp(&normals[b], nodes.fraction(i, [a, b])),
            (Some(k), None) | (None, Some(k)) => normals[k],
            (None, None) => return,
        };
        normals[i] = perpendicular(guess, nodes.tangent[i]);
    }
}

/// The unit vector nearest to `guess` that is perpendicular to a unit tangent.
pub(crate) fn perpendicular(guess: V3, tangent: V3) -> V3 {
    let across = |v: V3| (v - tangent * v.dot(&tangent)).try_normalize(1e-3);
    across(guess).or_else(|| across(V3::x())).or_else(|| across(V3::y())).unwrap_or_else(V3::z)
}
