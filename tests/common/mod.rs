#![allow(dead_code, reason = "each test uses a part")]
pub(crate) mod cli;
pub(crate) mod scenes;
pub(crate) mod woven;
