//! Which blocks of unknowns are coupled: the sparsity of a symmetric block matrix.

mod changing;

use std::ops::Range;

pub use self::changing::ChangingPattern;

/// Collects couplings between blocks; [`PatternBuilder::build`] turns them into a [`BlockPattern`].
#[derive(Debug, Clone)]
pub struct PatternBuilder {
    n_blocks: usize,
    pairs: Vec<(u32, u32)>,
}

impl PatternBuilder {
    /// A pattern of `n_blocks` blocks with nothing but its diagonal.
    pub fn new(n_blocks: usize) -> Self {
        Self { n_blocks, pairs: Vec::new() }
    }

    /// Couples every block of the list with every other one.
    pub fn couple(&mut self, blocks: &[u32]) {
        for (k, &a) in blocks.iter().enumerate() {
            for &b in &blocks[k + 1..] {
                if a != b {
                    self.pairs.push((a.min(b), a.max(b)));
                }
            }
        }
        if self.pairs.len() > 32 * self.n_blocks + 1024 {
            self.compact();
        }
    }

    fn compact(&mut self) {
        self.pairs.sort_unstable();
        self.pairs.dedup();
    }

    /// The couplings declared so far, each once, `(i, j)` with `i < j`, ascending.
    pub fn couplings(mut self) -> Vec<(u32, u32)> {
        self.compact();
        self.pairs
    }

    /// The pattern in compressed rows.
    pub fn build(self) -> BlockPattern {
        let diagonal = BlockPattern {
            row_start: (0..=self.n_blocks).collect(),
            columns: (0..self.n_blocks as u32).collect(),
            chunks: chunk_rows(self.n_blocks),
        };
        diagonal.extended(&self.couplings())
    }
}

/// The upper triangle, diagonal included, of a symmetric block pattern in compressed rows.
///
/// Row `i` lists its columns `j >= i` in ascending order, so its first entry is the diagonal.
/// A *slot* is the index of a block in that list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockPattern {
    row_start: Vec<usize>,
    columns: Vec<u32>,
    chunks: Vec<Range<usize>>,
}

impl BlockPattern {
    /// Number of block rows.
    pub fn n_blocks(&self) -> usize {
        self.row_start.len() - 1
    }

    /// Number of stored blocks (upper triangle and diagonal).
    pub fn n_slots(&self) -> usize {
        self.columns.len()
    }

    /// The slots of a row.
    pub fn row(&self, i: usize) -> Range<usize> {
        self.row_start[i]..self.row_start[i + 1]
    }

    /// The columns of a row, ascending, the diagonal first.
    pub fn columns(&self, i: usize) -> &[u32] {
        &self.columns[self.row(i)]
    }

    /// The column of every slot.
    pub fn all_columns(&self) -> &[u32] {
        &self.columns
    }

    /// The slot of block `(i, j)`, `i <= j`, if it is stored.
    pub fn slot(&self, i: u32, j: u32) -> Option<usize> {
        let row = self.row(i as usize);
        self.columns[row.clone()].binary_search(&j).ok().map(|k| row.start + k)
    }

    /// This pattern with more couplings: `(i, j)` with `i < j`, ascending. One pass over both.
    pub fn extended(&self, couplings: &[(u32, u32)]) -> Self {
        let mut row_start = Vec::with_capacity(self.row_start.len());
        let mut columns = Vec::with_capacity(self.columns.len() + couplings.len());
        row_start.push(0);
        let mut rest = couplings;
        for i in 0..self.n_blocks() {
            let n = rest.iter().take_while(|c| c.0 as usize == i).count();
            let (new, later) = rest.split_at(n);
            rest = later;
            merge_row(self.columns(i), new, &mut columns);
            row_start.push(columns.len());
        }
        Self { row_start, columns, chunks: self.chunks.clone() }
    }

    /// Whether every coupling `(i, j)`, `i < j`, is stored.
    pub fn holds(&self, couplings: &[(u32, u32)]) -> bool {
        couplings.iter().all(|&(i, j)| self.slot(i, j).is_some())
    }

    /// Contiguous ranges of rows that parallel loops work on. They depend on the size alone, never on
    /// the number of threads, so that sums come out the same on any number of them.
    pub fn chunks(&self) -> &[Range<usize>] {
        &self.chunks
    }
}

/// Appends the columns of a row, old and new, in ascending order, each once.
fn merge_row(old: &[u32], new: &[(u32, u32)], columns: &mut Vec<u32>) {
    let mut new = new.iter().map(|c| c.1).peekable();
    for &column in old {
        while let Some(c) = new.next_if(|&c| c < column) {
            columns.push(c);
        }
        new.next_if_eq(&column);
        columns.push(column);
    }
    columns.extend(new);
}

/// Rows per parallel chunk for a pattern numbered row by row over a square: thick enough that few
/// elements straddle a border (at 24 rows of the square under a tenth), many enough to share out.
const CHUNK_SQUARE_ROWS: f64 = 24.0;

fn chunk_rows(n_blocks: usize) -> Vec<Range<usize>> {
    let n_chunks = (((n_blocks as f64).sqrt() / CHUNK_SQUARE_ROWS) as usize).clamp(2, 64);
    (0..n_chunks).map(|c| c * n_blocks / n_chunks..(c + 1) * n_blocks / n_chunks).collect()
}
