//! Neighbours along the cloth, which are exempt from collision.

use crate::model::ids::BlockId;

/// Nodes that can be reached from one another along yarns by a short way.
#[derive(Debug, Clone, Default)]
pub(crate) struct Vicinity {
    start: Vec<u32>,
    near: Vec<u32>,
}

/// How far along the yarns what is near goes: at least both of these.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reach {
    /// Links on the way.
    pub(crate) links: u32,
    /// Length of the way, m.
    pub(crate) length: f64,
}

/// A link between two nodes, and its length, m.
pub(crate) type Link = ([u32; 2], f64);

impl Vicinity {
    /// The vicinities of `n` nodes joined by links.
    pub(crate) fn new(n: usize, links: &[Link], reach: Reach) -> Self {
        let neighbours = adjacency(n, links);
        let mut out = Self { start: vec![0], near: Vec::new() };
        let mut seen = vec![u32::MAX; n];
        let mut way: Vec<(u32, u32, f64)> = Vec::new();
        for node in 0..n as u32 {
            way.clear();
            way.push((node, 0, 0.0));
            seen[node as usize] = node;
            let mut next = 0;
            while let Some(&(at, links, length)) = way.get(next) {
                next += 1;
                if links >= reach.links && length >= reach.length {
                    continue;
                }
                for &(to, l) in &neighbours[at as usize] {
                    if std::mem::replace(&mut seen[to as usize], node) != node {
                        way.push((to, links + 1, length + l));
                    }
                }
            }
            let first = out.near.len();
            out.near.extend(way.iter().map(|w| w.0));
            out.near[first..].sort_unstable();
            out.start.push(out.near.len() as u32);
        }
        out
    }

    /// Whether any node of one list is near any of the other.
    pub(crate) fn are_near(&self, a: &[BlockId], b: &[BlockId]) -> bool {
        let near = |i: u32| &self.near[self.start[i as usize] as usize..self.start[i as usize + 1] as usize];
        a.iter().any(|i| b.iter().any(|j| near(i.0).binary_search(&j.0).is_ok()))
    }
}

fn adjacency(n: usize, links: &[Link]) -> Vec<Vec<(u32, f64)>> {
    let mut out = vec![Vec::new(); n];
    for &([a, b], length) in links {
        out[a as usize].push((b, length));
        out[b as usize].push((a, length));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn are_near(vicinity: &Vicinity, a: &[u32], b: &[u32]) -> bool {
        let blocks = |list: &[u32]| list.iter().map(|&b| BlockId(b)).collect::<Vec<_>>();
        vicinity.are_near(&blocks(a), &blocks(b))
    }

    #[test]
    fn ways_count_in_links_and_in_metres() {
        // A chain whose second half is ten times finer.
        let links: Vec<Link> = (0..19).map(|i| ([i, i + 1], if i < 10 { 1.0 } else { 0.1 })).collect();
        let near = |links_: u32, length: f64| Vicinity::new(20, &links, Reach { links: links_, length });
        let short = near(2, 0.0);
        assert!(are_near(&short, &[3], &[5]) && !are_near(&short, &[3], &[6]));
        assert!(are_near(&short, &[3, 9], &[11, 19]) && !are_near(&short, &[3, 9], &[6, 19]));
        let long = near(2, 0.35);
        assert!(are_near(&long, &[3], &[5]) && !are_near(&long, &[3], &[6]));
        assert!(are_near(&long, &[12], &[16]) && !are_near(&long, &[12], &[17]));
    }
}
