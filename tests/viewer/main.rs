//! The viewer, by the graphics driver and in a real window.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test that cannot go on has failed"
)]

#[path = "../common/mod.rs"]
mod common;
mod screen;
mod picture;
mod window;
