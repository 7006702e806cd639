//! Knits: from a chart of stitches to loops, their contacts, and the order of these along the yarns.
//!
//! A loop is a length of the upper yarn pulled through a loop of the lower. Seen flat with the face towards
//! the reader it crosses the lower loop four times, twice a side:
//!
//! ```text
//!                 head of the lower loop
//!          H ------------------------------ H       H  head: the upper's leg over the lower's head
//!         / \                              / \
//!        F   \      the upper's legs      /   F     F  foot: the upper's foot under the lower's leg
//!       / \                                  / \
//! lower's leg                         lower's leg
//! ```
//!
//! Along its yarn one loop is `F H` (as upper, left), `F H` (as lower, left), `H F` (as lower, right), `H F`
//! (as upper, right). For a purl front and back are exchanged. A slipped yarn crosses both legs of the loop
//! that stays on its needle; a tucked yarn lies in a needle beside the loop that is held.
//!
//! [`chart`] reads what is to be knitted, [`stitch`] says what each letter does, a machine with a needle for
//! each wale forms the loops, [`topology`] is what comes off it, and [`gauge`] gives it lengths.

pub mod chart;
pub mod gauge;
mod machine;
pub mod repeat;
pub mod stitch;
pub mod topology;

#[cfg(test)]
mod tests;
