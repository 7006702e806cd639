//! Cloth that starts inside an obstacle.

use rayon::prelude::*;
use thiserror::Error;

use super::overlap::{ROUNDING, yarn_name};
use super::surface::Surface;
use crate::geometry::Vec3;
use crate::model::ids::{RodId, VertexId};
use crate::model::obstacle::Obstacle;
use crate::model::yarns::{Model, block_position};

/// The place of cloth that starts deepest inside an obstacle.
#[derive(Debug, Clone, PartialEq, Error)]
#[error(
    "{cloth} starts {depth:.3e} m inside `{name}`, at ({:.3e}, {:.3e}, {:.3e}): it would be thrown out; move the cloth \
     or the obstacle, so that the middle of the cloth's thickness starts outside",
    at.x, at.y, at.z
)]
pub(crate) struct Sunk {
    /// Index of the obstacle.
    pub(crate) obstacle: usize,
    /// Its name.
    pub(crate) name: String,
    /// What the yarn or the sheet is called.
    pub(crate) cloth: String,
    /// How far its middle is inside, m.
    pub(crate) depth: f64,
    /// Where, m.
    pub(crate) at: Vec3,
}

/// What a place is of.
#[derive(Debug, Clone, Copy)]
enum Cloth {
    Yarn(RodId),
    Sheet(u32),
}

/// A place in the middle of the cloth's thickness.
#[derive(Debug, Clone, Copy)]
struct Place {
    cloth: Cloth,
    x: Vec3,
    /// Half the thickness there, m.
    radius: f64,
}

/// The place of cloth that is deepest inside an obstacle at the start.
///
/// Cloth whose middle is outside is no more than pressed in, by less than its own radius.
pub(crate) fn sunk(model: &Model, q: &[f64], obstacles: &[Obstacle]) -> Option<Sunk> {
    let places = places(model, q);
    let of_obstacle = |(obstacle, params): (usize, &Obstacle)| {
        let surface = Surface::at(params, 0.0);
        let sunk = |place: &Place| {
            let (distance, _) = surface.distance(place.x, 0.0)?;
            (distance < -ROUNDING * place.radius).then_some((-distance, obstacle, *place))
        };
        places.par_iter().filter_map(sunk).max_by(|a, b| a.0.total_cmp(&b.0))
    };
    let deepest = obstacles.iter().enumerate().filter_map(of_obstacle);
    let (depth, obstacle, place) = deepest.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let cloth = match place.cloth {
        Cloth::Yarn(rod) => yarn_name(model, rod),
        Cloth::Sheet(sheet) => format!("`{}`", model.sheets.list[sheet as usize].name),
    };
    let name = obstacles[obstacle].params.name.clone();
    Some(Sunk { obstacle, name, cloth, depth, at: place.x })
}

/// The nodes and vertices of cloth, and the middles between them.
fn places(model: &Model, q: &[f64]) -> Vec<Place> {
    let yarns = model.segments().flat_map(|segment| {
        let rod = model.node(segment[0]).rod;
        let radius = model.rods[rod.index()].material.radius;
        let place = move |x| Place { cloth: Cloth::Yarn(rod), x, radius };
        along(segment.map(|n| model.position(q, n))).map(place)
    });
    let sheets = model.sheets.edges().flat_map(|(ends, _, sheet)| {
        let radius = 0.5 * model.sheets.material(sheet).thickness;
        let place = move |x| Place { cloth: Cloth::Sheet(sheet), x, radius };
        along(ends.map(|v: VertexId| block_position(q, model.sheets.vertex(v).block))).map(place)
    });
    yarns.chain(sheets).collect()
}

/// The ends of a line and its middle.
fn along([a, b]: [Vec3; 2]) -> [Vec3; 3] {
    [a, (a + b) * 0.5, b]
}
