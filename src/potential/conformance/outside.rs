//! Forces from outside.

use super::super::forces::WindParams;
use super::super::push::Push;
use super::super::wind::{Piece, Wind};
use super::*;
use crate::model::ids::BlockId;

#[test]
fn wind_conforms() {
    let params = WindParams { velocity: [3.0, 1.0, -2.0], gust: 0.3, ..Default::default() };
    let piece = Piece { ends: [BlockId(0), BlockId(2)], radius: 0.1, length: 0.9 };
    let wind = Wind::new(params, vec![[Some(piece), None]], vec![vec![[0, 1, 2].map(BlockId)]]);
    check("wind", wind, &POSITION);
}

#[test]
fn grab_conforms() {
    check("grab", Grab::new(Vec3::new(0.3, -0.2, 0.9), 7.0), &POSITION);
}

#[test]
fn push_conforms() {
    check(
        "push",
        Push::new(Vec3::new(1.0, 2.0, -3.0), 0.0, 9.0),
        &Case { exact: Exact::Elsewhere, ..POSITION },
    );
}
