//! Fabrics that lie on one another.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

#[path = "../common/mod.rs"]
mod common;
mod stacked;
mod sliding;
mod joined;
mod bound;
mod seams;
mod incline;
