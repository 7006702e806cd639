//! The threads of a step.

use std::sync::OnceLock;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Blocks of unknowns below which a step is made on one thread. On two threads a rod of 100 blocks is slower by a sixth and
/// a weave of 140 as fast; a weave of 190 gains a sixth.
const SMALL: usize = 150;

/// Makes a step inside the pool of threads, which every parallel loop would enter and leave otherwise. Where the system is
/// small the pool has one thread: waking another takes longer than its share of a loop.
pub(super) fn inside_pool<T: Send>(n_blocks: usize, step: impl FnOnce() -> T + Send) -> T {
    static ALONE: OnceLock<Option<ThreadPool>> = OnceLock::new();
    let is_small = n_blocks < SMALL && rayon::current_num_threads() > 1;
    let alone = || ALONE.get_or_init(|| ThreadPoolBuilder::new().num_threads(1).build().ok()).as_ref();
    match is_small.then(alone).flatten() {
        Some(pool) => pool.install(step),
        None => rayon::scope(|_| step()),
    }
}
