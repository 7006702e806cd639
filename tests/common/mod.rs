#![allow(dead_code, reason = "each test uses a part")]
pub(crate) mod cli;
pub(crate) mod exports;
pub(crate) mod overlap;
pub(crate) mod scenes;
pub(crate) mod stack;
pub(crate) mod screen;
pub(crate) mod woven;
