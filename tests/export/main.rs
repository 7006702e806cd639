//! Exports for other programs, and pictures.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

#[path = "../common/mod.rs"]
mod common;
mod exports;
mod formats;
mod sheets;
mod usd;
mod stack;
mod depth;
mod draw;
mod draw_overlap;
mod draw_overlay;
