//! Knitted fabrics.

use crate::model::knit::KnitParams;
use crate::pattern::knit::chart::Knit;

use super::super::words::counted;
use super::checker::Checker;

pub(super) fn check(checker: &mut Checker<'_>) {
    let scene = checker.scene;
    for (i, knit) in scene.knits.iter().enumerate() {
        let path = format!("knits[{i}]");
        if scene.fabric_names().filter(|&n| *n == knit.name).count() > 1 {
            let message = format!("the name `{}` is taken; give another", knit.name);
            checker.report(format!("{path}.name"), message);
        }
        check_knit(checker, &path, knit);
    }
}

fn check_knit(checker: &mut Checker<'_>, path: &str, knit: &KnitParams) {
    checker.at_least_one(format!("{path}.courses"), knit.courses, "courses");
    checker.at_least_one(format!("{path}.yarns"), knit.yarns.len(), "yarns");
    if knit.wales < 2 {
        let count = counted(knit.wales as u64, "wale");
        checker.report(format!("{path}.wales"), format!("{count}; a knit needs two at least"));
    }
    for (k, yarn) in knit.yarns.iter().enumerate() {
        checker.material(format!("{path}.yarns[{k}].material"), &yarn.material);
        if let Some(colour) = yarn.colour {
            checker.colour(&format!("{path}.yarns[{k}].colour"), colour);
        }
    }
    for (k, &feed) in knit.feeds.iter().enumerate() {
        check_feed(checker, &format!("{path}.feeds[{k}]"), feed, knit.yarns.len());
    }
    check_lengths(checker, path, knit);
    if knit.courses > 0 && knit.wales > 1 {
        check_pattern(checker, path, knit);
    }
}

fn check_lengths(checker: &mut Checker<'_>, path: &str, knit: &KnitParams) {
    let ranges =
        [("tightness", knit.tightness, ["loose", "tight"]), ("set", knit.set, ["straight", "finished"])];
    for (key, value, [least, most]) in ranges {
        if !(0.0..=1.0).contains(&value) {
            checker
                .report(format!("{path}.{key}"), format!("{value}; it goes from 0 ({least}) to 1 ({most})"));
        }
    }
    if let Some(length) = knit.loop_length {
        checker.positive(format!("{path}.loop_length"), length, "m");
    }
    for (k, spacing) in knit.gauge.iter().flatten().enumerate() {
        checker.positive(format!("{path}.gauge[{k}]"), *spacing, "m");
    }
    checker.not_negative(format!("{path}.slip_factor"), knit.slip_factor, "");
    checker.positive(format!("{path}.tuck_factor"), knit.tuck_factor, "");
}

fn check_feed(checker: &mut Checker<'_>, path: &str, feed: usize, n_yarns: usize) {
    if feed >= n_yarns {
        checker.report(path, format!("feed {feed}; there are {n_yarns} `yarns`, counted from 0"));
    }
}

fn check_pattern(checker: &mut Checker<'_>, path: &str, knit: &KnitParams) {
    if let Err(error) = knit.topology() {
        let row = error.cell().map_or_else(String::new, |[row, _]| format!("[{row}]"));
        return checker.report(format!("{path}.pattern{row}"), error.explained());
    }
    if let Knit::Jacquard(rows) = &knit.pattern {
        for (row, text) in rows.iter().enumerate() {
            let feeds = text.chars().filter_map(|c| c.to_digit(10));
            let last = feeds.max().unwrap_or_default() as usize;
            check_feed(checker, &format!("{path}.pattern[{row}]"), last, knit.yarns.len());
        }
    }
}
