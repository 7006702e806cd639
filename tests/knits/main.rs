//! Knits come to rest, are measured and come undone.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod rest;
mod cell;
mod large;
mod unravel;
