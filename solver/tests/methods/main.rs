//! The solver on samples whose solutions are known or found another way.
#![allow(clippy::unwrap_used, reason = "helpers of a test fail by panicking too")]

mod linear;
mod cholesky;
mod pcg;
mod strips;
mod patches;
mod two_level;
mod newton;
mod newton_forms;
mod newton_parts;
mod time;
