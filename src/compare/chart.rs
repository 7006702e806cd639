//! Curves as SVG.

use std::fmt::Write;

use super::case::Case;

/// Size of a chart and the room around its curves, in its own units.
const SIZE: [f64; 2] = [460.0, 250.0];
const LEFT: f64 = 62.0;
const BELOW: f64 = 26.0;
const MARGIN: f64 = 8.0;

/// Columns of pixels into which the steps of a curve are gathered; of each the least and the largest value is kept.
const BUCKETS: usize = 380;

/// Lines across a chart, about.
const LINES: f64 = 5.0;

/// The chart of a curve of all cases; none if it is zero in all of them.
pub(super) fn chart(cases: &[Case], name: &str, escape: fn(&str) -> String) -> Option<String> {
    let curves: Vec<(usize, &Case, &[f64])> = cases
        .iter()
        .enumerate()
        .filter_map(|(k, c)| c.curve(name).map(|curve| (k, c, curve.values.as_slice())))
        .collect();
    let [low, high] = range(curves.iter().flat_map(|(_, _, v)| v.iter().copied()))?;
    if low == 0.0 && high == 0.0 {
        return None;
    }
    let [_, end] = range(curves.iter().flat_map(|(_, c, _)| c.time.iter().copied()))?;
    let frame = Frame::new([0.0, end], [low.min(0.0), high.max(0.0)]);
    let mut out = String::new();
    let [x, y] = [frame.x, frame.y];
    let _ = write!(
        out,
        "<figure><figcaption>{}</figcaption><svg viewBox=\"0 0 {} {}\" data-frame=\"{LEFT} {MARGIN} {} {}\" \
         data-range=\"{} {} {} {}\">",
        escape(name),
        SIZE[0],
        SIZE[1],
        SIZE[0] - LEFT - MARGIN,
        SIZE[1] - BELOW - MARGIN,
        x[0],
        x[1],
        y[0],
        y[1]
    );
    frame.grid(&mut out);
    for (k, case, values) in curves {
        let _ = write!(out, "<polyline class=\"c{k}\" points=\"");
        for (t, v) in thinned(&case.time, values) {
            let [px, py] = frame.place(t, v);
            let _ = write!(out, "{px:.1},{py:.1} ");
        }
        out.push_str("\"/>");
    }
    out.push_str("</svg></figure>");
    Some(out)
}

/// The least and the largest finite value.
fn range(values: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    values
        .filter(|v| v.is_finite())
        .fold(None, |r, v| Some(r.map_or([v, v], |[low, high]: [f64; 2]| [low.min(v), high.max(v)])))
}

/// The curve with no more than two points to a bucket of steps: its peaks stay.
fn thinned(time: &[f64], values: &[f64]) -> Vec<(f64, f64)> {
    let points: Vec<(f64, f64)> =
        time.iter().copied().zip(values.iter().copied()).filter(|(_, v)| v.is_finite()).collect();
    if points.len() <= 2 * BUCKETS {
        return points;
    }
    let mut out = Vec::with_capacity(2 * BUCKETS);
    for bucket in points.chunks(points.len().div_ceil(BUCKETS)) {
        let by_value = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
        let (low, high) = (bucket.iter().min_by(by_value), bucket.iter().max_by(by_value));
        let mut pair: Vec<(f64, f64)> = low.into_iter().chain(high).copied().collect();
        pair.sort_by(|a, b| a.0.total_cmp(&b.0));
        pair.dedup();
        out.extend(pair);
    }
    out
}

/// Where values are on a chart.
struct Frame {
    x: [f64; 2],
    y: [f64; 2],
}

impl Frame {
    fn new(x: [f64; 2], y: [f64; 2]) -> Self {
        let room = 0.04 * (y[1] - y[0]);
        let y = [if y[0] < 0.0 { y[0] - room } else { 0.0 }, if y[1] > 0.0 { y[1] + room } else { 0.0 }];
        Self { x, y }
    }

    fn place(&self, t: f64, v: f64) -> [f64; 2] {
        let [width, height] = [SIZE[0] - LEFT - MARGIN, SIZE[1] - BELOW - MARGIN];
        [
            LEFT + width * (t - self.x[0]) / (self.x[1] - self.x[0]),
            MARGIN + height * (self.y[1] - v) / (self.y[1] - self.y[0]),
        ]
    }

    /// Lines at round numbers, with the numbers.
    fn grid(&self, out: &mut String) {
        let ([left, bottom], [right, top]) =
            (self.place(self.x[0], self.y[0]), self.place(self.x[1], self.y[1]));
        for v in round_numbers(self.y) {
            let [_, y] = self.place(self.x[0], v);
            let class = if v == 0.0 { "axis" } else { "line" };
            let _ = write!(
                out,
                "<path class=\"{class}\" d=\"M{left} {y:.1}H{right}\"/><text x=\"{}\" y=\"{:.1}\" class=\"y\">{}</text>",
                left - 5.0,
                y + 3.5,
                short(v)
            );
        }
        for t in round_numbers(self.x) {
            let [x, _] = self.place(t, self.y[0]);
            let _ = write!(
                out,
                "<path class=\"line\" d=\"M{x:.1} {top}V{bottom}\"/><text x=\"{x:.1}\" y=\"{}\" class=\"x\">{}{}</text>",
                bottom + 15.0,
                short(t),
                if t == 0.0 { " s" } else { "" }
            );
        }
    }
}

/// Multiples of 1, 2 or 5 times a power of ten in a range.
fn round_numbers([low, high]: [f64; 2]) -> Vec<f64> {
    let about = (high - low) / LINES;
    let power = 10f64.powf(about.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= about).unwrap_or(about);
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    (first..=last).map(|k| k as f64 * step).collect()
}

/// A number as short as it can be told from its neighbours.
pub(super) fn short(v: f64) -> String {
    let size = v.abs();
    if v == 0.0 {
        "0".into()
    } else if (1e-3..1e5).contains(&size) {
        let digits = (3.0 - size.log10().floor()).clamp(0.0, 6.0) as usize;
        let text = format!("{v:.digits$}");
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
    } else {
        format!("{v:.2e}").replace(".00e", "e").replace("0e", "e")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_round_and_short() {
        assert_eq!(round_numbers([0.0, 10.4]), [0.0, 5.0, 10.0]);
        assert_eq!(round_numbers([-1.2e-3, 1.1e-3]).map_short(), ["-0.001", "-5e-4", "0", "5e-4", "0.001"]);
        assert_eq!(
            [83.928_676, 1234.6, 0.1, 2e6, -3.5e-7].map(short),
            ["83.93", "1235", "0.1", "2e6", "-3.5e-7"]
        );
    }

    trait Short {
        fn map_short(&self) -> Vec<String>;
    }

    impl Short for Vec<f64> {
        fn map_short(&self) -> Vec<String> {
            self.iter().map(|v| short(*v)).collect()
        }
    }

    #[test]
    fn peaks_survive_thinning() {
        let time: Vec<f64> = (0..10_000).map(f64::from).collect();
        let mut values = vec![1.0; 10_000];
        (values[4321], values[7654]) = (9.0, -9.0);
        let thin = thinned(&time, &values);
        assert!(thin.len() <= 2 * BUCKETS && thin.contains(&(4321.0, 9.0)) && thin.contains(&(7654.0, -9.0)));
        assert!(thin.windows(2).all(|w| w[0].0 < w[1].0), "in the order of time");
    }
}
