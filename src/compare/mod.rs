//! Runs of one scene with different values, on one page: curves on top of one another, a table, pictures.
//!
//! A [`Case`](case::Case) is read from the record of a run, [`page`](page::page) makes the page of all of them, and
//! [`csv`] has their curves and their last values for other programs. The page needs no network: pictures are in it,
//! curves are drawn by it.

pub mod case;
pub mod csv;
pub mod page;

mod chart;
mod table;
