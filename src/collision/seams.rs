//! Layers sewn together.

use thiserror::Error;

use crate::geometry::Vec3;
use crate::model::build::ModelBuilder;
use crate::model::fabric::FabricParams;
use crate::model::ids::ContactId;
use crate::model::layers::SeamParams;
use crate::model::yarns::{Contact, Model};

/// A seam that joins nothing.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SeamError {
    /// Its fabrics share no contact.
    #[error("`{0}` and `{1}` do not lie on one another; a seam joins neighbours of `layers`")]
    NotLayers(String, String),
    /// A part of it lies where no yarns cross.
    #[error(
        "it finds no yarns of `{0}` and `{1}` that cross within {within:.3e} m of it between {from:.3e} and {to:.3e} m \
         from its start", fabrics[0], fabrics[1]
    )]
    Nothing {
        /// The fabrics.
        fabrics: [String; 2],
        /// Half a spacing, m.
        within: f64,
        /// Start of the gap along the seam, m.
        from: f64,
        /// End of the gap, m.
        to: f64,
    },
}

impl SeamError {
    /// The part of the seam's description that the error is about.
    pub fn key(&self) -> &'static str {
        match self {
            Self::NotLayers(..) => ".fabrics",
            Self::Nothing { .. } => ".along",
        }
    }
}

/// The longest piece of a seam without a stitch, in spacings: yarns of layers at an angle cross now and
/// then, and a seam may reach over an edge by a tail.
const LONGEST_STITCH: f64 = 2.0;

/// Sews two layers of a builder together: contacts within half a spacing of the seam do not slide any
/// more. `fabrics` are those of the builder, in its order.
///
/// # Errors
/// [`SeamError`] when the fabrics share no contacts, or none near a part of the seam.
pub fn sew(builder: &mut ModelBuilder, fabrics: &[FabricParams], seam: &SeamParams) -> Result<(), SeamError> {
    let not_layers = || SeamError::NotLayers(seam.fabrics[0].clone(), seam.fabrics[1].clone());
    let find = |name: &String| fabrics.iter().position(|f| &f.name == name).ok_or_else(not_layers);
    let ids = [find(&seam.fabrics[0])?, find(&seam.fabrics[1])?];
    let (model, q) = builder.yarns();
    let shared = contacts_between(model, ids.map(|f| f as u32));
    if shared.is_empty() {
        return Err(not_layers());
    }
    let [from, to] = seam.along.ends(&fabrics[ids[0]]);
    let plane = fabrics[ids[0]].pose();
    let flat = |x: Vec3| plane.to_local(x).component_mul(&Vec3::new(1.0, 1.0, 0.0));
    let (start, line) = (flat(from), flat(to) - flat(from));
    let spacings = ids.map(|f| [fabrics[f].warp.spacing, fabrics[f].weft.spacing]);
    let narrow = spacings.as_flattened().iter().copied().fold(f64::INFINITY, f64::min);
    let wide = spacings.as_flattened().iter().copied().fold(0.0, f64::max);
    let within = 0.5 * narrow * (1.0 + 1e-6);
    let mut stitches: Vec<(f64, ContactId)> = Vec::new();
    for id in shared {
        let x = flat(model.position(q, model.contacts[id.index()].nodes[0])) - start;
        let t = (x.dot(&line) / line.norm_squared()).clamp(0.0, 1.0);
        if (x - line * t).norm() <= within {
            stitches.push((t * line.norm(), id));
        }
    }
    stitches.sort_by(|a, b| a.0.total_cmp(&b.0));
    let places: Vec<f64> =
        [0.0].into_iter().chain(stitches.iter().map(|s| s.0)).chain([line.norm()]).collect();
    if let Some(w) = places.windows(2).find(|w| stitches.is_empty() || w[1] - w[0] > LONGEST_STITCH * wide) {
        let fabrics = seam.fabrics.clone();
        return Err(SeamError::Nothing { fabrics, within, from: w[0], to: w[1] });
    }
    let contacts: Vec<ContactId> = stitches.into_iter().map(|s| s.1).collect();
    builder.sew(&contacts);
    Ok(())
}

fn contacts_between(model: &Model, fabrics: [u32; 2]) -> Vec<ContactId> {
    let of = |c: &Contact| c.nodes.map(|n| model.rod_of(n).thread.map(|t| t.fabric));
    let joins = |c: &Contact| {
        let found = of(c);
        c.kind.is_between_fabrics()
            && !c.is_to_come
            && (found == fabrics.map(Some) || found == [Some(fabrics[1]), Some(fabrics[0])])
    };
    (0..model.contacts.len() as u32).map(ContactId).filter(|c| joins(&model.contacts[c.index()])).collect()
}
