//! The page of compared runs.

use std::fmt::Write;

use super::case::{Case, Picture};
use super::chart::chart;
use super::csv::names;
use super::table::{heads, row};
use crate::draw::colour::distinct;
use crate::draw::image::to_srgb;
use crate::scene::words::counted;

/// What a page says beside the runs.
#[derive(Debug, Clone, Copy)]
pub struct Heading<'a> {
    /// Name of the scene.
    pub scene: &'a str,
    /// Its text.
    pub text: &'a str,
    /// Runs at a time, and threads of each.
    pub side_by_side: [usize; 2],
}

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page of some runs, complete in itself.
pub fn page(heading: &Heading<'_>, cases: &[Case]) -> String {
    let mut out = String::new();
    let (title, runs) = (escape(heading.scene), counted(cases.len() as u64, "run"));
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}: {runs} compared</title>\n\
         <style>{STYLE}"
    );
    for k in 0..cases.len() {
        let _ =
            writeln!(out, ".c{k}{{stroke:{0}}} .k{k}{{color:{0}}} .hide{k} .c{k}{{display:none}}", colour(k));
    }
    let _ = write!(out, "</style></head><body><h1>{title}: {runs}</h1>");
    legend(&mut out, cases);
    out.push_str("<section class=\"charts\">");
    for name in names(cases) {
        out.push_str(&chart(cases, name, escape).unwrap_or_default());
    }
    out.push_str("</section>");
    pictures(&mut out, cases);
    table(&mut out, heading, cases);
    let _ = writeln!(
        out,
        "<details><summary>The scene</summary><pre>{}</pre></details><script>{SCRIPT}</script></body></html>",
        escape(heading.text)
    );
    out
}

/// The runs with their colours; a click hides one.
fn legend(out: &mut String, cases: &[Case]) {
    out.push_str("<nav>");
    for (k, case) in cases.iter().enumerate() {
        let _ = write!(
            out,
            "<label class=\"k{k}\"><input type=\"checkbox\" data-run=\"{k}\" checked> <b>{}</b></label>",
            escape(&case.label)
        );
    }
    out.push_str("</nav>");
}

fn pictures(out: &mut String, cases: &[Case]) {
    if cases.iter().all(|c| c.pictures.is_empty()) {
        return;
    }
    out.push_str("<section class=\"strips\"><table>");
    for (k, case) in cases.iter().enumerate() {
        let _ = write!(out, "<tr><th class=\"k{k}\">{}</th>", escape(&case.label));
        for Picture { time, png } in &case.pictures {
            let _ = write!(
                out,
                "<td><img alt=\"{time:.3} s\" src=\"data:image/png;base64,{}\"><br>{time:.3} s</td>",
                base64(png)
            );
        }
        out.push_str("</tr>");
    }
    out.push_str("</table></section>");
}

fn table(out: &mut String, heading: &Heading<'_>, cases: &[Case]) {
    out.push_str("<section class=\"values\"><table>");
    // A line for each value: there are more of them than of runs.
    let rows: Vec<Vec<String>> = cases.iter().map(|case| row(cases, case)).collect();
    for (i, head) in heads(cases).iter().enumerate() {
        let _ = write!(out, "<tr><th>{}</th>", escape(head));
        for (k, row) in rows.iter().enumerate() {
            let class = if i == 0 { format!(" class=\"k{k}\"") } else { String::new() };
            let _ = write!(out, "<td{class}>{}</td>", escape(&row[i]));
        }
        out.push_str("</tr>");
    }
    let [runs, threads] = heading.side_by_side;
    let _ = write!(
        out,
        "</table><p>Seconds are wall-clock time, with {runs} of the runs at a time and {} for each. Differences are \
         those of a run's curve from that of the first run at the same moments.</p></section>",
        counted(threads as u64, "thread")
    );
}

/// The colour of a run, as CSS has it.
fn colour(run: usize) -> String {
    let [r, g, b] = distinct(run).map(to_srgb);
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Bytes as letters, after RFC 4648, section 4.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let of = |k: usize| chunk.get(k).copied().map_or(0, u32::from);
        let bits = of(0) << 16 | of(1) << 8 | of(2);
        for k in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * k) & 63) as usize];
            out.push(if k <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_as_the_standard_says() {
        let cases = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (bytes, text) in cases {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[0xfb, 0xff]), "+/8=");
    }
}
