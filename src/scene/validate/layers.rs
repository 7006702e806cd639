//! Fabrics that lie on one another: names and numbers. Where they lie is seen once they are built.

use std::collections::BTreeSet;

use super::checker::Checker;
use super::selections::check_fabric;

pub(super) fn check(checker: &mut Checker<'_>) {
    let mut earlier = BTreeSet::new();
    for (i, layers) in checker.scene.layers.iter().enumerate() {
        let path = format!("layers[{i}]");
        if layers.fabrics.len() < 2 {
            checker.report(
                format!("{path}.fabrics"),
                format!("{} fabrics; at least two lie on one another", layers.fabrics.len()),
            );
        }
        for (k, name) in layers.fabrics.iter().enumerate() {
            let place = format!("{path}.fabrics[{k}]");
            check_fabric(checker, &place, name);
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
