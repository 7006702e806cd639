//! The program, from the command line.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

#[path = "../common/mod.rs"]
mod common;
mod run;
mod signals;
mod kill;
mod errors;
mod scenes;
mod cell;
mod compare;
mod render;
mod export;
