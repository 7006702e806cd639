//! Fabrics that lie on one another, and their seams: names and numbers. Where they lie is seen once they are
//! built.

use std::collections::BTreeSet;

use crate::model::layers::SeamLine;

use super::super::words::counted;
use super::checker::Checker;
use super::selections::check_woven;

pub(super) fn check(checker: &mut Checker<'_>) {
    let mut earlier = BTreeSet::new();
    for (i, layers) in checker.scene.layers.iter().enumerate() {
        let path = format!("layers[{i}]");
        if layers.fabrics.len() < 2 {
            let count = counted(layers.fabrics.len() as u64, "fabric");
            checker.report(format!("{path}.fabrics"), format!("{count}; at least two lie on one another"));
        }
        for (k, name) in layers.fabrics.iter().enumerate() {
            let place = format!("{path}.fabrics[{k}]");
            check_woven(checker, &place, name);
            if layers.fabrics[..k].contains(name) {
                checker.report(place, format!("`{name}` lies in these layers already"));
            } else if k > 0 && earlier.contains(name) {
                checker.report(
                    place,
                    format!("`{name}` lies in layers above; more is laid on it where it is the first"),
                );
            }
        }
        earlier.extend(&layers.fabrics);
        if let Some(friction) = layers.friction {
            checker.not_negative(format!("{path}.friction"), friction, "");
        }
        if !(layers.min_angle > 0.0 && layers.min_angle < 45.0) {
            checker.report(
                format!("{path}.min_angle"),
                format!("{} degrees; it must lie between 0 and 45", layers.min_angle),
            );
        }
    }
}

pub(super) fn check_contacts(checker: &mut Checker<'_>) {
    let contacts = &checker.scene.contacts;
    if let Some(after) = contacts.join_after {
        checker.positive("contacts.join_after", after, "s");
        if checker.scene.collision.is_none() {
            checker.report(
                "contacts.join_after",
                "nothing presses where yarns do not collide: add `collision: ()`",
            );
        }
    }
    if let Some(part) = contacts.separate_at {
        checker.not_negative("contacts.separate_at", part, "radii");
    }
}

pub(super) fn check_seams(checker: &mut Checker<'_>) {
    let scene = checker.scene;
    for (i, seam) in scene.seams.iter().enumerate() {
        let path = format!("seams[{i}]");
        for (k, name) in seam.fabrics.iter().enumerate() {
            check_woven(checker, &format!("{path}.fabrics[{k}]"), name);
        }
        let first = scene.fabrics.iter().find(|f| f.name == seam.fabrics[0]);
        match seam.along {
            SeamLine::Line { from, to } if from == to => {
                checker.report(format!("{path}.along.to"), "it is where the seam starts");
            }
            SeamLine::Edge(_) if first.is_some_and(|f| f.cut.is_some()) => {
                let message =
                    format!("`{}` is cut, no yarn runs along its edges: give a Line", seam.fabrics[0]);
                checker.report(format!("{path}.along"), message);
            }
            _ => {}
        }
    }
}
