//! Supernodes: groups of columns of the factor that share their rows below.

use crate::order::Graph;

/// A group of columns eliminated together, children before parents in the list that holds it.
/// Numbers are positions in the elimination order that was given.
#[derive(Debug, Clone, Default)]
pub(super) struct Group {
    /// Its columns, in an order in which they may be eliminated.
    pub(super) columns: Vec<u32>,
    /// Rows below, ascending: all of them columns of ancestors.
    pub(super) rows: Vec<u32>,
    /// Groups whose first row below is a column of this one; empty groups were merged away.
    pub(super) children: Vec<u32>,
    /// Unknowns of its columns, and of its rows.
    width: usize,
    n_rows: usize,
    /// Stored zeros.
    zeros: f64,
}

impl Group {
    /// Values stored for a group of `columns` columns with `rows` rows below.
    fn stored(columns: usize, rows: usize) -> f64 {
        let (k, r) = (columns as f64, rows as f64);
        0.5 * k * (k + 1.0) + k * r
    }
}

/// Fundamental supernodes of the factor for the elimination `order` (new to old) and the roots.
pub(super) fn fundamental(graph: &Graph, order: &[u32]) -> (Vec<Group>, Vec<u32>) {
    let n = order.len();
    let mut position = vec![0u32; n];
    for (new, &old) in order.iter().enumerate() {
        position[old as usize] = new as u32;
    }
    let mut groups: Vec<Group> = Vec::new();
    let mut roots = Vec::new();
    let mut children = vec![Vec::new(); n];
    let mut seen = vec![u32::MAX; n];
    let mut rows: Vec<u32> = Vec::new();
    for column in 0..n as u32 {
        let own_children: Vec<u32> = std::mem::take(&mut children[column as usize]);
        rows.clear();
        // struct(L_j) = struct(A_j) and the union of the children's, below j.
        let neighbours = graph.neighbours(order[column as usize] as usize).iter();
        let filled = own_children.iter().flat_map(|&c| groups[c as usize].rows.iter().copied());
        for row in neighbours.map(|&w| position[w as usize]).chain(filled) {
            if row > column && seen[row as usize] != column {
                seen[row as usize] = column;
                rows.push(row);
            }
        }
        let group = match own_children[..] {
            [child] if groups[child as usize].rows.len() == rows.len() + 1 => {
                let group = &mut groups[child as usize];
                group.columns.push(column);
                group.rows.remove(0);
                child
            }
            _ => {
                rows.sort_unstable();
                let (columns, rows) = (vec![column], rows.clone());
                groups.push(Group { columns, rows, children: own_children, ..Group::default() });
                groups.len() as u32 - 1
            }
        };
        match groups[group as usize].rows.first() {
            Some(&parent) => children[parent as usize].push(group),
            None => roots.push(group),
        }
    }
    (groups, roots)
}

/// Most columns of a merged group and the share of stored zeros allowed to it: small dense kernels lose more
/// time than a few zeros cost. Three times these shares are as fast in the factorisation, and patches have 15 %
/// more values to read.
const ALLOWED_ZEROS: [(usize, f64); 4] = [(15, 0.25), (40, 0.12), (100, 0.05), (usize::MAX, 0.01)];

/// Merges children into their parents where that stores few zeros (relaxed supernodes, Ashcraft and
/// Grimes 1989); `sizes` are the numbers of unknowns by position.
pub(super) fn amalgamate(groups: &mut [Group], sizes: &[usize]) {
    let count = |positions: &[u32]| positions.iter().map(|&p| sizes[p as usize]).sum();
    for group in groups.iter_mut() {
        (group.width, group.n_rows) = (count(&group.columns), count(&group.rows));
    }
    for parent in 0..groups.len() {
        let mut children = std::mem::take(&mut groups[parent].children);
        // The child with the most rows below adds the fewest zeros.
        children.sort_by_key(|&c| (std::cmp::Reverse(groups[c as usize].n_rows), c));
        let mut kept = Vec::with_capacity(children.len());
        for child in children {
            if !worth_merging(&groups[child as usize], &groups[parent]) {
                kept.push(child);
                continue;
            }
            let child = std::mem::take(&mut groups[child as usize]);
            let parent = &mut groups[parent];
            parent.zeros = merged_zeros(&child, parent);
            parent.width += child.width;
            kept.extend(child.children);
            parent.columns.splice(0..0, child.columns);
        }
        groups[parent].children = kept;
    }
}

fn merged_zeros(child: &Group, parent: &Group) -> f64 {
    let stored = |g: &Group| Group::stored(g.width, g.n_rows) - g.zeros;
    let merged = Group::stored(child.width + parent.width, parent.n_rows);
    merged - stored(child) - stored(parent)
}

fn worth_merging(child: &Group, parent: &Group) -> bool {
    let columns = child.width + parent.width;
    let stored = Group::stored(columns, parent.n_rows);
    let allowed = ALLOWED_ZEROS.iter().find(|(most, _)| columns <= *most).map_or(0.0, |(_, share)| *share);
    merged_zeros(child, parent) <= allowed * stored
}
