//! A pattern whose couplings come and go.

use std::sync::Arc;

use super::BlockPattern;

/// Couplings that are not wanted any more stay for as long as they are at most this part of those that
/// came and went: they cost a block of zeros each, and removing them costs a new set-up of everything.
const IDLE_SHARE: f64 = 0.5;

/// And this many never matter.
const FEW_IDLE: usize = 256;

/// A lasting pattern and couplings on top of it that change from time to time.
///
/// It changes as seldom as it can: wanted couplings that it holds already change nothing, and idle ones are
/// dropped only when there are many.
#[derive(Debug, Clone)]
pub struct ChangingPattern {
    lasting: BlockPattern,
    added: Vec<(u32, u32)>,
    pattern: Arc<BlockPattern>,
}

impl ChangingPattern {
    /// A pattern with nothing added to what lasts.
    pub fn new(lasting: BlockPattern) -> Self {
        let pattern = Arc::new(lasting.clone());
        Self { lasting, added: Vec::new(), pattern }
    }

    /// The pattern now.
    pub fn pattern(&self) -> &Arc<BlockPattern> {
        &self.pattern
    }

    /// The couplings on top of what lasts, ascending.
    pub fn added(&self) -> &[(u32, u32)] {
        &self.added
    }

    /// Makes the pattern hold the wanted couplings, `(i, j)` with `i < j` in any order, beside those that
    /// last. Returns whether it changed.
    pub fn want(&mut self, mut wanted: Vec<(u32, u32)>) -> bool {
        wanted.sort_unstable();
        wanted.dedup();
        wanted.retain(|&(i, j)| self.lasting.slot(i, j).is_none());
        let idle = self.added.len().saturating_sub(wanted.len());
        let many_idle = idle > FEW_IDLE && idle as f64 > IDLE_SHARE * self.added.len() as f64;
        if !many_idle && self.pattern.holds(&wanted) {
            return false;
        }
        self.set(wanted);
        true
    }

    /// Puts exactly these couplings, ascending, on top of what lasts.
    pub fn set(&mut self, added: Vec<(u32, u32)>) {
        self.pattern = Arc::new(self.lasting.extended(&added));
        self.added = added;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::PatternBuilder;

    fn chain(n: u32) -> BlockPattern {
        let mut builder = PatternBuilder::new(n as usize);
        (1..n).for_each(|i| builder.couple(&[i - 1, i]));
        builder.build()
    }

    #[test]
    fn it_changes_only_when_it_must() {
        let mut changing = ChangingPattern::new(chain(100));
        assert!(!changing.want(vec![(3, 4)]), "that lasts anyway");
        assert!(changing.want(vec![(9, 70), (3, 8), (3, 8)]));
        assert!(changing.pattern().holds(&[(3, 4), (3, 8), (9, 70)]));
        let before = Arc::clone(changing.pattern());
        assert!(!changing.want(vec![(3, 8)]) && !changing.want(Vec::new()), "few are idle");
        assert!(Arc::ptr_eq(&before, changing.pattern()));
        assert!(changing.want(vec![(3, 9)]));
        assert_eq!(changing.added(), [(3, 9)]);
    }

    #[test]
    fn many_idle_couplings_go() {
        let mut changing = ChangingPattern::new(chain(1000));
        let wanted: Vec<(u32, u32)> = (0..600).map(|i| (i, i + 300)).collect();
        assert!(changing.want(wanted.clone()));
        assert!(!changing.want(wanted[..400].to_vec()));
        assert!(changing.want(wanted[..200].to_vec()));
        assert_eq!(changing.added(), &wanted[..200]);
    }

    #[test]
    fn extended_patterns_are_those_built_at_once() {
        let mut builder = PatternBuilder::new(9);
        [[0, 5, 7], [2, 3, 8], [1, 8, 4]].iter().for_each(|b| builder.couple(b));
        let (first, mut both) = (builder.clone().build(), builder);
        let mut more = PatternBuilder::new(9);
        for blocks in [[0, 1, 8], [6, 7, 8], [2, 3, 5]] {
            more.couple(&blocks);
            both.couple(&blocks);
        }
        assert_eq!(first.extended(&more.couplings()), both.build());
    }
}
