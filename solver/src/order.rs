//! The order in which unknowns are eliminated: nested dissection of the block graph.

mod separator;
mod subgraph;

use rayon::join;

use crate::pattern::BlockPattern;
use separator::{Cut, cut_by_keys, cut_by_levels, sides};
pub(crate) use subgraph::Graph;
use subgraph::Subgraph;

/// Pieces of at most so many blocks are not cut again: the factorisation merges them into one supernode
/// anyway.
const LEAF_BLOCKS: usize = 6;
/// Pieces of fewer blocks are ordered on one thread.
const PARALLEL_BLOCKS: usize = 1000;
/// Level sets are tried too where a straight cut of `n` blocks is larger than this times `sqrt(n)`:
/// on a woven square of `n` blocks it is 2, on a coiled rod many times that.
const POOR_CUT: f64 = 3.5;

/// A fill-reducing order of elimination, new to old: nested dissection of the block graph
/// (George 1973), by straight cuts where the blocks' rest `coordinates` are known, by level sets from
/// a far end otherwise.
///
/// Coordinates only guide the cuts: whatever they are, the result is a permutation.
pub fn nested_dissection(pattern: &BlockPattern, coordinates: Option<&[[f64; 3]]>) -> Vec<u32> {
    let graph = Graph::new(pattern);
    let mut order = vec![0; pattern.n_blocks()];
    dissect(Subgraph::whole(graph, coordinates), &mut order);
    order
}

/// Left piece, right piece, separator.
fn dissect(graph: Subgraph, order: &mut [u32]) {
    let cut = if graph.len() > LEAF_BLOCKS { best_cut(&graph) } else { None };
    let Some(cut) = cut else {
        order.copy_from_slice(&graph.by_degree());
        return;
    };
    let (left, right, separator) = graph.split(&sides(&graph, &cut));
    let parallel = graph.len() > PARALLEL_BLOCKS;
    drop(graph);
    let (left_order, rest) = order.split_at_mut(left.len());
    let (right_order, last) = rest.split_at_mut(right.len());
    last.copy_from_slice(&separator);
    if parallel {
        join(|| dissect(left, left_order), || dissect(right, right_order));
    } else {
        dissect(left, left_order);
        dissect(right, right_order);
    }
}

fn best_cut(graph: &Subgraph) -> Option<Cut> {
    let straight = cut_by_keys(graph, graph.keys());
    let good = POOR_CUT * (graph.len() as f64).sqrt();
    match straight {
        Some(cut) if cut.cost <= good => Some(cut),
        Some(cut) => Some(cut_by_levels(graph).filter(|levels| levels.cost < cut.cost).unwrap_or(cut)),
        None => cut_by_levels(graph),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::PatternBuilder;

    fn assert_permutation(order: &[u32]) {
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        assert!(sorted.iter().enumerate().all(|(i, &v)| i == v as usize));
    }

    fn grid(m: usize) -> (BlockPattern, Vec<[f64; 3]>) {
        let mut builder = PatternBuilder::new(m * m);
        for i in 0..m {
            for j in 0..m {
                for (di, dj) in [(1, 0), (2, 0), (0, 1), (0, 2), (1, 1)] {
                    if i + di < m && j + dj < m {
                        builder.couple(&[(i * m + j) as u32, ((i + di) * m + j + dj) as u32]);
                    }
                }
                if i + 1 < m && j > 0 {
                    builder.couple(&[(i * m + j) as u32, ((i + 1) * m + j - 1) as u32]);
                }
            }
        }
        let points = (0..m * m).map(|k| [(k / m) as f64 * 1e-3, (k % m) as f64 * 1e-3, 0.0]).collect();
        (builder.build(), points)
    }

    #[test]
    fn separators_of_a_square_are_two_wide() {
        let (pattern, points) = grid(40);
        let graph = Subgraph::whole(Graph::new(&pattern), Some(&points));
        let cut = best_cut(&graph).unwrap();
        let (left, right, separator) = graph.split(&sides(&graph, &cut));
        assert!(separator.len() <= 80, "{}", separator.len());
        let sizes = [left.len(), right.len(), separator.len()];
        assert!(left.len().max(right.len()) <= 960, "{sizes:?}");
        assert_eq!(left.len() + right.len() + separator.len(), 1600);
    }

    #[test]
    fn every_graph_gets_a_permutation() {
        let (square, points) = grid(23);
        assert_permutation(&nested_dissection(&square, Some(&points)));
        assert_permutation(&nested_dissection(&square, None));
        let coincident = vec![[0.0; 3]; points.len()];
        assert_permutation(&nested_dissection(&square, Some(&coincident)));
        let uncoupled = PatternBuilder::new(50).build();
        assert_permutation(&nested_dissection(&uncoupled, None));
        assert!(nested_dissection(&PatternBuilder::new(0).build(), None).is_empty());
    }

    #[test]
    fn hub_of_a_star_comes_last() {
        let mut builder = PatternBuilder::new(30);
        for leaf in 1..30 {
            builder.couple(&[0, leaf]);
        }
        let order = nested_dissection(&builder.build(), None);
        assert_permutation(&order);
        assert_eq!(order[29], 0);
    }
}
