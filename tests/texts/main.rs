//! The texts that come with hebra say what the program does.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod pages;
mod code;
mod defaults;
mod reference;
